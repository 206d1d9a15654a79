import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.phonemes.budget import split_phonemes

speech = st.text(alphabet=st.sampled_from(sorted("aˈbɪː \u0303nd.!?…,;:—“”()ʰ")), max_size=200)
limits = st.integers(min_value=1, max_value=40)


def test_phonemes_that_fit_stay_whole() -> None:
    assert split_phonemes("a" * 510) == ["a" * 510]


def test_nothing_comes_of_nothing() -> None:
    assert split_phonemes("") == []
    assert split_phonemes("   ") == []


@pytest.mark.parametrize(
    ("phonemes", "limit", "pieces"),
    [
        ("aa, bb. cc dd", 10, ["aa, bb.", "cc dd"]),
        ("aa bb, cc dd ee", 10, ["aa bb,", "cc dd ee"]),
        ("aa bb cc dd", 8, ["aa bb", "cc dd"]),
        ("aaaabbbb", 4, ["aaaa", "bbbb"]),
        ("aaa.” bbbb", 6, ["aaa.”", "bbbb"]),
        ("aaa... bbbb", 7, ["aaa...", "bbbb"]),
        ("aa—bb cc", 5, ["aa—", "bb cc"]),
        ("aaaa. bbbb. cccc. dddd.", 12, ["aaaa. bbbb.", "cccc. dddd."]),
    ],
)
def test_the_best_pause_is_cut(phonemes: str, limit: int, pieces: list[str]) -> None:
    assert split_phonemes(phonemes, limit=limit) == pieces


def test_a_pause_that_would_leave_a_stub_is_passed_over() -> None:
    assert split_phonemes("a. bbbb cccc dddd", limit=12) == ["a. bbbb", "cccc dddd"]


def test_pieces_are_of_nearly_even_length() -> None:
    words = " ".join(["word"] * 110)  # 549 symbols, 39 too many

    first, second = split_phonemes(words)

    assert abs(len(first) - len(second)) <= 10


def test_a_mark_stays_with_its_sound_when_a_word_is_cut() -> None:
    assert split_phonemes("bababaːbab", limit=6) == ["babab", "aːbab"]
    assert split_phonemes("babaˈbabab", limit=5) == ["baba", "ˈba", "bab"]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        split_phonemes("a", limit=0)


@given(speech, limits)
def test_no_piece_is_over_the_limit_or_empty(phonemes: str, limit: int) -> None:
    pieces = split_phonemes(phonemes, limit=limit)

    assert all(1 <= len(piece) <= limit for piece in pieces)


@given(speech, limits)
def test_nothing_is_lost_but_spaces_at_the_cuts(phonemes: str, limit: int) -> None:
    pieces = split_phonemes(phonemes, limit=limit)

    rest = phonemes
    for piece in pieces:
        rest = rest.lstrip(" ")
        assert rest.startswith(piece)
        rest = rest.removeprefix(piece)
    assert not rest.strip(" ")


@given(speech)
def test_what_was_cut_needs_no_second_cut(phonemes: str) -> None:
    pieces = split_phonemes(phonemes, limit=12)

    assert [split_phonemes(piece, limit=12) for piece in pieces] == [[piece] for piece in pieces]
