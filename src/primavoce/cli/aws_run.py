"""The commands of ``primavoce aws`` that put something there, or speak."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from primavoce.aws.machines import INSTANCE_TYPE
from primavoce.cli.aws_options import (
    AsJson,
    Checkout,
    InstanceType,
    ModelOption,
    Name,
    Profile,
    Region,
    checkout_of,
    names_of,
    note,
    open_account,
    show_json,
)
from primavoce.cli.aws_progress import step_progress
from primavoce.cli.ending import FAILED, ending
from primavoce.errors import InvalidSetting, PrimavoceError, StepFailed

if TYPE_CHECKING:
    from primavoce.aws.account import Account
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.names import Names
    from primavoce.aws.runtime import Runtime
    from primavoce.aws.speech_cycle import OnCheck
    from primavoce.client.verify import Check

Voice = Annotated[str | None, typer.Option(help="Voice to ask for.")]
Image = Annotated[str | None, typer.Option(metavar="TAG", help="Tag or digest that is pushed already; builds nothing.")]


def deploy(
    what: Annotated[
        Literal["speech", "agent", "all"], typer.Argument(help="speech, then agent on it, or all in this order.")
    ] = "all",
    *,
    instance_type: InstanceType = INSTANCE_TYPE,
    capacity: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Limits of scaling, which `plan --out` has written.")
    ] = None,
    model: ModelOption = None,
    speech_image: Image = None,
    agent_image: Image = None,
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Let the endpoint have fewer instances than it may have now.")
    ] = False,
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", metavar="KEY=VALUE", help="Another choice of the stacks'.")
    ] = None,
    name: Name = "primavoce",
    region: Region = None,
    profile: Profile = None,
    checkout: Checkout = None,
) -> None:
    """Build, push, deploy, wait, and have it speak. Bills from the moment the endpoint is there until `destroy`.

    The agent is put only on an endpoint that is in service and verified; if none is, the command that comes first is
    told.

    After a failure, or Ctrl-C, run the same command again: what is done already takes seconds. Say the same options
    each time: what isn't said is the stacks' own choice. A capacity below the one that is deployed is refused.
    """
    from primavoce.aws.commands import LocalCommands
    from primavoce.aws.deploying import Deployment
    from primavoce.aws.images import check_image
    from primavoce.aws.machines import check_instance_type
    from primavoce.aws.steps import BY_CLOUDFORMATION, ROUGH_TIME, Choices, context_pairs
    from primavoce.aws.verifying import insist_on_extras
    from primavoce.aws.waiting import Waiting

    with ending():
        check_instance_type(instance_type)
        check_image("--speech-image", speech_image)
        check_image("--agent-image", agent_image)
        progress = step_progress()
        choices = Choices(
            instance_type=instance_type,
            checkout=checkout_of(checkout),
            capacity=_existing(capacity),
            model=model,
            speech_image=speech_image,
            agent_image=agent_image,
            shrink=shrink,
            context=context_pairs("--context", context or []),
        )
        names = names_of(name, region, profile)
        insist_on_extras(speech=what != "agent", agent=what != "speech")
        account = open_account(region, profile)
        # Without credentials, every wait would go on as if the network had failed for a moment.
        note(f"account {account.number}, {account.region}")
        deployment = Deployment(
            account,
            LocalCommands(progress.line, dict(os.environ)),
            names,
            choices,
            Waiting(progress.state),
            verify_speech=lambda found: _insist_on_speech(account, names, found),
            verify_agent=_insist_on_agent,
            on_step=lambda step, *place: progress.step(f"{step.value} (about {ROUGH_TIME[step]})", *place),
            on_note=progress.note,
        )
        try:
            with progress.shown():
                deployment.run(what)
        except KeyboardInterrupt:
            told = "; what CloudFormation has begun goes on by itself" if deployment.step in BY_CLOUDFORMATION else ""
            note(f"left{told}: run the same command again")
            raise
        note(f"done: `{names.with_prefix('status')}` shows what it costs, `{names.with_prefix('destroy')}` ends that")


def verify(
    *,
    part: Annotated[
        Literal["speech", "agent", "all"], typer.Option(help="Through SageMaker, through AgentCore, or both.")
    ] = "all",
    voice: Voice = None,
    name: Name = "primavoce",
    region: Region = None,
    profile: Profile = None,
    as_json: AsJson = False,
) -> None:
    """Have the endpoint speak, and the agent answer: an endpoint in service is no proof of either.

    Through SageMaker: a binary frame, audio, a second sentence, flush, cancel, close. Through AgentCore: an answer
    whose audio begins before its text is complete. What an endpoint runs then is remembered, as a tag of it. Status 1
    at the first check that fails. Bills a few seconds of an agent's session, and some tokens.
    """
    from primavoce.aws.verifying import insist_on_extras

    with ending():
        told: list[Check] = []
        try:
            names = names_of(name, region, profile)
            insist_on_extras(speech=part != "agent", agent=part != "speech")
            account = open_account(region, profile)
            passed = part == "agent" or _verify_speech(account, names, voice, told, as_json=as_json)
            if passed and part != "speech":
                passed = _verify_agent(account, names, voice, told, as_json=as_json)
        except PrimavoceError as error:
            if as_json:  # what was checked before it holds
                failure = {"code": error.code, "message": str(error)}
                show_json({"passed": False, "checks": told, "error": failure})
            raise
        if as_json:
            show_json({"passed": passed, "checks": told})
        if not passed:
            raise typer.Exit(FAILED)


def _verify_speech(
    account: "Account", names: "Names", voice: str | None, told: "list[Check]", *, as_json: bool
) -> bool:
    """Have the endpoint speak, and remember that it did; return whether it does all that it should."""
    from primavoce.aws import endpoint

    found = endpoint.find(account, names.endpoint)
    if found is None or found.status != endpoint.IN_SERVICE:
        reason = f"{names.endpoint} {endpoint.why_not(found)}"
        raise StepFailed("verifying", reason, f"`{names.with_prefix('deploy speech')}`")
    passed = _speech(account, found, voice, told, as_json=as_json)
    if passed and (unkept := endpoint.mark_verified(account, names, found)):
        note(unkept)
    return passed


def _verify_agent(account: "Account", names: "Names", voice: str | None, told: "list[Check]", *, as_json: bool) -> bool:
    """Have the agent answer; return whether it does as it should."""
    from primavoce.aws import runtime

    agent = runtime.find(account, names.runtime)
    if agent is None or agent.status != runtime.READY:
        state = "isn't there" if agent is None else f"is {agent.status}"
        raise StepFailed("verifying", f"{names.runtime} {state}", f"`{names.with_prefix('deploy agent')}`")
    return _agent(agent, voice, told, as_json=as_json)


def bench(
    *,
    trials: Annotated[int, typer.Option(min=1, max=1000, help="Of each mode.")] = 5,
    voice: Annotated[str, typer.Option(help="An English voice or blend.")] = "af_heart",
    agent: Annotated[bool, typer.Option("--agent/--no-agent", help="Measure the agent too, here and deployed.")] = True,
    local_agent: Annotated[
        str | None,
        typer.Option(metavar="URL", help="http:// address of a local agent; one of our own is started unless given."),
    ] = None,
    model: ModelOption = None,
    name: Name = "primavoce",
    region: Region = None,
    profile: Profile = None,
    as_json: AsJson = False,
) -> None:
    """Measure first byte and first sound: one text in one go and streamed; and an agent's answer, both ways.

    The agent is asked through one that runs here, and through the runtime; both speak by the endpoint. Bills the
    agent's sessions and its model's tokens, two modes times the trials, twice.
    """
    import anyio

    from primavoce.aws.bench_run import Bench
    from primavoce.cli.aws_bench_view import bench_view
    from primavoce.cli.aws_view import show

    with ending():
        names, account = names_of(name, region, profile), open_account(region, profile)
        runner = Bench(account, names, voice=voice, trials=trials, model=model, note=note, environ=dict(os.environ))
        report = anyio.run(runner.run, agent, local_agent)
        if as_json:
            show_json(report)
        else:
            show(bench_view(report))


def _existing(file: Path | None) -> Path | None:
    """Return ``file``.

    Raises:
        InvalidSetting: there is none.
    """
    if file is not None and not file.is_file():
        raise InvalidSetting("--capacity", f"there is no file {file}: `primavoce aws plan --out` writes one")
    return file


def _insist_on_speech(account: "Account", names: "Names", found: "Endpoint") -> None:
    if not _speech(account, found, None, [], as_json=False):
        told = f"{found.name} is in service and doesn't do what an agent needs; the check that failed is above"
        raise StepFailed("verifying the endpoint", told, f"its log is in /aws/sagemaker/Endpoints/{names.endpoint}")


def _insist_on_agent(found: "Runtime") -> None:
    if not _agent(found, None, [], as_json=False):
        told = f"{found.name} is ready and doesn't answer as it should; the check that failed is above"
        raise StepFailed("verifying the agent", told, "its log is in /aws/bedrock-agentcore/runtimes/")


def _speech(account: "Account", found: "Endpoint", voice: str | None, told: "list[Check]", *, as_json: bool) -> bool:
    from primavoce.aws.verifying import endpoint_link, verify_speech

    opener = endpoint_link(found.name, account.region)
    return verify_speech(opener, told=found.name, on_check=_teller(told, as_json=as_json), voice=voice)


def _agent(found: "Runtime", voice: str | None, told: "list[Check]", *, as_json: bool) -> bool:
    from primavoce.aws.verifying import verify_agent

    return verify_agent(found.arn, on_check=_teller(told, as_json=as_json), voice=voice)


def _teller(told: "list[Check]", *, as_json: bool) -> "OnCheck":
    from primavoce.cli.aws_view import print_check

    def tell(check: "Check") -> None:
        told.append(check)
        if not as_json:
            print_check(check)

    return tell
