"""A conversation's history, so that it says what was heard.

Strands keeps messages as Bedrock's Converse has them: user and assistant in turn; an assistant's ``toolUse`` is
answered by a ``toolResult`` in the user's next message. Everything here keeps that so, or makes it so again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # light: nothing of Strands is needed to handle its messages
    from strands.types.content import ContentBlock, Message, Messages

UNHEARD = "(interrupted before anything was heard)"
"""What stands for an answer of which nothing was heard. Models refuse an empty text, and two turns of one side."""
UNANSWERED = "interrupted before there was a result"
"""The result of a tool that an interruption, or a failure, has kept from having one."""


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """An assistant's message in the history, and what of it was written as deltas."""

    message: "Message"
    text: str
    """All deltas of it, joined."""
    content: "Sequence[ContentBlock]"
    """What the message held at first, as long as `is_note` is false."""
    is_note: bool
    """True if its text in the history isn't what was written: "Cancelled by user"."""


def written(message: "Message", text: str, *, is_note: bool = False) -> WrittenMessage:
    """Remember ``message`` as it is, and the ``text`` that was written of it."""
    return WrittenMessage(message, text, tuple(message["content"]), is_note)


def keep(answer: Sequence[WrittenMessage], characters: int) -> None:
    """Have the history hold the first ``characters`` of ``answer``, in place; may be done again with another number.

    Tools that were called stay, with their results: they did what they did, heard or not.
    """
    left = max(0, characters)
    for each in answer:
        share = min(len(each.text), left)
        left -= share
        each.message["content"] = _kept(each, share)


def mend(messages: "Messages", text: str) -> WrittenMessage | None:
    """Give ``messages`` an ending from which a prompt can follow; return the message that was added for that, if any.

    Args:
        messages: The history; added to in place.
        text: What was written after its last message, and got lost.
    """
    if not messages:
        return None
    last = messages[-1]
    calls = [block["toolUse"]["toolUseId"] for block in last["content"] if "toolUse" in block]
    if last["role"] == "assistant" and not calls:
        return None
    if calls:
        # Or Strands would call these tools in the next answer.
        messages.append({"role": "user", "content": [_result(call) for call in calls]})
    ending: Message = {"role": "assistant", "content": []}
    messages.append(ending)
    return written(ending, text, is_note=True)


def _result(call: str) -> "ContentBlock":
    return {"toolResult": {"toolUseId": call, "status": "error", "content": [{"text": UNANSWERED}]}}


def _kept(each: WrittenMessage, share: int) -> "list[ContentBlock]":
    if each.is_note:
        kept: list[ContentBlock] = [{"text": each.text[:share]}] if each.text[:share].strip() else []
    elif share == len(each.text) or not _text_of(each.content).startswith(each.text):
        # All of it was heard; or a guard has put something else in its place, which is not to be undone.
        kept = list(each.content)
    else:
        kept = list(_cut(each.content, share))
    if _text_of(kept).strip() or any("toolUse" in block for block in kept) or not (each.is_note or each.text):
        return kept
    return [*(block for block in kept if not _text_of([block])), {"text": UNHEARD}]


def _cut(content: "Sequence[ContentBlock]", share: int) -> "Iterator[ContentBlock]":
    """Yield the blocks of ``content`` with the first ``share`` characters of their texts."""
    left = share
    for block in content:
        text = _text_of([block])
        if len(text) <= left or not text:  # without text: a tool's call, or what was thought before it
            yield block
        elif text[:left].strip():
            yield {"text": text[:left]}
        left = max(0, left - len(text))


def _text_of(content: "Sequence[ContentBlock]") -> str:
    text = ""
    for block in content:
        text += block.get("text", "")
        text += "".join(part.get("text", "") for part in block.get("citationsContent", {}).get("content", ()))
    return text
