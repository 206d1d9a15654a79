"""What a client of Deepgram's may ask in its query."""

import pytest

from primavoce.errors import InvalidField, InvalidSpeed, PrimavoceError, UnsupportedFormat, UnsupportedSampleRate
from primavoce.protocol.deepgram_query import SpeakQuery, session_query, whole_query


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ({}, SpeakQuery("af_sky", "pcm", 24000, None, ())),
        ({"encoding": "MULAW"}, SpeakQuery("af_sky", "mulaw", 8000, None, ())),
        ({"encoding": "alaw", "sample_rate": "8000"}, SpeakQuery("af_sky", "alaw", 8000, None, ())),
        ({"model": "bf_emma", "speed": "1.25"}, SpeakQuery("bf_emma", "pcm", 24000, 1.25, ())),
        ({"sample_rate": "16000", "mip_opt_out": "true", "tag": "x"}, SpeakQuery("af_sky", "pcm", 16000, None, ())),
        ({"model": "af_heart:3 af_bella:1"}, SpeakQuery("af_heart:0.75+af_bella:0.25", "pcm", 24000, None, ())),
    ],
)
def test_a_session_is_asked_for(query: dict[str, str], asked: SpeakQuery) -> None:
    assert session_query(query, default_voice="af_sky") == asked


@pytest.mark.parametrize(
    ("query", "audio_format", "rate"),
    [
        ({}, "mp3", 22050),
        ({"encoding": "linear16"}, "wav", 24000),
        ({"encoding": "linear16", "container": "none", "sample_rate": "8000"}, "pcm", 8000),
        ({"encoding": "mulaw"}, "mulaw", 8000),
        ({"encoding": "opus", "container": "ogg"}, "opus", 48000),
        ({"encoding": "flac"}, "flac", 48000),
        ({"encoding": "mp3", "bit_rate": "32000"}, "mp3", 22050),
    ],
)
def test_a_whole_text_is_asked_for(query: dict[str, str], audio_format: str, rate: int) -> None:
    asked = whole_query(query, default_voice="af_heart")

    assert (asked.format, asked.sample_rate) == (audio_format, rate)


@pytest.mark.parametrize(
    ("model", "voice"),
    [
        ("aura-2-thalia-en", "af_sky"),
        ("aura-asteria-en", "af_sky"),
        ("aura-2-celeste-es", "ef_dora"),
        ("aura-2-agathe-fr", "ff_siwis"),
        ("aura-2-viktoria-de", "af_sky"),
        ("nobody", "af_sky"),
        ("", "af_sky"),
        ("af_heart:x", "af_sky"),
    ],
)
def test_an_unknown_model_is_spoken_by_another_voice_of_its_language_with_a_remark(model: str, voice: str) -> None:
    asked = session_query({"model": model}, default_voice="af_sky")

    assert asked.voice == voice
    [remark] = asked.remarks
    assert remark.sentence.endswith(f"; {voice} speaks instead")


def test_a_container_is_nothing_for_a_session_and_said_so() -> None:
    asked = session_query({"container": "wav"}, default_voice="af_heart")

    assert asked.format == "pcm"
    assert [remark.code for remark in asked.remarks] == ["unsupported_format"]


@pytest.mark.parametrize(
    ("read", "query", "error"),
    [
        (session_query, {"encoding": "mp3"}, UnsupportedFormat),
        (session_query, {"sample_rate": "11025"}, UnsupportedSampleRate),
        (session_query, {"sample_rate": "24 kHz"}, UnsupportedSampleRate),
        (session_query, {"sample_rate": "9" * 5000}, UnsupportedSampleRate),
        (session_query, {"encoding": "mulaw", "sample_rate": "16000"}, UnsupportedSampleRate),
        (session_query, {"speed": "0.4"}, InvalidSpeed),
        (session_query, {"speed": "nan"}, InvalidSpeed),
        (session_query, {"speed": "fast"}, InvalidSpeed),
        (whole_query, {"encoding": "aac"}, UnsupportedFormat),
        (whole_query, {"encoding": "mulaw", "container": "wav"}, InvalidField),
        (whole_query, {"encoding": "opus", "sample_rate": "44100"}, UnsupportedSampleRate),
    ],
)
def test_what_cant_be_done_is_refused(read, query: dict[str, str], error: type[PrimavoceError]) -> None:
    with pytest.raises(error):
        read(query, default_voice="af_heart")
