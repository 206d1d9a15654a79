"""An agent's part: where text comes from, and an answer that is spoken while it is written.

`answering` speaks what any `Conversation` writes; `primavoce.agent.strands` has one for agents of Strands.
"""

from primavoce.agent.conversation import FLUSH, Conversation, Flush, PlainConversation
from primavoce.agent.turn import Speaking, Turn, answering

__all__ = ["FLUSH", "Conversation", "Flush", "PlainConversation", "Speaking", "Turn", "answering"]
