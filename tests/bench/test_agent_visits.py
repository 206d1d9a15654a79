"""Visits to an agent that runs: over server-sent events, and over a socket."""

import anyio
import pytest

from primavoce.access import parse_keys
from primavoce.bench.agent_visits import AgentAddress, Asked, hear_answer, interrupt_answer
from primavoce.errors import ConnectFailed, KeyRefused, ModelThrottled, PrimavoceError, RequestFailed, SessionBroken
from tests.bench.agents import endless, running_agent, two_sentences
from tests.requests_read import read_request

pytestmark = pytest.mark.anyio
ASKED = Asked("Well?", "af_bella")
KEY = "a-key-of-ones-own"


@pytest.mark.parametrize("mode", ["stream", "batch", "text_complete"])
async def test_an_answer_is_heard_out_by_each_mode(serving, mode: str) -> None:
    async with serving() as speech, running_agent(speech.address, two_sentences) as address:
        heard = await hear_answer(AgentAddress(address), ASKED, mode)

    assert heard.text == "The first one is done. Then comes the second."
    assert heard.voice == "af_bella"
    assert 0 < heard.first_text_s <= heard.text_complete_s <= heard.total_s
    assert 0 < heard.first_audio_s <= heard.first_sound_s
    assert heard.audio_s > 0.5


async def test_batch_is_sent_when_all_of_it_is_there(serving) -> None:
    async with serving() as speech, running_agent(speech.address, two_sentences) as address:
        heard = await hear_answer(AgentAddress(address), ASKED, "batch")

    assert heard.first_audio_s >= heard.text_complete_s


async def test_each_answer_is_of_a_conversation_that_has_just_begun(serving) -> None:
    prompts: list[str] = []

    async def count(prompt: str):
        prompts.append(prompt)
        yield "Here I am."

    async with serving() as speech, running_agent(speech.address, count) as address:
        first, second = [await hear_answer(AgentAddress(address), ASKED, "stream") for _ in range(2)]

    assert prompts == ["Well?", "Well?"]  # what wakes a conversation is no prompt
    assert first.text == second.text


async def test_an_endless_answer_stops_when_it_is_interrupted(serving) -> None:
    async with serving() as speech, running_agent(speech.address, endless) as address:
        found = await interrupt_answer(AgentAddress(address), ASKED, after_s=0.05)

    assert found is not None
    assert 0 < found.cancelled_s < 5
    assert 0 <= found.last_audio_s <= found.cancelled_s


async def test_an_answer_that_has_ended_by_itself_was_not_interrupted(serving) -> None:
    async with serving() as speech, running_agent(speech.address, two_sentences) as address:
        assert await interrupt_answer(AgentAddress(address), ASKED, after_s=30.0) is None


async def test_a_key_is_shown_and_one_that_is_missing_is_told(serving) -> None:
    keys = parse_keys("PRIMAVOCE_API_KEYS", KEY)

    async with serving() as speech, running_agent(speech.address, two_sentences, api_keys=keys) as address:
        assert (await hear_answer(AgentAddress(address, KEY), ASKED, "stream")).audio_s > 0
        assert await interrupt_answer(AgentAddress(address, KEY), ASKED, after_s=30.0) is None
        with pytest.raises(KeyRefused):
            await hear_answer(AgentAddress(address), ASKED, "stream")
        with pytest.raises(KeyRefused):
            await interrupt_answer(AgentAddress(address), ASKED, after_s=0.1)


async def test_an_answer_that_fails_is_its_own_error_on_both_ways(serving) -> None:
    async def fail(_: str):
        yield "So "
        raise ModelThrottled

    async with serving() as speech, running_agent(speech.address, fail) as address:
        for visit in (
            hear_answer(AgentAddress(address), ASKED, "stream"),
            interrupt_answer(AgentAddress(address), ASKED, after_s=0.1),
        ):
            with pytest.raises(RequestFailed) as failed:
                await visit
            assert failed.value.code == "model_throttled"


async def test_an_agent_that_refuses_is_told_by_its_own_code(serving) -> None:
    async with serving() as speech, running_agent(speech.address, two_sentences) as address:
        with pytest.raises(RequestFailed) as failed:
            await hear_answer(AgentAddress(address), Asked("Well?"), "sideways")

    assert failed.value.code == "invalid_field"


@pytest.mark.parametrize("url", ["ftp://example.com", "example.com", "http://[", "http://127.0.0.1:1"])
async def test_where_no_agent_can_be_reached_is_told(url: str) -> None:
    for visit in (
        hear_answer(AgentAddress(url), ASKED, "stream"),
        interrupt_answer(AgentAddress(url), ASKED, after_s=0.1),
    ):
        with pytest.raises(ConnectFailed):
            await visit


async def test_an_answer_that_breaks_off_is_told() -> None:
    async def hang_up(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await read_request(stream)
            await stream.send(b"HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\n{}")
            await read_request(stream)
            await stream.send(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n: so far\n\n")

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, hang_up)
            with pytest.raises(SessionBroken):
                await hear_answer(AgentAddress(f"http://127.0.0.1:{port}"), ASKED, "stream")
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("url", "invocations", "socket"),
    [
        ("http://127.0.0.1:8081", "/invocations", "ws://127.0.0.1:8081/ws"),
        ("https://agent.example.com/voice/", "/voice/invocations", "wss://agent.example.com/voice/ws"),
    ],
)
def test_the_routes_lie_below_the_address(url: str, invocations: str, socket: str) -> None:
    address = AgentAddress(url)

    assert (address.invocations(), address.socket_url()) == (invocations, socket)


def test_a_key_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(PrimavoceError, match="printable"):
        AgentAddress("http://127.0.0.1", "two words").headers()
