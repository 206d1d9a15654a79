"""Scaling: out by tracking sessions, in one instance at a time, within the planner's limits."""

from typing import Any

import pytest

from tests.infra.written import Template, Written, flat

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
TARGET = "AWS::ApplicationAutoScaling::ScalableTarget"
POLICY = "AWS::ApplicationAutoScaling::ScalingPolicy"


def policy(template: Template, kind: str) -> Any:
    (only,) = [each["Properties"] for each in template.all(POLICY).values() if each["Properties"]["PolicyType"] == kind]
    return only


@pytest.mark.parametrize(("name", "least", "most"), [("primavoce", 1, 2), ("tiny", 2, 20)])
def test_instances_stay_within_the_planned_limits(written: Written, name: str, least: int, most: int) -> None:
    target = written.template(f"{name}-speech").one(TARGET)

    assert (target["MinCapacity"], target["MaxCapacity"]) == (least, most)
    assert flat(target["ResourceId"]) == "endpoint/<Endpoint.EndpointName>/variant/primary"
    assert target["ScalableDimension"] == "sagemaker:variant:DesiredInstanceCount"
    assert "RoleARN" not in target


@pytest.mark.parametrize(("name", "sessions"), [("primavoce", 3), ("tiny", 80)])
def test_more_instances_come_by_sessions_and_none_goes_that_way(written: Written, name: str, sessions: int) -> None:
    tracking = policy(written.template(f"{name}-speech"), "TargetTrackingScaling")

    configured = tracking["TargetTrackingScalingPolicyConfiguration"]
    assert configured["TargetValue"] == sessions
    assert configured["DisableScaleIn"] is True
    assert configured["PredefinedMetricSpecification"] == {
        "PredefinedMetricType": "SageMakerVariantConcurrentRequestsPerModelHighResolution"
    }


def test_instances_go_one_at_a_time(written: Written) -> None:
    stepped = policy(written.template("primavoce-speech"), "StepScaling")["StepScalingPolicyConfiguration"]

    assert stepped["AdjustmentType"] == "ChangeInCapacity"
    assert stepped["StepAdjustments"] == [{"MetricIntervalUpperBound": 0, "ScalingAdjustment": -1}]
    assert stepped["Cooldown"] == 300


@pytest.mark.parametrize(("name", "threshold"), [("primavoce", 1.2), ("tiny", 32)])
def test_five_quiet_minutes_take_an_instance_away(written: Written, name: str, threshold: float) -> None:
    template = written.template(f"{name}-speech")
    quiet = template.alarm("scale-in")

    (fewer,) = (
        each for each, found in template.all(POLICY).items() if found["Properties"]["PolicyType"] == "StepScaling"
    )
    assert quiet["AlarmActions"] == [{"Ref": fewer}]
    assert (quiet["MetricName"], quiet["Statistic"]) == ("ConcurrentRequestsPerModel", "Average")
    assert (quiet["Threshold"], quiet["ComparisonOperator"]) == (threshold, "LessThanOrEqualToThreshold")
    assert quiet["EvaluationPeriods"] * quiet["Period"] == 300


@pytest.mark.parametrize("name", ["primavoce", "tiny"])
def test_an_instance_that_went_isnt_missed_at_once(written: Written, name: str) -> None:
    template = written.template(f"{name}-speech")
    sessions = 2 * template.alarm("scale-in")["Threshold"]  # at most, when two become one: the worst case
    target = policy(template, "TargetTrackingScaling")["TargetTrackingScalingPolicyConfiguration"]["TargetValue"]

    assert sessions < target


def test_without_figures_no_instance_is_taken_from_those_who_may_be_spoken_to(written: Written) -> None:
    assert written.template("primavoce-speech").alarm("scale-in")["TreatMissingData"] == "notBreaching"


def test_without_scaling_nothing_scales_so_that_the_instance_type_can_be_changed(written: Written) -> None:
    template = written.template("still-life-speech")

    assert template.all(TARGET) == template.all(POLICY) == {}
    assert template.all("AWS::SageMaker::Endpoint") != {}
