"""``primavoce aws``: from nothing to a talking agent in an account of AWS, and back to nothing."""

from pathlib import Path
from typing import Annotated

import typer

from primavoce.aws.machines import INSTANCE_TYPE
from primavoce.aws.steps import MODEL
from primavoce.cli.aws_destroy import destroy
from primavoce.cli.aws_options import (
    AsJson,
    Checkout,
    InstanceType,
    ModelOption,
    Name,
    Profile,
    Region,
    names_of,
    open_account,
    show_json,
)
from primavoce.cli.aws_run import bench, deploy, verify
from primavoce.cli.ending import FAILED, ending
from primavoce.errors import InvalidSetting

CHOOSE = "say --region and --profile, or set AWS_REGION and AWS_PROFILE; profiles are in ~/.aws/config"

aws_app = typer.Typer(
    help="Deploy the speech endpoint and the agent to AWS, verify and measure them, and take them down again.",
    no_args_is_help=True,
)


@aws_app.command()
def check(
    *,
    instance_type: InstanceType = INSTANCE_TYPE,
    instances: Annotated[int, typer.Option(min=1, help="The most instances that are wanted, for the quota.")] = 1,
    model: ModelOption = None,
    name: Name = "primavoce",
    region: Region = None,
    profile: Profile = None,
    checkout: Checkout = None,
    as_json: AsJson = False,
) -> None:
    """See whether a deployment can go on: programs here, and what the account has and allows.

    Each line is ok, missing, or can't tell (nobody was allowed to look), with what to do. Nothing is changed, and
    nothing is billed. Status 0 if nothing that is needed is known to be missing, 1 otherwise.
    """
    from primavoce.aws.account_checks import account_findings, unreached
    from primavoce.aws.commands import LocalCommands
    from primavoce.aws.findings import Finding, missing, unknown, verdict
    from primavoce.aws.local_checks import find_checkout, local_findings
    from primavoce.aws.machines import check_instance_type
    from primavoce.cli.aws_view import findings_view, show
    from primavoce.errors import ExtraMissing, PrimavoceError

    with ending():
        check_instance_type(instance_type)
        names = names_of(name, region, profile)
        found: list[Finding] = []
        folder = find_checkout((checkout or Path.cwd()).absolute())
        found += local_findings(LocalCommands(), names, checkout=folder)
        try:
            account = open_account(region, profile)
        except ExtraMissing:
            found.append(unknown("account", "without boto3 it can't be asked", "install boto3"))
            found += unreached(instance_type)
        except PrimavoceError as error:
            found.append(missing("account", str(error), CHOOSE))
            found += unreached(instance_type)
        else:
            found += account_findings(
                account, names, instance_type=instance_type, instances=instances, model=model or MODEL
            )
        outcome = verdict(found, names.with_prefix("deploy"))
        if as_json:
            show_json(outcome.as_object())
        else:
            show(findings_view(outcome))
        if not outcome.can_deploy:
            raise typer.Exit(FAILED)


@aws_app.command()
def plan(
    *,
    sessions: Annotated[int, typer.Option(min=1, help="At the same time, at most.")],
    capacity: Annotated[
        Path,
        typer.Option(metavar="FILE", help="What `primavoce bench throughput --json` has said on such an instance."),
    ],
    instance_type: InstanceType = INSTANCE_TYPE,
    growth_per_s: Annotated[
        float | None,
        typer.Option("--growth-per-s", help="New sessions a second; by default all of them within 10 minutes."),
    ] = None,
    headroom: Annotated[float, typer.Option(help="Part of each instance's sessions that is kept free.")] = 0.2,
    min_instances: Annotated[int, typer.Option("--min-instances", min=1, help="When nobody speaks.")] = 1,
    price: Annotated[
        float | None,
        typer.Option(min=0.0, help="US dollars an hour of an instance; by default a table's, to be checked."),
    ] = None,
    start_s: Annotated[
        float | None,
        typer.Option("--start-s", help="Seconds until a new instance serves; 260 were measured once, of ml.g5.xlarge."),
    ] = None,
    first_sound_s: Annotated[
        float,
        typer.Option("--first-sound-s", min=0.0, help="Seconds within which 19 of 20 answers have to be heard."),
    ] = 2.0,
    reaction_s: Annotated[
        float, typer.Option("--reaction-s", help="Seconds until scaling asks for it: the alarm's periods.")
    ] = 60.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the limits of scaling there, for `deploy --capacity`.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Work out instances, their cost, and what sessions meet while more instances start. Asks nobody, costs nothing.

    An instance takes as many sessions as were all spoken to in time and without a gap; whatever waits in a queue is
    none of them.
    """
    from primavoce.aws.machines import check_instance_type
    from primavoce.aws.measured import Measurement
    from primavoce.aws.planning import START_S, Wish
    from primavoce.aws.planning import plan as plan_for
    from primavoce.aws.prices import price_of
    from primavoce.cli.aws_view import plan_view, show

    with ending():
        check_instance_type(instance_type)
        measured = Measurement.read(capacity)
        wish = Wish(
            sessions=sessions,
            sessions_per_instance=measured.sessions_per_instance(first_sound_s),
            instance_type=instance_type,
            headroom=headroom,
            min_instances=min_instances,
            per_s=growth_per_s,
            reaction_s=reaction_s,
            start_s=START_S if start_s is None else start_s,
        )
        found = plan_for(wish, price_of(instance_type, price))
        if out is not None:
            try:
                out.write_text(found.capacity_json(), "utf-8")
            except OSError as error:
                raise InvalidSetting("--out", f"can't write {out}: {error.strerror}") from error
        if as_json:
            show_json(found.as_object())
        else:
            ended = measured.found_its_end(first_sound_s)
            show(plan_view(found, measured, out, found_its_end=ended, start_is_ours=start_s is not None))


@aws_app.command()
def status(
    *, name: Name = "primavoce", region: Region = None, profile: Profile = None, as_json: AsJson = False
) -> None:
    """Show stacks, endpoint, whether it is verified, runtime, alarms that have gone off, and the cost of an hour.

    Status 1 if something couldn't be looked at: what isn't seen may be there.
    """
    from primavoce.aws.standing import standing
    from primavoce.cli.aws_view import show, standing_view

    with ending():
        names, account = names_of(name, region, profile), open_account(region, profile)
        _ = account.number  # once, instead of the same sentence for each thing that can't be looked at
        found = standing(account, names)
        if as_json:
            show_json(found.as_object())
        else:
            show(standing_view(found, names))
        if found.unseen:
            raise typer.Exit(FAILED)


aws_app.command()(deploy)
aws_app.command()(verify)
aws_app.command()(bench)
aws_app.command()(destroy)
