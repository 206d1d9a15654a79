import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.captions import LONGEST_CUE, Cue, cues, to_srt, to_vtt
from primavoce.text.timing import WordTime

TEXT = "Dr. Okafor pays $5. “Really?” Yes: 50 < 60 & more."


def timed(text: str, *, gaps: dict[int, float] | None = None) -> list[WordTime]:
    """A time for each word between spaces: half a second, and a longer silence before those in ``gaps``."""
    times, at, now = [], 0, 0.0
    for number, word in enumerate(text.split(" ")):
        now += 0.02 + (gaps or {}).get(number, 0.0)
        stripped = word.strip("“”?.,:")
        start = at + word.index(stripped) if stripped else at
        if stripped:
            times.append(WordTime(start, start + len(stripped), now, now + 0.5))
        now += 0.5
        at += len(word) + 1
    return times


def test_a_caption_ends_with_its_sentence_and_keeps_its_marks() -> None:
    found = cues(TEXT, timed(TEXT, gaps={4: 0.3, 5: 0.3}))

    assert [cue.text for cue in found] == ["Dr. Okafor pays $5.", "“Really?”", "Yes: 50 < 60 & more."]


def test_an_abbreviation_ends_no_caption() -> None:
    assert cues(TEXT, timed(TEXT))[0].text.startswith("Dr. Okafor pays")


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=30), min_size=1, max_size=60))
def test_nothing_is_lost_and_no_caption_is_longer_than_can_be_read(words: list[str]) -> None:
    text = " ".join(words)

    found = cues(text, timed(text))

    assert " ".join(cue.text for cue in found) == text
    assert all(len(cue.text) <= LONGEST_CUE for cue in found)
    assert all(before.end_s <= after.start_s for before, after in zip(found, found[1:], strict=False))


def test_a_long_silence_ends_a_caption() -> None:
    text = "one two three four"

    assert [cue.text for cue in cues(text, timed(text, gaps={2: 1.0}))] == ["one two", "three four"]


def test_a_fence_that_is_announced_is_shown_in_part() -> None:
    text = "Run this.\n```\n" + "x = call(y)\n" * 50 + "```\nDone."
    words = [WordTime(0, 3, 0.0, 0.2), WordTime(4, 8, 0.2, 0.5), WordTime(10, len(text) - 6, 1.0, 2.0)]
    words.append(WordTime(len(text) - 5, len(text) - 1, 2.5, 3.0))

    first, fence, last = cues(text, words)

    assert (first.text, last.text) == ("Run this.", "Done.")
    assert fence.text.startswith("``` x = call(y)")
    assert len(fence.text) == LONGEST_CUE + 1


@pytest.mark.parametrize("text", ["", "..."])
def test_without_words_there_are_no_captions(text: str) -> None:
    assert cues(text, []) == []


def test_the_files_are_as_players_expect_them() -> None:
    captions = [Cue(0.0, 1.25, "Hello."), Cue(3599.9996, 3661.5, "5 < 6 & more")]

    assert to_srt(captions) == (
        "1\n00:00:00,000 --> 00:00:01,250\nHello.\n\n2\n01:00:00,000 --> 01:01:01,500\n5 < 6 & more\n\n"
    )
    assert to_vtt(captions) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nHello.\n\n01:00:00.000 --> 01:01:01.500\n5 &lt; 6 &amp; more\n\n"
    )
