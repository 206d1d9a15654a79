"""A picture of how soon an agent is heard."""

from pathlib import Path

import pytest

from primavoce.bench.agent_plots import plot_agent
from tests.bench.agent_reports import agent_report


@pytest.mark.peers
@pytest.mark.parametrize("trials", [1, 3])
def test_the_waits_are_drawn_as_png_and_svg(tmp_path: Path, trials: int) -> None:
    files = plot_agent(agent_report(trials=trials), tmp_path)

    assert [file.name for file in files] == ["agent-first-sound.png", "agent-first-sound.svg"]
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in files[1].read_bytes()
