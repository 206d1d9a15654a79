"""What a look at this machine and the account has found, and whether a deployment can go on; pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

type State = Literal["ok", "missing", "unknown"]
"""Unknown is not the same as missing: nobody was allowed to look, or nothing answered."""

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a deployment needs."""

    name: str
    state: State
    detail: str
    """What is there, or why that can't be told."""
    remedy: str = ""
    """What to do if it isn't ok."""
    needed: bool = True
    """Whether a deployment can't go on without it."""

    @property
    def blocks(self) -> bool:
        """Whether a deployment can't go on."""
        return self.needed and self.state == "missing"


def ok(name: str, detail: str) -> Finding:
    """Return that something is there."""
    return Finding(name, "ok", detail)


def missing(name: str, detail: str, remedy: str, *, needed: bool = True) -> Finding:
    """Return that something isn't there, and what to do."""
    return Finding(name, "missing", detail, remedy, needed)


def unknown(name: str, detail: str, remedy: str = "", *, needed: bool = True) -> Finding:
    """Return that it can't be told whether something is there."""
    return Finding(name, "unknown", detail, remedy, needed)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings together."""

    findings: tuple[Finding, ...]
    deploy: str
    """The command that deploys, as it has to be typed."""

    @property
    def can_deploy(self) -> bool:
        """Whether nothing that is needed is known to be missing."""
        return not any(each.blocks for each in self.findings)

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """What a deployment can't go on without."""
        return tuple(each for each in self.findings if each.blocks)

    @property
    def sentence(self) -> str:
        """What it comes to."""
        unclear = [each.name for each in self.findings if each.state == "unknown"]
        told = f"; can't tell: {', '.join(unclear)}" if unclear else ""
        if self.can_deploy:
            return f"`{self.deploy}` can go on{told}"
        return f"`{self.deploy}` can't go on: {', '.join(each.name for each in self.blocking)}{told}"

    def as_object(self) -> dict[str, object]:
        """Return all of it, for programs."""
        return {"can_deploy": self.can_deploy, "findings": [asdict(each) for each in self.findings]}


def verdict(findings: Iterable[Finding], deploy: str) -> Verdict:
    """Return what ``findings`` come to, for the command ``deploy``."""
    return Verdict(tuple(findings), deploy)


def version_in(text: str) -> tuple[int, ...]:
    """Return the first version that ``text`` has; empty if there is none."""
    found = _NUMBERS.search(text)
    return () if found is None else tuple(int(part) for part in found[0].split("."))


def at_least(name: str, text: str, least: Sequence[int], remedy: str, *, needed: bool = True) -> Finding:
    """Return whether the version in ``text`` is ``least`` or later."""
    found, wanted = version_in(text), ".".join(map(str, least))
    if not found:
        return unknown(name, f"its version can't be read from {text[:60]!r}", remedy, needed=needed)
    told = ".".join(map(str, found))
    if found < tuple(least):
        return missing(name, f"{told}, and {wanted} is needed", remedy, needed=needed)
    return Finding(name, "ok", told, needed=needed)


def quota(name: str, limit: float | None, wanted: int) -> Finding:
    """Return whether ``limit`` instances, a quota, are as many as are ``wanted``."""
    remedy = f"ask for more: Service Quotas, Amazon SageMaker, '{name}'; it can take days"
    if limit is None:
        return unknown(f"quota: {name}", "there is no such quota in this region, or it isn't listed", remedy)
    told = f"{limit:g}; {wanted} wanted"
    if limit < 1 or limit < wanted:
        return missing(f"quota: {name}", told, remedy)
    if limit < 2 * wanted:
        return ok(f"quota: {name}", f"{told}; while an endpoint is changed, it has twice its instances")
    return ok(f"quota: {name}", told)
