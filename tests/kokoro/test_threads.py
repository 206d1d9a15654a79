from pathlib import Path

import pytest

from primavoce.kokoro.threads import cpu_quota


def groups(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "own", "threads"),
    [
        ({}, "0::/\n", 16),
        ({"cpu.max": "200000 100000\n"}, "0::/\n", 2),
        ({"cpu.max": "max 100000\n"}, "0::/\n", 16),
        ({"cpu.max": "250000 100000\n"}, "0::/\n", 2),
        ({"cpu.max": "50000 100000\n"}, "0::/\n", 1),
        ({"pod/box/cpu.max": "300000 100000\n"}, "0::/pod/box\n", 3),
        ({"pod/cpu.max": "400000 100000\n", "pod/box/cpu.max": "max 100000\n"}, "0::/pod/box\n", 4),
        ({"cpu/cpu.cfs_quota_us": "150000\n", "cpu/cpu.cfs_period_us": "50000\n"}, "4:cpu:/\n", 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, "4:cpu:/\n", 16),
        ({"cpu.max": "nonsense\n"}, "0::/\n", 16),
    ],
)
def test_threads_follow_the_containers_quota(tmp_path: Path, files: dict[str, str], own: str, threads: int) -> None:
    root = groups(tmp_path / "cgroup", files)
    (tmp_path / "own").write_text(own)

    assert cpu_quota(root=root, own=tmp_path / "own", affinity=16) == threads


def test_threads_never_exceed_the_processors_one_may_run_on(tmp_path: Path) -> None:
    root = groups(tmp_path, {"cpu.max": "800000 100000\n"})

    assert cpu_quota(root=root, own=tmp_path / "none", affinity=3) == 3


def test_this_machine_has_at_least_one() -> None:
    assert cpu_quota() >= 1
