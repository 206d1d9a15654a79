"""Trials take turns."""

import functools

import pytest

from primavoce.bench.trials import take_turns

pytestmark = pytest.mark.anyio


async def test_every_way_is_tried_once_a_round_and_every_second_round_goes_backwards() -> None:
    order: list[str] = []
    notes: list[str] = []

    async def attempt(name: str) -> int:
        order.append(name)
        return len(order)

    ways = {name: functools.partial(attempt, name) for name in "abc"}
    found = await take_turns(ways, trials=3, note=notes.append)

    assert "".join(order) == "abccbaabc"
    assert found == {"a": [1, 6, 7], "b": [2, 5, 8], "c": [3, 4, 9]}
    assert notes == ["trial 1 of 3", "trial 2 of 3", "trial 3 of 3"]
