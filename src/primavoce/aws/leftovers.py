"""What is left in an account that can bill, and what nobody was allowed to look at."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Self

from primavoce.aws.account import Account, asking, is_absent
from primavoce.aws.destroying import log_groups
from primavoce.aws.names import BOOTSTRAP_STACK, Names, bootstrap_bucket, bootstrap_repository
from primavoce.errors import DeploymentError, PrimavoceError

BOOTSTRAP_REMARK = "CDK's own, of the whole account: other projects may need it"

EMPTY_IT = "S3's console, Empty (which takes old versions along, as `aws s3 rb --force` doesn't), then Delete"


@dataclass(frozen=True, slots=True)
class Leftover:
    """Something that is still there."""

    kind: str
    name: str
    bills: str
    """For what, in words."""
    remedy: str
    """What deletes it."""
    shared: bool = False
    """Whether others may need it."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something of which it can't be told whether it is there."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Leftovers:
    """All of both."""

    found: tuple[Leftover, ...]
    unseen: tuple[Unseen, ...]
    deleted: bool = True
    """Whether that is what a deletion has left; otherwise what is there before one."""

    def before_deleting(self) -> Self:
        """Return the same, as what is there now. It has no remedies: those would go behind the stacks' back."""
        return replace(self, found=tuple(replace(each, remedy="") for each in self.found), deleted=False)

    @property
    def own(self) -> tuple[Leftover, ...]:
        """What is this deployment's alone."""
        return tuple(each for each in self.found if not each.shared)

    @property
    def is_clean(self) -> bool:
        """Whether nothing of this deployment is left, and everything was seen."""
        return not self.own and not self.unseen

    @property
    def sentence(self) -> str:
        """What it comes to. That nothing was seen is not the same as that nothing is there."""
        word = "left" if self.deleted else "there now"
        if self.unseen:
            blind = f"it can't be told whether anything is {word} of: {', '.join(each.kind for each in self.unseen)}"
            return f"{len(self.own)} {word}, and {blind}" if self.own else blind
        return f"{len(self.own)} {word} that can bill" if self.own else f"nothing of this deployment is {word}"

    def as_object(self) -> dict[str, object]:
        """Return all of it, for programs."""
        return {
            "clean": self.is_clean,
            "found": [asdict(each) for each in self.found],
            "unseen": [asdict(each) for each in self.unseen],
        }


type Look = Callable[[Account, Names], Iterable[Leftover]]


def leftovers(account: Account, names: Names) -> Leftovers:
    """Look everywhere; where that isn't allowed, or fails, say so."""
    found: list[Leftover] = []
    unseen: list[Unseen] = []
    for kind, look in LOOKS.items():
        try:
            found += (each for each in look(account, names) if not _is_known(each, found))
        except PrimavoceError as error:
            unseen.append(Unseen(kind, str(error)))
    return Leftovers(tuple(found), tuple(unseen))


def _is_known(tagged: Leftover, found: Iterable[Leftover]) -> bool:
    """Return whether what was found by its tag had been found by its name: its ARN ends with that."""
    return tagged.kind == "tagged" and tagged.name.endswith(
        tuple(f"{mark}{each.name}" for each in found for mark in ":/")
    )


def _stacks(account: Account, names: Names) -> Iterator[Leftover]:
    from primavoce.aws.stacks import find

    for name in names.stacks:
        if find(account, name) is not None:
            yield Leftover("stack", name, "what it holds", names.with_prefix("destroy"))


def _endpoints(account: Account, names: Names) -> Iterator[Leftover]:
    listings = (
        ("endpoint", "list_endpoints", "Endpoints", "EndpointName", "each instance, every hour"),
        ("endpoint configuration", "list_endpoint_configs", "EndpointConfigs", "EndpointConfigName", "nothing"),
        ("model", "list_models", "Models", "ModelName", "nothing"),
    )
    client = account.client("sagemaker")
    for kind, action, key, name, bills in listings:
        verb = "".join(part.title() for part in action.split("_"))
        with asking(f"sagemaker:{verb}"):
            pages = client.get_paginator(action).paginate(NameContains=names.prefix)
            listed = [each[name] for page in pages for each in page[key]]
        for each in listed:
            # What CloudFormation has named by itself may begin otherwise: it is found by its tags.
            if _is_of(each, names):
                option = {"endpoint": "endpoint", "model": "model"}.get(kind, "endpoint-config")
                remedy = names.of_aws(f"sagemaker delete-{option} --{option}-name {each}")
                yield Leftover(kind, each, bills, remedy)


def _is_of(name: str, names: Names) -> bool:
    """Return whether ``name`` is one of this deployment's, hyphens and all: `prima-voce` is another."""
    return name == names.endpoint or name.startswith(tuple(f"{stack}-" for stack in names.stacks))


