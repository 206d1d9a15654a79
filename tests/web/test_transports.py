"""The agent's own answers by each transport, in a real browser."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from primavoce.server.lobby import Lobby
from tests.web.conftest import modules
from tests.web.writing import SHORT, Serving, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = "const { Talk } = await import('/pages/talking.js');"

ENDINGS = ("agent_end", "cancelled", "error")
BOTH = pytest.mark.parametrize("kind", ["sse", "websocket"])


@pytest.fixture
def serve(page: "Page", agent) -> Callable[..., Serving]:
    """Return what serves an agent, with the modules in the place of the page, and opens a blank one there."""

    def serve(writer: Writer, **settings: Any) -> Serving:
        served = agent(writer, more=modules().routes, **settings)
        page.goto(f"{served.address}/blank")
        return served

    return serve


@pytest.fixture
def run(page: "Page") -> Callable[..., Any]:
    return lambda body, given=None: page.evaluate(f"async (given) => {{ {SETUP} {body} }}", given)


@BOTH
def test_an_answer_comes_whole_in_its_order(serve, run, kind: str) -> None:
    served = serve(Writer(SHORT))

    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('Why?', { voice: 'af_bella', events: ['words'] });
        const { timings } = await talk.event('agent_end', id);
        const text = talk.events.filter(({ type }) => type === 'text_delta').map((event) => event.text).join('');
        const words = talk.events.filter(({ type }) => type === 'words').flatMap((event) => event.words);
        const start = talk.events.find(({ type }) => type === 'audio_stream_start');
        return { types: talk.typesOf(id), text, words, start, timings, samples: talk.samplesOf(id).length };
        """,
        kind,
    )

    assert served.writer.prompts == ["Why?"]
    assert told["types"][:2] == ["agent_start", "text_delta"]
    assert told["types"][-3:] == ["audio", "audio_stream_end", "agent_end"]
    assert told["text"] == SHORT
    assert [word["text"] for word in told["words"]] == SHORT.replace(".", "").split()
    assert told["start"]["voice"] == "af_bella"
    assert told["samples"] == pytest.approx(told["timings"]["audio_s"] * 24_000, abs=1)


@BOTH
def test_a_cancel_says_what_was_heard_and_that_is_what_the_conversation_remembers(serve, run, kind: str) -> None:
    served = serve(Writer(SHORT, hold_before="six"))

    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('Why?', { events: ['words'] });
        const { words } = await talk.event('words', id);
        await talk.event('audio', id);
        talk.transport.cancel({ requestId: id, playedS: words[1].end_s });
        const { spoken_text } = await talk.event('cancelled', id);
        return { spoken_text, types: talk.typesOf(id) };
        """,
        kind,
    )

    assert told["spoken_text"] == "One two"
    assert SHORT[: served.writer.remembered.get(timeout=10)] == "One two"
    assert [each for each in told["types"] if each in ENDINGS] == ["cancelled"]
    assert told["types"][-1] == "cancelled"


@BOTH
def test_an_answer_that_has_come_whole_can_still_be_cut_short_in_the_listeners_ear(serve, run, kind: str) -> None:
    served = serve(Writer(SHORT))

    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('Why?', { events: ['words'] });
        await talk.event('agent_end', id);
        const { words } = await talk.event('words', id);
        talk.transport.cancel({ requestId: id, playedS: words[0].end_s });
        if (given === 'websocket') talk.transport.ask('And now?'); // two requests may overtake each other
        const { spoken_text } = await talk.event('cancelled', id);
        return { spoken_text, endings: talk.typesOf(id).slice(-2) };
        """,
        kind,
    )

    assert (told["spoken_text"], told["endings"]) == ("One", ["agent_end", "cancelled"])
    assert served.writer.remembered.get(timeout=10) == len("One")


def test_how_much_was_heard_goes_by_the_socket(serve, run) -> None:
    served = serve(Writer(SHORT, hold_before="six"))

    told = run("""
        const talk = new Talk('websocket');
        const id = talk.transport.ask('Why?', { events: ['words'] });
        const { words } = await talk.event('words', id);
        await talk.event('audio', id);
        talk.transport.played(id, words[2].end_s);
        talk.transport.cancel({ requestId: id });
        return talk.event('cancelled', id);
    """)

    assert told["spoken_text"] == "One two three"
    assert served.writer.remembered.get(timeout=10) == len("One two three")


@BOTH
def test_closing_cancels_what_is_being_said(serve, run, kind: str) -> None:
    served = serve(Writer(SHORT, hold_before="six"))

    told = run(
        """
        const talk = new Talk(given);
        const id = talk.transport.ask('Why?');
        await talk.event('audio', id);
        talk.transport.close();
        return talk.states;
        """,
        kind,
    )

    assert served.writer.remembered.get(timeout=10) < len(SHORT)
    assert told == ["open", "closed"]


@BOTH
def test_a_prompt_without_a_place_ends_with_the_agents_own_words(serve, run, tolerated: list[str], kind: str) -> None:
    tolerated.append("503")
    serve(Writer(), max_sessions=0)

    told = run(
        "const talk = new Talk(given); return talk.event('error', talk.transport.ask('Why?', { request_id: 'mine' }));",
        kind,
    )

    code = "queue_saturated" if kind == "sse" else "overloaded"
    assert (told["request_id"], told["code"], told["retryable"]) == ("mine", code, True)
    assert told["message"]


def test_a_prompt_that_another_overtakes_before_the_socket_is_open_was_heard_to_no_word(serve, run) -> None:
    served = serve(Writer(SHORT))

    told = run("""
        const talk = new Talk('websocket');
        const first = talk.transport.ask('First');
        const second = talk.transport.ask('Second');
        await talk.event('agent_end', second);
        return { first: talk.events.filter(({ request_id }) => request_id === first), second: talk.typesOf(second) };
    """)

    (ending,) = told["first"]
    assert (ending["type"], ending["spoken_text"]) == ("cancelled", "")
    assert told["second"][-1] == "agent_end"
    assert served.writer.prompts == ["Second"]


def test_an_idle_socket_that_the_agent_closes_stays_closed_until_something_is_asked(serve, run) -> None:
    serve(Writer(SHORT), session_idle_s=0.1)

    told = run("""
        const talk = new Talk('websocket');
        await talk.state('closed');
        await talk.event('agent_end', talk.transport.ask('Why?'));
        return talk.states.slice(0, 3);
    """)

    assert told == ["open", "closed", "open"]


def test_an_error_about_no_answer_is_told_all_the_same(serve, run) -> None:
    served = serve(Writer())
    served.running.service.sockets = Lobby(0)

    told = run("""
        const talk = new Talk('websocket');
        return talk.event('error');
    """)

    assert (told["request_id"], told["code"]) == (None, "overloaded")


def test_session_ids_are_of_the_length_and_letters_that_a_runtime_wants(serve, run) -> None:
    serve(Writer())

    told = run("""
        const { newSessionId } = await import('/transports.js');
        return [newSessionId(), newSessionId()];
    """)

    assert told[0] != told[1]
    assert all(33 <= len(name) <= 256 and set(name) <= set("0123456789abcdef-") for name in told)
