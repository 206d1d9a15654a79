"""The engine: one model, one phonemiser, a thread for each, and utterances that share them."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Self

import anyio

from primavoce.synthesis.pace import Pace
from primavoce.synthesis.report import EngineReport
from primavoce.synthesis.scheduler import Scheduler, Stream
from primavoce.synthesis.segment import G2P, AcousticModel, StyleSource
from primavoce.synthesis.speech import Speech
from primavoce.synthesis.together import Together
from primavoce.synthesis.tools import ADMISSION_PATIENCE_S, Notice, Tools, Voicing, notice_nothing
from primavoce.synthesis.turns import Turns
from primavoce.synthesis.worker import Worker
from primavoce.text.segments import DEFAULT_POLICY, SegmentPolicy

log = logging.getLogger("primavoce.synthesis")


class Engine:
    """Speaks utterances, any number at a time, with one model.

    Use it as an async context manager: entering starts its threads, and `load` fills it.

    Args:
        load_model: Makes the model; blocking, runs on the model's thread.
        load_g2p: Makes the phonemiser; blocking, runs on the phonemiser's thread at the same time.
        styles: The voices.
        policy: Decides what the model gets in one go.
        clock: Seconds, for the work's duration.
        patience_s: Seconds that an utterance waits for others to end when it would make them run dry.
    """

    def __init__(
        self,
        *,
        load_model: Callable[[], AcousticModel],
        load_g2p: Callable[[], G2P],
        styles: StyleSource,
        policy: SegmentPolicy = DEFAULT_POLICY,
        clock: Callable[[], float] = time.perf_counter,
        patience_s: float = ADMISSION_PATIENCE_S,
    ) -> None:
        self._patience_s = patience_s
        self._load_model = load_model
        self._load_g2p = load_g2p
        self._styles = styles
        self._policy = policy
        self._clock = clock
        self._tools: Tools | None = None
        self._scheduler = Scheduler(Pace())

    async def __aenter__(self) -> Self:
        self._loaded = anyio.Event()
        self._inference = Worker("primavoce-model")
        self._phonemes = Worker("primavoce-phonemes")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._inference.close()
        self._phonemes.close()

    async def load(self) -> None:
        """Load the model and the phonemiser side by side.

        Raises:
            AssetError: the weights can't be had.
            ExtraMissing: the engine's extra is not installed.
        """
        model, g2p = await asyncio.gather(
            self._inference.run(self._load_model, expected_s=60.0), self._phonemes.run(self._load_g2p, expected_s=60.0)
        )
        self._tools = Tools(
            model,
            g2p,
            self._styles,
            self._inference,
            self._phonemes,
            self._scheduler,
            policy=self._policy,
            clock=self._clock,
            patience_s=self._patience_s,
        )
        if model.trial is not None:
            self._scheduler.pace.note_segment(*model.trial)
        if model.together > 1:
            self._inference.join(Together(model, self._clock))
        self._loaded.set()

    @property
    def ready(self) -> bool:
        """Whether it is loaded."""
        return self._loaded.is_set()

    def lateness(self) -> float:
        """Return how many times as long as it should, by the measured speed, its slowest running job has taken."""
        return max(self._inference.lateness(), self._phonemes.lateness())

    def report(self) -> EngineReport:
        """Return what it knows of itself, now."""
        scheduler = self._scheduler
        return EngineReport(
            model=None if self._tools is None else self._tools.model.report(),
            real_time_factor=scheduler.pace.s_per_audio_s,
            capacity=scheduler.capacity,
            speaking=scheduler.speaking(now=self._clock()),
            underruns=scheduler.underruns,
            dry_s=scheduler.dry_s,
            busy_s=self._inference.busy_s,
        )

    @property
    def capacity(self) -> int | None:
        """How many utterances it can speak at a time without a gap, by its measured speed; None if nothing was yet."""
        return self._scheduler.capacity

    @asynccontextmanager
    async def speaking(
        self,
        voicing: Voicing,
        *,
        most_ahead_s: Callable[[], float] = lambda: math.inf,
        notice: Notice = notice_nothing,
    ) -> AsyncIterator[Speech]:
        """Speak one utterance while the block runs; waits until the engine is loaded.

        Leaving the block early stops the work: a step of the model that has begun is outlived, not interrupted.

        Args:
            voicing: How it is to sound.
            most_ahead_s: Tells how many seconds of audio may be made before a listener at normal speed has heard them.
            notice: Told of the moments on the way, on whichever thread they are reached.
        """
        await self._loaded.wait()
        assert self._tools is not None
        with self._scheduler.knowing(Stream()) as stream:
            turns = Turns(self._tools, stream, most_ahead_s=most_ahead_s)
            async with Speech(self._tools, voicing, turns, notice).running() as speech:
                yield speech
