"""``primavoce bench``: how soon the first sound is heard, for how many at a time, by which way; and comparisons."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.cli.bench_servers import SERVERS
from primavoce.cli.ending import ending
from primavoce.cli.options import ApiKeyOption
from primavoce.cli.progress import report_progress

if TYPE_CHECKING:
    from rich.console import RenderableType

bench_app = typer.Typer(
    help="Measure how soon the first sound is heard, compare, and count how many can be spoken to at a time.",
    no_args_is_help=True,
)

Voice = Annotated[str | None, typer.Option(help="An English voice or blend [PRIMAVOCE_VOICE].")]
Trials = Annotated[int, typer.Option(min=1, max=1000, help="Of each way of speaking.")]
Plot = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Draw PNG and SVG there too; needs the extra `bench`.")
]
MOST_SESSIONS = 1000
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


@bench_app.command()
def latency(*, voice: Voice = None, trials: Trials = 5, plot: Plot = None, as_json: AsJson = False) -> None:
    """Measure the first sound of one text by three ways, and how it grows with the length of a sentence.

    Batch is the published model as it comes, the whole text at once; first sentence is the same for the first sentence
    alone, then the rest; streaming is ours, through the session server.
    """
    with ending():
        _require(plot)
        import anyio

        from primavoce.bench.latency import LatencyReport, run_latency
        from primavoce.bench.plots import plot_latency
        from primavoce.cli.bench_view import latency_tables

        async def run() -> LatencyReport:
            with report_progress() as progress:
                return await run_latency(os.environ, voice=voice, trials=trials, note=_note, progress=progress)

        report = anyio.run(run)
        _show(report, latency_tables(report), as_json=as_json)
        if plot is not None:
            _list(plot_latency(report, plot))


@bench_app.command()
def peers(*, voice: Voice = None, trials: Trials = 5, plot: Plot = None, as_json: AsJson = False) -> None:
    """Compare with kokoro-onnx: the same texts, weights, voice and threads.

    It runs in an environment of its own, which uv makes.
    """
    with ending():
        _require(plot)
        import anyio

        from primavoce.bench.peers import PeersReport, run_peers
        from primavoce.bench.plots import plot_peers
        from primavoce.cli.bench_view import peers_tables

        async def run() -> PeersReport:
            with report_progress() as progress:
                return await run_peers(os.environ, voice=voice, trials=trials, note=_note, progress=progress)

        report = anyio.run(run)
        _show(report, peers_tables(report), as_json=as_json)
        if plot is not None:
            _list(plot_peers(report, plot))


@bench_app.command()
def throughput(
    *,
    sessions: Annotated[str, typer.Option(metavar="N,…", help="How many at a time; each for itself.")] = "1,2,3,4,6,8",
    seconds: Annotated[float, typer.Option(min=1.0, max=86400.0, help="How long each number is kept up.")] = 60.0,
    voice: Voice = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Measure how many sessions can be spoken to at a time, and how fast whole texts are spoken.

    In each session an agent writes 30 tokens a second, and a listener hears one answer out before the next begins.
    """
    with ending():
        _require(plot)
        counts = _counts(sessions)
        import anyio

        from primavoce.bench.throughput import ThroughputReport, run_throughput
        from primavoce.bench.throughput_plots import plot_throughput
        from primavoce.cli.capacity_view import throughput_tables

        async def run() -> ThroughputReport:
            with report_progress() as progress:
                return await run_throughput(
                    os.environ, sessions=counts, seconds=seconds, voice=voice, note=_note, progress=progress
                )

        report = anyio.run(run)
        _show(report, throughput_tables(report), as_json=as_json)
        if plot is not None:
            _list(plot_throughput(report, plot))


@bench_app.command()
def overhead(
    *,
    trials: Annotated[int, typer.Option(min=1, max=100_000, help="Of each measurement.")] = 300,
    as_json: AsJson = False,
) -> None:
    """Measure everything but the model: the real server round one that costs nothing."""
    with ending():
        import anyio

        from primavoce.bench.overhead import OverheadReport, run_overhead
        from primavoce.cli.capacity_view import overhead_tables

        async def run() -> OverheadReport:
            return await run_overhead(os.environ, trials=trials, note=_note)

        report = anyio.run(run)
        _show(report, overhead_tables(report), as_json=as_json)


