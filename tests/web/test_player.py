"""The player in a real browser: what its audio thread plays is recorded sample by sample."""

import base64
import io
import wave

import pytest

pytestmark = pytest.mark.browser

RATE = 24_000


def test_what_is_played_is_what_was_pushed_sample_by_sample_however_it_was_cut(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const pushed = noise(24000);
        player.begin('a');
        pushCut(player, pushed);
        player.end();
        const { detail } = await event(player, 'ended');
        await recordings[0].silent();
        const { samples, start } = recordings[0];
        return { ...detail, wrong: difference(samples, start, pushed), rate: recordings[0].context.sampleRate,
          underruns: player.underruns, state: player.state, playedS: player.playedS };
    """)

    assert told == {
        "answerId": "a", "playedS": 1, "wrong": -1, "rate": RATE, "underruns": 0, "state": "ended",
    }  # fmt: skip


def test_an_answer_longer_than_the_audio_thread_holds_is_played_whole(run_player) -> None:
    told = run_player("""
        const player = await Player.create({ aheadS: 1 });
        const pushed = noise(24000 * 3);
        player.begin('a');
        const bufferedS = player.push(pushed);
        player.end();
        await event(player, 'ended');
        await recordings[0].silent();
        const { samples, start } = recordings[0];
        return { bufferedS, wrong: difference(samples, start, pushed) };
    """)

    assert told == {"bufferedS": 3, "wrong": -1}


def test_more_than_half_an_hour_ahead_is_refused(run_player) -> None:
    error = run_player("""
        const player = await Player.create({ sampleRate: 8000 });
        player.begin('a');
        const minute = new Int16Array(8000 * 60);
        for (let i = 0; i < 30; i += 1) player.push(minute);
        try {
          player.push(minute);
        } catch (error) {
          return error.name;
        }
    """)

    assert error == "RangeError"


@pytest.mark.parametrize("rate", [48_000, 44_100, 16_000])
def test_a_context_of_another_rate_plays_the_same_wave_within_40_db(run_player, rate: int) -> None:
    decibels = run_player(f"""
        const context = new AudioContext({{ sampleRate: {rate} }});
        const player = await Player.create({{ context }});
        const hertz = 3000;
        player.begin('a');
        pushCut(player, sine(12000, {{ hertz, rate: {RATE} }}), [50, 1, 999]);
        player.end();
        await event(player, 'ended');
        await recordings[0].silent();
        const {{ samples, start, end }} = recordings[0];
        const count = Math.round(0.49 * {rate});
        let error = 0;
        for (let i = 0; i < count; i += 1) {{
          const wanted = 0.5 * Math.sin(2 * Math.PI * hertz * (i / {rate} + 1 / {RATE}));
          error += (samples[start + i] - wanted) ** 2;
        }}
        return 10 * Math.log10((count * 0.5 ** 2 / 2) / error);
    """)

    assert decibels > 40


def test_a_gap_is_an_underrun_and_after_it_more_is_held(run_player) -> None:
    told = run_player("""
        const player = await Player.create({ startBufferS: 0.05 });
        const wave = sine(7200, { hertz: 200, rate: 24000 });
        const underrun = event(player, 'underrun');
        player.begin('a');
        player.push(wave.subarray(0, 4817));
        await state(player, 'playing');
        await state(player, 'waiting');
        const dry = player.underruns;
        player.push(wave.subarray(4817));
        player.end();
        const { detail } = await underrun;
        const { detail: ended } = await event(player, 'ended');
        await recordings[0].silent();
        return { dry, ...detail, playedS: ended.playedS, step: largestStep(recordings[0].samples) };
    """)

    step = told.pop("step")
    assert told == {"dry": 0, "answerId": "a", "underruns": 1, "startBufferS": 0.1, "playedS": 0.3}
    # The wave itself steps by 0.026; its end and the way back from silence are bent, not cut.
    assert step < 0.04


def test_silence_before_the_end_is_known_is_no_underrun(run_player) -> None:
    told = run_player("""
        const player = await Player.create({ startBufferS: 0.05 });
        player.begin('a');
        player.push(noise(4800));
        await state(player, 'playing');
        await state(player, 'waiting');
        player.end();
        await state(player, 'ended');
        return { underruns: player.underruns, startBufferS: player.startBufferS };
    """)

    assert told == {"underruns": 0, "startBufferS": 0.05}


def test_what_is_held_shrinks_again_with_answers_that_run_through(run_player) -> None:
    told = run_player("""
        const player = await Player.create({ startBufferS: 0.05 });
        player.begin('a');
        player.push(noise(2400));
        await state(player, 'playing');
        await state(player, 'waiting');
        player.push(noise(2400));
        player.end();
        await event(player, 'ended');
        const held = [player.startBufferS];
        for (const id of ['b', 'c']) {
          player.begin(id);
          player.push(noise(2400));
          player.end();
          await event(player, 'ended');
          held.push(player.startBufferS);
        }
        return held;
    """)

    assert told == pytest.approx([0.1, 0.09, 0.081])


def test_less_than_is_held_is_not_kept_back_for_ever(run_player) -> None:
    told = run_player("""
        const player = await Player.create({ startBufferS: 0.2 });
        player.begin('a');
        player.push(noise(480));
        await state(player, 'playing');
        return player.state;
    """)

    assert told == "playing"


def test_an_interruption_is_silence_within_milliseconds_and_says_what_was_heard(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const recording = recordings[0];
        const pushed = sine(48000, { hertz: 200, rate: 24000 });
        player.begin('a');
        player.push(pushed);
        await recording.sounding(6000);
        const atFrame = recording.context.currentTime * 24000 - recording.firstFrame;
        const { playedS } = player.interrupt();
        const late = player.push(pushed);
        await recording.silent();
        const { samples, start, end } = recording;
        const kept = difference(samples, start, pushed);
        const latencyS = recording.context.outputLatency || recording.context.baseLatency;
        return { playedS, keptS: kept / 24000, fadeS: (end - start - kept) / 24000, afterS: (end - atFrame) / 24000,
          latencyS, step: largestStep(samples), state: player.state, late, after: player.playedS };
    """)

    assert told["fadeS"] < 0.006
    assert told["afterS"] < 0.2  # of which the fade is 5 ms, and the rest the way to the audio thread
    assert told["step"] < 0.04
    assert told["state"] == "idle"
    assert told["late"] == 0
    assert told["after"] == told["playedS"]
    # What was played when it was called, less what the device still held; a message's way is within one block or two.
    assert told["keptS"] - told["latencyS"] - 0.05 < told["playedS"] <= told["keptS"]


