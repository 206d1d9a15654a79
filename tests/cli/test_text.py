"""``primavoce text``: what happens to a text, shown."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from primavoce.cli.commands import app


def text(*arguments: str, written: str | bytes = "") -> Result:
    return CliRunner().invoke(app, ["text", *arguments], input=written)


def test_split_shows_each_sentence_of_standard_input_on_a_line() -> None:
    shown = text("split", "-", written="## Hi\nAsk Dr. Okafor. She is in.\n```\na.b\n```\n")

    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "0-5\theading\t## Hi",
        "6-21\tprose\tAsk Dr. Okafor.",
        "22-32\tprose\tShe is in.",
        "33-44\tfence\t```⏎a.b⏎```",
    ]


def test_split_follows_the_language() -> None:
    assert len(text("split", "Pane, olio, ecc. e poi.", "--language", "it").stdout.splitlines()) == 1


def test_split_gives_json_to_machines() -> None:
    found = [json.loads(line) for line in text("split", "One. Two.", "--json").stdout.splitlines()]

    assert found == [
        {"start": 0, "end": 4, "kind": "prose", "text": "One."},
        {"start": 5, "end": 9, "kind": "prose", "text": "Two."},
    ]


def test_normalize_shows_what_is_read() -> None:
    shown = text("normalize", "-", written="It costs **$5**. See [docs](https://example.com).")

    assert shown.stdout.splitlines() == ["It costs five dollars.", "See docs."]


def test_normalize_announces_a_table_once() -> None:
    table = "| a | b |\n|---|---|\n| c | d |\n| e | f |\n"

    shown = text("normalize", "-", "--tables", "announce", written=table)

    assert [bool(line) for line in shown.stdout.splitlines()] == [True, False, False]


def test_normalize_takes_the_readers_options(tmp_path: Path) -> None:
    lexicon = tmp_path / "names.toml"
    lexicon.write_text('Okafor = "/ˈɑkæfəɹ/"\n', encoding="utf-8")

    shown = text("normalize", "Okafor 🎉", "--emoji", "name", "--lexicon", str(lexicon), "--json")

    found = json.loads(shown.stdout)
    assert found["phonemes"] == [{"start": 0, "end": 6, "phonemes": "ˈɑkæfəɹ"}]
    assert "party" in found["read"]


@pytest.mark.parametrize(
    ("arguments", "written", "told"),
    [
        (["normalize", "a", "--language", "tlh"], b"", "unknown language"),
        (["normalize", "a", "--code", "sing"], b"", "code"),
        (["normalize", "a", "--lexicon", "nowhere.toml"], b"", "nowhere.toml"),
        (["split", "-"], b"\xff", "UTF-8"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(arguments: list[str], written: bytes, told: str) -> None:
    shown = text(*arguments, written=written)

    assert shown.exit_code != 0
    assert told in shown.output
    assert "Traceback" not in shown.output
