import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import PhonemesFailed
from primavoce.phonemes.alphabet import MAX_PHONEMES, PAD, SILENT, SYMBOLS, clean, decode, encode

phonemes_of_the_alphabet = st.text(alphabet=st.sampled_from(sorted(SYMBOLS)), max_size=60)


def test_the_alphabet_is_that_of_kokoro_v1_0() -> None:
    numbers = sorted(SYMBOLS.values())

    assert len(SYMBOLS) == 114
    assert len(set(numbers)) == 114
    assert (numbers[0], numbers[-1]) == (1, 177)
    assert all(len(symbol) == 1 for symbol in SYMBOLS)
    assert MAX_PHONEMES == 510


@pytest.mark.parametrize(
    ("symbol", "number"),
    [(";", 1), ("…", 10), ("”", 15), (" ", 16), ("A", 24), ("ᵊ", 42), ("a", 43), ("z", 68), ("ə", 83), ("ɡ", 92),
     ("ɪ", 102), ("θ", 119), ("ɹ", 123), ("ʃ", 131), ("ʒ", 147), ("ˈ", 156), ("ː", 158), ("↘", 173), ("ᵻ", 177)],
)  # fmt: skip
def test_a_symbol_has_the_published_number(symbol: str, number: int) -> None:
    assert encode(symbol) == [number]


def test_the_pad_is_no_symbols_number() -> None:
    assert PAD not in SYMBOLS.values()
    assert decode([PAD, SYMBOLS["h"], SYMBOLS["I"], PAD]) == "hI"


@given(phonemes_of_the_alphabet)
def test_decode_undoes_encode(phonemes: str) -> None:
    assert decode(encode(phonemes)) == phonemes


@pytest.mark.parametrize("phonemes", ["❓", "h3", "ɹ\n", "g", "¿"])
def test_a_symbol_outside_the_alphabet_is_not_encoded(phonemes: str) -> None:
    with pytest.raises(PhonemesFailed):
        encode(phonemes)


def test_a_number_without_a_symbol_is_not_decoded() -> None:
    with pytest.raises(ValueError, match="7"):
        decode([7])


def test_cleaning_parts_known_symbols_from_unknown_ones() -> None:
    assert clean("¿kˈe ❓ 3?") == ("kˈe  ?", "¿❓3")


@given(st.text(max_size=60))
def test_cleaning_loses_no_symbol_and_keeps_only_the_alphabet(phonemes: str) -> None:
    kept, dropped = clean(phonemes)

    assert sorted(kept + dropped) == sorted(phonemes)
    assert set(kept) <= SYMBOLS.keys()
    assert not set(dropped) & SYMBOLS.keys()


def test_pauses_quotes_and_the_space_are_not_heard() -> None:
    assert decode(sorted(SILENT)) == ';:,.!?—…"()“” '
    assert PAD in SILENT
