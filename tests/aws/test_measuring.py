"""The published comparison, repeated."""

import json
import struct
import urllib.request
from types import SimpleNamespace

import pytest

from primavoce.aws.measuring import BATCH, STREAM, Times, compared, hear_batch, measure_agent, measure_speech, reduction
from primavoce.bench.agent_listening import AnswerHeard
from primavoce.client.websocket import websocket

HUM = struct.pack("<2400h", *([8000, -8000] * 1200))


def test_times_are_milliseconds_with_mean_and_median() -> None:
    assert Times.of([0.1, 0.2, 0.6]) == Times(mean=300.0, median=200.0, least=100.0, most=600.0, n=3)


def test_the_published_reduction_is_what_our_arithmetic_makes_of_the_published_means() -> None:
    assert reduction(329.3, 156.7) == 52.4


def test_means_and_medians_are_compared_each_with_its_own_kind() -> None:
    heard = {
        BATCH: [SimpleNamespace(first_audio_s=value) for value in (0.4, 0.4, 1.0)],
        STREAM: [SimpleNamespace(first_audio_s=value) for value in (0.1, 0.1, 0.1)],
    }

    found = compared(heard, "first_audio_s")

    assert (found.reduction_of_means, found.reduction_of_medians) == (83.3, 75.0)


def answer(batch_s: float, *, characters: int = 10) -> AnswerHeard:
    return AnswerHeard(0.1, 1.0, batch_s, batch_s + 0.1, 3.0, 2.0, 0.0, "af_heart", "x" * characters)


@pytest.mark.anyio
async def test_an_agents_ratio_is_the_median_of_its_rounds() -> None:
    times = {BATCH: iter([2.0, 4.0, 9.0]), STREAM: iter([9.9, 1.0, 1.0, 1.0])}

    def way(mode: str):
        async def hear() -> AnswerHeard:
            return answer(next(times[mode]))

        return hear

    found = await measure_agent({mode: way(mode) for mode in (BATCH, STREAM)}, where="local", trials=3, note=print)

    assert found.ratio == 4.0  # 2, 4 and 9; the warm-up of 9.9 s counts for nothing
    assert found.characters == {BATCH: (10, 10, 10), STREAM: (10, 10, 10)}


@pytest.mark.aws
def test_a_batch_is_heard_when_its_first_bytes_come_and_asked_for_in_one_piece() -> None:
    asked: dict[str, object] = {}

    class Client:
        def invoke_endpoint_with_response_stream(self, **given: object) -> dict[str, object]:
            asked.update(given)
            parts = (HUM[:100], HUM[100:])
            return {"Body": ({"PayloadPart": {"Bytes": part}} for part in parts)}

    ticks = iter([10.0, 10.5, 10.6, 10.7])

    heard = hear_batch(Client(), "e", "Good morning.", voice="af_heart", clock=lambda: next(ticks))

    assert heard.first_audio_s == pytest.approx(0.5)
    assert heard.audio_s == pytest.approx(0.1)
    assert json.loads(asked["Body"]) == {  # type: ignore[arg-type]
        "text": "Good morning.",
        "voice": "af_heart",
        "format": "pcm",
        "stream": False,
    }


@pytest.mark.aws
def test_a_batch_that_breaks_off_is_one_of_our_errors() -> None:
    from botocore.exceptions import EventStreamError

    from primavoce.errors import StepFailed

    class Client:
        def invoke_endpoint_with_response_stream(self, **_: object) -> dict[str, object]:
            def body():
                yield {"PayloadPart": {"Bytes": HUM}}
                error = {"Error": {"Code": "ModelStreamError", "Message": "StreamBroken"}}
                raise EventStreamError(error, "InvokeEndpointWithResponseStream")

            return {"Body": body()}

    with pytest.raises(StepFailed, match="ModelStreamError: StreamBroken"):
        hear_batch(Client(), "e", "Good morning.", voice="af_heart")


@pytest.mark.aws
@pytest.mark.anyio
async def test_an_endpoint_is_measured_in_both_modes_on_loopback(serving) -> None:
    async with serving() as server:

        class Client:
            def invoke_endpoint_with_response_stream(self, **given) -> dict[str, object]:
                request = urllib.request.Request(f"{server.address}/invocations", given["Body"])
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return {"Body": ({"PayloadPart": {"Bytes": part}} for part in [answer.read()])}

        account = SimpleNamespace(client=lambda _: Client())
        opener = websocket(server.session_url, connect_timeout_s=5.0, headers=None, api_key=None, ssl_context=None)

        found = await measure_speech(account, "speech", opener, voice="af_heart", trials=2, note=print)  # type: ignore[arg-type]

    assert found.first_byte.batch.n == found.first_byte.stream.n == 2
    assert found.characters == 267
    assert found.opening_ms > 0
