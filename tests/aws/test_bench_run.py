"""The benchmark as it is run: on loopback, with the SDKs of AWS, before real servers and a real agent."""

import gc
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.aws.account import Account
from primavoce.aws.bench_run import AwsBench, Bench
from primavoce.aws.measuring import AgentFigures, Compared, SpeechFigures, Times
from primavoce.aws.runtime import MODEL_VARIABLE, Runtime, find
from primavoce.aws.steps import MODEL
from primavoce.cli.aws_bench_view import bench_view
from primavoce.errors import StepFailed
from tests.agent.runtime.conftest import (  # noqa: F401 - fixtures
    authority,
    credentials,
    front,
    logging_of_the_sdk_as_it_was,
)
from tests.agent.runtime.data_plane import ARN, KEY_ID, REGION, SECRET_KEY
from tests.aws.world import NAMES, World, digest_of
from tests.conftest import run_agent

pytestmark = pytest.mark.anyio

WRITTEN = "The sky is blue because of the air. " * 6
MODEL_ID = "example.model-v1:0"


async def an_answer(_: str) -> AsyncIterator[Piece]:
    for word in WRITTEN.split():
        yield f"{word} "


def deployed_world(**runtime_environment: str) -> World:
    """An account in which everything is deployed, and nothing verified."""
    return World(
        stacks=dict.fromkeys(NAMES.stacks, "CREATE_COMPLETE"),
        endpoint={"config": "config-1", "digest": digest_of("a"), "status": "InService"},
        runtime_arn=ARN,
        runtime_environment=runtime_environment,
    )


def shown(report: AwsBench) -> str:
    """What is printed, on a terminal of the usual width."""
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=100, highlight=False).print(bench_view(report))
    return out.getvalue()


def cells(told: str, row: str) -> list[str]:
    """What stands in a row of the tables, behind its name."""
    found = [line.strip("│ ").split("│") for line in told.splitlines() if "│" in line]
    return next([cell.strip() for cell in each[1:]] for each in found if each[0].strip() == row)


@dataclass
class Fronts:
    """Both of SageMaker's fronts before one server, and what goes through them."""

    sessions: Any
    responses: Any
    runtime: Any
    """Boto3's client of the second."""
    notes: list[str] = field(default_factory=list)

    def bench(self, world: World, *, model: str | None = None, **environ: str) -> Bench:
        control = world.account()
        own = {"sagemaker-runtime": self.runtime}
        account = Account(REGION, lambda service: own.get(service) or control.client(service))
        return Bench(
            account, NAMES, "af_heart", 2, model, self.notes.append, environ=environ, speech_url=self.sessions.url
        )


@pytest.fixture
def own_credentials_afresh() -> Iterator[None]:
    """Have this process's own credentials looked for again, before and after."""
    from primavoce.client.sagemaker.credentials import own_credentials

    own_credentials.cache_clear()
    yield
    own_credentials.cache_clear()


@asynccontextmanager
async def fronts(server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fronts]:
    """Run both fronts, whose certificates are trusted beside whatever is trusted already."""
    import os

    import boto3

    from primavoce.testing.aws.response_stream import response_stream_front
    from primavoce.testing.aws.sagemaker_front import FrontSettings, sagemaker_front

    settings = FrontSettings(endpoint=NAMES.endpoint, region=REGION, secrets={KEY_ID: SECRET_KEY})
    async with (
        sagemaker_front(server.address, settings) as sessions,
        response_stream_front(server.address, settings) as responses,
    ):
        trusted = [sessions.ca_file, *([Path(given)] if (given := os.environ.get("AWS_CA_BUNDLE")) else [])]
        (tmp_path / "all.pem").write_bytes(b"".join(each.read_bytes() for each in trusted))
        monkeypatch.setenv("AWS_CA_BUNDLE", str(tmp_path / "all.pem"))
        with closing(boto3.client("sagemaker-runtime", REGION, endpoint_url=responses.url)) as runtime:
            yield Fronts(sessions, responses, runtime)


