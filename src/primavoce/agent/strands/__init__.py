"""Agents of Strands, as `primavoce.agent.conversation` wants them; needs the extra ``agent``.

`primavoce.agent.strands.conversation.StrandsConversation` gives any Strands agent a voice. The rest is for whoever has
none yet: models by a short name, a system prompt for what is spoken, two tools.
"""
