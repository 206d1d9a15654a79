import json
from pathlib import Path

import pytest

from primavoce.normalize.normalizer import normalize

PAIRS = [
    json.loads(line)
    for line in Path(__file__).with_name("pairs.jsonl").read_text(encoding="utf-8").splitlines()
    if line
]


@pytest.mark.parametrize(("written", "read"), [(pair["written"], pair["read"]) for pair in PAIRS])
def test_what_is_written_is_read_as_a_person_does(written: str, read: str) -> None:
    assert normalize(written, "en-us").text == read


@pytest.mark.parametrize("read", [pair["read"] for pair in PAIRS])
def test_what_has_been_read_out_is_left_as_it_is(read: str) -> None:
    again = normalize(read, "en-us").text

    assert normalize(again, "en-us").text == again


def test_the_offsets_lead_back_to_the_words_that_were_written() -> None:
    written = "Dr. Okafor came on May 4, 2024."

    spoken = normalize(written, "en-us")

    for said, source in [("Doctor", "Dr. "), ("twenty twenty-four", "May 4, 2024")]:
        at = spoken.text.index(said)
        start, end = spoken.origin(at, at + len(said))
        assert written[start:end] == source
