"""``infra/app.py``, as ``cdk`` runs it and as one does by hand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from primavoce.aws.local_checks import MINIMUM_NODE

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
INFRA = Path(__file__).parents[2] / "infra"
NAMES = [f"primavoce-{part}.template.json" for part in ("weights", "speech", "agent")]


def run(folder: Path, **environ: str) -> str:
    command = [sys.executable, str(INFRA / "app.py")]
    environ = {**os.environ, **environ}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=250, check=True)
    return done.stdout


def test_by_hand_it_says_what_it_has_written_and_leaves_it_there(tmp_path: Path) -> None:
    written = [Path(line.removeprefix("written: ")) for line in run(tmp_path).splitlines()]

    assert written == [Path("cdk.out") / name for name in NAMES]
    assert all((tmp_path / path).stat().st_size > 0 for path in written)


def test_for_cdk_it_writes_where_it_is_told_and_says_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"

    assert run(tmp_path, CDK_OUTDIR=str(folder)) == ""
    assert {path.name for path in folder.glob("primavoce-*.template.json")} == {*NAMES}
    assert not (tmp_path / "cdk.out").exists()


@pytest.mark.parametrize("page", ["infra/README.md", "docs/aws.md"])
def test_the_pages_name_the_node_that_check_asks_for(page: str) -> None:
    (node,) = MINIMUM_NODE
    told = (INFRA.parent / page).read_text("utf-8")

    assert f"Node ({node} or newer)" in told or f"| Node | {node} |" in told
