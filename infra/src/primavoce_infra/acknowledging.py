"""How what cdk-nag finds, and is meant so, is acknowledged: each with its reason, at its construct alone."""

from collections.abc import Mapping

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct


def acknowledge(construct: IConstruct, reasons: Mapping[str, str]) -> None:
    """Acknowledge what is found at ``construct``, or in it: the finding's id, and why it is meant so."""
    for rule, reason in reasons.items():
        found = _as_found(Stack.of(construct).resolve(rule))
        Validations.of(construct).acknowledge(Acknowledgment(id=found, reason=reason))


def _as_found(resolved: object) -> str:
    """Return a finding's id with what is only known on deployment written as cdk-nag writes it: ``<AWS::Region>``."""
    match resolved:
        case str():
            return resolved
        case {"Fn::Join": [str(between), list(parts)]}:
            return between.join(map(_as_found, parts))
        case {"Ref": str(name)}:
            return f"<{name}>"
        case {"Fn::GetAtt": [str(name), str(attribute)]}:
            return f"<{name}.{attribute}>"
        case {"Fn::ImportValue": str(name)}:
            return name
    raise TypeError(f"can't be part of a finding's id: {resolved!r}")
