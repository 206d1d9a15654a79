import pytest

from primavoce.errors import ProtocolViolation
from primavoce.protocol.client import Audio, ClientSession
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import (
    AnyServerMessage,
    Cancelled,
    Error,
    SegmentSpoken,
    SessionComplete,
    SynthesisComplete,
    SynthesisStart,
)


def start(name: str) -> SynthesisStart:
    return SynthesisStart(request_id=name, voice="af_heart", format="pcm", sample_rate=24000)


def complete(name: str) -> SynthesisComplete:
    return SynthesisComplete(
        request_id=name,
        total_duration_s=1.0,
        elapsed_s=1.0,
        time_to_first_audio_s=0.5,
        queued_s=0.0,
        real_time_factor=0.5,
        segments=1,
        characters=5,
    )


def error(name: str | None) -> Error:
    return Error(request_id=name, code="synthesis_failed", message="", retryable=False)


def receive(*frames: AnyServerMessage | bytes, typed: bool = True) -> list[object]:
    session = ClientSession(typed=typed)
    return [session.receive(frame if isinstance(frame, bytes) else encode(frame)) for frame in frames]


def test_audio_belongs_to_the_utterance_that_is_being_spoken() -> None:
    events = receive(start("a"), b"\x01\x00", complete("a"), start("b"), b"\x02\x00")

    assert events == [start("a"), Audio("a", b"\x01\x00"), complete("a"), start("b"), Audio("b", b"\x02\x00")]


def test_without_frame_types_audio_that_begins_with_a_brace_is_still_audio() -> None:
    assert receive(start("a"), b"{\x00}\x00", typed=False)[-1] == Audio("a", b"{\x00}\x00")


def test_an_error_may_end_an_utterance_that_waits_for_its_turn() -> None:
    assert receive(start("a"), error("b"), b"\x01\x00")[-1] == Audio("a", b"\x01\x00")


@pytest.mark.parametrize(
    "frames",
    [
        [b"\x01\x00"],
        [start("a"), start("b")],
        [start("a"), complete("b")],
        [complete("a")],
        [start("a"), complete("a"), b"\x01\x00"],
        [start("a"), error("a"), b"\x01\x00"],
        [
            start("a"),
            Cancelled(request_id="a", audio_sent_s=0.0, spoken_text="", spoken_characters=0),
            b"\x01\x00",
        ],
        [start("a"), SegmentSpoken(request_id="b", index=0, text="", start=0, end=0, start_s=0.0)],
        [start("a"), SessionComplete()],
        [SessionComplete(), start("a")],
    ],
    ids=repr,
)
def test_a_server_that_breaks_the_protocol_is_found_out(frames: list[AnyServerMessage | bytes]) -> None:
    with pytest.raises(ProtocolViolation):
        receive(*frames)
