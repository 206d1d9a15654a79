"""Answers by each transport, in a real browser, of a stand-in that misbehaves: exactly one ending, whatever happens."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import modules
from tests.web.scripted import SAMPLES, SESSION, TEXT, ScriptedAgent

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = "const { Talk } = await import('/pages/talking.js');"
SESSION_ID = "a-conversation-of-a-test-0123456789"
WHOLE = ["agent_start", "text_delta", "audio_stream_start", "segment", "audio", "audio_stream_end", "agent_end"]
BOTH = pytest.mark.parametrize("kind", ["sse", "websocket"])


@pytest.fixture
def agent() -> ScriptedAgent:
    return ScriptedAgent()


@pytest.fixture
def run(page: "Page", agent: ScriptedAgent, serve_app: Callable[[Any], str]) -> Callable[..., Any]:
    page.goto(f"{serve_app(modules(*agent.routes()))}/blank")
    return lambda body, given=None: page.evaluate(f"async (given) => {{ {SETUP} {body} }}", given)


@BOTH
@pytest.mark.parametrize("prompt", ["whole", "byte"])
def test_an_answer_is_the_same_whichever_way_it_comes(run, agent: ScriptedAgent, kind: str, prompt: str) -> None:
    told = run(
        """
        const talk = new Talk(given.kind, { key: 'pv_key' });
        const id = talk.transport.ask(given.prompt, { voice: 'af_bella', speed: 1.2, events: ['words'] });
        const atOnce = talk.events.length;
        await talk.event('agent_end', id);
        talk.transport.close();
        const [, delta] = talk.events;
        return { id, atOnce, types: talk.typesOf(id), text: delta.text, samples: talk.samplesOf(id), bytes: talk.bytes,
          states: talk.states };
        """,
        {"kind": kind, "prompt": prompt if kind == "sse" else "whole"},
    )

    assert told["types"] == WHOLE
    assert told["atOnce"] == 0  # nothing is told before whoever asked knows the id
    assert (told["text"], told["samples"]) == (TEXT, SAMPLES)
    assert told["bytes"] > 2 * len(SAMPLES)
    assert told["states"] == ["open", "closed"]
    (asked,) = [message for message in agent.received if message.get("type") == "prompt"]
    assert asked["request_id"] == told["id"]
    assert (asked["voice"], asked["speed"], asked["events"]) == ("af_bella", 1.2, ["words"])
    if kind == "sse":
        assert (asked["session"], asked["key"]) == (SESSION_ID, "Bearer pv_key")
    else:
        assert asked["transport"] == "binary"
        assert agent.received[0] == {"connected": {SESSION: SESSION_ID, "token": "pv_key"}, "path": "/ws"}


@BOTH
def test_a_cancel_says_what_was_heard_and_nothing_is_heard_after_it(run, agent: ScriptedAgent, kind: str) -> None:
    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('open');
        await talk.event('audio', id);
        talk.transport.cancel({ requestId: id, playedS: 0.5 });
        const { spoken_text } = await talk.event('cancelled', id);
        const next = talk.transport.ask('whole');
        await talk.event('agent_end', next);
        return { id, spoken_text, types: talk.typesOf(id), next: talk.typesOf(next), samples: talk.samplesOf(id) };
        """,
        kind,
    )

    assert told["spoken_text"] == "Grü"
    assert told["types"] == [*WHOLE[:5], "cancelled"]
    assert told["samples"] == SAMPLES[:100]  # the rest was on its way
    assert told["next"] == WHOLE
    (cancel,) = [message for message in agent.received if message.get("type") == "cancel"]
    assert (cancel["request_id"], cancel["played_s"]) == (told["id"], 0.5)


def test_a_cancel_does_not_overtake_its_prompt(run, agent: ScriptedAgent) -> None:
    told = run("""
        const talk = new Talk('sse');
        const id = talk.transport.ask('late');
        const received = async () => (await fetch('/received')).json();
        while ((await received()).length < 1);
        talk.transport.cancel({ requestId: id, playedS: 0 });
        const ending = await talk.event('cancelled', id);
        while ((await received()).length < 2);
        return { id, ending, types: talk.typesOf(id) };
    """)

    assert [message.get("type", message) for message in agent.received] == ["prompt", {"left": told["id"]}]
    assert (told["types"], told["ending"]["spoken_characters"]) == (["cancelled"], 0)


