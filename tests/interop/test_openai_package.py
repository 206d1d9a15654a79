"""OpenAI's own package, unmodified, with nothing changed but its address."""

import base64
import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import pytest
import soundfile

from primavoce.access import parse_keys
from primavoce.audio.flac import with_length
from primavoce.server.dialects.openai_voices import MODELS, OPENAI_VOICES
from primavoce.testing.fake_engine import FakeModel, fake_engine

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

pytestmark = [pytest.mark.interop, pytest.mark.anyio]

CONNECT = Path(__file__).parents[2] / "docs" / "connect.md"
TEXT = "Good morning. And good night."
KEY = "a-key-that-is-long-enough"


def client_of(address: str, *, key: str = "none is asked for") -> "OpenAI":
    from openai import OpenAI

    return OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0, timeout=20)


@pytest.fixture
def client(shared_server: Any) -> "Iterator[OpenAI]":
    with client_of(shared_server.address) as made:
        yield made


@pytest.fixture
def async_client(shared_server: Any) -> "AsyncOpenAI":
    from openai import AsyncOpenAI

    return AsyncOpenAI(base_url=f"{shared_server.address}/v1", api_key="none is asked for", max_retries=0, timeout=20)


def seconds_in(audio: bytes) -> float:
    samples, rate = soundfile.read(io.BytesIO(audio))
    return len(samples) / rate


@pytest.mark.parametrize("voice", [*OPENAI_VOICES, "bf_emma", "af_heart(2)+af_bella(1)"])
def test_every_voice_speaks(client: "OpenAI", voice: str) -> None:
    answer = client.audio.speech.create(model="tts-1", voice=voice, input=TEXT)

    assert seconds_in(answer.content) > 1


def test_a_custom_voice_is_named_by_its_id(client: "OpenAI") -> None:
    answer = client.audio.speech.create(model="gpt-4o-mini-tts", voice={"id": "af_sky"}, input=TEXT)

    assert seconds_in(answer.content) > 1


@pytest.mark.parametrize("name", ["mp3", "opus", "wav"])
def test_every_format_can_be_written_to_a_file_and_decoded(client: "OpenAI", tmp_path: Any, name: Any) -> None:
    path = tmp_path / f"speech.{name}"

    client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT, response_format=name).write_to_file(path)

    assert seconds_in(path.read_bytes()) > 1