@pytest.mark.aws
@pytest.mark.agent
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # botocore leaves a socket open at times
@pytest.mark.usefixtures("own_credentials_afresh")
async def test_loopback_bench_measures_the_endpoint_an_agent_of_its_own_and_the_deployed_one(
    serving,
    front,  # noqa: F811
    monkeypatch,
    tmp_path,
) -> None:
    import os

    from primavoce.testing.aws.bedrock import bedrock

    world = deployed_world(**{MODEL_VARIABLE: f"bedrock:{MODEL_ID}"})
    async with (
        serving() as server,
        front(an_answer) as running,
        bedrock(WRITTEN) as model,
        fronts(server, tmp_path, monkeypatch) as ours,
    ):
        environ = {**os.environ, "AWS_REGION": REGION, "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": model.url}
        report = await ours.bench(world, **environ).run(with_agent=True, local_agent=None)
    gc.collect()  # here, and not in the middle of another test

    # The endpoint: a warm-up and two trials each way, all of it through SageMaker's fronts.
    assert (ours.responses.calls, report.speech.first_byte.batch.n, report.speech.first_sound.stream.n) == (3, 2, 2)
    assert all(session.problems == [] for session in ours.sessions.sessions)
    # An agent of its own, in a process of its own, by the deployed one's model and the endpoint's voice.
    assert [(each.where, each.model) for each in report.agents] == [
        ("local", f"bedrock:{MODEL_ID}"),
        ("deployed", f"bedrock:{MODEL_ID}"),
    ]
    assert set(model.models) == {MODEL_ID}
    assert len(model.models) == 5
    assert len(ours.sessions.sessions) > 1  # the agent's beside the benchmark's own
    # The deployed one, through AgentCore.
    asked = [seen.message["mode"] for seen in running.plane.seen if "prompt" in seen.message]
    assert (sorted(asked), {seen.arn for seen in running.plane.seen}) == (["batch"] * 2 + ["stream"] * 3, {ARN})
    for each in report.agents:
        assert {length for lengths in each.characters.values() for length in lengths} <= {
            len(WRITTEN) - 1,
            len(WRITTEN),
        }
        assert each.first_audio.batch.median > 0

    told = shown(report)
    assert cells(told, "published") == ["329.3", "–", "156.7", "–", "52.4", "–"]
    assert [cells(told, where)[3] for where in ("local", "deployed")] == ["2.4", "3.5"]
    assert "published figures are those of one test" in told
    assert f"both write by bedrock:{MODEL_ID}" in told
    # How much audio comes in an hour is another figure, and never stands beside first audio.
    assert "hour" not in told.lower()
    assert b"hour" not in msgspec.json.encode(report).lower()


@pytest.mark.aws
@pytest.mark.usefixtures("own_credentials_afresh", "credentials")
async def test_loopback_bench_of_an_endpoint_alone_asks_nobody_for_an_agent(serving, monkeypatch, tmp_path) -> None:
    world = deployed_world()
    world.stacks.pop(NAMES.agent_stack)
    async with serving() as server, fronts(server, tmp_path, monkeypatch) as ours:
        report = await ours.bench(world).run(with_agent=False, local_agent=None)

    found = report.speech
    assert (report.endpoint, report.instance_type, report.region) == (NAMES.endpoint, "ml.g5.xlarge", REGION)
    assert (found.characters, report.agents) == (267, ())
    assert found.first_sound.batch.least >= found.first_byte.batch.least > 0
    assert 0 < found.opening_ms < 10_000
    told = shown(report)
    assert cells(told, "first byte")[0] == f"{found.first_byte.batch.mean:.1f}"
    assert cells(told, "first sound")[2] == f"{found.first_sound.stream.mean:.1f}"
    assert "267 characters: milliseconds, 2 trials each" in told
    assert f"opening the session, before the text: {found.opening_ms:.0f} ms" in told


@pytest.mark.aws
async def test_loopback_bench_asks_an_agent_that_runs_already_and_starts_none(serving) -> None:
    notes: list[str] = []
    bench = Bench(World().account(), NAMES, "af_heart", 1, "m", notes.append, environ={})
    runtime = Runtime(NAMES.runtime, ARN, "READY", "1", model="bedrock:m")
    async with serving() as server, run_agent(lambda: PlainConversation(an_answer), server.address) as agent:
        found = await bench.local(agent.address, runtime)

    assert (found.where, found.first_audio.stream.n, found.model) == ("local", 1, None)
    assert not any("starting" in note for note in notes)


