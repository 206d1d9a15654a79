import pytest

from primavoce.testing.aws.event_stream import BadMessage, TooLarge, decode, encode
from primavoce.testing.aws.parts import Part, part, part_of


@pytest.mark.parametrize(
    ("data_type", "state", "is_text", "is_last"),
    [
        ("UTF8", None, True, True),
        ("BINARY", None, False, True),
        (None, None, False, True),
        ("UTF8", "PARTIAL", True, False),
        (None, "COMPLETE", False, True),
    ],
)
def test_a_parts_type_and_state_say_what_frame_it_is(data_type, state, is_text: bool, is_last: bool) -> None:
    found = part_of(decode(part(b"1", data_type, state)), 10)

    assert found == Part(b"1", data_type, state)
    assert (found.is_text, found.is_last) == (is_text, is_last)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"DataType": "TEXT"}, "'TEXT' is neither UTF8 nor BINARY"),
        ({"CompletionState": "DONE"}, "'DONE' is neither PARTIAL nor COMPLETE"),
        ({":event-type": "Another"}, "an event of another kind"),
        ({":message-type": "exception"}, "an event of another kind"),
    ],
)
def test_what_the_services_model_does_not_have_is_no_part(changes: dict, said: str) -> None:
    headers = {":message-type": "event", ":event-type": "PayloadPart", **changes}

    with pytest.raises(BadMessage, match=said):
        part_of(decode(encode(headers, b"1")), 10)


def test_a_part_may_be_as_long_as_it_may_and_no_longer() -> None:
    assert part_of(decode(part(b"12345")), 5).payload == b"12345"
    with pytest.raises(TooLarge, match="a part of 6 bytes; 5 are the most"):
        part_of(decode(part(b"123456")), 5)
