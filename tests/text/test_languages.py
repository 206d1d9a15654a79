"""Rules for language tags."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from primavoce.text import languages
from primavoce.text.languages import LanguageRules, rules_for

TABLES = Path(languages.__file__).parent
EVERY = sorted(file.stem for file in TABLES.glob("*.py") if file.stem not in {"__init__", "general", "rules"})


@pytest.mark.parametrize("tag", ["it", "IT", "it-IT", "it_CH", " it-Latn-IT-x-private "])
def test_the_primary_subtag_counts(tag: str) -> None:
    assert rules_for(tag) == rules_for("it")


@pytest.mark.parametrize("tag", ["tlh", "x-private", "-", "general", "rules", "../en"])
def test_an_unknown_tag_gets_the_general_rules(tag: str) -> None:
    assert rules_for(tag) == rules_for("zz")


def test_no_tag_means_english_abbreviations() -> None:
    assert rules_for(None) == rules_for("") == rules_for("en")


@pytest.mark.parametrize("tag", [*EVERY, "zz"])
def test_entries_are_written_without_spaces_or_a_last_period(tag: str) -> None:
    rules = rules_for(tag)

    entries = [entry for each in fields(LanguageRules) for entry in getattr(rules, each.name)]

    assert [entry for entry in entries if entry.strip(" .") != entry or " " in entry] == []


@pytest.mark.parametrize("tag", EVERY)
def test_words_that_are_compared_in_lowercase_are_written_so(tag: str) -> None:
    rules = rules_for(tag)

    folded = rules.starters | rules.continuers | rules.lettered | rules.ordinal_nouns | rules.ordinal_leads

    assert [word for word in folded if word != word.lower()] == []


@pytest.mark.parametrize("name", [*EVERY, "general"])
def test_every_line_of_entries_has_the_case_that_put_it_there_above_it(name: str) -> None:
    lines = (TABLES / f"{name}.py").read_text("utf-8").splitlines()

    bare = [
        line
        for above, line in zip(lines, lines[1:], strict=False)
        if re.match(r' +"[^"]', line) and not re.match(r" +# .*[:,] .", above)
    ]

    assert bare == []


@pytest.mark.parametrize("name", EVERY)
def test_no_entry_stands_in_two_tables_of_a_language_that_contradict_each_other(name: str) -> None:
    rules = rules_for(name)

    assert not rules.opening & rules.closing
    assert not rules.small_names & rules.starters


def test_other_scripts_are_known_whatever_the_language() -> None:
    assert "डॉ" in rules_for("it").opening
    assert "κ.λπ" in rules_for("zz").closing
