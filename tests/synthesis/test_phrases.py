"""Phrases that were spoken before."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.synthesis.phrases import MOST_OF_ALL, Phrase, PhraseCache, RememberingModel
from primavoce.synthesis.segment import Rendering, RenderRequest
from primavoce.testing.fake_engine import FakeModel

STYLE = np.zeros((1, 256), np.float32)
IDS = (50, 83, 54)


def phrase(size: int) -> Phrase:
    return Phrase((0.1,), (np.zeros(size // 4, np.float32),))


class CountingModel(FakeModel):
    """Counts what it makes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(parts_per_segment=3, **kwargs)
        self.made = 0

    def render(self, request: RenderRequest) -> Rendering:
        self.made += 1
        return replace(super().render(request), check=(lambda: None) if request.checked else None)


def remembering(most_bytes: int = 10_000_000) -> tuple[RememberingModel, CountingModel]:
    model = CountingModel()
    return RememberingModel(model, PhraseCache(most_bytes)), model


def spoken(model: RememberingModel, ids: Sequence[int] = IDS, style: np.ndarray = STYLE, **how: Any) -> np.ndarray:
    rendering = model.render(RenderRequest(ids, style, **{"voice": "af_heart", **how}))
    return np.concatenate(list(rendering.parts))


def test_what_was_spoken_before_is_repeated_and_not_made_again() -> None:
    model, made = remembering()

    first = spoken(model)
    again = model.render(RenderRequest(IDS, STYLE, "af_heart"))

    assert made.made == 1
    assert again.repeated
    np.testing.assert_array_equal(np.concatenate(list(again.parts)), first)
    assert (model.cache.hits, model.cache.misses) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"ids": (50, 83, 55)},
        {"voice": "af_sky"},
        {"speed": 1.01},
        {"style": STYLE + np.float32(0.01)},
        {"owner": "somebody else"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_anything_else_is_made(other: dict[str, Any]) -> None:
    model, made = remembering()
    spoken(model)

    spoken(model, **other)

    assert (made.made, model.cache.hits) == (2, 0)


def test_what_was_left_halfway_is_not_remembered() -> None:
    model, made = remembering()
    next(model.render(RenderRequest(IDS, STYLE, "af_heart")).parts)

    spoken(model)
    spoken(model)

    assert made.made == 2


def test_what_is_to_be_checked_is_made_anew() -> None:
    model, made = remembering()
    spoken(model)

    rendering = model.render(RenderRequest(IDS, STYLE, "af_heart", checked=True))

    assert (made.made, rendering.repeated, rendering.check is not None) == (2, False, True)


def test_those_that_were_not_asked_for_longest_are_dropped() -> None:
    cache = PhraseCache(800)
    for name in b"abcdefgh":
        cache.put(bytes([name]), phrase(100))
    cache.get(b"a")

    cache.put(b"i", phrase(100))

    assert cache.get(b"a") is not None
    assert cache.get(b"b") is None


def test_one_that_would_drive_out_many_is_not_kept() -> None:
    cache = PhraseCache(800)

    cache.put(b"a", phrase(800 // MOST_OF_ALL + 4))
    cache.put(b"b", phrase(800 // MOST_OF_ALL))

    assert (cache.get(b"a"), cache.size) == (None, 100)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 60)), max_size=60), st.integers(0, 400))
def test_no_more_is_kept_than_there_is_room(puts: list[tuple[int, int]], most: int) -> None:
    cache = PhraseCache(most)

    for name, words in puts:
        cache.put(bytes([name]), phrase(4 * words))

    kept = [found.size for name in range(6) if (found := cache.get(bytes([name]))) is not None]
    assert sum(kept) == cache.size <= most
