"""Clips that were recorded are said again."""

from pathlib import Path

import pytest

from primavoce.bench.recording import load, read_clip_texts, record, save, trimmed
from primavoce.bench.replaying import NAMES, replay_engine
from primavoce.client import SpeechSession
from primavoce.errors import RequestFailed
from primavoce.text import SentenceStream
from tests.bench.clips import tone_clip

pytestmark = pytest.mark.anyio


def in_sentences(text: str) -> list[str]:
    stream = SentenceStream("en-us")
    return [sentence.text for sentence in (*stream.push(text), *stream.flush())]


def test_there_are_24_clips_of_one_sentence_each_and_a_name_for_each() -> None:
    texts = read_clip_texts()
    sentences = [in_sentences(text) for text in texts]

    assert len(texts) == 24
    assert sentences == [[text] for text in texts]
    assert len(texts) <= len(NAMES)


def test_clips_are_read_as_they_were_written(tmp_path: Path) -> None:
    clips = (tone_clip("One."), tone_clip("Two.", hertz=330))

    save(clips, tmp_path / "clips")

    assert load(tmp_path / "clips") == clips


async def test_a_recorded_clip_has_all_of_the_audio_and_the_time_of_each_piece(serving) -> None:
    ticks = iter(range(100))

    async with serving() as server, SpeechSession(server.address) as session:
        clip = await record(session, "Good morning to you.", "af_heart", clock=lambda: float(next(ticks)))
        again = await record(session, "Good morning to you.", "af_heart")

    assert clip.pcm == again.pcm
    assert clip.audio_s == pytest.approx(len(clip.pcm) / 48_000)
    assert [piece.made_s for piece in clip.pieces] == list(range(1, len(clip.pieces) + 1))


async def test_every_text_is_answered_with_its_own_clip(serving) -> None:
    clips = [tone_clip(text, hertz=150 + 10 * place) for place, text in enumerate(read_clip_texts())]

    async with serving(replay_engine(clips)) as server, SpeechSession(server.address) as session:
        said = [await record(session, clip.text, "af_heart") for clip in reversed(clips)]

    assert [clip.pcm for clip in said] == [clip.pcm for clip in reversed(clips)]
    assert all(len(clip.pieces) > 1 for clip in said)


@pytest.mark.parametrize("silence_s", [0.0, 0.05, 0.2, 0.4, 1.0])
async def test_a_clip_without_silence_at_its_end_is_said_again_as_it_is(serving, silence_s: float) -> None:
    clip = trimmed(tone_clip("One.", seconds=0.5, silence_s=silence_s))

    async with serving(replay_engine([clip])) as server, SpeechSession(server.address) as session:
        said = await record(session, clip.text, "af_heart")

    assert said.pcm == clip.pcm
    assert 0.5 <= clip.audio_s < 0.6


async def test_a_text_that_was_not_recorded_is_an_error(serving) -> None:
    async with serving(replay_engine([tone_clip("One.")])) as server, SpeechSession(server.address) as session:
        with pytest.raises(RequestFailed) as refused:
            await record(session, "Something else.", "af_heart")

    assert refused.value.code == "phonemes_failed"
