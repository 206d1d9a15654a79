"""``primavoce aws destroy``: what would go, whether that is meant, and what is left."""

from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.cli.aws_options import AsJson, Name, Profile, Region, names_of, note, open_account, show_json
from primavoce.cli.aws_progress import step_progress
from primavoce.cli.ending import FAILED, ending
from primavoce.errors import InvalidSetting

if TYPE_CHECKING:
    from primavoce.aws.account import Account
    from primavoce.aws.names import Names


def destroy(
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be deleted.")] = False,
    name: Name = "primavoce",
    region: Region = None,
    profile: Profile = None,
    as_json: AsJson = False,
) -> None:
    """Delete the agent, then the endpoint, then bucket, repositories and logs; and list whatever is left that can bill.

    It asks for the deployment's name first. CDK's bootstrap is listed and left: other projects may need it. Status 1 if
    something of this deployment is left, or if that couldn't be seen. About 10 minutes.
    """
    from primavoce.aws.destroying import destroy as take_down
    from primavoce.aws.destroying import planned
    from primavoce.aws.leftovers import leftovers
    from primavoce.aws.waiting import Waiting
    from primavoce.cli.aws_view import deletion_view, leftovers_view, show

    with ending():
        names, account = names_of(name, region, profile), open_account(region, profile)
        deletion = planned(account, names)
        show(deletion_view(deletion, account.number, account.region), stderr=as_json)
        if not dry_run:
            _insist_on_name(names, account, yes=yes)
            progress = step_progress()
            try:
                with progress.shown():
                    take_down(account, names, Waiting(progress.state), on_note=progress.note)
            except KeyboardInterrupt:
                note("left; what CloudFormation has begun goes on by itself: run the same command again")
                raise
        left = leftovers(account, names)
        if dry_run:
            left = left.before_deleting()
        if as_json:
            show_json({"dry_run": dry_run, "deletes": deletion, **left.as_object()})
        else:
            show(leftovers_view(left))
        if not dry_run and not left.is_clean:
            raise typer.Exit(FAILED)


def _insist_on_name(names: "Names", account: "Account", *, yes: bool) -> None:
    """Have the deployment's name typed.

    Raises:
        InvalidSetting: it was something else.
    """
    if yes:
        return
    typed = typer.prompt(f"Delete all of this in {account.number}, {account.region}? Type {names.prefix}", err=True)
    if typed.strip() != names.prefix:
        raise InvalidSetting("destroy", f"{names.prefix} was not typed, so nothing was deleted")
