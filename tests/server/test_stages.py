"""The lines of a start."""

import re
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from primavoce.server.stages import IMPORTED_AT, log_stage, process_began_at
from primavoce.synthesis.report import ModelReport

PUBLISHED = re.compile(r"=== STAGE (\w+) t=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z elapsed_s=(\d+\.\d{3}) ===")
"""What the published sample's tools look for."""


def test_a_stage_is_told_in_the_published_words_with_what_is_known_of_the_model() -> None:
    model = ModelReport(digest="6e74", device="cpu", provider="CPUExecutionProvider")

    with capture_logs() as captured:
        log_stage("ready", began_at=1_767_323_040.0, model=model, wall_clock=lambda: 1_767_323_045.678)

    (line,) = captured
    found = PUBLISHED.fullmatch(str(line["event"]))
    assert found is not None
    assert found.groups() == ("ready", "2026-01-02T03:04:05.678", "5.678")
    assert (line["stage"], line["elapsed_s"]) == ("ready", 5.678)
    assert (line["digest"], line["device"], line["provider"]) == ("6e74", "cpu", "CPUExecutionProvider")


@pytest.mark.anyio
async def test_a_server_tells_its_stages_in_order(serving) -> None:
    with capture_logs() as captured:
        async with serving(max_sessions=3):
            pass

    stages = [line for line in captured if "stage" in line]
    assert [line["stage"] for line in stages] == ["framework_init", "warmup_done", "ready"]
    elapsed_s = [line["elapsed_s"] for line in stages]
    assert elapsed_s == sorted(elapsed_s)
    assert [line.get("device") for line in stages] == [None, "cpu", "cpu"]


def test_the_process_began_before_anything_of_ours_was_imported() -> None:
    assert time.time() - 86_400 < process_began_at() <= IMPORTED_AT


@pytest.mark.parametrize("content", ["", "1 (a) b) S 1 2", "1 (python) S x x x x x x x x x x x x x x x x x x x"])
def test_where_nothing_tells_when_the_process_began_the_import_does(tmp_path: Path, content: str) -> None:
    stat = tmp_path / "stat"
    stat.write_text(content)

    assert process_began_at(stat) == process_began_at(tmp_path / "absent") == IMPORTED_AT
