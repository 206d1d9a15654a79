"""The parts of the sentence benchmark that decide, without the libraries that it compares."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def disagreement(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.sentences.disagreement")


@pytest.fixture
def found_text(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.sentences.found_text")


@pytest.fixture
def score(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.sentences.score")


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.sentences.libraries")


def test_sentences_start_at_their_first_letter(disagreement: ModuleType) -> None:
    text = "One. “Two.” (3.)"

    assert disagreement.starts(text, ["One.", " “Two.” ", "(3.)"]) == {6, 13}


def test_a_place_is_where_not_all_do_the_same(disagreement: ModuleType) -> None:
    places = disagreement.disagreements("One. Two v. Three", {"a": {5}, "b": {5, 12}})

    assert [(place.left, place.right, place.cut_by) for place in places] == [("One. Two v. ", "Three", {"b"})]


def test_labelled_places_stand_for_all(disagreement: ModuleType) -> None:
    right, wrong, unread = (
        disagreement.Place("a", "b", frozenset({"x"})),
        disagreement.Place("c", "d", frozenset({"x", "y"})),
        disagreement.Place("e", "f", frozenset({"x"})),
    )
    known = {right.key: True, wrong.key: False}

    errors = disagreement.errors("y", [right, wrong, unread, unread], known, 20_000)

    assert (errors.false_cuts, errors.missed_cuts) == (1, 1)
    assert disagreement.errors("x", [unread], known, 20_000) is None


def test_labels_repeat_nobodys_text(disagreement: ModuleType) -> None:
    known = disagreement.labels()

    assert len(known) >= 200
    assert {True, False} == set(known.values())
    assert all(re.fullmatch("[0-9a-f]{16}", place) for place in known)


def test_only_sentences_in_a_row_are_prose(found_text: ModuleType) -> None:
    prose = (
        "This program is free, and\nyou may pass it on as you like; there is no warranty,\nas far as the law allows."
    )
    text = f"{prose}\n\n- {prose}\n\nShort."

    assert list(found_text.prose(text)) == [" ".join(prose.split())]


def test_samples_follow_one_another(found_text: ModuleType) -> None:
    found = [f"{number:03}" * 5 for number in range(100)]

    first, rest = found_text.sample(found, characters=300), found_text.sample(found, characters=9_999, after=300)

    assert len(first) == 20
    assert sorted(first + rest) == found


def test_waits_count_what_came_after_the_end(score: ModuleType, libraries: ModuleType) -> None:
    assert score.waits(libraries.Ours("en"), "One. Two.\n\nThree") == [2, 2]


def test_a_whole_text_library_gives_out_all_but_its_last_sentence(libraries: ModuleType) -> None:
    splitter = libraries.Rescanned(lambda text: text.split("|"))

    assert [splitter.push(delta) for delta in ("a", "|b", "c|", "|d")] == [[], ["a"], [], ["bc"]]
    assert splitter.flush() == ["d"]
