"""Who gets the model, and for how long; alone and in simulations of days."""

import math
import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.synthesis.pace import Pace
from primavoce.synthesis.scheduler import COMFORT_S, SHORT_JOB_S, Scheduler, Stream
from tests.synthesis.simulated import LISTENED_S, Costs, Listener, Simulation, agent_text


def pace(*, audio: float = 0.25, part: float = 0.2, phoneme: float = 0.005) -> Pace:
    made = Pace()
    made.note_segment(1.0, audio)
    made.note_part(1.0, part)
    made.note_first(1, phoneme)
    return made


def heard(in_hand_s: float, *, now: float = 0.0) -> Stream:
    stream = Stream()
    stream.playback.hand_over(in_hand_s, now=now)
    return stream


def among(scheduler: Scheduler, *streams: Stream) -> Scheduler:
    scheduler._streams.update(dict.fromkeys(streams))
    return scheduler


@pytest.mark.parametrize("waited_s", [0.0, 60.0])
def test_who_has_heard_nothing_comes_before_those_in_comfort_and_after_all_others(waited_s: float) -> None:
    new, now = Stream(), 10.0 + waited_s
    dry, about_to, comfortable = (
        heard(-1.0, now=now),
        heard(COMFORT_S - 0.01, now=now),
        heard(COMFORT_S + 0.01, now=now),
    )

    assert sorted([new, comfortable, about_to, dry], key=lambda each: each.due_at(now)) == [
        dry,
        about_to,
        new,
        comfortable,
    ]


def test_once_it_sounds_only_what_is_in_hand_counts() -> None:
    stream = heard(2.0, now=10.0)

    assert (stream.due_at(11.0), stream.due_at(99.0)) == (12.0, 12.0)


@pytest.mark.parametrize(
    ("others", "job_s"),
    [
        ([], math.inf),
        ([9.0], 9.0 - COMFORT_S + SHORT_JOB_S),
        ([9.0, COMFORT_S], SHORT_JOB_S),
        ([0.4], SHORT_JOB_S),
        ([0.01], SHORT_JOB_S),
    ],
)
def test_a_job_may_take_as_long_as_the_others_have_in_hand(others: list[float], job_s: float) -> None:
    scheduler = Scheduler(Pace())
    mine = heard(5.0)
    among(scheduler, mine, *map(heard, others))

    assert scheduler.job_s(mine, now=0.0) == pytest.approx(job_s)


def test_parts_and_segments_are_as_long_as_a_job_may_take() -> None:
    scheduler = Scheduler(pace(part=0.2, phoneme=0.005))
    mine = heard(5.0)
    among(scheduler, mine, heard(0.5))

    assert scheduler.part_s(mine, now=0.0) == pytest.approx(SHORT_JOB_S / 0.2)
    assert scheduler.segment_phonemes(mine, now=0.0) == pytest.approx(SHORT_JOB_S / 0.005)


def test_alone_they_are_as_long_as_its_own_listener_has_in_hand() -> None:
    scheduler = Scheduler(pace(phoneme=0.005))
    mine = heard(2.0)
    among(scheduler, mine)

    assert scheduler.part_s(mine, now=0.0) == 2.0
    assert scheduler.part_s(mine, now=9.0) == 0.0
    assert scheduler.segment_phonemes(mine, now=0.0) == pytest.approx(2.0 * 0.7 / 0.005)


@pytest.mark.parametrize(("factor", "capacity"), [(0.29, 3), (0.31, 2), (0.0225, 40), (2.0, 1)])
def test_capacity_follows_from_the_measured_speed(factor: float, capacity: int) -> None:
    assert Scheduler(pace(audio=factor)).capacity == capacity


def working() -> Stream:
    stream = Stream()
    stream.work(now=0.0)
    return stream


def test_there_is_room_for_as_many_as_the_model_can_speak() -> None:
    scheduler, new = Scheduler(pace(audio=0.4)), Stream()
    with scheduler.knowing(working()), scheduler.knowing(new):
        with_one = scheduler.has_room_for(new, now=0.0)
        with scheduler.knowing(working()):
            with_two = scheduler.has_room_for(new, now=0.0)
        again = scheduler.has_room_for(new, now=0.0)

    assert (with_one, with_two, again) == (True, False, True)
    assert len(scheduler) == 0


def test_who_waits_for_text_takes_no_room_once_everything_was_heard() -> None:
    scheduler, waiting = Scheduler(pace(audio=0.9)), heard(2.0)
    among(scheduler, waiting, Stream())

    assert [scheduler.has_room_for(Stream(), now=now) for now in (0.0, 1.9, 2.0)] == [False, False, True]


def test_who_waits_for_text_makes_nobody_hurry_once_everything_was_heard() -> None:
    scheduler, mine, waiting = Scheduler(Pace()), heard(60.0), heard(2.0)
    among(scheduler, mine, waiting)

    assert [scheduler.job_s(mine, now=now) for now in (1.5, 2.5)] == [SHORT_JOB_S, math.inf]


def test_there_is_room_for_all_before_anything_was_measured() -> None:
    scheduler = among(Scheduler(Pace()), *[working() for _ in range(50)])

    assert (scheduler.capacity, scheduler.has_room_for(Stream(), now=0.0)) == (None, True)


# ------------------------------------------------------------------------------------------------------- simulations


