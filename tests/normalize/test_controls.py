import logging

import pytest

from primavoce.normalize.controls import controls
from primavoce.normalize.draft import Draft
from primavoce.normalize.spoken import Spoken

ANY: frozenset[str] = frozenset()
FEW = frozenset("abkoɹˈ O")


def read(written: str, alphabet: frozenset[str] = ANY) -> Spoken:
    draft = Draft(written)
    controls(draft, alphabet)
    return draft.spoken()


def test_a_word_is_given_its_phonemes() -> None:
    spoken = read("Say [Kokoro](/kˈOkəɹO/) now.")

    (given,) = spoken.phonemes
    assert spoken.text == "Say Kokoro now."
    assert spoken.text[given.start : given.end] == "Kokoro"
    assert given.phonemes == "kˈOkəɹO"
    assert spoken.origin(4, 10) == (4, 23)


def test_a_word_in_bold_is_given_phonemes_without_its_stars() -> None:
    assert read("[**Kokoro**](/kˈOkəɹO/)").text == "Kokoro"


@pytest.mark.parametrize(
    ("written", "alphabet"),
    [
        ("[Kokoro](/docs/)", ANY),
        ("[Kokoro](/kab/)", FEW),
        ("[Kokoro](/k-2/)", ANY),
        ("[Kokoro](/ /)", ANY),
        ("[Kokoro](/kagu/)", FEW),
        ("[Kokoro](/docs_page.html/)", ANY),
    ],
)
def test_a_word_with_phonemes_that_are_none_is_read_as_it_is_spelled(
    written: str, alphabet: frozenset[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        spoken = read(written, alphabet)

    assert spoken.text == "Kokoro"
    assert not spoken.phonemes
    assert "not phonemes" in caplog.text


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("[pause:0.5s]", 0.5),
        ("[pause:500ms]", 0.5),
        ("[pause:2]", 2.0),
        ("[pause:0,5s]", 0.5),
        ("[pause:.5s]", 0.5),
        ("[pause: 1 s]", 1.0),
        ("[PAUSE:1S]", 1.0),
        ("[pause:0]", 0.0),
        ("[pause:10s]", 10.0),
        ("[pause:11s]", 10.0),
        ("[pause:99999999s]", 10.0),
    ],
)
def test_a_pause_is_silence_of_at_most_ten_seconds(control: str, seconds: float) -> None:
    spoken = read(f"Wait {control} here.")

    assert spoken.text == "Wait here."
    assert [(pause.at, pause.seconds) for pause in spoken.pauses] == [(5, seconds)]


def test_a_pause_that_is_cut_short_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        read("[pause:60s]")

    assert "at most 10 s" in caplog.text


@pytest.mark.parametrize(
    "written",
    [
        "[pause]",
        "[pause:soon]",
        "[pause:-1s]",
        "[pause:1h]",
        "[pause:1s",
        "`[pause:1s]`",
        r"\[pause:1s]",
        "[docs](/a/b/)",
    ],
)
def test_what_only_looks_like_a_control_is_left(written: str) -> None:
    spoken = read(written)

    assert spoken.text == written
    assert not spoken.pauses


@pytest.mark.parametrize("phonemes", ["kˈO", "kO", "k'Ok", "aba:", "kɹO"])
def test_a_mark_of_stress_or_a_sign_of_speech_tells_phonemes_from_a_link(phonemes: str) -> None:
    (given,) = read(f"[Kokoro](/{phonemes}/)").phonemes

    assert given.phonemes == phonemes
