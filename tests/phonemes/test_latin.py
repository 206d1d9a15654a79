import unicodedata

import pytest

from primavoce.phonemes.latin import pronounce_mixed
from primavoce.phonemes.words import Given, Sound


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("私はPythonが好き", "<私は> [Python] <が好き>"),
        ("Apple Storeで", "[Apple Store] <で>"),
        ("用GPT-4写iPhone15。", "<用> [GPT-4] <写> [iPhone15] <。>"),
        ("我喜欢 Python 。", "<我喜欢> [Python] <。>"),
        ("一共3个", "<一共3个>"),
        ("Ｐｙ３", "[Py3]"),
        ("٣个", "<3个>"),
        ("Python", "[Python]"),
        ("", ""),
    ],
)
def test_latin_words_are_english_and_the_rest_native(text: str, parts: str) -> None:
    sounds = pronounce_mixed(
        text,
        native=lambda part: [Sound(f"<{part.strip()}>", 0, len(part))],
        english=lambda part: [Sound(f"[{part}]", 0, len(part))],
    )

    assert " ".join("".join(sound.phonemes for sound in sounds).split()) == parts
    assert all(
        sound.phonemes[1:-1] == plain(text[sound.start : sound.end]) for sound in sounds if sound.phonemes != " "
    )


def test_what_is_given_is_neither() -> None:
    sounds = pronounce_mixed(
        "私はPythonが",
        [Given(2, 5, "pai")],
        native=lambda part: [Sound(f"<{part}>", 0, len(part))],
        english=lambda part: [Sound(f"[{part}]", 0, len(part))],
    )

    assert [(sound.phonemes, sound.start, sound.end) for sound in sounds if sound.phonemes != " "] == [
        ("<私は>", 0, 2), ("pai", 2, 5), ("[hon]", 5, 8), ("<が>", 8, 9),
    ]  # fmt: skip


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("٣", "3").strip()