def answers(count: int, seconds: float, *, seed: int, spread_s: float = 5.0) -> list[Listener]:
    chance = random.Random(seed)
    return [Listener(agent_text(chance.uniform(0, spread_s), seconds, chance)) for _ in range(count)]


def percentile_95(values: Iterable[float | None]) -> float:
    ordered = sorted(value for value in values if value is not None)
    return ordered[int(0.95 * len(ordered))]


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_as_many_as_there_is_room_for_never_run_dry(seed: int) -> None:
    listeners = answers(3, 120, seed=seed)

    done = Simulation(listeners, costs=Costs(faster=1.15), seed=seed).run()

    assert not any(each.refused for each in listeners)
    assert [gap for each in listeners for gap in each.gaps_s] == []
    assert max(each.first_sound_s for each in listeners) < 2.5
    assert max(each.longest_job_s for each in listeners) <= 1.4 * SHORT_JOB_S  # first sounds are made in one go
    assert done.busy_s / done.now > 0.6


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(4, 12))
def test_one_more_is_refused_rather_than_that_all_stutter(seed: int, count: int) -> None:
    listeners = answers(count, 60, seed=seed, spread_s=2.0)

    Simulation(listeners, seed=seed).run()

    served = [each for each in listeners if not each.refused]
    assert 2 <= len(served) < count
    assert [gap for each in served for gap in each.gaps_s] == []


def test_a_newcomer_does_not_wait_for_the_comfort_of_others() -> None:
    chance = random.Random(3)
    settled = [Listener(agent_text(0.0, 60, chance, tokens_a_second=1000)) for _ in range(2)]
    newcomer = Listener(agent_text(8.0, 10, chance))

    Simulation([*settled, newcomer]).run()

    assert newcomer.first_sound_s is not None
    assert newcomer.first_sound_s < 0.9  # its own work, and one job of another's that had begun
    assert [gap for each in settled for gap in each.gaps_s] == []


def test_nobody_gets_further_ahead_than_is_listened_to() -> None:
    alone = Listener(agent_text(0.0, 300, random.Random(5), tokens_a_second=1000))

    done = Simulation([alone]).run()

    assert LISTENED_S < alone.most_ahead_s < LISTENED_S + 2.5
    assert done.now > 250


def test_forty_on_a_device_ten_times_as_fast_at_nine_tenths_of_its_load() -> None:
    costs = Costs(faster=10.0)
    listeners = answers(60, 60, seed=8, spread_s=10.0)

    done = Simulation(listeners, costs=costs, seed=8).run()

    served = [each for each in listeners if not each.refused]
    assert 30 <= len(served) == done.most_at_once < 45
    assert [gap for each in served for gap in each.gaps_s] == []
    assert percentile_95(each.first_sound_s for each in served) < 1.5


def test_two_hours_of_arrivals_and_barge_ins_keep_every_bound() -> None:
    chance = random.Random(11)
    listeners, asks_at = [], 0.0
    while asks_at < 7200:
        asks_at += chance.expovariate(1 / 9)
        texts = agent_text(asks_at, chance.uniform(2, 40), chance)
        leaves_at = asks_at + chance.uniform(0.1, 20) if chance.random() < 0.4 else math.inf
        listeners.append(Listener(texts, leaves_at))

    done = Simulation(listeners, seed=11).run()

    served = [each for each in listeners if not each.refused]
    stayed = [each for each in served if each.leaves_at == math.inf]
    assert len(listeners) > 600
    assert len(served) > 0.6 * len(listeners)
    assert len(done.scheduler) == 0
    assert done.most_at_once <= 4
    assert all(each.first_sound_s is not None for each in stayed)
    assert percentile_95(each.first_sound_s for each in stayed) < 1.5
    gaps = [gap for each in served for gap in each.gaps_s]
    assert sum(gaps) < 1.0
    assert max(each.most_ahead_s for each in served) < LISTENED_S + 2.5
    assert sum(each.made_after_leaving for each in served) <= sum(each.leaves_at < math.inf for each in served)


@pytest.mark.parametrize(
    ("works_from", "comes_at", "underruns", "dry_s"),
    [
        (0.0, 1.5, 1, 0.5),
        (0.0, 1.009, 0, 0.0),
        (0.0, 0.9, 0, 0.0),
        (1.4, 1.5, 1, 0.1),
        (1.495, 1.5, 0, 0.0),
        (None, 3.0, 0, 0.0),
    ],
    ids=["late", "too short to hear", "in time", "the text was late, too", "the text alone was late", "a last rest"],
)
def test_a_listener_runs_dry_when_there_was_something_to_say(
    works_from: float | None, comes_at: float, underruns: int, dry_s: float
) -> None:
    scheduler, stream = Scheduler(pace()), Stream()
    scheduler.hand_over(stream, 1.0, now=0.0)
    if works_from is not None:
        stream.work(now=works_from)

    scheduler.hand_over(stream, 1.0, now=comes_at)

    assert (scheduler.underruns, scheduler.dry_s) == (underruns, pytest.approx(dry_s))


def test_it_knows_how_many_are_being_spoken() -> None:
    scheduler = Scheduler(pace())
    with scheduler.knowing(working()), scheduler.knowing(Stream()), scheduler.knowing(heard(2.0)):
        assert [scheduler.speaking(now=now) for now in (0.0, 3.0)] == [2, 1]
