import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.phonemes.alignment import align


def groups(text: str, phonemes: str, own: dict[str, str]) -> list[tuple[str, str]]:
    """The words of ``text`` and their phonemes, where ``own`` has what a word is by itself, if not what it says."""
    sounds = align(text, phonemes, lambda word: own.get(word, word))
    assert "".join(sound.phonemes for sound in sounds) == phonemes
    return [(text[sound.start : sound.end], sound.phonemes) for sound in sounds if sound.start < sound.end]


@pytest.mark.parametrize(
    ("text", "phonemes", "own", "expected"),
    [
        ("uno due", "ˈuno dˈue", {}, [("uno", "ˈuno"), ("due", "dˈue")]),
        ("da do que eu", "da dʊkˈe ˈeʊ", {"que": "kˈe"}, [("da", "da"), ("do que", "dʊkˈe"), ("eu", "ˈeʊ")]),
        ("il 20% di", "il vˈenti perʧˈento di", {"20%": "vˈenti perʧˈento"}, [
            ("il", "il"), ("20%", "vˈenti perʧˈento"), ("di", "di"),
        ]),
        ("do que 42 sol", "dokˈe kwatɾo dos sol", {"42": "kwaɾenta dos"}, [
            ("do que", "dokˈe"), ("42", "kwatɾo dos"), ("sol", "sol"),
        ]),
        ("a 😀 be", "a be", {"😀": ""}, [("a", "a"), ("be", "be")]),
        ("😀 😀", "", {"😀": ""}, [("😀 😀", "")]),
        ("una cosa", "kesta", {}, [("una cosa", "kesta")]),
        ("TGV le", "te ʒe ve lə", {"TGV": "te ʒe ve"}, [("TGV", "te ʒe ve"), ("le", "lə")]),
    ],
)  # fmt: skip
def test_words_are_found_in_the_phonemes(
    text: str, phonemes: str, own: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    assert groups(text, phonemes, own) == expected


def test_a_word_by_itself_is_asked_for_only_where_numbers_differ() -> None:
    def say(word: str) -> str:
        raise AssertionError(word)

    assert len(align("uno due", "ˈuno dˈue", say)) == 3


def test_words_beyond_the_window_are_found() -> None:
    text = " ".join(["parce que", "moi", "toi"] * 40)
    phonemes = " ".join(["paʁskə", "mwa", "twa"] * 40)

    found = groups(text, phonemes, {"parce": "paʁs", "que": "kə", "moi": "mwa", "toi": "twa"})

    assert found == [("parce que", "paʁskə"), ("moi", "mwa"), ("toi", "twa")] * 40


words = st.lists(st.text(alphabet="abkɾ", min_size=1, max_size=6), min_size=1, max_size=60)


@given(words, words)
def test_anything_is_aligned_without_loss(written: list[str], spoken: list[str]) -> None:
    text, phonemes = " ".join(written), " ".join(spoken)

    sounds = align(text, phonemes, lambda word: word)

    assert "".join(sound.phonemes for sound in sounds) == phonemes
    said = [sound for sound in sounds if sound.start < sound.end]
    assert (said[0].start, said[-1].end) == (0, len(text))
    assert all(one.end + 1 == other.start for one, other in zip(said, said[1:], strict=False))


@given(st.lists(st.tuples(st.text("bdgklmnprst", min_size=3, max_size=5), st.booleans()), min_size=1, max_size=50))
def test_words_that_are_said_together_are_one_group_and_no_other(pairs: list[tuple[str, bool]]) -> None:
    """A word that is marked is said together with "ky ky" before it."""
    text = " ".join(f"ky ky {word}" if joined else word for word, joined in pairs)
    phonemes = " ".join(f"kyky{word}" if joined else word for word, joined in pairs)

    found = groups(text, phonemes, {})

    assert [group for group, _ in found] == [f"ky ky {word}" if joined else word for word, joined in pairs]
