"""Events of a stream that is cut anywhere, read by the page's own code."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.scripted import PCM, SAMPLES, answer, sse

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

RECORDED = b":\n\n" + b"".join(sse(event) for event in answer("a"))
READ_CUT = """
const { EventReader, SampleJoiner, bytesOfBase64 } = await import('/sse.js');
const read = (blocks) => {
  const reader = new EventReader();
  const events = [...blocks.flatMap((block) => reader.push(block)), ...reader.flush()];
  return events.map(({ name, data, id }) => [name, data, id]);
};
const bytes = Uint8Array.from(written);
"""


@pytest.fixture
def run(page: "Page", modules_address: str) -> Callable[[bytes, str], Any]:
    page.goto(f"{modules_address}/blank")
    return lambda written, body: page.evaluate(f"async (written) => {{ {READ_CUT} {body} }}", list(written))


def test_a_recorded_stream_cut_at_every_byte_gives_the_same_events_and_samples(run) -> None:
    told = run(
        RECORDED,
        """
        const samplesOf = (events) => {
          const joiner = new SampleJoiner();
          return events.map(([, data]) => JSON.parse(data)).filter(({ type }) => type === 'audio_chunk')
            .flatMap(({ data }) => Array.from(joiner.push(bytesOfBase64(data))));
        };
        const whole = read([bytes]);
        const samples = samplesOf(whole);
        const wrong = [];
        for (let at = 0; at <= bytes.length; at += 1) {
          const events = read([bytes.subarray(0, at), bytes.subarray(at)]);
          const same = JSON.stringify(events) === JSON.stringify(whole)
            && JSON.stringify(samplesOf(events)) === JSON.stringify(samples);
          if (!same) wrong.push(at);
        }
        const bytewise = read(Array.from(bytes, (byte) => Uint8Array.of(byte)));
        return { wrong, samples, texts: whole.map(([, data]) => JSON.parse(data)), bytewise:
          JSON.stringify(bytewise) === JSON.stringify(whole) };
        """,
    )

    assert told["wrong"] == []
    assert told["bytewise"]
    assert told["samples"] == SAMPLES
    assert [event["type"] for event in told["texts"]] == [event["type"] for event in answer("a")]
    assert told["texts"][1] == answer("a")[1]


@pytest.mark.parametrize(
    ("written", "events"),
    [
        (b"data: a\n\n", [["message", "a", ""]]),
        (b"\xef\xbb\xbfdata: a\n\n", [["message", "a", ""]]),
        (b"data: a\r\ndata: b\r\n\r\n", [["message", "a\nb", ""]]),
        (b"data: a\rdata: b\r\rdata: c\r\r", [["message", "a\nb", ""], ["message", "c", ""]]),
        (b"data: a\r\n\ndata: b\n\r", [["message", "a", ""], ["message", "b", ""]]),
        (b"event: e\ndata:a\nid: 7\n\ndata:b\n\n", [["e", "a", "7"], ["message", "b", "7"]]),
        (b"id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", [["message", "a", "1"], ["message", "b", "1"]]),
        (b"data:  a: b\n\n", [["message", " a: b", ""]]),
        (b"data\n\ndata\ndata\n\n", [["message", "", ""], ["message", "\n", ""]]),
        (b"event: e\n\ndata: a\n\n", [["message", "a", ""]]),
        (b": says nothing\nretry: 5\nodd: x\n\n", []),
        (b"data: whole\n\ndata: not whole\n", [["message", "whole", ""]]),
        ("data: 日🎧\n\n".encode(), [["message", "日🎧", ""]]),
        (b"data: \xff\n\n", [["message", "\ufffd", ""]]),
        (b"data: \xef\xbb\xbfa\n\n", [["message", "\ufeffa", ""]]),
    ],
)
def test_every_line_means_what_the_standard_says_wherever_it_is_cut(
    run, written: bytes, events: list[list[str]]
) -> None:
    told = run(
        written,
        """
        const cuts = Array.from(bytes, (_, at) => read([bytes.subarray(0, at), bytes.subarray(at)]));
        return [read([bytes]), read(Array.from(bytes, (byte) => Uint8Array.of(byte))), ...cuts];
        """,
    )

    assert [one for one in told if one != events] == []


def test_half_a_sample_waits_for_its_other_half(run) -> None:
    told = run(
        PCM,
        """
        const wrong = [];
        const whole = Array.from(new Int16Array(bytes.buffer));
        for (let at = 0; at <= bytes.length; at += 1) {
          const joiner = new SampleJoiner();
          const samples = [bytes.slice(0, at), bytes.slice(at)].flatMap((block) => Array.from(joiner.push(block)));
          if (JSON.stringify(samples) !== JSON.stringify(whole)) wrong.push(at);
        }
        return { wrong, whole };
        """,
    )

    assert told == {"wrong": [], "whole": SAMPLES}


def test_a_response_is_read_as_it_comes_and_left_when_its_reader_leaves(run) -> None:
    told = run(
        b"data: a\n\ndata: b\n\n",
        """
        const { readEvents } = await import('/sse.js');
        let left = false;
        const body = new ReadableStream({
          start(stream) { stream.enqueue(bytes); },
          cancel() { left = true; },
        });
        let counted = 0;
        const came = [];
        for await (const { data } of readEvents(new Response(body), { onBytes: (count) => { counted += count; } })) {
          came.push(data);
          if (data === 'b') break; // it would never end by itself
        }
        return { came, counted, left };
        """,
    )

    assert told == {"came": ["a", "b"], "counted": 18, "left": True}


def test_a_response_that_falls_silent_is_given_up(run) -> None:
    error = run(
        b"",
        """
        const { readEvents } = await import('/sse.js');
        try {
          for await (const event of readEvents(new Response(new ReadableStream()), { silenceS: 0.05 })) return event;
        } catch (error) {
          return error.message;
        }
        """,
    )

    assert error == "nothing came for 0.05 s"