def test_the_next_answer_begins_while_the_one_before_fades(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const recording = recordings[0];
        player.begin('a');
        player.push(new Int16Array(24000).fill(8000));
        await recording.sounding(3000);
        const next = noise(4800);
        player.begin('b');
        player.push(next);
        player.end();
        const { detail } = await event(player, 'ended');
        await recording.silent();
        // From the end backwards: its beginning may lie under the fade.
        const { samples, end } = recording;
        const last = next.subarray(240);
        const from = samples.findIndex((_, i) => difference(samples, i, last) < 0);
        return { ...detail, found: from > 0 };
    """)

    assert told == {"answerId": "b", "playedS": 0.2, "found": True}


def test_the_first_sound_is_told_not_the_silence_before_it(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const pushed = new Int16Array(9600);
        pushed.set(noise(4800), 4800);
        const beganS = performance.now() / 1000;
        player.begin('a');
        player.push(pushed);
        player.end();
        const { detail } = await event(player, 'firstsound');
        return { ...detail, sinceS: detail.atS - beganS };
    """)

    assert told["answerId"] == "a"
    assert told["heardS"] == pytest.approx(0.2, abs=0.005)
    assert 0.19 < told["sinceS"] < 1


def test_what_was_heard_runs_with_the_audio_clock_and_stands_still_in_a_gap(run_player) -> None:
    told = run_player("""
        const { AnswerAudio } = await import('/answer-audio.js');
        const audio = new AnswerAudio('a', 1000, 1);
        audio.run(10, 0);
        const running = [9, 10.25, 12].map((timeS) => audio.playedAt(timeS));
        audio.stop(10.5);
        audio.run(11, 0.5);
        return [...running, ...[10.4, 10.8, 11.25].map((timeS) => audio.playedAt(timeS))];
    """)

    assert told == pytest.approx([0, 0.25, 2, 0.4, 0.5, 0.75])


def test_the_meter_follows_the_level(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const before = player.level;
        player.begin('a');
        player.push(sine(12000, { hertz: 500, rate: 24000 }));
        await recordings[0].sounding(6000);
        const during = player.level;
        player.interrupt();
        await recordings[0].silent();
        return { before, during };
    """)

    assert told["before"] == 0
    assert told["during"] == pytest.approx(1 - 9.03 / 60, abs=0.02)


def test_a_wav_file_holds_the_samples(run_player) -> None:
    file = run_player("""
        const { wavBlob } = await import('/wav.js');
        const blob = wavBlob([Int16Array.of(1, -2), Int16Array.of(300)], 24000);
        return [blob.type, btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))];
    """)

    assert file[0] == "audio/wav"
    with wave.open(io.BytesIO(base64.b64decode(file[1]))) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (24000, 1, 2)
        assert sound.readframes(9) == b"\x01\x00\xfe\xff\x2c\x01"
