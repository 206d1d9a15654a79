"""Japanese and Mandarin need their extras, so these tests run only when asked for."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("ja", "こんにちは、世界。", "こんにちは | 世界"),
        ("ja", "東京は（とても）大きいです。", "東京 | は | とても | 大きい | です"),
        ("ja", "Pythonは便利です。", "Python | は | 便利 | です"),
        ("ja", "2024年に「ｶﾞｰﾄﾞ」を買った。", "2024 | 年 | に | ｶﾞｰﾄﾞ | を | 買った"),
        ("ja", "行っちゃった！あっ、30〜40人", "行っちゃった | あっ | 30 | 〜40 | 人"),
        ("zh", "银行行长行不行？", "银行行长 | 行不行"),
        ("zh", "我喜欢用Python写程序！", "我 | 喜欢 | 用 | Python | 写 | 程序"),
        ("zh", "气温-3.5℃，降了12%。", "气温 | -3.5℃ | 降 | 了 | 12%"),
        ("zh", "今天是2024年3月5日，生日。", "今天 | 是 | 2024年3月5日 | 生日"),
        ("zh", "1/2个，《3-5个》", "1/2 | 个 | 3-5个"),
    ],
)
def test_words_are_those_of_the_library(phonemizer: Phonemizer, language: str, text: str, words: str) -> None:
    pronunciation = phonemizer.pronounce(text, language)

    assert " | ".join(text[word.start : word.end] for word in pronunciation.words) == words
    assert pronunciation.phonemes == phonemizer.phonemize(text, language)


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("ja", "東京は大きいです。", 0, 2),
        ("ja", "Pythonは便利", 2, 4),
        ("zh", "我喜欢北京的天气。", 3, 5),
        ("zh", "有12%的人", 1, 4),
    ],
)
def test_a_given_pronunciation_is_one_word_of_its_own(
    phonemizer: Phonemizer, language: str, text: str, start: int, end: int
) -> None:
    words = phonemizer.pronounce(text, language, given=[(start, end, "a bˈi")]).words

    assert (start, end, "a bˈi") in [(word.start, word.end, word.phonemes) for word in words]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    language=st.sampled_from(["ja", "zh"]),
    text=st.text(alphabet=st.sampled_from("a1.-%/月日年個个东京行っんガｶﾞ〜。、「」 \u3099①你好😀C"), max_size=25),
)
def test_any_text_has_words_in_order(phonemizer: Phonemizer, language: str, text: str) -> None:
    place = 0
    for word in phonemizer.pronounce(text, language).words:
        assert place <= word.start < word.end <= len(text)
        assert text[word.start : word.end].strip() == text[word.start : word.end]
        place = word.end


@pytest.mark.parametrize("language", ["ja", "zh"])
@pytest.mark.parametrize("text", ["٣ ①と²", "12345678901234567890。", "😀", "2024年3月5日 12:30 -3.5%", "「…」", "\n"])
def test_odd_text_gives_phonemes_of_the_alphabet(phonemizer: Phonemizer, language: str, text: str) -> None:
    assert set(phonemizer.phonemize(text, language)) <= SYMBOLS.keys()


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_nothing_is_printed(language: str, capfd: pytest.CaptureFixture[str]) -> None:
    Phonemizer().phonemize("你好、世界。", language)

    assert capfd.readouterr() == ("", "")
