"""A report of the agent's benchmark, of made-up figures."""

from primavoce.bench.agent import GOALS, MODES, PUBLISHED, AgentReport, Interruption, interruption_of, ratios_of
from primavoce.bench.agent_listening import AnswerFigures, AnswerHeard
from primavoce.bench.agent_visits import Interrupted
from primavoce.bench.setting import Machine

INTERRUPTED = interruption_of([Interrupted(0.004, 0.005), Interrupted(0.0, 0.002)])


def agent_report(
    *, trials: int = 3, same_text: bool = True, interruption: Interruption | None = INTERRUPTED, url: str | None = None
) -> AgentReport:
    """Return a report whose baselines take 12 and 4 times as long, a little more in each round."""

    def answers(seconds: float, text: str) -> list[AnswerHeard]:
        return [
            AnswerHeard(0.35, 5.2, seconds + 0.1 * trial, seconds + 0.1 * trial, 20.0, 30.0, 0.0, "af_heart", text)
            for trial in range(trials)
        ]

    texts = ("Yes.", "Yes.", "Yes." if same_text else "No.")
    heard = {mode: answers(s, text) for mode, s, text in zip(MODES, (1.0, 12.0, 4.0), texts, strict=True)}
    return AgentReport(
        benchmark="agent",
        url=url,
        model=None if url else "scripted",
        tokens_per_s=None if url else 30.0,
        first_token_s=None if url else 0.35,
        speech=None if url else "local",
        prompt="Well?",
        trials=trials,
        voice="af_heart",
        same_text=same_text,
        modes={mode: AnswerFigures.of(each) for mode, each in heard.items()},
        ratios=ratios_of(heard),
        goals=GOALS,
        published=PUBLISHED,
        interruption=interruption,
        machine=Machine("Example 9000", 4, 2, 2, None, 0.25),
        model_digest=None,
        versions={},
    )
