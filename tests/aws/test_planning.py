"""How many instances, what they cost, and what sessions meet meanwhile."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.aws.growth import Fleet, ramp
from primavoce.aws.measured import Measurement
from primavoce.aws.planning import Wish, instances_for, plan
from primavoce.aws.prices import Price, price_of
from primavoce.errors import InvalidSetting

FREE = Price(1.0, "given")


def wish(**changes: object) -> Wish:
    return Wish(**{"sessions": 2000, "sessions_per_instance": 50, "instance_type": "ml.g5.xlarge", **changes})  # type: ignore[arg-type]


def level(
    n: int, *, answers: int = 9, underruns: int = 0, refused: int = 0, first_sound_p95_s: float | None = 0.5
) -> dict[str, object]:
    return {
        "n": n,
        "answers": answers,
        "underruns": underruns,
        "refused": refused,
        "first_sound_p95_s": first_sound_p95_s,
    }


def written(tmp_path: Path, *levels: dict[str, object], benchmark: str = "throughput") -> Path:
    file = tmp_path / "result.json"
    machine = {"cpu": "Example 9000", "cores": 4, "quota": 4}
    file.write_text(json.dumps({"benchmark": benchmark, "sessions": levels, "machine": machine, "offline": {}}))
    return file


def test_the_published_load_needs_280_instances_and_not_the_nine_that_were_published() -> None:
    assert instances_for(5000, 17.9) == 280
    assert math.ceil(5000 * 0.0661 / 37.5) == 9  # what queues was taken for what is served


@pytest.mark.parametrize(
    ("sessions", "headroom", "bare", "instances"),
    [(2000, 0.2, 40, 50), (2000, 0.0, 40, 40), (1, 0.2, 1, 1), (41, 0.2, 1, 2), (40, 0.2, 1, 1), (2001, 0.0, 41, 41)],
)
def test_each_instance_takes_what_was_measured_less_the_headroom(
    sessions: int, headroom: float, bare: int, instances: int
) -> None:
    found = plan(wish(sessions=sessions, headroom=headroom), FREE)

    assert (found.bare_instances, found.instances) == (bare, instances)


@given(st.integers(1, 10_000), st.integers(1, 500), st.floats(0, 0.95))
def test_planned_instances_always_take_all_sessions_and_one_fewer_never_does(
    sessions: int, per_instance: int, headroom: float
) -> None:
    found = plan(wish(sessions=sessions, sessions_per_instance=per_instance, headroom=headroom), FREE)

    assert found.instances * found.target_sessions >= sessions
    assert (found.instances - 1) * found.target_sessions < sessions
    assert 1 <= found.target_sessions <= per_instance


def test_cost_is_the_instances_times_the_price() -> None:
    found = plan(wish(min_instances=3), price_of("ml.g5.xlarge"))

    assert found.usd_per_hour == pytest.approx(50 * 1.408)
    assert found.idle_usd_per_hour == pytest.approx(3 * 1.408)


def test_a_given_price_goes_before_the_table_and_an_unknown_one_must_be_given() -> None:
    assert price_of("ml.g5.xlarge", 2.5).usd_per_hour == 2.5
    assert price_of("ml.p99.xlarge", 9.0).usd_per_hour == 9.0
    with pytest.raises(InvalidSetting, match="ml.p99.xlarge costs isn't known"):
        price_of("ml.p99.xlarge")


@pytest.mark.parametrize("price", [math.inf, math.nan, -1.0])
def test_a_price_that_is_none_is_told(price: float) -> None:
    with pytest.raises(InvalidSetting, match="--price: must be a number of US dollars"):
        price_of("ml.g5.xlarge", price)


def test_the_largest_fleet_that_the_stacks_take_can_be_planned() -> None:
    assert plan(wish(sessions=400_000, min_instances=10_000), FREE).instances == 10_000


def test_time_to_scale_is_the_published_start_after_the_alarm() -> None:
    assert plan(wish(), FREE).time_to_scale_s == 320
    assert plan(wish(start_s=100, reaction_s=30), FREE).time_to_scale_s == 130


def test_slow_growth_leaves_nobody_without_a_place() -> None:
    found = plan(wish(per_s=0.01), FREE).growth

    assert (found.most_waiting, found.refused, found.longest_wait_s) == (0, 0, 0)
    assert found.settled_s == 200_000


def test_a_fleet_that_is_large_enough_from_the_start_refuses_nobody() -> None:
    found = plan(wish(min_instances=40, per_s=100), FREE).growth

    assert (found.most_waiting, found.refused) == (0, 0)


def test_while_the_first_new_instance_starts_all_beyond_the_first_wait() -> None:
    # 10 places, 1 new session a second, more room only 100 s after the 9th is served.
    fleet = Fleet(
        sessions_per_instance=10, target_sessions=8, min_instances=1, max_instances=4, reaction_s=20, start_s=80
    )

    found = ramp(fleet, sessions=30, per_s=1.0)

    assert found.most_waiting == 20
    assert found.settled_s == 209  # waves at 109 and 209 s: ten places more each
    assert found.refused == 20  # everybody had come before there was more room


def test_refused_sessions_are_invisible_so_that_no_wave_is_larger_than_the_headroom_asks_for() -> None:
    fleet = Fleet(
        sessions_per_instance=10, target_sessions=8, min_instances=10, max_instances=1000, reaction_s=10, start_s=10
    )

    assert fleet.wanted(10 * 10) == 13  # of a full fleet of ten, however many were turned away


def test_without_headroom_scaling_never_adds_an_instance() -> None:
    found = plan(wish(headroom=0.0), FREE)

    assert not found.can_scale
    assert found.growth.settled_s is None
    assert found.growth.most_waiting == 1950
    assert plan(wish(headroom=0.0, min_instances=40), FREE).can_scale


@given(st.floats(0.1, 50), st.integers(1, 400), st.integers(2, 40))
def test_nobody_is_refused_who_would_not_have_waited(per_s: float, sessions: int, per_instance: int) -> None:
    found = plan(wish(sessions=sessions, sessions_per_instance=per_instance, per_s=per_s), FREE).growth

    assert 0 <= found.most_waiting <= sessions
    assert (found.refused > 0) == (found.most_waiting > 0)


@pytest.mark.parametrize(
    ("changes", "option"),
    [
        ({"headroom": 1.0}, "--headroom"),
        ({"headroom": -0.1}, "--headroom"),
        ({"per_s": 0.0}, "--growth-per-s"),
        ({"per_s": math.nan}, "--growth-per-s"),
        ({"per_s": 0.001}, "--growth-per-s"),
        ({"start_s": -1.0}, "--start-s"),
        ({"sessions": 0}, "--sessions"),
        ({"sessions": 400_001}, "--sessions"),
        ({"sessions": 4_000_000_000}, "--sessions"),
        ({"min_instances": 10_001}, "--min-instances"),
    ],
)
def test_a_wish_that_makes_no_sense_is_told(changes: dict[str, object], option: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        plan(wish(**changes), FREE)

    assert caught.value.name == option


# --- what was measured


@pytest.mark.parametrize(
    ("levels", "held"),
    [
        ([level(1), level(2), level(4, underruns=1)], 2),
        ([level(4), level(1), level(2)], 4),
        ([level(1), level(2, underruns=3), level(4)], 1),  # what came out well above a gap is luck
        ([level(1), level(8, refused=5)], 1),
        ([level(1), level(8, answers=0)], 1),
        ([level(1), level(8, first_sound_p95_s=3.27)], 1),  # heard without a gap, after they had all waited
        ([level(1), level(8, first_sound_p95_s=2.0)], 8),
        ([level(1), level(8, first_sound_p95_s=None)], 8),
    ],
)
def test_an_instance_takes_the_most_that_was_kept_up_without_a_gap(
    tmp_path: Path, levels: list[dict[str, object]], held: int
) -> None:
    assert Measurement.read(written(tmp_path, *levels)).sessions_per_instance() == held


def test_how_long_anybody_may_wait_is_chosen(tmp_path: Path) -> None:
    found = Measurement.read(written(tmp_path, level(1), level(2, first_sound_p95_s=1.2)))

    assert (found.sessions_per_instance(1.0), found.sessions_per_instance(1.2)) == (1, 2)
    assert (found.found_its_end(1.0), found.found_its_end(1.2)) == (True, False)


def test_a_measurement_knows_whether_it_found_the_machines_end(tmp_path: Path) -> None:
    assert not Measurement.read(written(tmp_path, level(1), level(2))).found_its_end()
    assert Measurement.read(written(tmp_path, level(1), level(2, underruns=1))).found_its_end()


def test_a_machine_that_cannot_keep_up_with_one_is_told(tmp_path: Path) -> None:
    found = Measurement.read(written(tmp_path, level(1, underruns=1)))

    with pytest.raises(InvalidSetting, match="too slow"):
        found.sessions_per_instance()


def test_other_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="can't read"):
        Measurement.read(tmp_path / "nothing.json")
    with pytest.raises(InvalidSetting, match="bench latency"):
        Measurement.read(written(tmp_path, level(1), benchmark="latency"))
    (tmp_path / "result.json").write_text("[1, 2]")
    with pytest.raises(InvalidSetting, match="isn't what"):
        Measurement.read(tmp_path / "result.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"n": -5},
        {"n": 0},
        {"n": 10_001},
        {"answers": -1},
        {"underruns": -1},
        {"refused": -1},
        {"first_sound_p95_s": -1},
    ],
)
def test_numbers_that_nobody_measures_are_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(InvalidSetting, match="isn't what `primavoce bench throughput --json` writes"):
        Measurement.read(written(tmp_path, {**level(1), **changes}))


def test_what_the_throughput_benchmark_writes_can_be_read(tmp_path: Path) -> None:
    import msgspec

    throughput = pytest.importorskip("primavoce.bench.throughput", reason="the benchmark needs the engine")
    from primavoce.bench.setting import Machine

    levels = (
        throughput.Level(1, 4, 0, 0.0, 0, 0.41, 0.52, 0.97),
        throughput.Level(4, 9, 3, 0.25, 17, 0.93, 1.44, 2.12),
    )
    machine = Machine("Example 9000", 4, 2, 2, 8 * 2**30, 0.25)
    report = throughput.ThroughputReport(
        "throughput", "af_heart", 60.0, 30.0, levels, throughput.Offline(2.5, 50.0, 20.0), machine, "", {}
    )
    file = tmp_path / "result.json"
    file.write_bytes(msgspec.json.encode(report))

    found = Measurement.read(file)

    assert (found.sessions_per_instance(), found.machine.cpu) == (1, "Example 9000")
