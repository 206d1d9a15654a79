"""What ``primavoce aws`` shows to people."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from primavoce.aws.destroying import Deletion
    from primavoce.aws.findings import Verdict
    from primavoce.aws.leftovers import Leftovers, Unseen
    from primavoce.aws.measured import Measurement
    from primavoce.aws.names import Names
    from primavoce.aws.planning import Plan
    from primavoce.aws.standing import Standing
    from primavoce.client.verify import Check

STATES = {"ok": ("ok", "green"), "missing": ("missing", "red"), "unknown": ("can't tell", "yellow")}
MINUTE_S = 60
NARROWEST = 20
"""Columns in which what was found is still told, however narrow a terminal is."""
UNBOUNDED = 10_000
"""Columns where nobody sees them: what reads the output of a program looks for whole lines."""


def show(view: RenderableType, *, stderr: bool = False) -> None:
    """Print a view. Only on a terminal are its tables fitted to a width, and never what is there to be copied."""
    console = Console(highlight=False, stderr=stderr)
    if not console.is_terminal:
        console.width = UNBOUNDED
    console.print(view, crop=False)


def _whole(text: str, style: str = "") -> Text:
    """Return a line that isn't folded: it has something that is copied, a command or an ARN."""
    return Text(text, style, no_wrap=True, overflow="ignore")


def findings_view(verdict: "Verdict") -> RenderableType:
    """Return what `primavoce aws check` has found."""
    rows = [(*STATES[each.state], each.name, each.detail) for each in verdict.findings]
    to_do = [each for each in verdict.findings if each.state != "ok" and each.remedy]
    remedies = [_whole(f"{each.name}: {each.remedy}") for each in to_do]
    return Group(_Found(tuple(rows)), *(["", "what to do:"] if to_do else []), *remedies, "", _whole(verdict.sentence))


@dataclass(frozen=True, slots=True)
class _Found:
    """Lines of what was found, folded between words alone: a table would fold an address where its column ends."""

    rows: tuple[tuple[str, str, str, str], ...]
    """State and its style, what was looked at, what was found."""

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        states = max((len(word) for word, *_ in self.rows), default=0)
        names = max((len(name) for _, _, name, _ in self.rows), default=0)
        indent = states + names + 4
        yield _whole(" " * indent + "found", "bold")
        for word, style, name, detail in self.rows:
            width = max(options.max_width - indent, NARROWEST)
            lines = wrap(detail, width, break_long_words=False, break_on_hyphens=False) or [""]
            first = Text.assemble((word.ljust(states), style), f"  {name.ljust(names)}  {lines[0]}")
            first.no_wrap, first.overflow = True, "ignore"
            yield first
            yield from (_whole(" " * indent + line) for line in lines[1:])


def plan_view(
    plan: "Plan", measured: "Measurement", out: Path | None, *, found_its_end: bool, start_is_ours: bool
) -> RenderableType:
    """Return what `primavoce aws plan` has worked out.

    Args:
        plan: It.
        measured: What it was worked out of.
        out: Where its limits were written.
        found_its_end: Whether a level was too much for the machine.
        start_is_ours: Whether the time that an instance takes to start was given.
    """
    from primavoce.aws.prices import PRICES_REMARK

    table = _rows("", "")
    rows = (
        ("sessions at a time", f"{plan.sessions}"),
        ("an instance takes", f"{plan.sessions_per_instance}, of which scaling fills {plan.target_sessions}"),
        ("instances", f"{plan.instances} × {plan.instance_type} ({_why_so_many(plan)})"),
        ("cost", f"${plan.usd_per_hour:,.2f} an hour; ${plan.idle_usd_per_hour:,.2f} when nobody speaks"),
        ("more room after", f"{plan.time_to_scale_s:.0f} s"),
        ("new sessions", f"{plan.growth_per_s:.3g} a second, from none on"),
        *_waiting(plan),
    )
    for name, value in rows:
        table.add_row(name, value)
    return Group(
        table,
        "",
        *(Text(each) for each in _remarks(plan, measured, found_its_end=found_its_end, start_is_ours=start_is_ours)),
        PRICES_REMARK,
        *_written(plan, out),
    )


def _why_so_many(plan: "Plan") -> str:
    from primavoce.aws.planning import instances_for

    bare = f"{plan.bare_instances} without headroom"
    enough = instances_for(plan.sessions, plan.target_sessions)
    return bare if enough >= plan.min_instances else f"as --min-instances says; {enough} would do, {bare}"


def _waiting(plan: "Plan") -> list[tuple[str, str]]:
    """Return what those meet who find no place at first; how long that takes only if there are such."""
    growth, place = plan.growth, "without a place"
    if growth.most_waiting == 0:
        return [(place, "nobody, at any time")]
    rows = [(place, f"{growth.most_waiting} at most at a time, if each tries again")]
    if growth.settled_s is None:
        rows.append(("  everybody has one", "never: scaling doesn't get there"))
    else:
        rows.append(("  everybody has one", f"{_moment(growth.settled_s)} after the first came"))
    if growth.longest_wait_s is not None:
        rows.append(("  one tries for", f"{_moment(growth.longest_wait_s)} at most"))
    return [*rows, ("refused", f"{growth.refused} for good, if none tries again")]


