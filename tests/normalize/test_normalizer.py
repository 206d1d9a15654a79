import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from primavoce.errors import UnknownLanguage
from primavoce.languages import LANGUAGES
from primavoce.normalize import ReadingOptions, Spoken, normalize
from primavoce.normalize.draft import HELD
from primavoce.normalize.lexicon import lexicon_of
from primavoce.text import SentenceStream

ANSWER = """## Setup 🚀
Install **the tool** from [the docs](https://example.com/docs), then *wait*!

1. Boil water. Then rest
- [ ] call

| Name | Price |
|---|---:|
| Tea | low |

```python
print(x)
```
> Say [Kokoro](/kˈOkəɹO/)[pause:1s] &amp; go :)
"""

PIECES = [
    "**", "*", "_", "~~", "`", "``", "[", "](", ")", "]", "![", "<b>", "</b>", "<br>", "<x", ">", "&amp;", "&", "\\",
    "\n", "  \n", "\n\n", "# ", "- ", "1. ", "| ", "|", "|--|", "```", "> ", "word", "Ärger", "3", "3.50", "$5",
    "10:30", " ", " ", ".", "!", "?", ",", ":)", "🎉", "1️⃣", "👩‍💻", "[pause:1s]", "[a](/b/)", "a@b.org",
    "https://example.com/a_b", "你好", "नमस्ते", HELD, "\u200d", "e\u0301", "[^1]", "[12]", "<script>",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def read(text: str, language: str = "en-us", options: ReadingOptions | None = None) -> list[str]:
    stream = SentenceStream(language)
    sentences = stream.push(text) + stream.flush()
    kinds = [None, *(sentence.kind for sentence in sentences)]
    return [
        normalize(sentence, language, after=after, options=options or ReadingOptions()).text
        for sentence, after in zip(sentences, kinds, strict=False)
    ]


def check(spoken: Spoken, written: str) -> None:
    assert len(spoken.text) == len(spoken.starts) == len(spoken.ends)
    assert all(0 <= start <= end <= len(written) for start, end in zip(spoken.starts, spoken.ends, strict=True))
    assert list(spoken.starts) == sorted(spoken.starts)
    assert spoken.text == " ".join(spoken.text.split())
    assert HELD not in spoken.text
    assert all(0 <= pause.at <= len(spoken.text) for pause in spoken.pauses)
    assert all(0 <= given.start < given.end <= len(spoken.text) for given in spoken.phonemes)
    assert all(left.end <= right.start for left, right in pairwise(spoken.phonemes))


def test_an_answer_is_read_as_a_person_would() -> None:
    assert read(ANSWER) == [
        "Setup.",
        "Install the tool from the docs, then wait!",
        "one: Boil water.",
        "Then rest.",
        "to do: call.",
        "table: Name, Price.",
        "Tea, low.",
        "code block.",
        "Say Kokoro and go",
    ]


def test_options_say_what_is_read_of_it() -> None:
    options = ReadingOptions(emoji="name", code="skip", tables="skip")

    assert read(ANSWER, options=options) == [
        "Setup, rocket.",
        "Install the tool from the docs, then wait!",
        "one: Boil water.",
        "Then rest.",
        "to do: call.",
        "",
        "",
        "",
        "Say Kokoro and go, slightly smiling face",
    ]


def test_controls_come_through_with_their_places() -> None:
    spoken = normalize("Say [Kokoro](/kˈOkəɹO/)[pause:1s] now.", "it")

    assert spoken.text == "Say Kokoro now."
    assert [(given.start, given.end, given.phonemes) for given in spoken.phonemes] == [(4, 10, "kˈOkəɹO")]
    assert [(pause.at, pause.seconds) for pause in spoken.pauses] == [(10, 1.0)]


def test_the_lexicon_comes_before_rules_that_would_read_the_word() -> None:
    lexicon = lexicon_of({"AC/DC": "Ay See Dee See", "it": {"AC/DC": "A Ci Di Ci"}})

    assert normalize("**AC/DC** plays", "en", options=ReadingOptions(lexicon=lexicon)).text == "Ay See Dee See plays"
    assert normalize("Gli AC/DC", "it", options=ReadingOptions(lexicon=lexicon)).text == "Gli A Ci Di Ci"


def test_the_marks_in_code_that_is_read_are_not_markup() -> None:
    fence = "```\na = [b](c)\n```"

    assert "c" in normalize(fence, "it", options=ReadingOptions(code="read")).text
    assert "c" not in normalize("a = [b](c)", "it").text


def test_a_text_by_itself_is_told_by_its_beginning() -> None:
    assert normalize("# Titolo", "it").text == "Titolo."
    assert normalize("Titolo", "it").text == "Titolo"


def test_a_language_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(UnknownLanguage):
        normalize("x", "xx")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", " ", "\n", "…", "a", "**", "[pause:1s]", HELD])
def test_the_least_that_can_be_written_is_read(text: str, language: str) -> None:
    check(normalize(text, language), text)


@given(st.lists(st.sampled_from(["il gatto", "dorme,", "perché", "«piove»", "e (forse)", "nevica?"]), min_size=1))
def test_what_no_rule_changes_maps_to_itself(words: list[str]) -> None:
    written = " ".join(words)

    spoken = normalize(written, "it")

    assert spoken.text == written
    assert spoken.starts == tuple(range(len(written)))
    assert spoken.ends == tuple(range(1, len(written) + 1))


@given(SOUP, st.sampled_from(sorted(LANGUAGES)), st.booleans())
@example("[pause:1s]|--|", "it", True)
def test_any_soup_of_markup_is_read_with_a_way_back(text: str, language: str, named: bool) -> None:
    options = ReadingOptions(emoji="name", code="read") if named else ReadingOptions()

    check(normalize(text, language, options=options), text)
    for sentence in SentenceStream(language).push(text):
        check(normalize(sentence, language, options=options), sentence.text)


@given(st.text(max_size=60))
def test_any_text_is_read_with_a_way_back(text: str) -> None:
    check(normalize(text, "it"), text)


def test_an_ordinary_sentence_takes_milliseconds_at_most() -> None:
    written = "The ferry to the old harbour leaves in the morning, so pack a warm coat this evening."
    normalize(written, "en")

    begun = time.process_time()
    for _ in range(100):
        normalize(written, "en")

    assert (time.process_time() - begun) / 100 < 0.02
