"""An account in memory: what ``cdk`` and ``docker`` do to it, and what its services then say of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from primavoce.aws.account import Account
from primavoce.aws.commands import Completed
from primavoce.aws.names import Names

NUMBER = "123456789012"
NAMES = Names()
THEN = datetime(2026, 1, 1, tzinfo=UTC)
LABELS = '{"com.amazonaws.sagemaker.capabilities.bidirectional-streaming": "true"}'


def digest_of(tag: str) -> str:
    return "sha256:" + (tag * 64)[:64]


@dataclass
class World:
    """Programs and services that change, and see, the same things."""

    stacks: dict[str, str] = field(default_factory=dict)
    """Status by name."""
    images: dict[str, set[str]] = field(default_factory=dict)
    """Tags by repository."""
    endpoint: dict[str, str] | None = None
    tags: dict[str, str] = field(default_factory=dict)
    runtime_status: str = "READY"
    image_id: str = f"sha256:{'1' * 64}"
    failing: str = ""
    """How a command begins that fails."""
    commands: list[tuple[str, ...]] = field(default_factory=list)
    changes: int = 0

    def account(self) -> Account:
        return Account("us-east-1", lambda service: getattr(self, "_" + service.replace("-", "_"))())

    # --- programs

    def run(self, argv: Sequence[str], *, stdin: str | None = None, folder: Path | None = None) -> Completed:
        self.commands.append(tuple(argv))
        said = " ".join(argv)
        if self.failing and said.startswith(self.failing):
            return Completed(1, "it failed")
        match argv:
            case ["docker", "inspect", *_, "{{.Id}}", _]:
                return Completed(0, self.image_id)
            case ["docker", "inspect", *_]:
                return Completed(0, LABELS)
            case ["docker", "push", remote]:
                repository, _, tag = remote.partition("/")[2].partition(":")
                self.images[repository].add(tag)
            case ["cdk", "deploy", name, *_]:
                self._deploy(name, dict(part.split("=", 1) for part in argv if "=" in part))
            case _:
                pass
        return Completed(0, "")

    def _deploy(self, name: str, context: dict[str, str]) -> None:
        self.stacks[name] = "UPDATE_COMPLETE" if name in self.stacks else "CREATE_COMPLETE"
        if name == NAMES.weights_stack:
            for part in ("speech", "agent"):
                self.images.setdefault(NAMES.repository(part), set())
        if name == NAMES.speech_stack:
            digest = context["speech_image"]
            if self.endpoint is None or self.endpoint["digest"] != digest:
                self.changes += 1
                self.endpoint = {"config": f"config-{self.changes}", "digest": digest, "status": "InService"}

    def ran(self, *words: str) -> list[tuple[str, ...]]:
        return [each for each in self.commands if each[: len(words)] == words]

    # --- services

    def _sts(self) -> Any:
        return _Service(get_caller_identity=lambda: {"Account": NUMBER, "Arn": f"arn:aws:iam::{NUMBER}:user/me"})

    def _cloudformation(self) -> Any:
        def describe_stacks(StackName: str) -> Any:  # noqa: N803
            if StackName not in self.stacks:
                raise refusal("ValidationError", f"Stack with id {StackName} does not exist")
            return {"Stacks": [{"StackStatus": self.stacks[StackName]}]}

        return _Service(describe_stacks=describe_stacks, describe_stack_events=lambda **_: {"StackEvents": []})

    def _ecr(self) -> Any:
        def describe_images(repositoryName: str, imageIds: list[dict[str, str]]) -> Any:  # noqa: N803
            tag = imageIds[0].get("imageTag") or imageIds[0]["imageDigest"]
            known = self.images[repositoryName]
            if tag not in known | {digest_of(each) for each in known}:
                raise refusal("ImageNotFoundException", "no")
            digest = tag if tag.startswith("sha256:") else digest_of(tag)
            return {"imageDetails": [{"imageDigest": digest, "imageSizeInBytes": 10**9}]}

        token = {"authorizationData": [{"authorizationToken": "QVdTOnNlY3JldA=="}]}
        return _Service(describe_images=describe_images, get_authorization_token=lambda: token)

    def _sagemaker(self) -> Any:
        def describe_endpoint(EndpointName: str) -> Any:  # noqa: N803
            if self.endpoint is None:
                raise refusal("ValidationException", f'Could not find endpoint "{EndpointName}".')
            image = {"ResolvedImage": f"r/primavoce/speech@{self.endpoint['digest']}"}
            return {
                "EndpointArn": f"arn:endpoint/{EndpointName}",
                "EndpointStatus": self.endpoint["status"],
                "EndpointConfigName": self.endpoint["config"],
                "ProductionVariants": [{"DeployedImages": [image], "CurrentInstanceCount": 1}],
            }

        def add_tags(ResourceArn: str, Tags: list[dict[str, str]]) -> None:  # noqa: N803
            self.tags.update({each["Key"]: each["Value"] for each in Tags})

        def list_tags(**_: object) -> Any:
            return [{"Tags": [{"Key": key, "Value": value} for key, value in self.tags.items()]}]

        config = {"ProductionVariants": [{"InstanceType": "ml.g5.xlarge"}]}
        return _Service(
            describe_endpoint=describe_endpoint,
            describe_endpoint_config=lambda **_: config,
            add_tags=add_tags,
            get_paginator=lambda _: _Service(paginate=list_tags),
        )

    def _cloudwatch(self) -> Any:
        raise refusal("AccessDenied", "you may not see alarms")

    def _bedrock_agentcore_control(self) -> Any:
        arn = f"arn:aws:bedrock-agentcore:us-east-1:{NUMBER}:runtime/{NAMES.runtime}-1"
        listed = [{"agentRuntimeName": NAMES.runtime, "agentRuntimeId": f"{NAMES.runtime}-1"}]

        def paginate() -> Any:
            return [{"agentRuntimes": listed if NAMES.agent_stack in self.stacks else []}]

        def get_agent_runtime(agentRuntimeId: str) -> Any:  # noqa: N803
            return {"agentRuntimeArn": arn, "status": self.runtime_status, "failureReason": "the image is for amd64"}

        return _Service(get_paginator=lambda _: _Service(paginate=paginate), get_agent_runtime=get_agent_runtime)


class _Service:
    def __init__(self, **methods: Any) -> None:
        self.__dict__.update(methods)


def refusal(code: str, message: str) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError({"Error": {"Code": code, "Message": message}}, "Something")
