"""A deployment, step by step; after a failure, the same command goes on from where it was."""

from collections.abc import Callable
from dataclasses import dataclass, field

from primavoce.aws import endpoint, fleet, images, runtime, stacks
from primavoce.aws.account import Account
from primavoce.aws.commands import Commands
from primavoce.aws.endpoint import Endpoint
from primavoce.aws.images import Part, Pushed
from primavoce.aws.names import Names
from primavoce.aws.runtime import Runtime
from primavoce.aws.steps import Choices, Step, Target, context_of, steps_of
from primavoce.aws.waiting import Waiting
from primavoce.errors import StepFailed

type OnStep = Callable[[Step, int, int], None]
"""Told which step begins, its number from 1 on, and how many there are."""


@dataclass(slots=True)
class Deployment:
    """One run of a deployment.

    Verification is given, for it needs sessions: it raises what `StepFailed` tells when something doesn't speak.
    """

    account: Account
    commands: Commands
    names: Names
    choices: Choices
    waiting: Waiting
    verify_speech: Callable[[Endpoint], None]
    verify_agent: Callable[[Runtime], None]
    on_step: OnStep = lambda *_: None
    on_note: Callable[[str], None] = lambda _: None
    step: Step | None = None
    """The one that has begun last."""
    _ids: dict[Part, str] = field(default_factory=dict)
    _pushed: dict[Part, Pushed] = field(default_factory=dict)

    def run(self, target: Target) -> None:
        """Take the steps that lead to ``target``.

        Raises:
            DeploymentError: one fails; those before it needn't be undone.
        """
        steps = steps_of(target, self.choices)
        for number, step in enumerate(steps, 1):
            self.step = step
            self.on_step(step, number, len(steps))
            self._take(step)

    def _take(self, step: Step) -> None:
        match step:
            case Step.WEIGHTS:
                self._deploy(self.names.weights_stack)
            case Step.BUILD_SPEECH | Step.BUILD_AGENT:
                self._build("speech" if step is Step.BUILD_SPEECH else "agent")
            case Step.PUSH_SPEECH | Step.PUSH_AGENT:
                self._push("speech" if step is Step.PUSH_SPEECH else "agent")
            case Step.SPEECH:
                self._deploy(self.names.speech_stack)
            case Step.ENDPOINT:
                found = endpoint.wait_in_service(self.account, self.names.endpoint, self.waiting)
                self.on_note(f"{found.name} is {found.status}: {found.instances} × {found.instance_type}")
            case Step.VERIFY_SPEECH:
                self._verify_speech()
            case Step.GATE:
                endpoint.insist_soon(self.account, self.names, self.waiting)
            case Step.AGENT:
                # Again: building and pushing takes minutes, in which somebody may have changed it.
                endpoint.insist_soon(self.account, self.names, self.waiting)
                self._deploy(self.names.agent_stack)
            case Step.RUNTIME:
                found_runtime = runtime.wait_ready(self.account, self.names.runtime, self.waiting)
                self.on_note(f"{found_runtime.arn} is {found_runtime.status}")
            case Step.VERIFY_AGENT:
                self.verify_agent(runtime.wait_ready(self.account, self.names.runtime, self.waiting))
                if (pushed := self._pushed.get("agent")) is not None:
                    self._tell(images.keep_or_tell(self.account, self.names, "agent", pushed.digest))

    def _build(self, part: Part) -> None:
        choices = self.choices
        self._ids[part] = images.build(
            self.commands, self.names, part, instance_type=choices.instance_type, checkout=choices.checkout
        )

    def _push(self, part: Part) -> None:
        given = self.choices.speech_image if part == "speech" else self.choices.agent_image
        if given is None:
            found = images.push(self.commands, self.account, self.names, part, found_id=self._ids[part])
        else:
            there = images.find(self.account, self.names.repository(part), given)
            if there is None:
                told = f"{self.names.repository(part)} has no image {given}"
                raise StepFailed(f"pushing the image of the {part}", told)
            found = there
        self._pushed[part] = found
        told = "pushed" if found.anew else "there already"
        self.on_note(f"{self.names.repository(part)}:{found.tag} {told}, {found.size_bytes / 1e9:.2f} GB")

    def _deploy(self, stack: str) -> None:
        speech, agent = self._pushed.get("speech"), self._pushed.get("agent")
        context = context_of(
            self.names,
            self.choices,
            speech_image=None if speech is None else speech.digest,
            agent_image=None if agent is None else agent.digest,
            fleet=None if stack == self.names.agent_stack else self._fleet(),
        )
        found = stacks.deploy(
            self.commands,
            self.account,
            self.names,
            stack,
            context,
            checkout=self.choices.checkout,
            waiting=self.waiting,
        )
        self.on_note(f"{found.name} {found.status}")

    def _fleet(self) -> dict[str, str]:
        if self.choices.shrink:
            return {}
        return fleet.deployed(self.account, self.names).context()

    def _verify_speech(self) -> None:
        """Have the endpoint speak, unless just what it runs now has spoken before."""
        found = endpoint.wait_in_service(self.account, self.names.endpoint, self.waiting)
        if found.is_verified:
            self.on_note(f"{found.identity} has been verified before")
            return
        self.verify_speech(found)
        unkept = endpoint.mark_verified(self.account, self.names, found)
        self.on_note(f"verified: {found.identity}")
        self._tell(unkept)

    def _tell(self, unkept: str) -> None:
        if unkept:
            self.on_note(unkept)
