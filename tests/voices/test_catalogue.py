from collections import Counter

import pytest

from primavoce.errors import UnknownVoice
from primavoce.languages import LANGUAGES
from primavoce.voices.catalogue import DEFAULT_VOICES, VOICES, Voice, find_voice


def test_there_are_54_voices_in_nine_languages() -> None:
    counts = Counter(voice.language for voice in VOICES.values())

    assert counts == {"en-us": 20, "en-gb": 8, "es": 3, "fr": 1, "hi": 4, "it": 2, "ja": 5, "pt-br": 3, "zh": 8}
    assert len(VOICES) == 54


def test_a_name_tells_language_and_gender() -> None:
    assert find_voice("af_heart") == Voice("af_heart", "en-us", "female")
    assert find_voice("zm_yunxi") == Voice("zm_yunxi", "zh", "male")


def test_every_voice_is_found_by_its_own_name() -> None:
    assert all(find_voice(name).name == name for name in VOICES)


def test_every_language_has_a_default_voice_that_speaks_it() -> None:
    assert DEFAULT_VOICES.keys() == LANGUAGES.keys()
    assert {language: find_voice(name).language for language, name in DEFAULT_VOICES.items()} == {
        language: language for language in LANGUAGES
    }


@pytest.mark.parametrize(
    ("asked", "near"),
    [("af_hart", "af_heart"), ("AF_HEART", "af_heart"), ("bella", "af_bella"), ("xx_dora", "ef_dora")],
)
def test_an_unknown_voice_is_told_with_names_like_it(asked: str, near: str) -> None:
    with pytest.raises(UnknownVoice) as caught:
        find_voice(asked)

    assert caught.value.voice == asked
    assert near in caught.value.near
    assert len(caught.value.near) <= 3


def test_a_name_like_none_gets_no_hint() -> None:
    with pytest.raises(UnknownVoice) as caught:
        find_voice("12345")

    assert caught.value.near == ()


def test_a_long_name_is_shortened_in_its_error() -> None:
    with pytest.raises(UnknownVoice) as caught:
        find_voice("x" * 100_000)

    assert caught.value.voice == "x" * 40
