"""The whole cycle: through SageMaker, then through AgentCore."""

import time
from collections.abc import Callable

import anyio

from primavoce.aws.answer_cycle import PROMPT, AnswerCycle
from primavoce.aws.asking_agent import ask, open_runtime
from primavoce.aws.speech_cycle import OnCheck, check_speech
from primavoce.client.link import Opener
from primavoce.client.verify import Check
from primavoce.errors import AgentError, ExtraMissing

_SPEECH = ("a session through SageMaker", "aws")
"""What needs an extra, and which."""


def insist_on_extras(*, speech: bool, agent: bool) -> None:
    """Refuse what could be put there, and then not be spoken with, for want of what is installed here.

    Args:
        speech: Whether there are to be sessions through SageMaker.
        agent: Whether a deployed agent is to be asked.

    Raises:
        ExtraMissing: an extra isn't installed, or not as it is pinned.
    """
    # Imported whole: an SDK in another version than ours has other names.
    if speech:
        try:
            import primavoce.client.sagemaker.http2
        except ImportError as error:
            raise ExtraMissing(*_SPEECH) from error
    if agent:
        try:
            import primavoce.agent.runtime.calls
            import primavoce.agent.runtime.deployed  # noqa: F401
        except ImportError as error:
            raise ExtraMissing("a deployed agent", "agent") from error


def endpoint_link(endpoint: str, region: str, url: str | None = None) -> Opener:
    """Return what opens a session with ``endpoint`` through SageMaker.

    Args:
        endpoint: Its name.
        region: Of AWS.
        url: Address of its sessions; the region's own unless given.

    Raises:
        ExtraMissing: the extra ``aws`` isn't installed.
    """
    try:
        from primavoce.client.sagemaker import sagemaker_link
    except ModuleNotFoundError as error:
        raise ExtraMissing(*_SPEECH) from error
    return sagemaker_link(endpoint, region=region, url=url, greeting=None)


def verify_speech(opener: Opener, *, told: str, on_check: OnCheck, voice: str | None = None) -> bool:
    """Check an endpoint over one session; return whether it does all that it should."""

    async def run() -> bool:
        return await check_speech(opener, told=told, on_check=on_check, voice=voice)

    return anyio.run(run)


def verify_agent(
    arn: str,
    *,
    on_check: OnCheck,
    prompt: str = PROMPT,
    voice: str | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> bool:
    """Ask a deployed agent one question; return whether the answer is all that it should be.

    Raises:
        InvalidSetting: ``arn`` is none of a runtime's.
        ExtraMissing: the extra ``agent`` isn't installed.
    """
    cycle, began = AnswerCycle(), clock()
    try:
        runtime = open_runtime(arn)
        try:
            for event, at_s in ask(runtime, prompt, voice=voice, clock=clock):
                cycle.take(event, at_s)
                if cycle.over:
                    break
        finally:
            runtime.close()
    except AgentError as error:
        on_check(Check("answers", passed=False, detail=str(error), elapsed_s=round(clock() - began, 3)))
        return False
    passed = True
    for check in cycle.checks():
        on_check(check)
        passed = check.passed
    return passed
