"""One utterance in so many is compared with a better way of making it, when the model has nothing else to do."""

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio
import pytest

from primavoce.errors import SynthesisFailed
from primavoce.synthesis.checks import Checks
from primavoce.synthesis.pace import Pace
from primavoce.synthesis.scheduler import Scheduler, Stream
from primavoce.synthesis.segment import Rendering, RenderRequest, Samples, SpeechPart
from primavoce.synthesis.speech import Speech
from primavoce.synthesis.tools import Tools, Voicing
from primavoce.synthesis.turns import Turns
from primavoce.synthesis.worker import Worker
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles
from primavoce.text import Sentence
from primavoce.voices.blend import parse_voice

pytestmark = pytest.mark.anyio

VOICING = Voicing(parse_voice("af_bella:3+af_heart"), "en-us", 1.5, 24_000)
SENTENCES = ("abc.", "def ghi.", "jklm no pq.")


class CheckableModel(FakeModel):
    """Hums, and writes down what it was asked for and when.

    Args:
        checkable: Says of how many phonemes a segment can be checked.
        before: Called before each part.
        at_the_end: Called after the last.
    """

    def __init__(
        self,
        *,
        checkable: Callable[[int], bool] = lambda _: True,
        before: Callable[[], None] = lambda: None,
        at_the_end: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(before=before, parts_per_segment=2)
        self.happened: list[str] = []
        self.voices: set[tuple[str, float]] = set()
        self._checkable = checkable
        self._at_the_end = at_the_end

    def render(self, request: RenderRequest) -> Rendering:
        self.happened.append("segment, checked" if request.checked else "segment")
        self.voices.add((request.voice, request.speed))
        made = super().render(request)
        checkable = request.checked and self._checkable(len(request.ids))
        check = (lambda: self.happened.append("check")) if checkable else None
        return replace(made, check=check, parts=self._all_of(made.parts))

    def _all_of(self, parts: Iterator[Samples]) -> Iterator[Samples]:
        yield from parts
        self._at_the_end()


@dataclass
class Stage:
    """What utterances share, without an engine round it."""

    model: CheckableModel
    every: int = 1
    inference: Worker = field(default_factory=lambda: Worker("model"))
    phonemes: Worker = field(default_factory=lambda: Worker("phonemes"))

    def __post_init__(self) -> None:
        checks = Checks(self.every)
        self.tools = Tools(
            self.model, FakeG2P(), FakeStyles(), self.inference, self.phonemes, Scheduler(Pace()), checks=checks
        )

    @asynccontextmanager
    async def speaking(self) -> AsyncIterator[Speech]:
        with self.tools.scheduler.knowing(Stream()) as stream:
            async with Speech(self.tools, VOICING, Turns(self.tools, stream)).running() as speech:
                yield speech

    async def speak(self, *texts: str) -> list[SpeechPart]:
        async with self.speaking() as speech:
            start = 0
            for text in texts:
                await speech.say(Sentence(text, start, start + len(text), "prose"))
                start += len(text) + 1
            await speech.finish()
            return [part async for part in speech]

    async def settled(self) -> list[str]:
        """Wait for the model's thread, and return what has happened."""
        await self.inference.run(lambda: None)
        self.inference.close()
        self.phonemes.close()
        return self.model.happened


async def test_the_first_segment_of_an_utterance_that_is_due_is_checked_when_all_is_spoken() -> None:
    stage = Stage(CheckableModel())

    await stage.speak(*SENTENCES)

    happened = await stage.settled()
    assert happened[0] == "segment, checked"
    assert len(happened) > 2
    assert happened[1:] == ["segment"] * (len(happened) - 2) + ["check"]


async def test_when_it_cannot_be_checked_the_next_one_is() -> None:
    stage = Stage(CheckableModel(checkable=lambda phonemes: phonemes > 4))

    await stage.speak(*SENTENCES)

    happened = await stage.settled()
    assert happened[:2] == ["segment, checked"] * 2
    assert happened.count("check") == 1
    assert happened[-1] == "check"


async def test_when_none_can_be_checked_none_is() -> None:
    stage = Stage(CheckableModel(checkable=lambda _: False))

    await stage.speak(*SENTENCES)

    assert set(await stage.settled()) == {"segment, checked"}


async def test_one_utterance_in_so_many_is_checked() -> None:
    stage = Stage(CheckableModel(), every=3)

    for _ in range(6):
        await stage.speak("abc.")
        await stage.inference.run(lambda: None)

    assert await stage.settled() == ["segment", "segment", "segment, checked", "check"] * 2


async def test_an_utterance_that_fails_is_not_checked() -> None:
    begun: list[None] = []

    def before() -> None:
        begun.append(None)
        if len(begun) > 3:
            raise RuntimeError

    stage = Stage(CheckableModel(before=before))

    with pytest.raises(SynthesisFailed):
        await stage.speak(*SENTENCES)

    assert "check" not in await stage.settled()


async def test_an_utterance_that_is_left_is_not_checked() -> None:
    stage = Stage(CheckableModel())

    async with stage.speaking() as speech:
        await speech.say(Sentence("abc.", 0, 4, "prose"))
        await anext(speech)

    assert await stage.settled() == ["segment, checked"]


async def test_nothing_is_checked_while_the_model_has_other_work() -> None:
    """Another utterance's job is queued during the last step of the one that is due."""
    last_step, queued, other = threading.Event(), threading.Event(), threading.Event()

    def at_the_end() -> None:
        last_step.set()
        assert queued.wait(10)

    stage = Stage(CheckableModel(at_the_end=at_the_end))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.speak, "abc.")
        await anyio.to_thread.run_sync(last_step.wait, 10)
        stage.inference._submit(lambda: other.wait(10), lambda: 0.0, 0.0)
        queued.set()
    other.set()

    assert await stage.settled() == ["segment, checked"]


async def test_the_model_is_told_whose_voice_it_is_by_its_canonical_name() -> None:
    stage = Stage(CheckableModel())

    await stage.speak("abc.")
    await stage.settled()

    assert stage.model.voices == {("af_bella:0.75+af_heart:0.25", 1.5)}
