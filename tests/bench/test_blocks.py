"""Which events a reader's blocks cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.bench.blocks import cut_by, even_blocks, events_in

BODY = b"event: a\ndata: 1\n\n" + b"data: 22\n\n" + b": beat\r\n\r\n"


def test_an_event_ends_behind_its_blank_line() -> None:
    assert [BODY[begin:end] for begin, end in events_in(BODY + b"data: unfinished")] == [
        b"event: a\ndata: 1\n\n", b"data: 22\n\n", b": beat\r\n\r\n",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("blocks", "cut"),
    [
        ([38], 0),
        ([18, 10, 10], 0),
        ([18, 20], 0),
        ([17, 21], 1),
        ([19, 19], 1),
        ([1] * 38, 3),
        ([5, 5, 5, 23], 1),
        ([20, 10, 8], 2),
    ],
)
def test_an_event_is_cut_if_no_block_has_the_whole_of_it(blocks: list[int], cut: int) -> None:
    assert sum(blocks) == len(BODY)
    assert cut_by(blocks, events_in(BODY)) == cut


@given(st.lists(st.integers(1, 50), min_size=1))
def test_blocks_that_are_events_cut_none_and_single_bytes_cut_all_longer_ones(sizes: list[int]) -> None:
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    events = list(zip([0, *ends], ends, strict=False))

    assert cut_by(sizes, events) == 0
    assert cut_by([1] * ends[-1], events) == sum(size > 1 for size in sizes)


@pytest.mark.parametrize(("size", "blocks"), [(0, []), (1, [1]), (4096, [4096]), (9000, [4096, 4096, 808])])
def test_a_reader_takes_as_much_as_it_can_hold(size: int, blocks: list[int]) -> None:
    assert even_blocks(size) == blocks
