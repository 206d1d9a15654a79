"""What trials say of a way to a listener."""

import numpy as np
import pytest

from primavoce.bench.delivery import Delivered
from primavoce.bench.spread import Spread
from primavoce.bench.ways import PAUSE_S, Trial, encode, judge
from tests.bench.clips import tone_clip

CLIPS = [tone_clip("One two.", seconds=1.0), tone_clip("Three.", seconds=2.0)]


def delivered(clip, at_s: float, **counts: int) -> Delivered:
    return Delivered(
        [(at_s, clip.pieces[0].pcm), (at_s + 1, b"".join(piece.pcm for piece in clip.pieces[1:]))], **counts
    )


def trial(at_s: float, cpu_s: float) -> Trial:
    return Trial(
        [
            delivered(clip, at_s, carried_bytes=len(clip.pcm) * 4 // 3, wire_bytes=70_000, events=6, cut_by_4k=5)
            for clip in CLIPS
        ],
        cpu_s,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "first"), [("pcm", 0), ("wav", 0), ("mp3", 0), ("opus", 0), ("flac", 0)])
def test_in_every_format_something_of_a_first_window_can_be_heard(name: str, first: int) -> None:
    assert encode(name, CLIPS[0]).first == first


def test_a_way_is_judged_by_its_bytes_its_waiting_and_its_work() -> None:
    (way,) = judge(CLIPS, {("sse", "pcm"): [trial(0.02, 0.3), trial(0.04, 0.9)]}, listen=None, aac=False)

    assert (way.transport, way.format) == ("sse", "pcm")
    assert way.payload_bytes == 3 * 48_000
    assert way.base64_overhead == pytest.approx(1 / 3)
    assert way.wire_bytes == 140_000
    assert (way.events, way.cut_by_4k, way.cut_by_socket) == (12, 10, 0)
    assert way.audio_before_s == pytest.approx(0.3)
    assert way.own_s == Spread(0.03, 0.02, 0.04, 2)
    assert way.first_decodable_s == Spread(0.43, 0.42, 0.44, 2)
    assert way.cpu_s_per_audio_s == Spread(0.2, 0.1, 0.3, 2)
    assert way.word_error_rate is None


def test_words_that_are_misunderstood_are_counted_over_all_clips() -> None:
    (way,) = judge(
        CLIPS, {("websocket", "pcm"): [trial(0.0, 0.1)]}, listen=lambda _: "one too three", aac=False
    )  # fmt: skip

    assert way.word_error_rate == pytest.approx(1 / 3, abs=1e-6)


def test_a_format_is_listened_to_once_however_it_came() -> None:
    listened: list[float] = []

    def listen(samples: np.ndarray) -> str:
        listened.append(samples.size / 24_000)
        return ""

    found = {(transport, "pcm"): [trial(0.0, 0.1)] for transport in ("websocket", "sse")}
    rates = [way.word_error_rate for way in judge(CLIPS, found, listen=listen, aac=False)]

    assert rates == [1.0, 1.0]
    assert listened == [1.0 + PAUSE_S + 2.0 + PAUSE_S]


@pytest.mark.quality
def test_aac_is_encoded_for_the_comparison_and_not_sent() -> None:
    _, way = judge(CLIPS, {("websocket", "pcm"): [trial(0.0, 0.1)]}, listen=None, aac=True)

    assert (way.transport, way.format) == ("", "aac")
    assert 3 * 2_000 < way.payload_bytes < 3 * 8_000
    assert (way.wire_bytes, way.own_s, way.cpu_s_per_audio_s) == (None, None, None)
