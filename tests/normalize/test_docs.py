"""The examples of docs/text.md, as they stand there."""

import re
from pathlib import Path

import pytest

from primavoce.normalize import normalize
from primavoce.text import Sentence, SentenceStream

DOCS = (Path(__file__).parents[2] / "docs" / "text.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^\| ([a-z-]+) \| `(.+)` \| (.*) \|$", re.MULTILINE)


@pytest.mark.parametrize(("language", "written", "read"), EXAMPLE.findall(DOCS))
def test_an_example_is_read_as_documented(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


def test_there_are_examples_for_every_language_that_is_spoken() -> None:
    assert {language for language, _, _ in EXAMPLE.findall(DOCS)} >= {
        "en-us",
        "it",
        "es",
        "fr",
        "pt-br",
        "hi",
        "ja",
        "zh",
    }


def test_the_stream_does_what_its_example_says() -> None:
    stream = SentenceStream("it")

    assert stream.push("Porta pane, olio, ecc. e poi") == []
    assert stream.push(" torna. Gra") == [Sentence("Porta pane, olio, ecc. e poi torna.", 0, 35, "prose")]
    assert stream.idle() == []
    assert stream.flush() == [Sentence("Gra", 36, 39, "prose")]
