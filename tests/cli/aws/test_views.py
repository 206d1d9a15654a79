"""What ``primavoce aws`` shows: figures, tables, progress."""

from collections.abc import Callable

import pytest
from rich.console import Console, RenderableType

from primavoce.aws.findings import missing, ok, verdict
from primavoce.aws.names import Names
from primavoce.cli.aws_view import deletion_view, findings_view, leftovers_view, standing_view
from tests.aws.world import World
from tests.cli.aws.running import run, shown


def test_bench_shows_its_figures_beside_the_published_ones_with_the_remark_that_those_are_one_tests() -> None:
    from primavoce.aws.bench_run import AwsBench
    from primavoce.aws.measuring import AgentFigures, Compared, SpeechFigures, Times
    from primavoce.cli.aws_bench_view import bench_view

    pair = Compared(Times(400.0, 390.0, 380.0, 420.0, 5), Times(100.0, 78.0, 70.0, 130.0, 5))
    lengths = {"batch": (700, 720), "stream": (690, 710)}
    agents = tuple(AgentFigures(where, pair, ratio, lengths) for where, ratio in (("local", 5.0), ("deployed", 6.1)))
    speech = SpeechFigures(267, pair, pair, 61.0)
    report = AwsBench("aws", "primavoce-speech", "ml.g5.xlarge", "us-east-1", "af_heart", 5, "Why?", speech, agents)

    told = shown(bench_view(report))

    rows = {line.strip("│ ").split("│")[0].strip(): line for line in told.splitlines() if "│" in line}
    assert [cell.strip() for cell in rows["first byte"].strip("│ ").split("│")[1:]] == [
        "400.0", "390.0", "100.0", "78.0", "75.0", "80.0",
    ]  # fmt: skip
    assert [cell.strip() for cell in rows["published"].strip("│ ").split("│")[1:]] == [
        "329.3", "–", "156.7", "–", "52.4", "–",
    ]  # fmt: skip
    assert [cell.strip() for cell in rows["local"].strip("│ ").split("│")[1:]] == [
        "390", "78", "5.0", "2.4", "700–720; 690–710",
    ]  # fmt: skip
    assert "3.5" in rows["deployed"]
    assert "published figures are those of one test" in told
    assert "hour" not in told


@pytest.mark.aws
def test_bench_without_an_endpoint_says_what_comes_first(world: World) -> None:
    done = run("bench")

    assert done.exit_code == 1
    assert "primavoce-speech isn't there; `primavoce aws deploy speech`" in done.output


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("primavoce", "primavoce aws verify --part speech"),
        ("demo", "primavoce aws verify --part speech --name demo"),
    ],
)
def test_status_shows_whether_the_endpoint_is_verified_and_what_it_costs(name: str, command: str) -> None:
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.stacks import Stack
    from primavoce.aws.standing import Standing

    speech = Endpoint(f"{name}-speech", "arn", "InService", "config-1", "sha256:1", 2, 3, "ml.g5.xlarge", "")
    stacks = (Stack("primavoce-speech", "UPDATE_COMPLETE"),)

    found = Standing("us-east-1", stacks, speech, None, ("primavoce-speech-errors",), 2.816, ())
    told = shown(standing_view(found, Names(name)))

    assert "InService, 2 × ml.g5.xlarge, 3 wanted" in told
    assert f"not verified: `{command}`" in told
    assert "primavoce-speech-errors" in told
    assert "about $2.82 an hour" in told


LONG_REGION = "ap-southeast-1"
ARN = f"arn:aws:bedrock-agentcore:{LONG_REGION}:123456789012:runtime/primavoce_agent-AbCdEf1234"


