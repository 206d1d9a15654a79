"""Which phonemes are which word's in English."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from misaki import en

from primavoce.phonemes.grammar import Wishes
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.phonemes.words import tidy

pytestmark = pytest.mark.model

SENTENCES = [
    ("Hello, world!", "Hello | world", "həlˈO | wˈɜɹld"),
    ("I don't know.", "I | don't | know", "ˌI | dˈOnt | nˈO"),
    (
        "It's Anna's state-of-the-art kitchen.",
        "It's | Anna's | state-of-the-art | kitchen",
        "ˌɪts | ˈɑnəz | stˈAtʌvðiˈɑɹt | kˈɪʧᵊn",
    ),
    (
        "It costs $3.50 (or 20%).",
        "It | costs | $3.50 | or | 20%",
        "ˌɪt | kˈɔsts | θɹˈi dˈɑləɹz ænd fˈɪfti sˈɛnts | ɔɹ | twˈɛnti pəɹsˈɛnt",
    ),
    ("In 1982, the 2nd time.", "In | 1982 | the | 2nd | time", "ɪn | nˌIntˈin ˈATi tˈu | ðə | sˈɛkənd | tˈIm"),
    ("“Stop,” she said.", "Stop | she | said", "stˈɑp | ʃi | sˈɛd"),
    ("yes/no, and/or", "yes/no | and/or", "jˈɛs nˈO | ænd ɔɹ"),
    ("A well-known co-op — closed.", "A | well-known | co-op | closed", "ɐ | wˌɛlnˈOn | kˈOˌɑp | klˈOzd"),
    ("Dr. Smith met Mrs. Jones.", "Dr. | Smith | met | Mrs. | Jones", "dˈɑktəɹ | smˈɪθ | mˈɛt | mˈɪsɪz | ʤˈOnz"),
    ("The U.S. economy grew.", "The | U.S. | economy | grew", "ðə | jˌuˈɛs | ikˈɑnəmi | ɡɹˈu"),
    ("e.g. cats, dogs etc.", "e.g. | cats | dogs | etc", "ˌiʤˈi | kˈæts | dˈɔɡz | ɛtsˈɛTəɹə"),
    (
        "See hello,world or end.Next now.",
        "See | hello | world | or | end | Next | now",
        "sˈi | həlˈO | wˈɜɹld | ɔɹ | ˈɛnd | nˈɛkst | nˈW",
    ),
    ("A yes—no question", "A | yes | no | question", "ɐ | jˈɛs | nˈO | kwˈɛsʧᵊn"),
    ("C++ and C# are hard.", "C++ | and | C# | are | hard", "sˈi plˈʌs plˈʌs | ænd | sˈi hˈæʃ | ɑɹ | hˈɑɹd"),
    ("Meet at 3:30 p.m. today.", "Meet | at | 3:30 | p.m. | today", "mˈit | æt | θɹˈi:θˈɜɹTi | pˌiˈɛm | tədˈA"),
    ("Call 555-1234 now.", "Call | 555-1234 | now", "kˈɔl | fˈIv hˈʌndɹəd fˈɪfti fˈIvtwˌɛlv θˌɜɹTi fˌɔɹ | nˈW"),
    (
        "GPT-4o has 1,234.5 points.",
        "GPT-4o | has | 1,234.5 | points",
        "ʤˌipˌitˈi fˈɔɹ ˈO | hæz | wˈʌn θˈWzᵊnd tˈu hˈʌndɹəd θˈɜɹTi fˈɔɹ pYnt fˈIv | pˈYnts",
    ),
    ("He said: 'quoted' words.", "He | said | quoted | words", "hˌi | sˈɛd | kwˈOTᵻd | wˈɜɹdz"),
    ("I've 10 km/h left…", "I've | 10 | km/h | left", "ˌIv | tˈɛn | kˌAˈɛm slˈæʃ ˈAʧ | lˈɛft"),
    ("rock 'n' roll", "rock | 'n' | roll", "ɹˈɑk | ən | ɹˈOl"),
    ("£5bn of debt", "£5bn | of | debt", "fˈIv bˌiˈɛn | ʌv | dˈɛt"),
    ("I said 😀 today.", "I | said | 😀 | today", "ˌI | sˈɛd | ɡɹˈɪnɪŋ fˈAs | tədˈA"),
    ("good😀 day", "good😀 | day", "ɡˈʊd ɡɹˈɪnɪŋ fˈAs | dˈA"),
    ("(All right?)", "All | right", "ˈɔl | ɹˈIt"),
    ("Wait... what?!", "Wait | what", "wˈAt | wˌʌt"),
    ("[here](https://example.com) it is", "here | it | is", "hˈɪɹ | ɪt | ɪz"),
    ("the 7-day, 24/7 shop", "the | 7-day | 24/7 | shop", "ðə | sˈɛvən dˈA | twˈɛnti fˈɔɹ sˈɛvən | ʃˈɑp"),
    ("AT&T and R&D", "AT&T | and | R&D", "ˌAtˈi ænd tˈi | ænd | ˈɑɹ ænd dˈi"),
    ("mother-in-law's", "mother-in-law's", "mˈʌðəɹənlˌɔz"),
    ("20-30 dollars", "20-30 | dollars", "twˈɛntiθˌɜɹTi | dˈɑləɹz"),
    ("100 °C is hot.", "100 | °C | is | hot", "wˈʌn hˈʌndɹəd | dᵻɡɹˈiz sˈi | ɪz | hˈɑt"),
    ("Don’t say “no”.", "Don’t | say | no", "dˈOnt | sˈA | nˈO"),
]


@pytest.mark.parametrize(("text", "words", "phonemes"), SENTENCES)
def test_each_word_has_its_phonemes(phonemizer: Phonemizer, text: str, words: str, phonemes: str) -> None:
    pronunciation = phonemizer.pronounce(text, "en-us")

    assert " | ".join(text[word.start : word.end] for word in pronunciation.words) == words
    assert " | ".join(word.phonemes for word in pronunciation.words) == phonemes


@pytest.mark.parametrize(
    ("text", "lead", "afters"),
    [
        ("“Stop,” she said.", "“", [",” ", " ", "."]),
        ("A well—known (or not) co-op.", "", [" ", "—", " (", " ", ") ", "."]),
        ("Wait... what?!", "", ["... ", "?!"]),
        ("I do\n\nnot", "", [" ", " ", ""]),
        ("...", "...", []),
        ("", "", []),
    ],
)
def test_marks_stand_between_words(phonemizer: Phonemizer, text: str, lead: str, afters: list[str]) -> None:
    pronunciation = phonemizer.pronounce(text, "en-us")

    assert pronunciation.lead == lead
    assert [word.after for word in pronunciation.words] == afters


@pytest.mark.parametrize(
    ("text", "stretch", "phonemes"),
    [
        ("The kitten purrs.", "kitten", "kˈɪʔn"),
        ("The kitten purrs.", "The kitten purrs", "a bˈɪt"),
        ("Ask Anna's cat.", "Anna", "ˈɑnə"),
        ("Ask Anna's cat.", "nna'", "ɾˈɑ"),
        ("It costs $3.50 now", "$3.50", "lˈɑt"),
        ("a state-of-the-art shop", "of", "O"),
        ("[Kokoro](/x/) speaks", "Kokoro", "kˈOkəɹO"),
        ("see [here](https://example.com)", "example", "a"),
        ("odd ](x) [ brackets", "](x) [", "hˈɑ"),
        ("It's [a](b", "a](b", "bˈi"),
        ("wait, what", ", ", "sˈoʊ, "),
        ("x" * 250, "x" * 10, "tˈɛn"),
        ("the\n  thing", "the\n  thing", "ðˈɪŋ"),
    ],
)
def test_a_given_pronunciation_is_one_word_of_its_own(
    phonemizer: Phonemizer, text: str, stretch: str, phonemes: str
) -> None:
    start = text.index(stretch)
    end = start + len(stretch.rstrip())

    words = phonemizer.pronounce(text, "en-us", given=[(start, start + len(stretch), phonemes)]).words

    assert (start, end, phonemes.rstrip()) in [(word.start, word.end, word.phonemes) for word in words]


def test_words_beside_a_given_one_keep_their_grammar(phonemizer: Phonemizer) -> None:
    phonemes = phonemizer.pronounce("I read the Kokoro.", "en-us", given=[(11, 17, "ˈOkəɹO")]).phonemes

    assert phonemes == "ˌI ɹˈɛd ði ˈOkəɹO."


def test_a_given_pronunciation_is_used_without_grammar_too(
    phonemizer: Phonemizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    phonemizer.phonemize("warm", "en-us")
    monkeypatch.setattr("misaki.en.G2P.retokenize", fail)
    text = "Three [cats](/a/), one Kokoro (20%)."

    pronunciation = phonemizer.pronounce(text, "en-us", given=[(23, 29, "kˈOkəɹO")])

    assert [text[word.start : word.end] for word in pronunciation.words] == ["Three", "cats", "one", "Kokoro", "20%"]
    assert pronunciation.words[3].phonemes == "kˈOkəɹO"
    assert [word.after for word in pronunciation.words] == [" ", ", ", " ", " (", ")."]


WORDS = [
    "the", "a", "API", "U.S.", "$3.50", "20%", "don't", "well-known", "it’s", "“yes”", "(no)", "-", "–", "1982", "café",
    "😀", "e.g.", "[x](/a/)", "[y](#z)", "[z](2)", "*", "C++", "3:30", "...", "yes—no", "hello,world", "GPT-4o", "€5",
    "5€", "'tis", "«no»", ",", ".", "你好",
]  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=12,
    ).map(" ".join)
)
def test_words_together_are_what_misaki_says(phonemizer: Phonemizer, text: str) -> None:
    pronunciation = phonemizer.pronounce(text, "en-us")

    plain, words, features = en.G2P.preprocess(text.replace("«", "“").replace("»", "”"))
    grammar = phonemizer._languages["en-us"]._grammar  # type: ignore[attr-defined]
    whole, _ = grammar(plain, lambda plain: (plain, words, Wishes(words, features, [])))
    assert pronunciation.phonemes == phonemizer.phonemize(text, "en-us")
    assert pronunciation.phonemes in {tidy(whole), tidy(whole + ".")}  # misaki takes "U.S." for the sentence's end, too


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(alphabet=st.sampled_from("aI The19.,-$£%'’()[]/#_½²é你😀—…“:@^\u0301\n"), min_size=1, max_size=30),
    data=st.data(),
)
def test_any_text_has_words_in_order_and_those_that_are_given(
    phonemizer: Phonemizer, text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))

    words = phonemizer.pronounce(text, "en-us", given=[(start, end, "ʔˈa")]).words

    place = 0
    for word in words:
        assert place <= word.start < word.end <= len(text)
        assert text[word.start : word.end].strip() == text[word.start : word.end]
        assert word.phonemes
        place = word.end
    if stretch := text[start:end].strip():
        start = text.index(stretch, start)
        assert (start, start + len(stretch), "ʔˈa") in [(word.start, word.end, word.phonemes) for word in words]


def fail(*_arguments: object, **_options: object) -> None:
    raise ValueError("a failure on purpose")
