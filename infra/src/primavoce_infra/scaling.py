"""More instances by the number of sessions, quickly; fewer one at a time, slowly.

Every open session counts for as long as it is open, whether or not anybody speaks. An instance that is taken away cuts
its sessions off after half a minute, so fewer is a step that waits for five quiet minutes and then for another five.
"""

from aws_cdk import aws_applicationautoscaling as appscaling
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from primavoce_infra.capacity import Capacity
from primavoce_infra.naming import SCALE_IN, VARIANT, Names
from primavoce_infra.variant_metrics import SESSIONS, dimensions

DIMENSION = "sagemaker:variant:DesiredInstanceCount"
OUT_METRIC = "SageMakerVariantConcurrentRequestsPerModelHighResolution"
"""Emitted every ten seconds."""
OUT_COOLDOWN_S = 30
IN_COOLDOWN_S = 300
QUIET_MINUTES = 5
QUIET_SHARE = 0.4
"""Of the target, below which an instance goes. The worst case is two becoming one: 0.8 of the target, then, which
leaves the one some room before scaling brings the other back."""


class EndpointScaling(Construct):
    """The scalable variant and its two policies."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        endpoint: sagemaker.CfnEndpoint,
        names: Names,
        capacity: Capacity,
    ) -> None:
        super().__init__(scope, construct_id)
        # By Application Auto Scaling's own service-linked role: CDK's higher construct would make a role that nobody
        # assumes.
        target = appscaling.CfnScalableTarget(
            self,
            "Instances",
            service_namespace="sagemaker",
            scalable_dimension=DIMENSION,
            resource_id=f"endpoint/{endpoint.attr_endpoint_name}/variant/{VARIANT}",
            min_capacity=capacity.min_instances,
            max_capacity=capacity.max_instances,
        )
        appscaling.CfnScalingPolicy(
            self,
            "More",
            policy_name=f"{names.endpoint}-more",
            policy_type="TargetTrackingScaling",
            scaling_target_id=target.attr_id,
            target_tracking_scaling_policy_configuration=(
                appscaling.CfnScalingPolicy.TargetTrackingScalingPolicyConfigurationProperty(
                    target_value=capacity.target_sessions,
                    predefined_metric_specification=(
                        appscaling.CfnScalingPolicy.PredefinedMetricSpecificationProperty(
                            predefined_metric_type=OUT_METRIC
                        )
                    ),
                    disable_scale_in=True,
                    scale_out_cooldown=OUT_COOLDOWN_S,
                )
            ),
        )
        fewer = appscaling.CfnScalingPolicy(
            self,
            "Fewer",
            policy_name=f"{names.endpoint}-fewer",
            policy_type="StepScaling",
            scaling_target_id=target.attr_id,
            step_scaling_policy_configuration=appscaling.CfnScalingPolicy.StepScalingPolicyConfigurationProperty(
                adjustment_type="ChangeInCapacity",
                cooldown=IN_COOLDOWN_S,
                metric_aggregation_type="Average",
                step_adjustments=[
                    appscaling.CfnScalingPolicy.StepAdjustmentProperty(
                        metric_interval_upper_bound=0, scaling_adjustment=-1
                    )
                ],
            ),
        )
        self._quiet(names, capacity, fewer)

    def _quiet(self, names: Names, capacity: Capacity, fewer: appscaling.CfnScalingPolicy) -> None:
        cloudwatch.CfnAlarm(
            self,
            "Quiet",
            alarm_name=names.alarm(SCALE_IN),
            alarm_description="No trouble: few sessions for each instance, so one instance goes, down to the least.",
            namespace="AWS/SageMaker",
            metric_name=SESSIONS,
            dimensions=[
                cloudwatch.CfnAlarm.DimensionProperty(name=name, value=value)
                for name, value in dimensions(names).items()
            ],
            statistic="Average",
            period=60,
            evaluation_periods=QUIET_MINUTES,
            datapoints_to_alarm=QUIET_MINUTES,
            comparison_operator="LessThanOrEqualToThreshold",
            threshold=round(QUIET_SHARE * capacity.target_sessions, 2),
            # No figures say nothing of how many speak: an idle instance that stays costs money, one that speaks and is
            # taken away costs sessions, every five minutes anew.
            treat_missing_data="notBreaching",
            alarm_actions=[fewer.ref],
        )