# --- what has to be there


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"endpoint": None}, "primavoce-speech isn't there; `primavoce aws deploy speech`"),
        (
            {"endpoint": {"config": "c", "digest": "sha256:d", "status": "Updating"}},
            "primavoce-speech is Updating; `primavoce aws deploy speech`",
        ),
        ({"stacks": {}}, "primavoce_agent isn't there; `primavoce aws deploy agent`"),
        ({"runtime_status": "CREATE_FAILED"}, "primavoce_agent is CREATE_FAILED; `primavoce aws deploy agent`"),
    ],
)
@pytest.mark.aws
async def test_what_isnt_there_is_told_before_anything_is_measured(change: dict[str, Any], told: str) -> None:
    notes: list[str] = []
    account = replace(deployed_world(), **change).account()

    with pytest.raises(StepFailed) as caught:
        await Bench(account, NAMES, "af_heart", 1, None, notes.append, environ={}).run(
            with_agent=True, local_agent=None
        )

    assert str(caught.value) == f"measuring failed: {told}"
    assert notes == []


# --- which model writes


@pytest.mark.parametrize(
    ("chosen", "deployed", "expected"),
    [
        (None, "bedrock:theirs", "bedrock:theirs"),
        ("ours", "bedrock:theirs", "bedrock:ours"),
        (None, "", f"bedrock:{MODEL}"),
    ],
)
async def test_an_agent_of_our_own_writes_by_the_deployed_ones_model_unless_told_otherwise(
    monkeypatch, chosen: str | None, deployed: str, expected: str
) -> None:
    from primavoce.aws import bench_run

    started: list[tuple[str, ...]] = []
    spoken_by: list[str] = []

    @asynccontextmanager
    async def instead(_: object, command: tuple[str, ...], environ: dict[str, str]) -> AsyncIterator[Any]:
        started.append(command)
        spoken_by.append(environ["PRIMAVOCE_AGENT_SPEECH"])
        raise StepFailed("starting", "it isn't the matter here")
        yield

    monkeypatch.setattr(bench_run, "own_server", instead)
    bench = Bench(World().account(), NAMES, "af_heart", 1, chosen, print, environ={})

    with pytest.raises(StepFailed, match="isn't the matter"):
        await bench.local(None, Runtime(NAMES.runtime, ARN, "READY", "1", model=deployed))

    assert started == [("agent", "--model", expected, "--host", "127.0.0.1", "--port", "0")]
    assert spoken_by == [f"sagemaker:{NAMES.endpoint}?region=us-east-1"]


@pytest.mark.aws
def test_a_runtimes_model_is_what_its_container_is_told() -> None:
    told = deployed_world(**{MODEL_VARIABLE: "bedrock:theirs", "PRIMAVOCE_OPEN": "1"})
    silent = deployed_world()

    models = [found.model for world in (told, silent) if (found := find(world.account(), NAMES.runtime))]

    assert models == ["bedrock:theirs", ""]


def report_of(*models: str | None) -> AwsBench:
    pair = Compared(Times(400.0, 390.0, 380.0, 420.0, 5), Times(100.0, 78.0, 70.0, 130.0, 5))
    agents = tuple(
        AgentFigures(where, pair, 5.0, {"batch": (700,), "stream": (690,)}, model)
        for where, model in zip(("local", "deployed"), models, strict=True)
    )
    speech = SpeechFigures(267, pair, pair, 61.0)
    return AwsBench("aws", NAMES.endpoint, None, REGION, "af_heart", 5, "Why?", speech, agents)


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (("bedrock:a", "bedrock:a"), "both write by bedrock:a"),
        (
            ("bedrock:a", "bedrock:b"),
            "the models differ (local: bedrock:a; deployed: bedrock:b), and so may the ratios for that alone",
        ),
        (
            (None, "bedrock:b"),
            "what the local agent writes by isn't known (deployed: bedrock:b): perhaps not by the same model",
        ),
        ((None, None), "what the local and the deployed agent writes by isn't known: perhaps not by the same model"),
    ],
)
def test_models_that_differ_are_told_beside_the_ratios(models: tuple[str | None, str | None], told: str) -> None:
    lines = [line.strip() for line in shown(report_of(*models)).splitlines()]

    assert told in lines
    assert lines.index(told) == max(place for place, line in enumerate(lines) if line.startswith("└")) + 1
