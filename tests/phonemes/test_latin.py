import pytest

from primavoce.phonemes.latin import pronounce_mixed


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
    spoken = pronounce_mixed(text, native=lambda part: f" <{part.strip()}> ", english=lambda part: f"[{part}]")

    assert spoken == parts
