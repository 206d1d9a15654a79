import random
from collections import Counter
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.kokoro.windows import (
    ALONE_FRAMES,
    CONTEXT_FRAMES,
    FIRST_FRAMES,
    HALFWAY_FRAMES,
    HEARD_FRAMES,
    LEAST_SHARE_FRAMES,
    MOST_FRAMES,
    MOST_LEAD_FRAMES,
    Window,
    first_window_covers,
    windows,
)


def test_windows_grow_while_the_listener_has_audio() -> None:
    sizes = [window.end - window.start for window in windows(2000)]

    assert sizes[:5] == [FIRST_FRAMES, FIRST_FRAMES, 2 * FIRST_FRAMES, 4 * FIRST_FRAMES, MOST_FRAMES]
    assert set(sizes[4:-1]) == {MOST_FRAMES}


@pytest.mark.parametrize(
    ("lead", "first"),
    [(0, FIRST_FRAMES), (FIRST_FRAMES, FIRST_FRAMES + HEARD_FRAMES), (500, MOST_LEAD_FRAMES + HEARD_FRAMES)],
)
def test_the_first_window_holds_the_silence_before_the_first_phoneme_and_what_follows(lead: int, first: int) -> None:
    sizes = [window.end - window.start for window in windows(2000, lead=lead)]

    assert sizes[:2] == [first, FIRST_FRAMES]


def test_context_ends_where_the_segment_does() -> None:
    first, *_, last = windows(200)

    assert first == Window(0, 24, 0, 32)
    assert (last.end, last.read_to) == (200, 200)


@given(
    st.integers(1, 3000),
    st.integers(0, 200),
    st.integers(1, 100),
    st.integers(0, 200),
    st.integers(1, 300),
    st.integers(0, 20),
    st.none() | st.integers(0, 4000),
)
def test_windows_cover_a_segment_once_and_leave_no_stub(
    frames: int, lead: int, first: int, alone: int, most: int, context: int, until: int | None
) -> None:
    found = list(windows(frames, lead=lead, first=first, alone=alone, most=most, context=context, until=until))

    assert [window.start for window in found] == [0, *(window.end for window in found[:-1])]
    assert found[-1].end == frames
    assert all(window.read_from == max(0, window.start - context) for window in found)
    assert all(window.read_to == min(frames, window.end + context) for window in found)
    assert len(found) == 1 or found[-1].end - found[-1].start > min(context, found[-1].end - found[-1].start - 1)


def test_where_the_sound_is_likely_over_a_window_ends_and_the_next_are_short() -> None:
    sizes = [window.end - window.start for window in windows(500, until=300)]

    assert sizes == [24, 24, 48, 96, 108, 24, 24, 48, 104]
    assert sum(sizes[:5]) == 300


@pytest.mark.parametrize("until", [500 - CONTEXT_FRAMES, 500, 600, None])
def test_a_sound_that_lasts_to_the_end_changes_nothing(until: int | None) -> None:
    assert list(windows(500, until=until)) == list(windows(500))


def test_a_segment_that_is_one_window_is_one_though_it_ends_in_silence() -> None:
    assert list(windows(ALONE_FRAMES, until=30)) == [Window(0, ALONE_FRAMES, 0, ALONE_FRAMES)]


def test_windows_are_as_long_as_is_affordable_when_they_are_made() -> None:
    told = iter([-20, 0, 30, 10_000, 90, 90])

    sizes = [window.end - window.start for window in windows(400, affordable=lambda: next(told))]

    assert sizes == [FIRST_FRAMES, FIRST_FRAMES, 30, MOST_FRAMES, 90, 72]


def test_however_little_is_affordable_the_first_window_holds_the_silence_before_the_first_phoneme() -> None:
    sizes = [window.end - window.start for window in windows(400, lead=30, affordable=lambda: 0)]

    assert sizes[:2] == [30 + HEARD_FRAMES, FIRST_FRAMES]


@pytest.mark.parametrize(
    ("window", "dropped"),
    [
        (Window(0, 30, 0, 38), (0, 8 - HALFWAY_FRAMES)),
        (Window(30, 60, 22, 68), (8 - HALFWAY_FRAMES, 8 - HALFWAY_FRAMES)),
        (Window(30, 60, 29, 61), (0, 0)),
        (Window(30, 60, 22, 60), (8 - HALFWAY_FRAMES, 0)),
    ],
)
def test_the_second_half_drops_what_it_needs_no_more(window: Window, dropped: tuple[int, int]) -> None:
    assert window.dropped() == dropped


