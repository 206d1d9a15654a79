import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import InvalidField, UnknownVoice
from primavoce.voices.blend import parse_voice
from primavoce.voices.catalogue import VOICES, find_voice

weights = st.floats(min_value=0.001, max_value=1000).map(lambda weight: f"{weight:.3f}")
blends = st.dictionaries(st.sampled_from(sorted(VOICES)), weights, min_size=1, max_size=8)


def test_a_name_is_a_blend_of_one() -> None:
    blend = parse_voice("bf_emma")

    assert blend.parts == ((find_voice("bf_emma"), 1.0),)
    assert (blend.name, blend.language) == ("bf_emma", "en-gb")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("af_heart:0.7+af_bella:0.3", "af_heart:0.7+af_bella:0.3"),
        ("af_bella:3+af_heart:7", "af_heart:0.7+af_bella:0.3"),
        (" af_heart : 7 + af_bella : 3 ", "af_heart:0.7+af_bella:0.3"),
        ("af_heart+af_bella", "af_bella:0.5+af_heart:0.5"),
        ("af_heart:.5+af_bella:1.", "af_bella:0.6667+af_heart:0.3333"),
        ("af_heart:2", "af_heart"),
        ("af_heart+af_heart:3", "af_heart"),
        ("af_heart(7)+af_bella(3)", "af_heart:0.7+af_bella:0.3"),
        (" af_heart ( 2 ) + af_bella", "af_heart:0.6667+af_bella:0.3333"),
        ("af_bella:3+af_heart(7)", "af_heart:0.7+af_bella:0.3"),
        ("bf_emma(0.25)", "bf_emma"),
        ("af_heart+af_bella:2+af_heart", "af_bella:0.5+af_heart:0.5"),
    ],
)
def test_every_spelling_of_a_blend_has_one_name(spec: str, name: str) -> None:
    assert parse_voice(spec).name == name


def test_the_heaviest_voice_gives_the_language() -> None:
    assert parse_voice("af_heart:0.4+if_sara:0.6").language == "it"


@pytest.mark.parametrize(
    "weight", ["0", "-1", "nan", "inf", "1e3", "x", "", "0.0001", "1001", "1,5", "0x1", "١", "1_0"]
)
def test_a_bad_weight_is_refused(weight: str) -> None:
    with pytest.raises(InvalidField) as caught:
        parse_voice(f"af_heart:{weight}+af_bella")

    assert caught.value.field == "voice"
    assert "weight" in caught.value.reason
    with pytest.raises(InvalidField, match="weight"):
        parse_voice(f"af_bella+af_heart({weight})")


@pytest.mark.parametrize(
    "spec", ["", " ", "+", "af_heart+", "+af_heart", "af_heart++af_bella", ":1", "af_heart:1:2", "(2)", "af_heart:(2)"]
)
def test_a_malformed_blend_is_refused(spec: str) -> None:
    with pytest.raises(InvalidField):
        parse_voice(spec)


@pytest.mark.parametrize("parts", [9, 10_000])
def test_more_than_eight_parts_are_refused(parts: int) -> None:
    with pytest.raises(InvalidField, match="at most 8"):
        parse_voice("+".join(["af_heart"] * parts))


def test_an_unknown_voice_in_a_blend_is_named() -> None:
    with pytest.raises(UnknownVoice, match="af_hart"):
        parse_voice("af_bella+af_hart")


@given(blends)
def test_weights_sum_to_one_and_come_heaviest_first(blend: dict[str, str]) -> None:
    parts = parse_voice("+".join(f"{name}:{weight}" for name, weight in blend.items())).parts

    assert {voice.name for voice, _ in parts} == blend.keys()
    assert math.isclose(sum(weight for _, weight in parts), 1, abs_tol=1e-6)
    assert [weight for _, weight in parts] == sorted((weight for _, weight in parts), reverse=True)
    assert all(weight > 0 for _, weight in parts)


@pytest.mark.parametrize("name", ["af_heart(2", "af_heart2)", "af_heart((2))", "af_heart(2)x"])
def test_brackets_that_are_not_a_pair_are_taken_for_part_of_a_name(name: str) -> None:
    with pytest.raises(UnknownVoice):
        parse_voice(name)


@given(blends)
def test_brackets_say_the_same_as_colons(blend: dict[str, str]) -> None:
    colons = "+".join(f"{name}:{weight}" for name, weight in blend.items())

    assert parse_voice("+".join(f"{name}({weight})" for name, weight in blend.items())) == parse_voice(colons)


@given(blends)
def test_the_order_of_voices_does_not_matter(blend: dict[str, str]) -> None:
    spelled = [f"{name}:{weight}" for name, weight in blend.items()]

    assert parse_voice("+".join(spelled)).name == parse_voice("+".join(reversed(spelled))).name
