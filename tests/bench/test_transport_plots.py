"""A picture of what each way to a listener costs."""

from pathlib import Path

import pytest

from primavoce.bench.setting import Machine
from primavoce.bench.spread import Spread
from primavoce.bench.transport import TransportReport
from primavoce.bench.transport_plots import plot_transport
from primavoce.bench.ways import Way


def way(transport: str, name: str, size: int, first_s: float) -> Way:
    first = Spread(first_s, first_s, first_s, 1)
    return Way(transport, name, size, 0.0, size or None, 0, 0, 0, 0.3, first, first, first, None)


@pytest.mark.peers
@pytest.mark.parametrize("count", [1, 3])
def test_the_ways_are_drawn_as_png_and_svg(tmp_path: Path, count: int) -> None:
    ways = (way("websocket", "pcm", 2_400_000, 0.4), way("sse", "mp3", 530_000, 0.43), way("", "aac", 210_000, 0.43))
    machine = Machine("Example 9000", 2, 2, 2, None, None)

    files = plot_transport(
        TransportReport("transport", "af_heart", 1, 24, 50.0, ways[:count], machine, "", {}), tmp_path
    )

    assert [file.name for file in files] == ["transport.png", "transport.svg"]
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in files[1].read_bytes()
