"""Japanese and Mandarin need their extras, so these tests run only when asked for."""

import pytest

from primavoce.phonemes.alphabet import SYMBOLS
from primavoce.phonemes.phonemizer import Phonemizer

pytestmark = pytest.mark.quality


@pytest.mark.parametrize(
    ("language", "text", "phonemes"),
    [
        ("ja", "こんにちは、世界。", "koɲɲiʨiβa, sekai."),
        ("ja", "東京は（とても）大きいです。", "toːkʲoː βa (totemo) oːkʲiː desɨ."),
        ("ja", "Pythonは便利です。", "pˈIθˌɑn βa benɾʲi desɨ."),
        ("ja", "0312345678です。", "ʣeɾo saɴ iʨi ɲi saɴ joɴ ɡo ɾokɯ nana haʨi desɨ."),
        ("zh", "你好，世界。", "ni↓xau↓, ʂɨ↘ʨje↘."),
        ("zh", "银行行长行不行？", "i↗nxa↗ŋxa↗ŋꭧa↓ŋ ɕi↗ŋpu↘ɕi↗ŋ?"),
        ("zh", "我喜欢用Python写程序！", "wo↓ ɕi↓xwa→n jʊ↘ŋ pˈIθˌɑn ɕje↓ ꭧʰə↗ŋɕy↘!"),
    ],
)
def test_a_sentence_is_pronounced(phonemizer: Phonemizer, language: str, text: str, phonemes: str) -> None:
    assert phonemizer.phonemize(text, language) == phonemes


@pytest.mark.parametrize("language", ["ja", "zh"])
@pytest.mark.parametrize("text", ["٣ ①と²", "12345678901234567890。", "😀", "2024年3月5日 12:30 -3.5%", "「…」", "\n"])
def test_odd_text_gives_phonemes_of_the_alphabet(phonemizer: Phonemizer, language: str, text: str) -> None:
    assert set(phonemizer.phonemize(text, language)) <= SYMBOLS.keys()


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_nothing_is_printed(language: str, capfd: pytest.CaptureFixture[str]) -> None:
    Phonemizer().phonemize("你好、世界。", language)

    assert capfd.readouterr() == ("", "")
