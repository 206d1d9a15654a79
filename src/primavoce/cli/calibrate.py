"""``primavoce calibrate``: teaches the streaming vocoder voices, by speaking with them."""

import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track

from primavoce.cli.ending import FAILED, ending
from primavoce.cli.progress import report_progress

if TYPE_CHECKING:
    from rich.console import Console

    from primavoce.assets.progress import Report
    from primavoce.calibration.calibrator import Calibrator
    from primavoce.settings import Settings

ROUNDS = 50
"""Texts of each voice when all are learnt."""
ROUNDS_OF_ONE = 60
"""Texts of a voice that is added: it has nothing but these."""


def calibrate(
    *,
    voice: Annotated[
        list[str] | None, typer.Option(help="A voice or blend to add; all voices anew unless given.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=100, help=f"Texts of each voice [{ROUNDS}; {ROUNDS_OF_ONE} of added ones].")
    ] = None,
    judged: Annotated[int, typer.Option(min=0, help="Segments of each voice to judge by, at most.")] = 6,
    rows: Annotated[Path | None, typer.Option(help="Folder for what was spoken; a later call goes on there.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="File or folder to write to; where the engine looks, unless given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Speak the calibration's texts whole, learn from them, judge by texts that weren't learnt, and keep the outcome.

    Status 1, and nothing is kept, when streamed speech would be too far from whole runs.
    """
    with ending():
        import msgspec
        from rich.console import Console

        console = Console(stderr=as_json, highlight=False)
        names = voice or []
        outcome = _calibrate(names, rounds or (ROUNDS_OF_ONE if names else ROUNDS), judged, rows, out, console)
        if as_json:
            typer.echo(msgspec.json.encode(outcome).decode())
        if not outcome["passed"]:
            raise typer.Exit(FAILED)


def _calibrate(
    names: list[str], rounds: int, judged: int, folder: Path | None, out: Path | None, console: "Console"
) -> dict[str, object]:
    """Calibrate, show how it went, and return it as it is told in JSON.

    Raises:
        NotCalibrated: voices are to be added to nothing.
    """
    from primavoce.calibration.comparison import FLOOR_MEAN_DB
    from primavoce.calibration.heldout import held_out
    from primavoce.calibration.judging import summaries
    from primavoce.cli.calibration_view import kinds_table
    from primavoce.errors import NotCalibrated
    from primavoce.kokoro.windows import FRAMES_A_SECOND
    from primavoce.settings import Settings

    settings = Settings.from_env(os.environ)
    with report_progress() as progress:
        calibrator = _calibrator(settings, names, progress)
    known = calibrator.known() if names else None
    if names and known is None:
        raise NotCalibrated(names[0])
    with tempfile.TemporaryDirectory() as forgotten:
        planned = calibrator.planned(rounds)
        found = calibrator.collect(planned, folder or Path(forgotten))
        rows = list(track(found, "speaking", total=len(planned), console=console))
        console.print(f"[dim]·[/] learning {sum(not held_out(row.line) for row in rows)} segments")
        predictor = calibrator.learn(rows, add_to=known)
        comparing = calibrator.judge(rows, predictor, most=judged)
        judgements = list(track(comparing, "judging", total=judged * len(calibrator.voices), console=console))
    by_kind = summaries(judgements)
    everything = by_kind.get("all", {}).get("all")
    passed = everything is None or everything.above_floor
    if everything is not None:
        console.print(kinds_table(by_kind))
    if passed:
        console.print(f"kept in {calibrator.keep(predictor, out)}", markup=False, soft_wrap=True)
    else:
        console.print(f"[red]not kept[/]: the mean distance is more than {FLOOR_MEAN_DB} dB")
    return {
        "voices": [blend.name for blend in calibrator.voices],
        "segments": len(rows),
        "passed": passed,
        "kinds": {kind: {name: asdict(each) for name, each in found.items()} for kind, found in by_kind.items()},
        "judged": [
            {
                "name": each.row.name,
                "language": each.language,
                "seconds": each.row.frames / FRAMES_A_SECOND,
                "speed": each.row.speed,
                "phonemes": len(each.row.phonemes),
                "distance": each.distance,
                **asdict(each.comparison),
            }
            for each in judgements
        ],
    }


def _calibrator(settings: "Settings", names: list[str], progress: "Report") -> "Calibrator":
    """Load all that a calibration needs."""
    from primavoce.assets.store import AssetStore
    from primavoce.calibration.calibrator import Calibrator
    from primavoce.kokoro.threads import cpu_quota
    from primavoce.phonemes.phonemizer import Phonemizer
    from primavoce.synthesis.kokoro_engine import load_prepared
    from primavoce.synthesis.styles import PackStyles
    from primavoce.voices.blend import parse_voice
    from primavoce.voices.catalogue import VOICES

    voices = [parse_voice(name) for name in (names or VOICES)]
    phonemizer = Phonemizer(preload=sorted({voice.language for voice in voices}))
    store = AssetStore(settings.assets, progress=progress)
    styles = PackStyles(store.voice)
    folder = settings.assets.cache_dir
    return Calibrator(
        load_prepared(store, styles, folder, progress, settings.threads or cpu_quota()),
        phonemizer,
        lambda name, n_phonemes: styles.style(parse_voice(name), n_phonemes),
        voices,
        digest=store.weights_with_digest()[1],
        cache=folder,
    )
