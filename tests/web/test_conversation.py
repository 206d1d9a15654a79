"""Questions, answers and the voice without the page's elements: a player and a transport that do as they are told."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = """
const { Conversation } = await import('/conversation.js');
const { strings } = await import('/strings.js');

class Player extends EventTarget {
  state = 'idle';
  playedS = 0;
  underruns = 0;
  pushed = 0;
  begin(id) { this.answerId = id; this.state = 'waiting'; this.pushed = 0; }
  push(samples) {
    if (this.pushed + samples.length > 48000) throw new RangeError('more than can wait');
    this.pushed += samples.length;
  }
  end() { this.whole = true; }
  interrupt() { this.state = 'idle'; return { playedS: this.playedS }; }
  /** All of it has been heard. */
  finish() {
    this.state = 'ended';
    const detail = { playedS: this.pushed / 24000, answerId: this.answerId };
    this.dispatchEvent(new CustomEvent('ended', { detail }));
  }
}

const player = new Player();
const cancels = [];
const transport = {
  asked: 0,
  ask() { this.asked += 1; return `id-${this.asked}`; },
  cancel(told) { cancels.push(told); },
  played() {},
  close() {},
};
const conversation = new Conversation({ openPlayer: async () => player, spoken: false, keptS: 2.5 });
conversation.use(transport);
await conversation.warm();
const troubles = [];
conversation.addEventListener('trouble', ({ detail }) => troubles.push(detail.code));
const second = new Int16Array(24000);
const take = (type, fields = {}) => conversation.take({ type, request_id: `id-${transport.asked}`, ...fields });
"""


@pytest.fixture
def run(page: "Page", modules_address: str) -> Callable[[str], Any]:
    page.goto(f"{modules_address}/blank")
    return lambda body: page.evaluate(f"async () => {{ {SETUP} {body} }}")


def test_more_audio_than_can_wait_is_told_and_what_has_come_is_heard(run) -> None:
    told = run("""
        const answer = conversation.ask('Why?', {});
        for (let i = 0; i < 3; i += 1) take('audio', { samples: second });
        const meanwhile = { busy: conversation.busy, state: answer.state, whole: player.whole, audioS: answer.audioS };
        take('audio', { samples: second });
        take('cancelled', { spoken_characters: 0 }); // what the cancel brings about silences nobody
        take('error', { code: 'connection_lost' });
        const state = player.state;
        player.finish();
        return { ...meanwhile, player: state, after: conversation.busy, last: answer.state, cancels, troubles,
          plain: strings.errors[troubles[0]] };
    """)

    assert "too long for this page" in told.pop("plain")
    assert told == {
        "busy": True, "state": "failed", "whole": True, "audioS": 2, "player": "waiting", "after": False,
        "last": "failed", "cancels": [{"requestId": "id-1", "playedS": 2}], "troubles": ["too_far_ahead"],
    }  # fmt: skip


def test_an_error_after_all_was_heard_ends_the_answer(run) -> None:
    told = run("""
        const answer = conversation.ask('Why?', {});
        take('audio', { samples: second });
        take('audio_stream_end');
        player.finish();
        const before = conversation.busy;
        take('error', { code: 'internal' });
        return { before, after: conversation.busy, state: answer.state, troubles };
    """)

    assert told == {"before": True, "after": False, "state": "failed", "troubles": ["internal"]}


def test_an_error_of_no_answer_is_told_and_ends_none(run) -> None:
    told = run("""
        const answer = conversation.ask('Why?', {});
        conversation.take({ type: 'error', request_id: null, code: 'too_many_requests' });
        return { busy: conversation.busy, error: answer.error, troubles };
    """)

    assert told == {"busy": True, "error": None, "troubles": ["too_many_requests"]}


def test_of_older_answers_the_audio_goes_and_the_page_says_why(run) -> None:
    told = run("""
        const { AnswerView } = await import('/answer-view.js');
        document.body.innerHTML = '<textarea id="prompt"></textarea>';
        const shown = [];
        for (let number = 1; number <= 3; number += 1) {
          const answer = conversation.ask('Why?', {});
          const view = new AnswerView(answer, { spoken: false, number, onDownload() {}, onAgain() {} });
          document.body.append(view.element);
          shown.push(() => {
            view.update();
            return view.element.querySelector('.actions').innerText;
          });
          take('audio', { samples: second });
          take('agent_end');
          player.finish();
        }
        return { kept: conversation.answers.map(({ audio }) => audio.length), shown: shown.map((look) => look()) };
    """)

    assert told["kept"] == [0, 1, 1]
    assert ["Download WAV" in each for each in told["shown"]] == [False, True, True]
    assert ["keeps the last 20 minutes" in each for each in told["shown"]] == [True, False, False]


def test_what_is_heard_is_noted_though_nothing_is_drawn(run) -> None:
    told = run("""
        const answer = conversation.ask('Why?', {});
        take('audio', { samples: second });
        player.playedS = 0.5;
        while (answer.playedS === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        return answer.playedS;
    """)

    assert told == 0.5
