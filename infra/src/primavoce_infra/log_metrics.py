"""Figures that the endpoint's own log holds, and SageMaker doesn't: it sees sessions, not utterances.

The server writes a JSON line for each utterance that has ended, and one for each of its own faults
(``docs/observability.md``). CloudWatch counts them as they come in: the container needs no permission and no network.
"""

from dataclasses import dataclass

from aws_cdk import aws_logs as logs
from constructs import Construct

from primavoce_infra.naming import Names

FIRST_AUDIO = "FirstAudio"
"""Seconds from an utterance's arrival to its first audio."""
UTTERANCES = "Utterances"
REFUSALS = "Refusals"
FAULTS = "Faults"


@dataclass(frozen=True, slots=True)
class LogMetric:
    """One figure."""

    name: str
    pattern: str
    """CloudWatch's filter: the lines that count."""
    value: str = "1"
    """What each counts for: a number, or the field that holds it."""


_NOT_TOLD_TWICE = '(($.event != "utterance failed") || ($.code != "synthesis_failed"))'
"""A model that fails has a line of its own before its utterance's. Nor is an utterance's end one of them, whatever
its outcome: what failed it may have failed several."""
LOG_METRICS = (
    # A line without audio has null there, which is no number, and so isn't counted.
    LogMetric(FIRST_AUDIO, '{ ($.event = "utterance") && ($.time_to_first_audio_s >= 0) }', "$.time_to_first_audio_s"),
    LogMetric(UTTERANCES, '{ $.event = "utterance" }'),
    LogMetric(REFUSALS, '{ ($.code = "overloaded") || ($.code = "queue_saturated") }'),
    LogMetric(FAULTS, f'{{ ($.level = "critical") || (($.level = "error") && {_NOT_TOLD_TWICE}) }}'),
)
"""All of them."""


def count_in_log(scope: Construct, names: Names, log_group_name: str) -> None:
    """Let CloudWatch count them, under `Names.metric_namespace`."""
    for each in LOG_METRICS:
        logs.CfnMetricFilter(
            scope,
            each.name,
            log_group_name=log_group_name,
            filter_pattern=each.pattern,
            metric_transformations=[
                logs.CfnMetricFilter.MetricTransformationProperty(
                    metric_namespace=names.metric_namespace,
                    metric_name=each.name,
                    metric_value=each.value,
                    # Nothing said is no refusal; but no utterance isn't one whose first audio came at once.
                    default_value=0 if each.value == "1" else None,
                )
            ],
        )
