import sys

import pytest

from primavoce.agent.strands.models import MODELS, model_for
from primavoce.agent.strands.prompts import SPOKEN_STYLE
from primavoce.errors import ExtraMissing, InvalidSetting


@pytest.mark.parametrize(
    "spec", ["scripted", "local", "bedrock:some.model", "ollama:small", "openai:http://127.0.0.1#m"]
)
def test_without_the_extra_a_model_is_one_sentence(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("primavoce.agent.strands.")]:
        if name.endswith(("scripted_model", "local_model")):
            monkeypatch.delitem(sys.modules, name)
    for name in ("strands", "strands.models", "strands.models.openai", "strands.models.ollama"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ExtraMissing, match=r"^an agent needs the extra 'agent': `uv run --extra agent` in"):
        model_for(spec)


@pytest.mark.parametrize(
    "spec", ["", "gpt", "bedrock:", "bedrock", "scripted:x", "local:x", "ollama:", "openai:", "x" * 200]
)
def test_a_model_of_no_known_form_is_refused_with_all_the_forms(spec: str) -> None:
    with pytest.raises(InvalidSetting) as told:
        model_for(spec, setting="PRIMAVOCE_MODEL")

    assert str(told.value).startswith(f"PRIMAVOCE_MODEL: unknown model {spec[:80]!r}; ")
    assert all(form in str(told.value) for form in MODELS)


def test_the_style_asks_for_what_can_be_said_and_does_it_itself() -> None:
    assert "No Markdown" in SPOKEN_STYLE
    assert not any(mark in SPOKEN_STYLE for mark in ("*", "#", "`", "\n-"))