@bench_app.command()
def soak(
    *,
    minutes: Annotated[float, typer.Option(min=0.1, max=100_000, help="How long visitors come.")] = 30.0,
    visitors: Annotated[int, typer.Option(min=1, max=1000, help="How many at a time.")] = 5,
    instant: Annotated[
        bool, typer.Option("--instant", help="With a model that costs nothing: many more visits.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Visit a server for long, and see whether it stays as it is: its memory, threads, tasks and sessions.

    Visitors talk, interrupt, leave in mid-sentence, send nonsense, and ask over HTTP.
    """
    with ending():
        import anyio

        from primavoce.bench.soak import SoakReport, run_soak
        from primavoce.cli.capacity_view import soak_table

        async def run() -> SoakReport:
            return await run_soak(os.environ, minutes=minutes, visitors=visitors, instant=instant, note=_note)

        report = anyio.run(run)
        _show(report, soak_table(report), as_json=as_json)


@bench_app.command()
def transport(
    *,
    voice: Voice = None,
    trials: Trials = 5,
    wer: Annotated[
        bool, typer.Option("--wer", help="Have a recogniser listen, too; needs the dependency group `quality`.")
    ] = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Measure what each way to a listener costs: WebSocket or events, and each format.

    The real voice speaks 24 clips once; a server that replays them then sends them over each way.
    """
    with ending():
        _require(plot)
        import anyio

        from primavoce.bench.transport import TransportReport, run_transport
        from primavoce.bench.transport_plots import plot_transport
        from primavoce.cli.transport_view import transport_table

        async def run() -> TransportReport:
            with report_progress() as progress:
                return await run_transport(
                    os.environ, voice=voice, trials=trials, wer=wer, note=_note, progress=progress
                )

        report = anyio.run(run)
        _show(report, transport_table(report), as_json=as_json)
        if plot is not None:
            _list(plot_transport(report, plot))


@bench_app.command()
def agent(
    *,
    model: Annotated[
        str | None, typer.Option(help="What writes, as in `primavoce agent`; the same text in each trial \\[scripted].")
    ] = None,
    tokens_per_s: Annotated[
        float | None, typer.Option("--tokens-per-s", min=0.1, help="Mean rate of the scripted model [30].")
    ] = None,
    first_token_s: Annotated[
        float | None, typer.Option("--first-token-s", min=0.0, help="Seconds before its first token [0.35].")
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="What is asked, in each trial.")] = None,
    voice: Annotated[str | None, typer.Option(help="A voice or blend; an English one with the scripted model.")] = None,
    url: Annotated[str | None, typer.Option(help="http:// address of an agent that runs already.")] = None,
    api_key: ApiKeyOption = None,
    trials: Trials = 5,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Measure how soon an agent is heard that speaks while it writes, and how soon it stops when interrupted.

    Against it, the same answers by two other ways: all text, then all audio, then sent, as it was published; and all
    text, then speech that streams.
    """
    with ending():
        _require(plot)
        import anyio

        from primavoce.bench.agent import PROMPT, AgentChoice, AgentReport, run_agent
        from primavoce.bench.agent_plots import plot_agent
        from primavoce.cli.agent_bench_view import agent_tables

        choice = AgentChoice(
            url=url,
            api_key=api_key or os.environ.get("PRIMAVOCE_API_KEY"),
            model=model,
            tokens_per_s=tokens_per_s,
            first_token_s=first_token_s,
            prompt=prompt or PROMPT,
            voice=voice,
        )

        async def run() -> AgentReport:
            with report_progress() as progress:
                return await run_agent(os.environ, choice, trials=trials, note=_note, progress=progress)

        report = anyio.run(run)
        _show(report, agent_tables(report), as_json=as_json)
        if plot is not None:
            _list(plot_agent(report, plot))


for _name, _server in SERVERS.items():
    bench_app.command(_name, hidden=True)(_server)


def _counts(text: str) -> list[int]:
    """Return the numbers of sessions that ``text`` lists.

    Raises:
        InvalidSetting: it lists something else.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= MOST_SESSIONS for part in parts):
        from primavoce.errors import InvalidSetting

        raise InvalidSetting("--sessions", f"must list numbers from 1 to {MOST_SESSIONS}, not {text[:40]!r}")
    return [int(part) for part in parts]


def _require(plot: Path | None) -> None:
    """Fail before minutes of measuring, not after.

    Raises:
        ExtraMissing: there is to be a picture, and the extra isn't installed.
    """
    if plot is not None:
        from primavoce.bench.plots import require_plots

        require_plots()


def _note(text: str) -> None:
    typer.echo(f"· {text}", err=True)


def _list(files: list[Path]) -> None:
    for file in files:
        _note(str(file))


def _show(report: object, tables: "RenderableType", *, as_json: bool) -> None:
    """Print the outcome: for programs one object, for people tables."""
    if as_json:
        import msgspec

        typer.echo(msgspec.json.encode(report).decode())
        return
    from rich.console import Console

    Console(highlight=False).print(tables)