def test_status_shows_what_is_to_be_copied_whole_on_a_line_of_its_own(
    printed: Callable[[RenderableType], list[str]],
) -> None:
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.runtime import Runtime
    from primavoce.aws.standing import Standing

    speech = Endpoint("primavoce-speech", "arn", "InService", "c", "sha256:1", 1, 1, "ml.g5.xlarge", "")
    found = Standing(LONG_REGION, (), speech, Runtime("primavoce_agent", ARN, "READY", "1"), (), 1.4, ())

    lines = printed(standing_view(found, Names(region=LONG_REGION, profile="of-the-voice")))

    assert f"runtime's ARN: {ARN}" in lines
    told = f"`primavoce aws verify --part speech --region {LONG_REGION} --profile of-the-voice`"
    assert f"not verified: {told}" in lines


def test_so_does_what_is_left_and_what_is_to_be_done(printed: Callable[[RenderableType], list[str]]) -> None:
    from primavoce.aws.leftovers import Leftover, Leftovers

    remedy = f"aws logs delete-log-group --log-group-name /aws/bedrock-agentcore/{'x' * 60}-DEFAULT"
    left = (Leftover("log group", "/aws/x", "what is kept in it", remedy), Leftover("tagged", ARN, "depends", "look"))

    lines = printed(leftovers_view(Leftovers(left, ())))

    assert f"    {remedy}" in lines
    assert f"tagged {ARN}: bills depends" in lines
    bootstrap = f"`cdk bootstrap aws://123456789012/{LONG_REGION} --profile {'p' * 40}`"
    view = findings_view(verdict([missing("CDK bootstrap", "none", bootstrap)], "primavoce aws deploy"))
    assert f"CDK bootstrap: {bootstrap}" in printed(view)


def test_so_does_what_is_about_to_be_deleted(printed: Callable[[RenderableType], list[str]]) -> None:
    from primavoce.aws.destroying import Deletion, Doomed

    resource, group = f"AWS::BedrockAgentCore::Runtime {ARN}", f"/aws/lambda/{'x' * 90}"
    deletion = Deletion((Doomed("primavoce-agent", "CREATE_COMPLETE", (resource,)),), (group,))

    lines = printed(deletion_view(deletion, "123456789012", LONG_REGION))

    assert lines[1:] == [
        "1 stack primavoce-agent, CREATE_COMPLETE",
        f"    {resource}",
        "2 log groups that are still there then",
        f"    {group}",
    ]


def test_only_on_a_terminal_are_lines_fitted_to_its_width_and_there_between_words(
    printed: Callable[[RenderableType], list[str]], request: pytest.FixtureRequest
) -> None:
    socket = f"unix:///var/run/{'x' * 60}/docker.sock"
    told = f"it doesn't answer: Cannot connect to the Docker daemon at {socket} and more of what is told, twice-over"
    found = verdict([missing("Docker engine", told, ""), ok("credentials", f"{ARN}, account 123456789012")], "deploy")

    lines = printed(findings_view(found))

    on_terminal = request.node.callspec.params["printed"] == "terminal"
    assert any(f"{ARN}, account" in line for line in lines) != on_terminal
    assert any(line.endswith(told) for line in lines) != on_terminal
    words = [word for line in lines for word in line.split()]
    assert {*told.split(), f"{ARN},"} <= set(words)
    if on_terminal:
        assert all(len(line) <= 80 for line in lines if socket not in line and ARN not in line)


def test_progress_has_a_line_for_each_change_and_none_for_each_look() -> None:
    from primavoce.cli.aws_progress import StepProgress

    console = Console(width=100, force_terminal=False)
    progress = StepProgress(console)

    with console.capture() as capture, progress.shown():
        progress.step("the endpoint comes into service", 5, 12)
        for waited_s in (0.0, 15.0, 30.0):
            progress.state("endpoint e", "Creating", waited_s)
        progress.state("endpoint e", "InService", 45.0)
        progress.line("what a [bold]program[/] says")

    assert capture.get().splitlines() == [
        "[5/12] the endpoint comes into service",
        "· endpoint e: Creating, 0 s",
        "· endpoint e: InService, 45 s",
        "  what a [bold]program[/] says",
    ]