def test_a_flac_that_is_not_whole_yet_says_nothing_of_its_length(client: "OpenAI") -> None:
    options: Any = {"model": "tts-1", "voice": "alloy", "input": TEXT}
    flac = client.audio.speech.create(response_format="flac", **options).content
    pcm = client.audio.speech.create(response_format="pcm", **options).content

    assert seconds_in(with_length(flac, len(pcm) // 2)) == len(pcm) / 48_000


def test_speed_makes_it_shorter(client: "OpenAI") -> None:
    def spoken(speed: float) -> bytes:
        options: Any = {"model": "tts-1", "voice": "alloy", "response_format": "pcm"}
        return client.audio.speech.create(input=TEXT, speed=speed, **options).content

    assert len(spoken(2.0)) < 0.7 * len(spoken(1.0))


def gated_model() -> tuple[FakeModel, Callable[[], None]]:
    """Return a model that makes a second segment only once what is returned with it was called."""
    go_on = threading.Event()
    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            assert go_on.wait(timeout=10)

    return FakeModel(before=before), go_on.set


async def test_bytes_arrive_while_the_second_sentence_is_made(serving: Any) -> None:
    model, go_on = gated_model()

    def listen(address: str) -> tuple[int, int]:
        with (
            client_of(address) as client,
            client.audio.speech.with_streaming_response.create(
                model="tts-1", voice="alloy", input=TEXT, response_format="pcm"
            ) as answer,
        ):
            blocks = answer.iter_bytes(1000)
            first = next(blocks)
            go_on()
            return len(first), sum(map(len, blocks))

    async with serving(fake_engine(model=model)) as server:
        first, rest = await anyio.to_thread.run_sync(listen, server.address)

    assert first == 1000
    assert rest > 1000


async def test_the_asynchronous_client_streams_the_same(client: "OpenAI", async_client: "AsyncOpenAI") -> None:
    async with async_client.audio.speech.with_streaming_response.create(
        model="tts-1", voice="alloy", input=TEXT, response_format="mp3"
    ) as answer:
        blocks = [block async for block in answer.iter_bytes()]

    whole = await anyio.to_thread.run_sync(lambda: client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT))
    await async_client.close()
    assert b"".join(blocks) == whole.content


def test_events_are_read_by_the_packages_own_reader(client: "OpenAI") -> None:
    from openai import Stream

    body = {"model": "gpt-4o-mini-tts", "voice": "alloy", "input": TEXT, "response_format": "pcm"}
    events: list[Any] = list(
        client.post(
            "/audio/speech", body={**body, "stream_format": "sse"}, cast_to=object, stream=True, stream_cls=Stream[Any]
        )
    )
    audio = client.audio.speech.create(**body).content  # type: ignore[arg-type]

    assert b"".join(base64.b64decode(each["audio"]) for each in events[:-1]) == audio
    assert {each["type"] for each in events[:-1]} == {"speech.audio.delta"}
    assert events[-1]["type"] == "speech.audio.done"
    assert events[-1]["usage"]["input_tokens"] == len(TEXT)


async def test_a_failure_in_mid_stream_is_raised_by_the_packages_own_reader(serving: Any) -> None:
    from openai import APIError, Stream

    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            raise RuntimeError("the secret reason")

    def listen(address: str) -> APIError:
        body = {"input": TEXT, "response_format": "pcm", "stream_format": "sse"}
        with client_of(address) as client, pytest.raises(APIError) as caught:
            list(client.post("/audio/speech", body=body, cast_to=object, stream=True, stream_cls=Stream[Any]))
        return caught.value

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        error = await anyio.to_thread.run_sync(listen, server.address)

    assert (error.code, error.type, str(error)) == (
        "synthesis_failed",
        "server_error",
        "the model failed on a segment",
    )


@pytest.mark.parametrize(
    ("options", "param", "code"),
    [
        ({"response_format": "aac"}, "response_format", "unsupported_format"),
        ({"speed": 0.25}, "speed", "invalid_speed"),
        ({"voice": "nobody"}, "voice", "unknown_voice"),
        ({"input": ""}, "input", "text_required"),
    ],
)
def test_what_cannot_be_done_is_a_bad_request_error_with_its_fields(
    client: "OpenAI", options: dict[str, Any], param: str, code: str
) -> None:
    from openai import BadRequestError

    with pytest.raises(BadRequestError) as caught:
        client.audio.speech.create(**{"model": "tts-1", "voice": "alloy", "input": TEXT, **options})

    error = caught.value
    assert (error.param, error.code, error.type) == (param, code, "invalid_request_error")
    assert error.request_id is not None


def test_the_example_in_the_docs_speaks(shared_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = CONNECT.read_text().partition("## OpenAI's SDK")[2]
    example = section.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)

    exec(example.replace("http://localhost:8080", shared_server.address), {})

    assert seconds_in((tmp_path / "morning.mp3").read_bytes()) > 0.3
    assert len(example.splitlines()) <= 10


def test_models_are_listed_found_and_missed(client: "OpenAI") -> None:
    from openai import NotFoundError

    assert [each.id for each in client.models.list()] == list(MODELS)
    assert client.models.retrieve("tts-1").owned_by == "hexgrad"
    with pytest.raises(NotFoundError) as caught:
        client.models.retrieve("whisper-1")
    assert caught.value.code == "model_not_found"


async def test_its_key_is_ours_and_a_wrong_one_an_authentication_error(serving: Any) -> None:
    from openai import AuthenticationError

    def speak(address: str) -> int:
        with client_of(address, key="another-that-nobody-knows") as stranger, pytest.raises(AuthenticationError):
            stranger.models.list()
        with client_of(address, key=KEY) as client:
            return len(client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT).content)

    async with serving(api_keys=parse_keys("PRIMAVOCE_API_KEYS", KEY)) as server:
        assert await anyio.to_thread.run_sync(speak, server.address) > 0


async def test_a_server_that_is_full_is_an_internal_server_error_that_says_when_to_come_back(serving: Any) -> None:
    from openai import InternalServerError

    def speak(address: str) -> InternalServerError:
        with client_of(address) as client, pytest.raises(InternalServerError) as caught:
            client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT)
        return caught.value

    async with serving(max_sessions=1) as server:
        with server.lobby.visit():
            error = await anyio.to_thread.run_sync(speak, server.address)

    assert (error.status_code, error.code, error.response.headers["retry-after"]) == (503, "queue_saturated", "1")
