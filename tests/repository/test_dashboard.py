"""The dashboard shows what the server tells, and nothing that it doesn't."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from primavoce.server.metrics import Metrics
from primavoce.synthesis.report import EngineReport, ModelReport

ROOT = Path(__file__).parents[2]
DASHBOARD = json.loads((ROOT / "dashboards" / "primavoce.json").read_text())
HISTOGRAM = ("_bucket", "_sum", "_count")


def report() -> EngineReport:
    model = ModelReport(digest="d", device="cpu", provider="p", segments={"stream": 1})
    return EngineReport(model, real_time_factor=0.3, capacity=3, speaking=0, underruns=0, dry_s=0.0, busy_s=0.0)


def families() -> dict[str, set[str]]:
    """Return the names of all samples, by family; those of the process left out."""
    metrics = Metrics(report)
    metrics.request_answered("/ping", "200")
    return {
        family.name: {sample.name for sample in family.samples}
        for family in metrics.collect()
        if family.name.startswith("primavoce_")
    }


def expressions(panels: list[dict[str, Any]]) -> Iterator[str]:
    for panel in panels:
        yield from (target["expr"] for target in panel.get("targets", []))
        yield from expressions(panel.get("panels", []))


def shown() -> set[str]:
    text = " ".join([*expressions(DASHBOARD["panels"]), json.dumps(DASHBOARD["templating"])])
    return set(re.findall(r"\bprimavoce_\w+", text))


def test_every_metric_of_an_expression_is_one_of_the_servers() -> None:
    assert shown() - set().union(*families().values()) == set()


def test_every_metric_of_the_server_is_shown() -> None:
    assert [name for name, samples in families().items() if not samples & shown()] == []


def test_every_label_of_an_expression_is_one_of_the_servers() -> None:
    metrics = Metrics(report)
    metrics.request_answered("/ping", "200")
    labels = {label for family in metrics.collect() for sample in family.samples for label in sample.labels}

    grouped = {
        name.strip()
        for by in re.findall(r"by \(([^)]*)\)", " ".join(expressions(DASHBOARD["panels"])))
        for name in by.split(",")
    }

    assert "outcome" in grouped
    assert grouped - labels - {"instance"} == set()  # Prometheus itself says which instance


def test_every_panel_has_a_place_of_its_own_and_says_what_it_shows() -> None:
    panels = DASHBOARD["panels"]
    places = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]

    assert len(places) == len(set(places))
    assert all(x < 24 for x, _ in places)
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert [panel["title"] for panel in panels if panel["type"] != "row" and not panel.get("description")] == []


def test_the_docs_say_where_it_is() -> None:
    assert "dashboards/primavoce.json" in (ROOT / "docs" / "observability.md").read_text()
