"""How names are said: what is kept of it, and what the next link is told."""

import json

import pytest

from primavoce.client.resuming.lexicons import MOST_UNANSWERED, SessionLexicons, UnansweredLexicons
from primavoce.protocol.messages import Ping, SetLexicon
from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import ScriptedLink, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


def lexicon(name: str | None) -> SetLexicon:
    return SetLexicon(words={"Okafor": f"/{name}/"}, request_id=name)


def names(lexicons: list[SetLexicon]) -> list[str | None]:
    return [each.request_id for each in lexicons]


def test_those_before_one_that_was_accepted_are_forgotten() -> None:
    kept = SessionLexicons()
    told = [lexicon(name) for name in "abcd"]
    for each in told:
        kept.set(each)

    kept.accepted(told[1])
    kept.accepted(told[0])  # by another link's server

    assert names(kept.to_say) == ["b", "c", "d"]


def test_one_that_is_refused_leaves_the_one_before_it() -> None:
    kept = SessionLexicons()
    told = [lexicon(name) for name in "ab"]
    for each in told:
        kept.set(each)
    kept.accepted(told[0])

    assert kept.refused("b")
    assert not kept.refused("b")
    assert names(kept.to_say) == ["a"]


def test_one_that_another_server_refuses_later_is_forgotten() -> None:
    kept = SessionLexicons()
    kept.set(told := lexicon("a"))
    kept.accepted(told)

    assert kept.refused("a")
    assert kept.to_say == []


def test_a_refusal_without_a_name_leaves_what_was_accepted() -> None:
    kept = SessionLexicons()
    kept.set(told := lexicon(None))
    kept.accepted(told)
    kept.set(lexicon(None))

    assert kept.refused(None)
    assert kept.to_say == [told]


def test_those_that_nobody_answers_are_bounded() -> None:
    kept, on_link = SessionLexicons(), UnansweredLexicons()
    told = [lexicon(str(number)) for number in range(100)]
    for each in told:
        kept.set(each)
    on_link.said([*told, Ping("1")])

    assert kept.to_say == on_link.ponged() == told[-MOST_UNANSWERED:]


def test_a_pong_shows_that_what_was_said_before_its_ping_was_taken() -> None:
    on_link = UnansweredLexicons()
    a, b, c = (lexicon(name) for name in "abc")
    on_link.said([a, Ping("1"), b])
    on_link.said([Ping("2"), Ping("3"), c])

    assert [on_link.ponged() for _ in range(3)] == [[a], [b], []]


async def test_a_new_link_is_told_the_last_lexicon_that_was_taken_and_those_since() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        for number in range(20):
            await link.send(said("lexicon", str(number), words={"Okafor": "/a/"}))
            await link.send(said("ping", f"ping {number}"))
            await until(lambda name=f"ping {number}": told.of(name))
        made[0].mute.add("ping")
        await link.send(said("lexicon", "20", words={"Okafor": "/b/"}))
        made[0].cut()
        await link.send(said("text", "1", text="A."))
        await until(lambda: len(made) == 2)
        await settled()

    assert made[1].ids("lexicon") == ["19", "20"]


async def test_when_a_new_link_refuses_a_lexicon_the_one_before_it_holds_there() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "lexicon" and message["request_id"] == "bad" and link.number:
            link.fail("bad", "invalid_lexicon")

    async with talking(opener(on_message, made)) as (link, told):
        await link.send(said("lexicon", "good", words={"Okafor": "/a/"}))
        await link.send(said("lexicon", "bad", words={"...": "dot"}))
        made[0].cut()
        await link.send(said("text", "1", text="A."))
        await until(lambda: told.of("bad"))
        made[1].cut()
        await until(lambda: len(made) == 3)
        await settled()

    assert made[1].ids("lexicon") == ["good", "bad"]
    assert made[2].ids("lexicon") == ["good"]
    assert [message["code"] for message in told.messages if message["type"] == "error"] == ["invalid_lexicon"]
    assert json.dumps(made[2].said).count("Okafor") == 1


async def test_lexicons_that_were_taken_are_forgotten_but_for_the_last() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        for number in range(20):
            await link.send(said("lexicon", str(number), words={"Okafor": "/a/"}))
        await link.send(said("ping", "done"))
        await until(lambda: told.of("done"))
        await until(lambda: len(link.lexicons()) == 1)  # type: ignore[attr-defined]
