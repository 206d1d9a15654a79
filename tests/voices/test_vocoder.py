import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import InvalidSetting
from primavoce.voices.catalogue import VOICES
from primavoce.voices.vocoder import MODES, VocoderChoice, VocoderMode, parse_vocoder


@pytest.mark.parametrize(
    ("text", "mode", "by_voice"),
    [
        ("auto", "auto", {}),
        ("stream", "stream", {}),
        (" Whole ", "whole", {}),
        ("whole,af_sky=stream", "whole", {"af_sky": "stream"}),
        ("af_sky=whole", "auto", {"af_sky": "whole"}),
        ("af_sky=whole, stream", "stream", {"af_sky": "whole"}),
        ("auto, af_sky = whole , if_sara=STREAM", "auto", {"af_sky": "whole", "if_sara": "stream"}),
        ("af_bella:3+af_heart:7=stream", "auto", {"af_heart:0.7+af_bella:0.3": "stream"}),
    ],
)
def test_a_choice_is_a_mode_and_modes_of_single_voices(text: str, mode: str, by_voice: dict[str, str]) -> None:
    assert parse_vocoder("--vocoder", text) == VocoderChoice(mode, by_voice)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "must be one of auto, stream, whole"),
        ("fast", "must be one of auto, stream, whole, then voices as in af_sky=whole, not 'fast'"),
        ("auto,", "must be one of"),
        ("auto,,af_sky=whole", "must be one of"),
        ("auto,whole", "must be one of"),
        ("af_sky", "must be one of"),
        ("af_sky=", "must be one of"),
        ("af_sky=loud", "must be one of"),
        ("=whole", "name is missing"),
        ("nobody=whole", "nobody"),
        ("af_sky:9999999=whole", "a weight is a number"),
    ],
)
def test_what_is_no_choice_is_told_with_the_settings_name(text: str, told: str) -> None:
    with pytest.raises(InvalidSetting, match="PRIMAVOCE_VOCODER") as refused:
        parse_vocoder("PRIMAVOCE_VOCODER", text)

    assert told in str(refused.value)


def test_a_long_wrong_value_is_not_told_whole() -> None:
    with pytest.raises(InvalidSetting) as refused:
        parse_vocoder("--vocoder", "x" * 1000)

    assert len(str(refused.value)) < 250


def test_a_voice_takes_its_own_mode_and_all_others_the_general_one() -> None:
    choice = parse_vocoder("--vocoder", "stream,af_sky=whole")

    assert (choice.of("af_sky"), choice.of("af_heart")) == ("whole", "stream")


def test_the_default_is_auto() -> None:
    assert VocoderChoice().of("af_heart") == "auto"


modes = st.sampled_from(MODES)


@given(modes, st.dictionaries(st.sampled_from(sorted(VOICES)), modes, max_size=6), st.booleans())
def test_every_choice_can_be_written(mode: VocoderMode, by_voice: dict[str, VocoderMode], first: bool) -> None:
    voices = [f"{voice}={asked}" for voice, asked in by_voice.items()]

    text = ",".join([mode, *voices] if first else [*voices, mode])

    assert parse_vocoder("--vocoder", text) == VocoderChoice(mode, by_voice)
