"""An account in memory: what ``cdk`` and ``docker`` do to it, and what its services then say of it."""

import importlib
import sys
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
INFRA = Path(__file__).parents[2] / "infra" / "src"


def digest_of(tag: str) -> str:
    return "sha256:" + (tag * 64)[:64]


def stack_settings() -> Any:
    """Return the stacks' own settings, which need no CDK."""
    if str(INFRA) not in sys.path:
        sys.path.append(str(INFRA))
    return importlib.import_module("primavoce_infra.settings")


@dataclass
class World:
    """Programs and services that change, and see, the same things."""

    stacks: dict[str, str] = field(default_factory=dict)
    """Status by name."""
    events: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By stack, the last one first: status and reason of what has happened to it."""
    images: dict[str, set[str]] = field(default_factory=dict)
    """Tags by repository."""
    kept: list[tuple[str, str]] = field(default_factory=list)
    """Repositories and digests that were given a second tag."""
    endpoint: dict[str, str] | None = None
    limits: tuple[int, int] | None = None
    """Of scaling: the least and the most instances."""
    outputs: dict[str, str] = field(default_factory=dict)
    """Of the speech stack."""
    instances: int = 1
    """That the endpoint runs."""
    tags: dict[str, str] = field(default_factory=dict)
    stale_tags: int = 0
    """Looks at the tags that still tell what there was before the last one was set."""
    runtime_status: str = "READY"
    runtime_arn: str = f"arn:aws:bedrock-agentcore:us-east-1:{NUMBER}:runtime/{NAMES.runtime}-1"
    runtime_environment: dict[str, str] = field(default_factory=dict)
    image_id: str = f"sha256:{'1' * 64}"
    failing: str = ""
    """How a command begins that fails."""
    rolls_back: dict[str, str] = field(default_factory=dict)
    """Stacks whose changes CloudFormation takes back, and why."""
    endpoint_fails: str = ""
    """Why the next endpoint fails that is made or changed, after its stack stands; not, if empty."""
    log: list[str] = field(default_factory=list)
    """What the endpoint's container has said."""
    log_groups: set[str] = field(default_factory=set)
    wont_go: dict[str, str] = field(default_factory=dict)
    """Stacks that can't be deleted, and why."""
    deleted: list[str] = field(default_factory=list)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    changes: int = 0

    def account(self) -> Account:
        return Account("us-east-1", lambda service: getattr(self, "_" + service.replace("-", "_"))())

    # --- programs

    def run(self, argv: Sequence[str], *, stdin: str | None = None, folder: Path | None = None) -> Completed:
        self.commands.append(tuple(argv))
        words = [argv[0], *argv[3:]] if list(argv[1:2]) == ["--config"] else list(argv)
        if self.failing and " ".join(words).startswith(self.failing):
            return Completed(1, "it failed")
        match words:
            case ["docker", "inspect", *_, "{{.Id}}", _]:
                return Completed(0, self.image_id)
            case ["docker", "inspect", *_]:
                return Completed(0, LABELS)
            case ["docker", "push", remote]:
                repository, _, tag = remote.partition("/")[2].partition(":")
                self.images[repository].add(tag)
            case ["cdk", "deploy", name, *_]:
                assert folder is not None
                return self._cdk(name, dict(part.split("=", 1) for part in argv if "=" in part), folder)
            case _:
                pass
        return Completed(0, "")

    def _cdk(self, name: str, context: dict[str, str], folder: Path) -> Completed:
        """Have the stacks' own settings read the context, and CloudFormation make what they come to or take it back."""
        module = stack_settings()
        try:
            settings = module.Settings.from_context(context, folder)
        except module.InvalidContext as error:
            return Completed(1, f"primavoce: {error}\n\nSubprocess exited with error 1\n")
        there = name in self.stacks and self.stacks[name] != "ROLLBACK_COMPLETE"
        if not there:
            self.events[name] = []
        if name in self.rolls_back:
            self._happened(name, "UPDATE_FAILED" if there else "CREATE_FAILED", self.rolls_back[name])
            self._happened(name, "CREATE_FAILED", "Resource creation cancelled")
            self.stacks[name] = "UPDATE_ROLLBACK_COMPLETE" if there else "ROLLBACK_COMPLETE"
            return Completed(1, f"{name} failed: {self.stacks[name]}")
        self.stacks[name] = "UPDATE_COMPLETE" if there else "CREATE_COMPLETE"
        self._happened(name, self.stacks[name], "")
        self._made(name, settings)
        return Completed(0, "")

    def _made(self, name: str, settings: Any) -> None:
        if name == NAMES.weights_stack:
            for part in ("speech", "agent"):
                self.images.setdefault(NAMES.repository(part), set())
        if name == NAMES.speech_stack:
            capacity, digest = settings.capacity, settings.speech_image
            self.limits = (capacity.min_instances, capacity.max_instances) if settings.scaling else None
            self.outputs = {
                "MinInstances": str(capacity.min_instances),
                "MaxInstances": str(capacity.max_instances),
                "SessionsPerInstance": str(capacity.sessions_per_instance),
            }
            if self.limits is not None:
                self.instances = max(self.limits[0], min(self.limits[1], self.instances))
            if self.endpoint is None or self.endpoint["digest"] != digest or self.endpoint["status"] == "Failed":
                self.changes += 1
                status = "Failed" if self.endpoint_fails else "InService"
                self.endpoint = {"config": f"config-{self.changes}", "digest": digest, "status": status}
                self.log_groups.add(f"/aws/sagemaker/Endpoints/{NAMES.endpoint}")

    def _happened(self, name: str, status: str, reason: str) -> None:
        self.events.setdefault(name, []).insert(0, (status, reason))

    def ran(self, *words: str) -> list[tuple[str, ...]]:
        """Return the commands that began so; docker's with a configuration of their own are told without it."""
        plain = [(each[0], *each[3:]) if each[1:2] == ("--config",) else each for each in self.commands]
        return [each for each in plain if each[: len(words)] == words]

    # --- services

    def _sts(self) -> Any:
        return _Service(get_caller_identity=lambda: {"Account": NUMBER, "Arn": f"arn:aws:iam::{NUMBER}:user/me"})

    def _cloudformation(self) -> Any:
        def known(name: str) -> None:
            if name not in self.stacks:
                raise refusal("ValidationError", f"Stack with id {name} does not exist")

        def describe_stacks(StackName: str) -> Any:  # noqa: N803
            known(StackName)
            status = self.stacks[StackName]
            if status == "DELETE_IN_PROGRESS":  # it is told once
                self._deleted(StackName)
            outputs = self.outputs if StackName == NAMES.speech_stack else {}
            told = [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]
            return {"Stacks": [{"StackStatus": status, "Outputs": told}]}

        def delete_stack(StackName: str) -> None:  # noqa: N803
            known(StackName)
            self.stacks[StackName] = "DELETE_IN_PROGRESS"

        def events(StackName: str) -> Any:  # noqa: N803
            known(StackName)
            told = self.events.get(StackName, [])
            return [{"StackEvents": [_event(StackName, len(told) - at, *each) for at, each in enumerate(told)]}]

        def resources(StackName: str) -> Any:  # noqa: N803
            known(StackName)
            return [{"StackResourceSummaries": [{"ResourceType": "A::Thing", "PhysicalResourceId": StackName}]}]

        pages = {"describe_stack_events": events, "list_stack_resources": resources}
        return _Service(
            describe_stacks=describe_stacks,
            delete_stack=delete_stack,
            get_paginator=lambda action: _Service(paginate=pages[action]),
        )

    def _deleted(self, name: str) -> None:
        """Let a stack go, unless another one imports from it."""
        position = NAMES.stacks.index(name)
        users = [each for each in NAMES.stacks[position + 1 :] if each in self.stacks]
        used = f"Export {name}:It cannot be deleted as it is in use by {users[0]}" if users else ""
        if reason := self.wont_go.get(name) or used:
            self._happened(name, "DELETE_FAILED", reason)
            self.stacks[name] = "DELETE_FAILED"
            return
        del self.stacks[name]
        self.deleted.append(name)
        if name == NAMES.speech_stack:
            self.endpoint, self.limits, self.outputs = None, None, {}
        if name == NAMES.weights_stack:
            self.images.clear()

    def _ecr(self) -> Any:
        def describe_images(repositoryName: str, imageIds: list[dict[str, str]]) -> Any:  # noqa: N803
            tag = imageIds[0].get("imageTag") or imageIds[0]["imageDigest"]
            known = self.images[repositoryName]
            if tag not in known | {digest_of(each) for each in known}:
                raise refusal("ImageNotFoundException", "no")
            digest = tag if tag.startswith("sha256:") else digest_of(tag)
            return {"imageDetails": [{"imageDigest": digest, "imageSizeInBytes": 10**9}]}

        def batch_get_image(repositoryName: str, imageIds: list[dict[str, str]], **_: object) -> Any:  # noqa: N803
            known = {digest_of(each) for each in self.images[repositoryName]}
            found = [each["imageDigest"] for each in imageIds if each["imageDigest"] in known]
            return {"images": [{"imageManifest": f"of {each}", "imageManifestMediaType": "a form"} for each in found]}

        def put_image(repositoryName: str, imageManifest: str, imageTag: str, **_: object) -> None:  # noqa: N803
            kept = (repositoryName, imageManifest.removeprefix("of "))
            if kept in self.kept:
                raise refusal("ImageAlreadyExistsException", f"Image with tag {imageTag} already exists")
            self.kept.append(kept)

        token = {"authorizationData": [{"authorizationToken": "QVdTOnNlY3JldA=="}]}
        return _Service(
            describe_images=describe_images,
            batch_get_image=batch_get_image,
            put_image=put_image,
            get_authorization_token=lambda: token,
        )

    def _application_autoscaling(self) -> Any:
        def describe_scalable_targets(**_: object) -> Any:
            told = [] if self.limits is None else [{"MinCapacity": self.limits[0], "MaxCapacity": self.limits[1]}]
            return {"ScalableTargets": told}

        return _Service(describe_scalable_targets=describe_scalable_targets)

    def _sagemaker(self) -> Any:
        def describe_endpoint(EndpointName: str) -> Any:  # noqa: N803
            if self.endpoint is None:
                raise refusal("ValidationException", f'Could not find endpoint "{EndpointName}".')
            image = {"ResolvedImage": f"r/primavoce/speech@{self.endpoint['digest']}"}
            variant = {"DeployedImages": [image], "CurrentInstanceCount": self.instances}
            failed = {"FailureReason": self.endpoint_fails} if self.endpoint["status"] == "Failed" else {}
            return {
                "EndpointArn": f"arn:endpoint/{EndpointName}",
                "EndpointStatus": self.endpoint["status"],
                "EndpointConfigName": self.endpoint["config"],
                "ProductionVariants": [variant],
                **failed,
            }

        def add_tags(ResourceArn: str, Tags: list[dict[str, str]]) -> None:  # noqa: N803
            self.tags.update({each["Key"]: each["Value"] for each in Tags})

        def list_tags(**_: object) -> Any:
            if self.tags and self.stale_tags > 0:
                self.stale_tags -= 1
                return [{"Tags": []}]
            return [{"Tags": [{"Key": key, "Value": value} for key, value in self.tags.items()]}]

        config = {"ProductionVariants": [{"InstanceType": "ml.g5.xlarge"}]}
        return _Service(
            describe_endpoint=describe_endpoint,
            describe_endpoint_config=lambda **_: config,
            add_tags=add_tags,
            get_paginator=lambda _: _Service(paginate=list_tags),
        )

    def _logs(self) -> Any:
        def groups(logGroupNamePrefix: str) -> Any:  # noqa: N803
            found = sorted(each for each in self.log_groups if each.startswith(logGroupNamePrefix))
            return [{"logGroups": [{"logGroupName": each} for each in found]}]

        def delete_log_group(logGroupName: str) -> None:  # noqa: N803
            self.log_groups.remove(logGroupName)

        return _Service(
            describe_log_streams=lambda **_: {"logStreams": [{"logStreamName": "primary/i-1"}] if self.log else []},
            get_log_events=lambda **_: {"events": [{"message": each} for each in self.log]},
            delete_log_group=delete_log_group,
            get_paginator=lambda _: _Service(paginate=groups),
        )

    def _cloudwatch(self) -> Any:
        raise refusal("AccessDenied", "you may not see alarms")

    def _bedrock_agentcore_control(self) -> Any:
        listed = [{"agentRuntimeName": NAMES.runtime, "agentRuntimeId": f"{NAMES.runtime}-1"}]

        def paginate() -> Any:
            return [{"agentRuntimes": listed if NAMES.agent_stack in self.stacks else []}]

        def get_agent_runtime(agentRuntimeId: str) -> Any:  # noqa: N803
            return {
                "agentRuntimeArn": self.runtime_arn,
                "status": self.runtime_status,
                "failureReason": "the image is for amd64",
                "environmentVariables": self.runtime_environment,
            }

        return _Service(get_paginator=lambda _: _Service(paginate=paginate), get_agent_runtime=get_agent_runtime)


def _event(stack: str, number: int, status: str, reason: str) -> dict[str, object]:
    """Return an event as CloudFormation tells it; its clock is nobody else's."""
    told = {"ResourceStatusReason": reason} if reason else {}
    return {
        "EventId": f"{stack}-{number}",
        "Timestamp": THEN,
        "LogicalResourceId": "Thing",
        "ResourceType": "A::Thing",
        "ResourceStatus": status,
        **told,
    }


class _Service:
    def __init__(self, **methods: Any) -> None:
        self.__dict__.update(methods)


def refusal(code: str, message: str) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError({"Error": {"Code": code, "Message": message}}, "Something")
