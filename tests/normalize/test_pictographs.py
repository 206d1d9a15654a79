import logging

import pytest

from primavoce.normalize.draft import Draft
from primavoce.normalize.pictographs import emoticons, pictographs
from primavoce.normalize.spacing import close_up
from primavoce.normalize.tongue import Tongue


def tongue(tag: str) -> Tongue:
    return Tongue(tag=tag, locale=tag[:2], numerals=None)


def read(written: str, language: str = "en-us", *, name: bool = False, row: bool = False) -> str:
    draft = Draft(written)
    emoticons(draft, name=name)
    pictographs(draft, tongue(language), name=name, row=row)
    close_up(draft)
    return draft.spoken().text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("All done! 🎉", "All done!"),
        ("Done 🎉.", "Done."),
        ("Meet my team 👩‍💻👨‍👩‍👧.", "Meet my team."),
        ("🇮🇹 Italy 👍🏽 ok", "Italy ok"),
        ("A ✔️ b ☎ c", "A b c"),
        ("Yes 🫩!", "Yes!"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland", "Scotland"),
        ("🎉🎉🎉", ""),
    ],
)
def test_emoji_are_passed_over_with_a_reason(written: str, said: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        assert read(written) == said

    assert "an emoji" in caplog.text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("All done! 🎉", "All done! party popper"),
        ("Meet my team 👩‍💻.", "Meet my team, woman technologist."),
        ("I 👍🏽 it", "I, thumbs up, it"),
        ("🎉🎉🎉 yes", "party popper, yes"),
        ("🎉👍", "party popper, thumbs up"),
        ("From 🇮🇹 now", "From, Italy, now"),
    ],
)
def test_emoji_are_named_once_each_when_asked(written: str, said: str) -> None:
    assert read(written, name=True) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("it", "Ciao, spara coriandoli"),
        ("es", "Ciao, cañón de confeti"),
        ("fr", "Ciao, cotillons"),
        ("pt-br", "Ciao, cone de festa"),
        ("ja", "Ciao, クラッカー"),
        ("hi", "Ciao"),
    ],
)
def test_emoji_have_names_in_the_language_that_is_read_or_none(language: str, said: str) -> None:
    assert read("Ciao 🎉", language, name=True) == said


@pytest.mark.parametrize("written", ["™ © ® # * 1 2 5 * 3", "a → b ↔ c", "क्‍ष", "“so” — ½ ° €"])
def test_signs_and_figures_are_no_emoji(written: str) -> None:
    assert read(written) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Press 1️⃣ now", "Press 1 now"),
        ("1️⃣ Boil", "1: Boil"),
        ("Press #️⃣", "Press #"),
        ("🔟 times", "10: times"),
        ("What‼️", "What!!"),
        ("a ➡️ b", "a → b"),
        ("©️ us", "© us"),
    ],
)
def test_what_is_boxed_is_read_without_its_box(written: str, said: str) -> None:
    assert read(written) == said


def test_a_cell_that_is_an_emoji_alone_is_named() -> None:
    assert read("Tea, ✅, hot 🎉, ❌.", row=True) == "Tea, check mark button, hot, cross mark."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Hi :) you", "Hi you"),
        ("Great! :-D", "Great!"),
        ("Well ;-).", "Well."),
        ("No :'(", "No"),
        ("Nice xD", "Nice"),
        ("Hm ¯\\_(ツ)_/¯", "Hm"),
        ("At 10:30 (or 11:)", "At 10:30 (or 11:)"),
        ("Use `:)` here :)", "Use `:)` here"),
        ("f(x:) and C:/", "f(x:) and C:/"),
        ("see note:) x", "see note:) x"),
    ],
)
def test_emoticons_are_passed_over_outside_code(written: str, said: str) -> None:
    assert read(written) == said


def test_emoticons_are_named_as_emoji_are() -> None:
    assert read("Hi :) you", "it", name=True) == "Hi, faccina con sorriso accennato, you"
