"""Templates, as CDK has written them, and how to find things in them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from primavoce_infra.deployment import deployment, new_app
from primavoce_infra.settings import Settings

type Resource = Mapping[str, Any]


@dataclass(frozen=True)
class Template:
    name: str
    content: Mapping[str, Any]

    @property
    def resources(self) -> Mapping[str, Resource]:
        found: Mapping[str, Resource] = self.content["Resources"]
        return found

    @property
    def outputs(self) -> set[str]:
        return {name for name in self.content["Outputs"] if not name.startswith("ExportsOutput")}

    def all(self, kind: str) -> dict[str, Resource]:
        """Return the resources of a kind, by their logical ids."""
        return {each: found for each, found in self.resources.items() if found["Type"] == kind}

    def one(self, kind: str) -> Any:
        """Return the properties of the only resource of a kind."""
        (only,) = self.all(kind).values()
        return only["Properties"]

    def role(self, service: str) -> Any:
        """Return the properties of the role that ``service`` takes on."""
        (only,) = (
            each["Properties"]
            for each in self.all("AWS::IAM::Role").values()
            if each["Properties"]["AssumeRolePolicyDocument"]["Statement"][0]["Principal"]["Service"] == service
        )
        return only

    def alarm(self, kind: str) -> Any:
        """Return the properties of the alarm whose name ends with ``kind``."""
        (only,) = (
            each["Properties"]
            for each in self.all("AWS::CloudWatch::Alarm").values()
            if each["Properties"]["AlarmName"].endswith(f"-speech-{kind}")
        )
        return only


@dataclass(frozen=True)
class Written:
    folder: Path

    def template(self, name: str) -> Template:
        return Template(name, json.loads((self.folder / f"{name}.template.json").read_text()))

    def templates(self) -> list[Template]:
        return [self.template(path.name.removesuffix(".template.json")) for path in self.files()]

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.template.json"))

    def needs(self, stack: str) -> set[str]:
        """Return what has to be deployed before ``stack``."""
        artifacts = json.loads((self.folder / "manifest.json").read_text())["artifacts"]
        return {each for each in artifacts[stack].get("dependencies", ()) if not each.endswith(".assets")}

    def warnings(self) -> list[str]:
        """Return what CDK itself warns of."""
        told = [json.loads(path.read_text()) for path in self.folder.glob("*.metadata.json")]
        entries = [entry for each in told for path in each.values() for entry in path]
        return [entry["data"] for entry in entries if entry["type"] in ("aws:cdk:warning", "aws:cdk:error")]

    def findings(self) -> Any:
        """Return what cdk-nag has found."""
        return json.loads((self.folder / "validation-report.json").read_text())["pluginReports"]


def write_out(folder: Path, *contexts: Mapping[str, object]) -> Written:
    """Have CDK write the stacks of each of the ``contexts``."""
    app = new_app(str(folder))
    for context in contexts:
        deployment(app, Settings.from_context(context, folder.parent / "nothing"))
    app.synth()
    return Written(folder)


def statements(resource: Any) -> Iterator[Any]:
    """Yield the statements of each policy of a role's or a policy's properties."""
    documents = [each["PolicyDocument"] for each in resource.get("Policies", ())]
    for document in [*documents, *([resource["PolicyDocument"]] if "PolicyDocument" in resource else [])]:
        yield from document["Statement"]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def flat(value: Any) -> str:
    """Return a value with what is only known on deployment as ``<name>``."""
    match value:
        case str():
            return value
        case {"Fn::Join": [between, parts]}:
            return str(between).join(map(flat, parts))
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{name}.{attribute}>"
        case {"Fn::ImportValue": name}:
            return f"<{name}>"
        case {"Fn::Select": [_, _]}:
            return "<part>"
        case {"Fn::Sub": text}:
            return str(text)
    raise TypeError(value)


def allowed(resource: Any) -> dict[str, set[str]]:
    """Return what a role may do, each action with what it may do it to."""
    may: dict[str, set[str]] = {}
    for each in statements(resource):
        assert each["Effect"] == "Allow"
        for action in listed(each["Action"]):
            may.setdefault(action, set()).update(map(flat, listed(each["Resource"])))
    return may
