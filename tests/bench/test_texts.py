"""The texts that are spoken."""

import pytest

from primavoce.bench.texts import english_voice, read_texts
from primavoce.errors import InvalidSetting, UnknownVoice
from primavoce.text import SentenceStream


def test_the_isolated_text_has_267_characters_in_four_sentences() -> None:
    texts = read_texts()

    stream = SentenceStream("en-us")
    found = [sentence.text for sentence in (*stream.push(texts.answer), *stream.flush())]

    assert len(texts.answer) == 267
    assert found == list(texts.isolated)


def test_single_sentences_grow_from_20_to_300_characters() -> None:
    lengths = [len(text) for text in read_texts().by_length]

    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (19, 303)


@pytest.mark.parametrize("text", read_texts().by_length)
def test_a_text_by_length_is_one_sentence_without_an_inner_mark(text: str) -> None:
    assert not set(text[:-1]) & set(".,;:!?—…")


@pytest.mark.parametrize("spec", ["af_heart", "bm_george", "af_heart:2+bf_emma"])
def test_an_english_voice_or_blend_reads_the_english_texts(spec: str) -> None:
    assert english_voice(spec).language.startswith("en-")


def test_a_voice_of_another_language_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="if_sara speaks it"):
        english_voice("if_sara")


def test_an_unknown_voice_is_refused() -> None:
    with pytest.raises(UnknownVoice):
        english_voice("af_hart")