SIZES = (24, 48, 96, MOST_FRAMES)


@given(
    st.integers(ALONE_FRAMES + 1, 900),
    st.integers(0, 60),
    st.integers(60, 900),
    st.lists(st.integers(0, 200), min_size=1),
)
def test_windows_that_are_held_to_sizes_read_few_shapes(frames: int, lead: int, until: int, told: list[int]) -> None:
    again = cycle(told)

    found = list(windows(frames, lead=lead, until=until, affordable=lambda: next(again), sizes=SIZES))

    assert [window.start for window in found[1:]] == [window.end for window in found[:-1]]
    assert (found[0].start, found[-1].end) == (0, frames)
    for window in found:
        after = window.read_to - window.end
        assert after == (0 if window.end == frames else CONTEXT_FRAMES)
        assert window.start - window.read_from >= min(window.start, CONTEXT_FRAMES)
        fits = next(size for size in (*SIZES, 1000) if size >= window.end - window.start)
        if window.start and fits + CONTEXT_FRAMES <= window.read_to - after:
            assert window.read_to - window.read_from == fits + CONTEXT_FRAMES + after
            assert window.dropped()[0] == CONTEXT_FRAMES - HALFWAY_FRAMES


def test_nearly_all_windows_of_nearly_all_segments_are_of_a_dozen_shapes() -> None:
    chance = random.Random(7)
    shapes: Counter[tuple[int, ...]] = Counter()
    for _ in range(2000):
        frames, lead = chance.randint(ALONE_FRAMES + 1, 900), chance.randint(10, 50)
        in_hand = iter(range(0, 10_000, 30))
        planned = windows(
            frames,
            lead=lead,
            until=frames - chance.randint(0, 60),
            affordable=lambda told=in_hand: next(told),
            sizes=SIZES,
        )
        shapes.update((window.read_to - window.read_from, *window.dropped()) for window in planned)

    assert sum(count for _, count in shapes.most_common(12)) > 0.95 * shapes.total()


@pytest.mark.parametrize("frames", [1, FIRST_FRAMES, ALONE_FRAMES])
def test_a_short_segment_is_one_window(frames: int) -> None:
    assert list(windows(frames)) == [Window(0, frames, 0, frames)]


def test_a_longer_one_is_not() -> None:
    assert len(list(windows(ALONE_FRAMES + 1))) > 1


@pytest.mark.parametrize(
    ("frames", "lead", "covered"),
    [
        (1, 0, True),
        (ALONE_FRAMES, 0, True),
        (ALONE_FRAMES + 1, 0, False),
        (MOST_LEAD_FRAMES + HEARD_FRAMES + CONTEXT_FRAMES, MOST_LEAD_FRAMES, True),
        (MOST_LEAD_FRAMES + HEARD_FRAMES + CONTEXT_FRAMES + 1, MOST_LEAD_FRAMES, False),
    ],
)
def test_the_first_window_covers_what_ends_within_its_context(frames: int, lead: int, covered: bool) -> None:
    assert first_window_covers(frames, lead=lead) == covered


@given(st.integers(1, 300), st.integers(0, 200))
def test_it_covers_a_segment_when_it_is_the_only_one(frames: int, lead: int) -> None:
    assert first_window_covers(frames, lead=lead) == (len(list(windows(frames, lead=lead))) == 1)


@given(st.integers(1, 400), st.integers(0, 500), st.integers(1, 8), st.integers(0, 20))
def test_shares_cover_a_window_once_each_with_its_context(size: int, start: int, most: int, context: int) -> None:
    frames = start + size + 7
    window = Window(start, start + size, max(0, start - context), min(frames, start + size + context))

    shares = window.shares(most, frames=frames, context=context)

    assert 1 <= len(shares) <= most
    assert [share.start for share in shares] == [start, *(share.end for share in shares[:-1])]
    assert shares[-1].end == window.end
    assert all(share.read_from == max(0, share.start - context) for share in shares)
    assert all(share.read_to == min(frames, share.end + context) for share in shares)
    assert len(shares) == 1 or min(share.end - share.start for share in shares) >= LEAST_SHARE_FRAMES
