"""What becomes of text that comes for an utterance that has ended: without a link."""

import pytest

from primavoce.client.resuming.texts import MOST_LATE, OpenTexts
from primavoce.protocol.messages import AnyClientMessage, Cancel, End, Flush, Synthesize, Text

MORE = Text(text=" more", request_id="1")
ANEW = Text(text="Again.", request_id="1", voice="af_heart")
WHOLE = Synthesize(text="Again.", request_id="1")


def failed() -> OpenTexts:
    texts = OpenTexts()
    texts.begun("1")
    texts.ended("1")
    return texts


def cancelled() -> OpenTexts:
    texts = OpenTexts()
    texts.begun("1")
    texts.said("1", Cancel("1"))
    texts.ended("1")
    return texts


def complete() -> OpenTexts:
    texts = OpenTexts()
    texts.begun("1")
    texts.said("1", End("1"))
    texts.ended("1")
    return texts


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ([MORE, MORE, End("1")], []),
        ([MORE, End("1"), MORE], [MORE]),
        ([MORE, Flush("1"), MORE, End("1")], []),
        ([MORE, ANEW, MORE], [ANEW, MORE]),
        ([MORE, WHOLE], [WHOLE]),
        ([MORE, Cancel("1"), MORE], [Cancel("1"), MORE]),
    ],
)
def test_the_rest_of_a_text_that_failed_is_ignored_until_its_end_or_until_another_begins(
    said: list[AnyClientMessage], made: list[AnyClientMessage]
) -> None:
    texts = failed()

    assert [each for message in said for each in texts.late("1", message)] == made


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ([MORE, MORE], []),
        ([MORE, ANEW], [ANEW]),
        ([MORE, WHOLE], [WHOLE]),
        ([End("1"), MORE], [MORE]),
        ([Cancel("1")], [Cancel("1")]),
        ([Flush("1")], []),
        ([MORE, MORE, End("1")], [Text(text=" more more", request_id="1"), End("1")]),
        ([MORE, Flush("1"), MORE], [MORE, Flush("1"), MORE]),
        ([MORE, Cancel("1")], [MORE, Cancel("1")]),
    ],
)
def test_text_by_the_name_of_one_that_was_cancelled_waits_for_what_shows_that_it_is_anothers(
    said: list[AnyClientMessage], made: list[AnyClientMessage]
) -> None:
    texts = cancelled()

    assert [each for message in said for each in texts.late("1", message)] == made


def test_after_its_end_a_name_is_free() -> None:
    assert complete().late("1", MORE) == [MORE]


def test_what_comes_without_a_name_is_of_the_newest_whose_text_is_open() -> None:
    texts = OpenTexts()
    for name in "123":
        texts.begun(name)
    texts.said("3", End("3"))

    assert (texts.newest, texts.open) == ("2", ["1", "2"])
    texts.ended("2")
    texts.said("1", Cancel("1"))
    assert (texts.newest, texts.open) == (None, [])


def test_of_those_whose_text_may_come_late_so_many_are_known() -> None:
    texts = OpenTexts()
    for number in range(MOST_LATE + 1):
        texts.begun(str(number))
        texts.ended(str(number))

    assert texts.late("0", MORE) == [MORE]
    assert texts.late("1", MORE) == []
