"""What is typed is spoken by the real server, and told as an agent's answer is."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import start_blocking_portal

from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.conftest import run_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TEXT = "Play 🎧 music in the park. Good morning to all of you."
START = ["agent_start", "text_delta", "audio_stream_start"]
STREAMED = [*START, "audio", "audio_stream_end", "agent_end"]
SETUP = """
const { Talk } = await import('/pages/talking.js');
const { base, kind, text } = given;
const talk = new Talk(kind, { base, pageInfo: { kind: 'speech' } });
"""
BOTH = pytest.mark.parametrize("kind", ["sse", "websocket"])


@pytest.fixture(scope="module")
def serve_speech(modules_address: str) -> Iterator[Callable[..., str]]:
    """Return what runs a real server with a humming engine, and returns its address."""
    with start_blocking_portal() as portal:
        managers = []

        def serve(engine: Any = None, **changes: Any) -> str:
            managers.append(
                portal.wrap_async_context_manager(run_server(engine, allowed_origins=(modules_address,), **changes))
            )
            return managers[-1].__enter__().address

        yield serve
        for manager in reversed(managers):
            manager.__exit__(None, None, None)


@pytest.fixture(scope="module")
def base(serve_speech: Callable[..., str]) -> str:
    return serve_speech()


@pytest.fixture
def run(page: "Page", modules_address: str, base: str) -> Callable[..., Any]:
    page.goto(f"{modules_address}/blank")

    def run(body: str, kind: str, *, text: str = TEXT, base: str = base) -> Any:
        return page.evaluate(f"async (given) => {{ {SETUP} {body} }}", {"base": base, "kind": kind, "text": text})

    return run


@BOTH
def test_what_is_typed_is_told_as_an_answer(run, kind: str) -> None:
    told = run(
        """
        const id = talk.transport.ask(text, { voice: 'am_adam', mode: 'stream', events: ['words'], played_s: 1 });
        const { timings } = await talk.event('agent_end', id);
        const find = (type) => talk.events.find((event) => event.type === type);
        const [, delta, start] = talk.events;
        return { types: talk.typesOf(id), delta, start, timings, samples: talk.samplesOf(id).length, bytes: talk.bytes,
          end: find('audio_stream_end'), words: find('words') ?? null };
        """,
        kind,
    )

    if kind == "sse":
        assert told["types"] == STREAMED
    else:
        assert told["types"][:6] == [*START, "segment", "words", "audio"]
        assert told["types"][-2:] == STREAMED[-2:]
        assert [word["text"] for word in told["words"]["words"]][:2] == ["Play", "music"]
    assert told["delta"]["text"] == TEXT
    assert (told["start"]["voice"], told["start"]["format"]) == ("am_adam", "pcm16")
    assert told["timings"]["audio_s"] == pytest.approx(told["samples"] / 24000)
    assert told["end"]["duration_s"] == told["timings"]["audio_s"] > 1
    assert told["timings"]["characters"] == len(TEXT)
    assert 0 < told["timings"]["first_audio_s"] <= told["timings"]["total_s"]
    assert told["bytes"] >= 2 * told["samples"]


@BOTH
def test_text_without_a_letter_has_no_audio_events(run, kind: str) -> None:
    told = run(
        "const id = talk.transport.ask(text); await talk.event('agent_end', id); return talk.typesOf(id);",
        kind,
        text="!!!",
    )

    assert [one for one in told if one != "audio_stream_start"] == ["agent_start", "text_delta", "agent_end"]


@BOTH
def test_a_refusal_ends_the_answer_with_the_servers_words(run, tolerated: list[str], kind: str) -> None:
    tolerated.append("400")
    told = run(
        """
        const id = talk.transport.ask(text, { voice: 'nobody' });
        const { code, message } = await talk.event('error', id);
        return { code, message, types: talk.typesOf(id) };
        """,
        kind,
    )

    assert told["code"] == "unknown_voice"
    assert "nobody" in told["message"]
    assert told["types"] == ["agent_start", "text_delta", "error"]


@BOTH
def test_the_next_text_interrupts_the_one_before(run, kind: str) -> None:
    told = run(
        """
        const first = talk.transport.ask(text.repeat(40));
        await talk.event('audio', first);
        talk.transport.cancel({ requestId: first, playedS: 0 });
        const id = talk.transport.ask(text);
        await talk.event('agent_end', id);
        await talk.event('cancelled', first);
        const ended = talk.typesOf(first).at(-1);
        return { ended, last: talk.typesOf(id).at(-1), samples: talk.samplesOf(id).length };
        """,
        kind,
    )

    assert (told["ended"], told["last"]) == ("cancelled", "agent_end")
    assert told["samples"] > 24000


def test_what_was_heard_of_a_text_that_has_come_whole_is_known_by_its_words(run) -> None:
    told = run(
        """
        const id = talk.transport.ask(text, { events: ['words'] });
        await talk.event('agent_end', id);
        const { words } = await talk.event('words', id);
        talk.transport.played(id, words[1].end_s);
        talk.transport.cancel({ requestId: id, playedS: words[1].end_s });
        return talk.event('cancelled', id);
        """,
        "websocket",
    )

    assert (told["spoken_text"], told["spoken_characters"]) == ("Play 🎧 music", 12)


def test_a_session_that_is_over_is_followed_by_another(run, serve_speech: Callable[..., str]) -> None:
    told = run(
        """
        await talk.state('closed');
        const id = talk.transport.ask(text);
        await talk.event('agent_end', id);
        return talk.states.slice(0, 3);
        """,
        "websocket",
        base=serve_speech(session_idle_s=0.1),
    )

    assert told == ["open", "closed", "open"]


@BOTH
def test_speech_that_fails_ends_with_an_error(
    run, serve_speech: Callable[..., str], tolerated: list[str], kind: str
) -> None:
    tolerated.append("500")

    def fail() -> None:
        raise RuntimeError("out of order")

    told = run(
        "const id = talk.transport.ask(text); return talk.event('error', id);",
        kind,
        base=serve_speech(fake_engine(model=FakeModel(before=fail))),
    )

    assert told["code"] == "synthesis_failed"