def _remarks(plan: "Plan", measured: "Measurement", *, found_its_end: bool, start_is_ours: bool) -> list[str]:
    from primavoce.aws.machines import INSTANCE_TYPE, device_of
    from primavoce.aws.planning import START_S

    machine = measured.machine
    told = [
        f"measured on {machine.cpu}, {machine.cores} cores: it holds for {plan.instance_type} only if that is one",
        f"price of an instance: ${plan.usd_per_instance_hour:g} an hour, {plan.price_source}",
    ]
    if not found_its_end:
        told.append("no level was too much for it: try more sessions at a time, it may take more than this")
    if not start_is_ours and device_of(plan.instance_type) == "cpu":
        told.append(
            f"{START_S:.0f} s until an instance serves were measured of {INSTANCE_TYPE}: an image without a GPU's "
            "libraries is a third of that one, so it is likely sooner; measure it, and say --start-s"
        )
    if not plan.can_scale:
        told.append(
            "a full instance is just at its target, so scaling never adds one: choose more --headroom, a faster "
            "--instance-type, or --min-instances for everybody"
        )
    return told


def _written(plan: "Plan", out: Path | None) -> list[RenderableType]:
    from primavoce.aws.machines import INSTANCE_TYPE
    from primavoce.aws.names import Names

    if out is None:
        return []
    machine = "" if plan.instance_type == INSTANCE_TYPE else f" --instance-type {plan.instance_type}"
    command = Names().with_prefix(f"deploy speech --capacity {shlex.quote(str(out))}{machine}")
    return [_whole(f"written to {out}: `{command}`")]


def _moment(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * MINUTE_S else f"{seconds / MINUTE_S:.0f} min"


def standing_view(found: "Standing", names: "Names") -> RenderableType:
    """Return how a deployment stands."""
    table = _rows("", "", "")
    copied: list[RenderableType] = []
    for stack in found.stacks:
        table.add_row("stack", stack.name, Text(f"{stack.status} {stack.reason}".rstrip()))
    if (speech := found.endpoint) is not None:
        instances = f"{speech.instances} × {speech.instance_type or 'an unknown machine'}"
        wanted = "" if speech.instances == speech.desired_instances else f", {speech.desired_instances} wanted"
        table.add_row("endpoint", speech.name, Text(f"{speech.status}, {instances}{wanted} {speech.reason}".rstrip()))
        table.add_row("", speech.config, "verified" if speech.is_verified else "not verified")
        if not speech.is_verified:
            copied.append(_whole(f"not verified: `{names.with_prefix('verify --part speech')}`"))
    if (agent := found.runtime) is not None:
        table.add_row("runtime", agent.name, Text(f"{agent.status} {agent.reason}".rstrip()))
        copied.append(_whole(f"runtime's ARN: {agent.arn}"))
    for alarm in found.alarms:
        table.add_row("alarm", alarm, Text("has gone off", "red"))
    # What couldn't be looked at may be there.
    nothing = "it can't be told what is deployed" if found.is_blind else "nothing is deployed"
    return Group(*([table] if table.row_count else [nothing]), *copied, *_costs(found), *_blind(found.unseen))


def _costs(found: "Standing") -> list[RenderableType]:
    if found.endpoint is None:
        return []
    if found.usd_per_hour is None:
        return ["what an hour costs isn't known here"]
    told = (
        f"about ${found.usd_per_hour:,.2f} an hour for the endpoint, whether anybody speaks or not; "
        "besides it agents' sessions while they live, the model's tokens, storage and logs"
    )
    return [told]


def deletion_view(found: "Deletion", account: str, region: str) -> RenderableType:
    """Return what is about to be deleted, in order."""
    told = [_whole(f"account {account}, {region}; deleted in this order:")]
    for number, each in enumerate(found.stacks, 1):
        told.append(_whole(f"{number} stack {each.stack}, {each.status}", "bold"))
        told += [_whole(f"    {resource}") for resource in each.resources]
    number = len(found.stacks) + 1
    if found.log_groups is None:
        told.append(_whole(f"{number} log groups that services have made: can't tell which", "yellow"))
    elif found.log_groups:
        told.append(_whole(f"{number} log groups that are still there then", "bold"))
        told += [_whole(f"    {group}") for group in found.log_groups]
    return Group(*told)


def leftovers_view(left: "Leftovers") -> RenderableType:
    """Return what is left, or there before a deletion, and what couldn't be seen."""
    told: list[RenderableType] = []
    for each in left.found:
        told.append(_whole(f"{each.kind} {each.name}: bills {each.bills}"))
        told += [_whole(f"    {each.remedy}", "dim")] if each.remedy else []
    heading: list[RenderableType] = ["left:" if left.deleted else "there now:"] if told else []
    return Group(*heading, *told, *_blind(left.unseen), left.sentence)


def _blind(unseen: "Sequence[Unseen]") -> list[RenderableType]:
    return [Text(f"can't tell: {each.kind}: {each.reason}", "yellow") for each in unseen]


def print_check(check: "Check") -> None:
    """Print the outcome of one check, on standard output."""
    console = Console(highlight=False)
    mark = "[green]ok[/]  " if check.passed else "[red]FAIL[/]"
    console.print(f"{mark} {check.name:<30} [dim]{check.elapsed_s:6.2f} s[/]  ", end="")
    console.print(check.detail, markup=False, soft_wrap=True)


def _rows(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=any(headings))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
