"""What ``primavoce aws`` shows to people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from primavoce.aws.destroying import Doomed
    from primavoce.aws.findings import Verdict
    from primavoce.aws.leftovers import Leftovers, Unseen
    from primavoce.aws.measured import Measurement
    from primavoce.aws.planning import Plan
    from primavoce.aws.standing import Standing
    from primavoce.client.verify import Check

STATES = {"ok": ("ok", "green"), "missing": ("missing", "red"), "unknown": ("can't tell", "yellow")}
MINUTE_S = 60


def findings_table(verdict: "Verdict") -> RenderableType:
    """Return what `primavoce aws check` has found."""
    table = _rows("", "", "found", "what to do")
    for each in verdict.findings:
        word, style = STATES[each.state]
        remedy = "" if each.state == "ok" else each.remedy
        table.add_row(Text(word, style), each.name, Text(each.detail), Text(remedy))
    return Group(table, "", Text(verdict.sentence))


def plan_table(plan: "Plan", measured: "Measurement", out: Path | None, *, found_its_end: bool) -> RenderableType:
    """Return what `primavoce aws plan` has worked out."""
    from primavoce.aws.prices import PRICES_REMARK

    table = _rows("", "")
    rows = (
        ("sessions at a time", f"{plan.sessions}"),
        ("an instance takes", f"{plan.sessions_per_instance}, of which scaling fills {plan.target_sessions}"),
        ("instances", f"{plan.instances} × {plan.instance_type} ({plan.bare_instances} without headroom)"),
        ("cost", f"${plan.usd_per_hour:,.2f} an hour; ${plan.idle_usd_per_hour:,.2f} when nobody speaks"),
        ("more room after", f"{plan.time_to_scale_s:.0f} s"),
        ("new sessions", f"{plan.growth_per_s:.3g} a second, from none on"),
        ("without a place", f"{plan.growth.most_waiting} at most at a time, if each tries again"),
        ("  the last gets one", _moment(plan.growth.settled_s)),
        ("  one tries for", "–" if (wait_s := plan.growth.longest_wait_s) is None else _moment(wait_s)),
        ("refused", f"{plan.growth.refused} for good, if none tries again"),
    )
    for name, value in rows:
        table.add_row(name, value)
    return Group(
        table,
        "",
        *(Text(each) for each in _remarks(plan, measured, found_its_end=found_its_end)),
        PRICES_REMARK,
        *_written(out),
    )


def _remarks(plan: "Plan", measured: "Measurement", *, found_its_end: bool) -> list[str]:
    machine = measured.machine
    told = [
        f"measured on {machine.cpu}, {machine.cores} cores: it holds for {plan.instance_type} only if that is one",
        f"price of an instance: ${plan.usd_per_instance_hour:g} an hour, {plan.price_source}",
    ]
    if not found_its_end:
        told.append("no level was too much for it: try more sessions at a time, it may take more than this")
    if not plan.can_scale:
        told.append(
            "a full instance is just at its target, so scaling never adds one: choose more --headroom, a faster "
            "--instance-type, or --min-instances for everybody"
        )
    return told


def _written(out: Path | None) -> list[RenderableType]:
    return [] if out is None else [Text(f"written to {out}: `primavoce aws deploy speech --capacity {out}`")]


def _moment(seconds: float | None) -> str:
    if seconds is None:
        return "never: scaling doesn't get there"
    return f"{seconds:.0f} s" if seconds < 2 * MINUTE_S else f"{seconds / MINUTE_S:.0f} min"


def standing_view(found: "Standing") -> RenderableType:
    """Return how a deployment stands."""
    from primavoce.aws.names import Names

    table = _rows("", "", "")
    for stack in found.stacks:
        table.add_row("stack", stack.name, Text(f"{stack.status} {stack.reason}".rstrip()))
    if (speech := found.endpoint) is not None:
        instances = f"{speech.instances} × {speech.instance_type or 'an unknown machine'}"
        wanted = "" if speech.instances == speech.desired_instances else f", {speech.desired_instances} wanted"
        table.add_row("endpoint", speech.name, Text(f"{speech.status}, {instances}{wanted} {speech.reason}".rstrip()))
        first = Names.of_endpoint(speech.name).with_prefix("verify")
        table.add_row("", speech.config, "verified" if speech.is_verified else f"not verified: `{first}`")
    if (agent := found.runtime) is not None:
        table.add_row("runtime", agent.name, Text(f"{agent.status} {agent.reason}".rstrip()))
        table.add_row("", agent.arn, "")
    for alarm in found.alarms:
        table.add_row("alarm", alarm, Text("has gone off", "red"))
    # What couldn't be looked at may be there.
    nothing = "it can't be told what is deployed" if found.is_blind else "nothing is deployed"
    return Group(*([table] if table.row_count else [nothing]), *_costs(found), *_blind(found.unseen))


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


def doomed_view(found: "Sequence[Doomed]", account: str, region: str) -> RenderableType:
    """Return what is about to be deleted, in order."""
    table = _rows("", "stack", "state", "what it has")
    for number, each in enumerate(found, 1):
        table.add_row(f"{number}", each.stack, each.status, "\n".join(each.resources) or "–")
    return Group(
        f"account {account}, {region}; deleted in this order, then the log groups that services have made:", table
    )


def leftovers_view(left: "Leftovers") -> RenderableType:
    """Return what is left, and what couldn't be seen."""
    table = _rows("left", "", "bills", "what to do")
    for each in left.found:
        table.add_row(each.kind, each.name, each.bills, Text(each.remedy))
    listed: list[RenderableType] = [table, ""] if left.found else []
    return Group(*listed, *_blind(left.unseen), left.sentence)


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
