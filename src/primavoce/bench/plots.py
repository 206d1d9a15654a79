"""Pictures of what was measured, as PNG and SVG; needs the extra ``bench``."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primavoce.bench.spread import Spread
from primavoce.errors import ExtraMissing, InvalidSetting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from primavoce.bench.latency import LatencyReport
    from primavoce.bench.peers import PeersReport

INK, FAINT, OURS, OTHERS = "#22303c", "#d5dbe1", "#0b7a75", "#a9b4be"
WIDE, DOTS_PER_INCH = 8.0, 160
MODES = {
    "batch": "batch:\nthe whole text, sent when done",
    "first_sentence": "first sentence,\nthen the rest",
    "streaming": "streaming:\nprimavoce",
}
RATIOS = {
    "first_sound": "first sound,\nfour sentences",
    "first_sound_first_sentence": "first sound,\nfirst sentence alone",
    "real_time_factor": "real-time factor,\nstreaming",
    "real_time_factor_whole": "real-time factor,\nwhole segments",
}
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.titlelocation": "left",
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlepad": 14,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "grid.color": FAINT,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    # The same figures give the same bytes, so that a picture under version control changes only with them.
    "svg.hashsalt": "primavoce",
}


def require_plots() -> None:
    """Make sure that pictures can be drawn, before anything is measured for them.

    Raises:
        ExtraMissing: the extra isn't installed.
    """
    try:
        import matplotlib as mpl  # noqa: F401 - asked for, not used
    except ModuleNotFoundError as error:
        raise ExtraMissing("--plot", "bench") from error


def plot_latency(report: "LatencyReport", folder: Path) -> list[Path]:
    """Draw the first sound of each way of speaking, and speech lag by length; return the files.

    Raises:
        ExtraMissing: the extra isn't installed.
        InvalidSetting: ``folder`` can't be written to.
    """

    def first_sound(axes: "Axes") -> None:
        values = [report.modes[name].first_sound_s for name in MODES]
        _bars(
            axes, list(MODES.values()), values, lambda value: f"{value:.2f} s", highlight=list(MODES).index("streaming")
        )
        axes.set_title(f"First sound of {report.characters} characters")
        axes.set_xlabel(f"seconds; {_of_trials(report.trials)}")

    def lag(axes: "Axes") -> None:
        _lag(axes, report)

    drawn = {"latency-first-sound": (first_sound, 3.2), "latency-lag": (lag, 4.2)}
    return [file for name, (draw, height) in drawn.items() for file in draw_figure(folder, name, draw, height)]


def plot_peers(report: "PeersReport", folder: Path) -> list[Path]:
    """Draw the ratios, ours ÷ theirs; return the files.

    Raises:
        ExtraMissing: the extra isn't installed.
        InvalidSetting: ``folder`` can't be written to.
    """

    def ratios(axes: "Axes") -> None:
        values = [report.ratios[name] for name in RATIOS]
        spreads = [Spread(value, value, value, 1) for value in values]
        _bars(axes, list(RATIOS.values()), spreads, lambda value: f"{value:.2f}", highlight=None)
        axes.axvline(1.0, color=INK, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.set_xlim(0, max(1.2, *(value * 1.2 for value in values)))
        axes.annotate(
            "as kokoro-onnx", (1.0, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 4),
            textcoords="offset points", ha="center", va="bottom", fontsize=10,
        )  # fmt: skip
        # Above the word that stands over the line.
        axes.set_title("primavoce ÷ kokoro-onnx 0.6.1, same weights and voice", pad=28)
        axes.set_xlabel(
            f"less is better; {'one trial' if report.trials == 1 else f'medians of {report.trials} trials'}"
        )

    return list(draw_figure(folder, "peers", ratios, 3.8))


def _lag(axes: "Axes", report: "LatencyReport") -> None:
    phonemes = [lag.phonemes for lag in report.by_length]
    spreads = [lag.first_sound_s for lag in report.by_length]
    medians = [spread.median for spread in spreads]
    fit, ends = report.lag_fit, (0, max(phonemes))
    label = f"{fit.base_s:.2f} s + {fit.s_per_phoneme * 1000:.1f} ms · phonemes"
    axes.plot(ends, [fit.at(end) for end in ends], color=OTHERS, linewidth=2, label=label, zorder=1)
    axes.errorbar(
        phonemes, medians, yerr=_whiskers(spreads), fmt="o", color=OURS, ecolor=INK, elinewidth=1.2, capsize=3,
        markersize=7, label="measured", zorder=2,
    )  # fmt: skip
    axes.set_ylim(0, max(spread.max for spread in spreads) * 1.25)
    axes.set_xlim(0, max(phonemes) * 1.08)
    axes.grid(axis="y")
    axes.legend(loc="lower right", frameon=True, framealpha=1.0, edgecolor="white")
    axes.set_title("From a certain sentence to its first sound")
    axes.set_xlabel(f"phonemes in the sentence; {_of_trials(report.trials)}")
    axes.set_ylabel("seconds")


def _bars(
    axes: "Axes",
    labels: Sequence[str],
    spreads: Sequence[Spread],
    shown: Callable[[float], str],
    *,
    highlight: int | None,
) -> None:
    """Draw a bar for each label, from the top down, with its value at its end and a whisker from min to max."""
    medians = [spread.median for spread in spreads]
    colours = [OURS if highlight in {None, place} else OTHERS for place in range(len(labels))]
    several = any(spread.min < spread.max for spread in spreads)
    axes.barh(
        labels, medians, color=colours, height=0.62,
        xerr=_whiskers(spreads) if several else None,
        error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3},
    )  # fmt: skip
    longest = max(spread.max for spread in spreads)
    for place, spread in enumerate(spreads):
        axes.annotate(
            shown(spread.median), (spread.max, place), xytext=(8, 0), textcoords="offset points", va="center",
            fontweight="bold",
        )  # fmt: skip
    axes.invert_yaxis()
    axes.set_xlim(0, longest * 1.2)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)


def _whiskers(spreads: Sequence[Spread]) -> list[list[float]]:
    """Return how far each spread reaches below its median, and above."""
    below = [spread.median - spread.min for spread in spreads]
    return [below, [spread.max - spread.median for spread in spreads]]


def _of_trials(trials: int) -> str:
    return "one trial" if trials == 1 else f"median of {trials} trials, whiskers from least to most"


def draw_figure(folder: Path, name: str, draw: "Callable[[Axes], None]", height: float) -> Iterator[Path]:
    """Draw one figure, ``height`` inches high, and yield the files that it was written to: a PNG and an SVG.

    Raises:
        ExtraMissing: matplotlib is not installed.
    """
    require_plots()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE), _written(folder):
        figure = Figure(figsize=(WIDE, height), layout="constrained")
        draw(figure.add_subplot())
        for suffix, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
            path = folder / f"{name}.{suffix}"
            figure.savefig(path, dpi=DOTS_PER_INCH, metadata=metadata)
            yield path


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Make ``folder``, and an error of ours where the system refuses.

    Raises:
        InvalidSetting: it can't be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InvalidSetting("--plot", f"can't write to {folder}: {error.strerror}") from error
