"""Have four voices speak fifty English sentences whole and in windows, and compare how both are heard."""

import argparse
import os
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from primavoce.assets.store import AssetStore
from primavoce.bench.quality import BothWays
from primavoce.bench.setting import describe_machine, versions
from primavoce.calibration.comparison import Summary
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.voices.blend import parse_voice
from tests.quality.listening import (
    MOST_OPINION_LOST,
    MOST_WORDS_LOST,
    SENTENCES,
    VOICES,
    Listened,
    Rates,
    listen,
)
from tests.quality.recogniser import Recogniser


def main() -> None:
    """Run the benchmark as the command line says."""
    options = argparse.ArgumentParser(prog="bench quality", description=__doc__)
    options.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options.add_argument("--sentences", type=int, default=len(SENTENCES), help="only so many [%(default)s]")
    options.add_argument("--voices", nargs="+", default=list(VOICES), help="English voices or blends [four]")
    asked = options.parse_args()
    sentences = SENTENCES[: max(1, asked.sentences)]
    settings = Settings.from_env(os.environ)
    threads = settings.threads or cpu_quota()
    machine = describe_machine(threads=threads)
    digest, installed = AssetStore(settings.assets).weights_with_digest()[1], versions()  # fails now or never
    both = BothWays.load(settings, map(parse_voice, asked.voices))
    told = Console(stderr=True)
    listening = listen(both, Recogniser(threads), sentences, asked.voices)
    listened = list(track(listening, "speaking and listening", total=len(sentences) * len(asked.voices), console=told))
    by_voice = {voice: Rates.of(each for each in listened if each.voice == voice) for voice in asked.voices}
    overall = Rates.of(listened)
    if asked.json:
        comparisons = [each.comparison for each in listened if each.comparison is not None]
        report = {
            "benchmark": "quality",
            "overall": overall,
            "by_voice": by_voice,
            "log_mel": Summary.of(comparisons) if comparisons else None,
            "sentences": listened,
            "machine": machine,
            "model_digest": digest,
            "versions": installed,
        }
        print(msgspec.json.encode(report).decode())  # noqa: T201
    else:
        Console(width=120).print(table(by_voice | {"all": overall}), note(listened))


def table(rates: dict[str, Rates]) -> Table:
    """Return the rates, a voice a row."""
    shown = Table(title="word errors in %, and DNSMOS: whole, in windows, what is lost", title_style="dim")
    for heading in ("", "sentences", "in windows", "words", "errors: whole", "windows", "lost"):
        shown.add_column(heading, justify="right" if heading else "left")
    for heading in ("DNSMOS: whole", "windows", "lost"):
        shown.add_column(heading, justify="right")
    for name, found in rates.items():
        errors = (found.word_error_rate_whole, found.word_error_rate_windows, found.words_lost)
        opinions = (found.opinion_whole, found.opinion_windows, found.opinion_lost)
        counts = (found.sentences, found.in_windows, found.words)
        shown.add_row(
            name, *map(str, counts), *(f"{100 * each:.2f}" for each in errors), *(f"{each:.3f}" for each in opinions)
        )
    return shown


def note(listened: Sequence[Listened]) -> str:
    """Return what is wanted, and how far the recordings themselves are apart."""
    comparisons = [each.comparison for each in listened if each.comparison is not None]
    distance = f"log-mel distance {Summary.of(comparisons).distance_db.mean:.2f} dB; " if comparisons else ""
    return f"{distance}wanted: at most {100 * MOST_WORDS_LOST:g} points and {MOST_OPINION_LOST:g} lost"


if __name__ == "__main__":
    main()