def _runtimes(account: Account, names: Names) -> Iterator[Leftover]:
    from primavoce.aws.runtime import find

    found = find(account, names.runtime)
    if found is not None:
        runtime_id = found.arn.rpartition("/")[2]
        remedy = names.of_aws(f"bedrock-agentcore-control delete-agent-runtime --agent-runtime-id {runtime_id}")
        yield Leftover("runtime", found.name, "each session while it lives", remedy)


def _images(account: Account, names: Names) -> Iterator[Leftover]:
    for part in ("speech", "agent"):
        yield from _repository(account, names, names.repository(part), shared=False)


def _bootstrap_images(account: Account, names: Names) -> Iterator[Leftover]:
    yield from _repository(account, names, bootstrap_repository(account.number, account.region), shared=True)


def _repository(account: Account, names: Names, name: str, *, shared: bool) -> Iterator[Leftover]:
    try:
        with asking("ecr:DescribeImages"):
            pages = account.client("ecr").get_paginator("describe_images").paginate(repositoryName=name)
            sizes = [each.get("imageSizeInBytes", 0) for page in pages for each in page["imageDetails"]]
    except DeploymentError as error:
        if is_absent(error):
            return
        raise
    if shared and not sizes:
        return
    bills = f"{len(sizes)} images, {sum(sizes) / 1e9:.2f} GB, every month"
    remedy = BOOTSTRAP_REMARK if shared else names.of_aws(f"ecr delete-repository --force --repository-name {name}")
    yield Leftover("image repository", name, bills, remedy, shared)


def _bootstrap_stack(account: Account, names: Names) -> Iterator[Leftover]:
    from primavoce.aws.stacks import find

    if find(account, BOOTSTRAP_STACK) is not None:
        delete = names.of_aws(f"cloudformation delete-stack --stack-name {BOOTSTRAP_STACK}")
        remedy = f"{BOOTSTRAP_REMARK}; {delete}"
        yield Leftover("CDK bootstrap", BOOTSTRAP_STACK, "its bucket and its images", remedy, shared=True)


def _bootstrap_bucket(account: Account, _: Names) -> Iterator[Leftover]:
    name = bootstrap_bucket(account.number, account.region)
    try:
        # It keeps old versions, which bill though a list of its files doesn't have them.
        with asking("s3:ListBucketVersions"):
            listed = account.client("s3").list_object_versions(Bucket=name, MaxKeys=1000)
    except DeploymentError as error:
        if is_absent(error):
            return
        raise
    versions = listed.get("Versions", ())
    if versions:
        size = sum(each["Size"] for each in versions)
        more = " at least" if listed.get("IsTruncated") else ""
        bills = f"{len(versions)} files, old versions included{more}, {size / 1e6:.1f} MB, every month"
        remedy = f"{BOOTSTRAP_REMARK}; it stays when the stack goes: {EMPTY_IT}"
        yield Leftover("CDK bootstrap", name, bills, remedy, shared=True)


def _buckets(account: Account, names: Names) -> Iterator[Leftover]:
    with asking("s3:ListAllMyBuckets"):
        listed = account.client("s3").list_buckets()["Buckets"]
    for each in listed:
        if each["Name"].startswith(f"{names.weights_stack}-"):
            yield Leftover("bucket", each["Name"], "what is in it", names.of_aws(f"s3 rb --force s3://{each['Name']}"))


def _logs(account: Account, names: Names) -> Iterator[Leftover]:
    for each in log_groups(account, names):
        remedy = names.of_aws(f"logs delete-log-group --log-group-name {each}")
        yield Leftover("log group", each, "what is kept in it", remedy)


def _tagged(account: Account, names: Names) -> Iterator[Leftover]:
    filters = [{"Key": "project", "Values": ["primavoce"]}, {"Key": "deployment", "Values": [names.prefix]}]
    with asking("tag:GetResources"):
        pages = account.client("resourcegroupstaggingapi").get_paginator("get_resources").paginate(TagFilters=filters)
        listed = [each["ResourceARN"] for page in pages for each in page["ResourceTagMappingList"]]
    for each in listed:
        yield Leftover("tagged", each, "depends", "look at it; what was deleted just now is listed for a while")


LOOKS: dict[str, Look] = {
    "stacks": _stacks,
    "endpoints, configurations and models": _endpoints,
    "runtimes": _runtimes,
    "image repositories": _images,
    "buckets": _buckets,
    "log groups": _logs,
    "tagged resources": _tagged,
    "CDK bootstrap stack": _bootstrap_stack,
    "CDK bootstrap images": _bootstrap_images,
    "CDK bootstrap bucket": _bootstrap_bucket,
}
"""Everywhere that is looked, in order."""
