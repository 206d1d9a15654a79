"""What is spoken to compare windows with whole runs."""

from importlib.resources import files

import pytest

from primavoce.bench.quality import sentences_for
from primavoce.calibration.heldout import held_out
from primavoce.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_sentences_are_spoken_in_each_language_and_none_was_learnt_from(language: str) -> None:
    file = files("primavoce.calibration").joinpath("texts", f"{language[:2]}.txt")
    lines = file.read_text(encoding="utf-8").splitlines()
    learnt_from = {line for index, line in enumerate(lines) if not held_out(index)}

    sentences = sentences_for(language)

    assert len(set(sentences)) == 10
    assert not set(sentences) & learnt_from
