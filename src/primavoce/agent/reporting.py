"""A line of the log for each answer, when it has ended."""

import structlog

from primavoce.agent.overtaken import OvertakenTurn
from primavoce.agent.turn import Turn

log = structlog.get_logger("primavoce.agent")


def report(turn: Turn | OvertakenTurn, *, session_id: str) -> None:
    """Tell how an answer went; not what was said. One whose ending nobody read has no listener any more."""
    answer = turn.answer
    timings = answer.timings()
    log.info(
        "answer",
        session=session_id,
        request_id=answer.request_id,
        mode=answer.mode,
        outcome="left" if turn.unread else answer.outcome,
        characters=timings.characters,
        audio_s=timings.audio_s,
        first_text_s=timings.first_text_s,
        text_complete_s=timings.text_complete_s,
        first_audio_s=timings.first_audio_s,
        first_sound_s=timings.first_sound_s,
        total_s=timings.total_s,
    )