def test_a_stream_that_no_cancel_finds_is_left(run, agent: ScriptedAgent, tolerated: list[str]) -> None:
    tolerated.append("400")
    told = run("""
        const talk = new Talk('sse');
        const id = talk.transport.ask('forget');
        await talk.event('audio', id);
        talk.transport.cancel({ requestId: id, playedS: 0 });
        const { code } = await talk.event('error', id);
        let received = [];
        while (received.length < 3) received = await (await fetch('/received')).json();
        return { id, code, left: received[2], states: talk.states };
    """)

    assert told["code"] == "unknown_request"
    assert told["left"] == {"left": told["id"]}
    assert told["states"] == ["open"]


def test_a_socket_says_from_time_to_time_that_somebody_is_there(run, agent: ScriptedAgent) -> None:
    told = run("""
        const talk = new Talk('websocket', { pingS: 0.02 });
        const received = async () => (await fetch('/received')).json();
        while ((await received()).length < 4);
        talk.transport.close();
        while ((await received()).at(-1).type === 'ping');
        return talk.events;
    """)

    assert agent.received[1:] == [{"type": "ping"}] * (len(agent.received) - 2) + [{"disconnected": True}]
    assert told == []


@BOTH
def test_an_answer_that_a_lost_connection_cuts_ends_with_an_error_and_the_next_one_comes(
    run, tolerated: list[str], kind: str
) -> None:
    tolerated.append("ERR_INCOMPLETE_CHUNKED_ENCODING")
    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('drop');
        await talk.event('audio', id);
        await fetch('/break', { method: 'POST' });
        const { code, retryable } = await talk.event('error', id);
        const next = talk.transport.ask('whole');
        await talk.event('agent_end', next);
        return { code, retryable, types: talk.typesOf(id), next: talk.typesOf(next), states: talk.states };
        """,
        kind,
    )

    assert (told["code"], told["retryable"]) == ("connection_lost", True)
    assert told["types"] == [*WHOLE[:5], "error"]
    assert told["next"] == WHOLE
    # Whoever asks at once doesn't wait for the retry.
    assert told["states"][:2] == ["open", "lost"]
    assert told["states"][-1] == "open"


def test_a_lost_socket_is_opened_anew_later_and_later_and_says_so(
    run, agent: ScriptedAgent, tolerated: list[str]
) -> None:
    tolerated.append("WebSocket connection to .* failed")
    told = run("""
        const talk = new Talk('websocket');
        await talk.state('open');
        await fetch('/refuse-sockets', { method: 'POST', body: '3' });
        talk.transport.ask('drop');
        await talk.state('open', 2);
        return talk.connection;
    """)

    assert [one["state"] for one in told] == ["open", "lost", "retrying", "retrying", "retrying", "retrying", "open"]
    waits = [one["inS"] for one in told if one["state"] == "retrying"]
    assert waits == [pytest.approx(0.01 * 2**tries, rel=0.21) for tries in range(4)]
    assert len([message for message in agent.received if "connected" in message]) == 2


def test_a_prompt_that_finds_no_server_fails_rather_than_waits_for_ever(run, tolerated: list[str]) -> None:
    tolerated.append("WebSocket connection to .* failed")
    told = run("""
        const talk = new Talk('websocket', { retryS: 30 });
        await talk.state('open');
        await fetch('/refuse-sockets', { method: 'POST', body: '1' });
        talk.transport.ask('drop');
        await talk.state('retrying');
        const id = talk.transport.ask('whole');
        const { code } = await talk.event('error', id);
        const next = talk.transport.ask('whole');
        await talk.event('agent_end', next);
        return { code, next: talk.typesOf(next) };
    """)

    assert told == {"code": "connection_lost", "next": WHOLE}


def test_a_socket_that_is_closed_in_good_order_stays_so_until_something_is_asked(run, agent: ScriptedAgent) -> None:
    told = run("""
        const talk = new Talk('websocket');
        const first = talk.transport.ask('rest');
        await talk.event('agent_end', first);
        await talk.state('closed');
        const id = talk.transport.ask('whole');
        await talk.event('agent_end', id);
        return talk.states;
    """)

    assert told == ["open", "closed", "open"]


def test_a_presigned_address_is_fetched_anew_for_each_connection(run, agent: ScriptedAgent) -> None:
    told = run("""
        const talk = new Talk('websocket', { pageInfo: { kind: 'agent', presigned: '/presigned' } });
        const id = talk.transport.ask('drop');
        await talk.event('error', id);
        const next = talk.transport.ask('whole');
        await talk.event('agent_end', next);
        return talk.typesOf(next);
    """)

    assert told == WHOLE
    assert [message["path"] for message in agent.received if "path" in message] == ["/signed/1", "/signed/2"]
    assert agent.received[0]["session"] == SESSION_ID


def test_an_unknown_transport_is_refused(run) -> None:
    error = run("""
        try {
          new Talk('pigeon');
        } catch (error) {
          return error.message;
        }
    """)

    assert error == "unknown transport: pigeon"
