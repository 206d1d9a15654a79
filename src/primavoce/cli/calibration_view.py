"""What `primavoce calibrate` shows."""

from collections.abc import Mapping

from rich.table import Table

from primavoce.calibration.comparison import Summary


def kinds_table(kinds: Mapping[str, Mapping[str, Summary]]) -> Table:
    """Return how far kinds of segments, spoken in windows, are from their whole runs."""
    table = Table(title="texts that weren't learnt, in windows, beside the whole run; dB", title_justify="left")
    for heading in ("", "segments"):
        table.add_column(heading, justify="left" if not heading else "right")
    for heading in ("mean", "95 %", "most", "half second", "level", "peak ×"):
        table.add_column(heading, justify="right")
    for of_kind in kinds.values():
        table.add_section()
        for name, found in of_kind.items():
            measures = (
                found.distance_db.mean,
                found.distance_db.p95,
                found.distance_db.max,
                found.worst_half_second_db.max,
                found.level_db.max,
                found.peak_ratio.max,
            )
            table.add_row(name, str(found.segments), *(f"{value:.2f}" for value in measures))
    return table
