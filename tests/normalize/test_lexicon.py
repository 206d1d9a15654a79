import time
from pathlib import Path

import pytest

from primavoce.errors import InvalidLexicon
from primavoce.normalize.draft import Draft
from primavoce.normalize.lexicon import (
    LONGEST_SAID,
    LONGEST_WRITTEN,
    MOST_BYTES,
    MOST_ENTRIES,
    Lexicon,
    lexicon_of,
    parse_lexicon,
    read_lexicon,
)
from primavoce.normalize.spoken import Spoken

NAMES = parse_lexicon("""
Kokoro = "/kˈOkəɹO/"
"Dr. Okafor" = "Doctor Oh-KAH-for"
York = "Yawk"
"New York" = "Noo Yawk"
gif = "jif"
"C++" = "see plus plus"
"東京" = "とうきょう"
"नम" = "x"

[it]
Kokoro = "Còcoro"

[en]
router = "rowter"

[en-gb]
router = "rooter"
""")


def read(written: str, language: str = "en-us", lexicon: Lexicon = NAMES) -> Spoken:
    draft = Draft(written)
    lexicon.apply(draft, language)
    return draft.spoken()


@pytest.mark.parametrize(
    ("written", "language", "said"),
    [
        ("Ask Dr. Okafor now.", "en-us", "Ask Doctor Oh-KAH-for now."),
        ("Ask Dr.  Okafor's cat.", "en-us", "Ask Doctor Oh-KAH-for's cat."),
        ("To New York or York.", "en-us", "To Noo Yawk or Yawk."),
        ("Say Kokoro.", "it", "Say Còcoro."),
        ("a router", "en-us", "a rowter"),
        ("a Router", "en-gb", "a rooter"),
        ("a router", "fr", "a router"),
        ("A GIF or a Gif", "fr", "A jif or a jif"),
        ("in york", "en-us", "in york"),
        ("gifts", "en-us", "gifts"),
        ("Yorkshire", "en-us", "Yorkshire"),
        ("In C++ now", "en-us", "In see plus plus now"),
        ("我去東京了", "zh", "我去とうきょう了"),
        ("नमस्ते", "hi", "नमस्ते"),
        ("Dr. Who", "en-us", "Dr. Who"),
        ("", "en-us", ""),
    ],
)
def test_a_whole_word_is_said_as_the_lexicon_has_it(written: str, language: str, said: str) -> None:
    assert read(written, language).text == said


def test_phonemes_go_with_the_word_as_it_was_written() -> None:
    spoken = read("Say Kokoro.")

    (given,) = spoken.phonemes
    assert spoken.text == "Say Kokoro."
    assert (given.start, given.end, given.phonemes) == (4, 10, "kˈOkəɹO")
    assert spoken.origin(4, 10) == (4, 10)


def test_a_sessions_entries_come_before_the_servers() -> None:
    both = NAMES.extended_by(lexicon_of({"gif": "ghif"}))

    assert read("a gif in York", lexicon=both).text == "a ghif in Yawk"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = ", "lexicon, TOML: Invalid value (at end of document)"),
        (
            '[xx]\na = "b"',
            "lexicon, [xx]: it is no language that Kokoro speaks; a word with a period in it needs quotes",
        ),
        (
            'Node.js = "node"',
            "lexicon, [Node]: it is no language that Kokoro speaks; a word with a period in it needs quotes",
        ),
        ('"++" = "plus"', "lexicon, '++': there is no letter and no digit in it"),
        ("a = 5", f"lexicon, 'a': what is said must be words or phonemes of 1 to {LONGEST_SAID} characters"),
        ('a = " "', f"lexicon, 'a': what is said must be words or phonemes of 1 to {LONGEST_SAID} characters"),
        ('a = "/x/"', "lexicon, 'a': the model has no symbol for 'x'"),
        ('[it]\na = "//"', f"lexicon, 'a': what is said must be words or phonemes of 1 to {LONGEST_SAID} characters"),
        (f'{"a" * 101} = "b"', f"lexicon, '{'a' * 40}': it is longer than {LONGEST_WRITTEN} characters"),
    ],
)
def test_an_entry_that_cannot_be_said_is_named(text: str, sentence: str) -> None:
    with pytest.raises(InvalidLexicon) as raised:
        parse_lexicon(text, frozenset("abc"))

    assert str(raised.value) == sentence


def test_without_an_alphabet_phonemes_are_letters_and_signs_of_speech() -> None:
    assert parse_lexicon('a = "/ˈɑ̃ː/"').entries

    with pytest.raises(InvalidLexicon):
        parse_lexicon('a = "/a1/"')


def test_a_lexicon_is_bounded() -> None:
    with pytest.raises(InvalidLexicon, match="at most"):
        lexicon_of({f"word{number}": "x" for number in range(MOST_ENTRIES + 1)})


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    path.write_text('gif = "jif"\n', encoding="utf-8")

    assert read("a gif", lexicon=read_lexicon(path)).text == "a jif"


@pytest.mark.parametrize("content", [b"\xff", b"#" * (MOST_BYTES + 1), None])
def test_a_file_that_is_none_is_named(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InvalidLexicon, match=r"names\.toml"):
        read_lexicon(path)


def test_ten_thousand_entries_cost_a_sentence_nothing() -> None:
    many = lexicon_of({f"New Name{number}": "x" for number in range(10_000)})
    written = "New Name7 " * 4_000

    begun = time.process_time()
    said = read(written, lexicon=many).text

    assert said == " ".join(["x"] * 4_000)
    assert time.process_time() - begun < 5.0


def test_entries_that_begin_alike_keep_a_long_text_linear() -> None:
    alike = lexicon_of({" ".join(["a"] * length): "b" for length in range(1, 50)} | {" ".join(["a"] * 49) + " c": "d"})

    begun = time.process_time()
    read("a " * 20_000, lexicon=alike)

    assert time.process_time() - begun < 5.0


def test_an_entry_longer_than_the_rest_of_the_text_is_no_match() -> None:
    lexicon = lexicon_of({"new york": "Gotham", "new": "old"})

    assert read("in New", lexicon=lexicon).text == "in old"
    assert read("in New York", lexicon=lexicon).text == "in Gotham"


def test_a_lexicon_that_extends_another_has_the_last_word_and_builds_nothing_anew() -> None:
    base = lexicon_of({f"w{number}": "base" for number in range(1000)})
    both = base.extended_by(lexicon_of({"w1": "own"}))

    assert read("w1 w2", lexicon=both).text == "own base"
    assert both.tables[0] is base.tables[0]
    assert base.extended_by(lexicon_of({})) == base


def test_a_client_may_bring_fewer_entries_than_a_file() -> None:
    with pytest.raises(InvalidLexicon, match="at most 3"):
        lexicon_of({"en": {"a": "b", "c": "d"}, "e": "f", "g": "h"}, most=3)


def test_a_word_that_is_a_languages_tag_must_stand_in_a_table() -> None:
    with pytest.raises(InvalidLexicon, match="tag"):
        lexicon_of({"it": "eat"})
    assert lexicon_of(lexicon_of({"en": {"it": "eat"}, "a": "b"}).document()).entries
