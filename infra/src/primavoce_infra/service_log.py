"""A log group that a service may have made before us: it is kept for so long and no longer, and goes with the stack.

AgentCore names its group by an id that only exists once the runtime does, and may make the group in that moment. As a
resource of the stack it would then be there already, and the deployment would fail; so it is made unless it is there.
"""

from collections.abc import Mapping

from aws_cdk import Aws, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import custom_resources as custom
from constructs import Construct

from primavoce_infra.acknowledging import acknowledge
from primavoce_infra.linting import SAID_TWICE, leave_alone

CALLER = "AWS679f53fac002430cb0da5b7982bd2287"
"""CDK's own: one in the stack, whose function makes the calls."""


class ServiceLog(Construct):
    """The group, and how long what is in it is kept."""

    def __init__(self, scope: Construct, construct_id: str, *, log_group_name: str, retention_days: int) -> None:
        super().__init__(scope, construct_id)
        # A function without a group would make one, which stays when the stack goes.
        self._own_log = logs.LogGroup(
            self, "OwnLog", retention=logs.RetentionDays.ONE_DAY, removal_policy=RemovalPolicy.DESTROY
        )
        self._physical_id = custom.PhysicalResourceId.of(log_group_name)
        self._role = self._may_change(log_group_name)
        group = {"logGroupName": log_group_name}
        made = self._calls(
            "Group",
            # At the beginning, too; later when the runtime is another one, whose group has another name.
            on_update=self._call("CreateLogGroup", group, ignoring="ResourceAlreadyExistsException"),
            on_delete=self._call("DeleteLogGroup", group, ignoring="ResourceNotFoundException"),
        )
        kept = {**group, "retentionInDays": retention_days}
        retention = self._calls("Retention", on_update=self._call("PutRetentionPolicy", kept))
        retention.node.add_dependency(made)
        leave_alone(Stack.of(self).node.find_child(CALLER), SAID_TWICE)

    def _calls(
        self,
        construct_id: str,
        *,
        on_update: custom.AwsSdkCall,
        on_delete: custom.AwsSdkCall | None = None,
    ) -> custom.AwsCustomResource:
        return custom.AwsCustomResource(
            self,
            construct_id,
            install_latest_aws_sdk=False,
            log_group=self._own_log,
            role=self._role,
            on_update=on_update,
            on_delete=on_delete,
        )

    def _call(self, action: str, parameters: Mapping[str, object], *, ignoring: str | None = None) -> custom.AwsSdkCall:
        return custom.AwsSdkCall(
            service="cloudwatch-logs",
            action=action,
            parameters=parameters,
            physical_resource_id=self._physical_id,
            ignore_error_codes_matching=ignoring,
        )

    def _may_change(self, log_group_name: str) -> iam.Role:
        log_group = f"arn:{Aws.PARTITION}:logs:{Aws.REGION}:{Aws.ACCOUNT_ID}:log-group:{log_group_name}"
        streams = f"{log_group}:*"  # IAM knows a group by both forms
        role = iam.Role(
            self,
            "Role",
            description="CDK's function, as it makes and deletes one log group",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            inline_policies={
                "Group": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=["logs:CreateLogGroup", "logs:DeleteLogGroup", "logs:PutRetentionPolicy"],
                            resources=[log_group, streams],
                        )
                    ]
                ),
                "OwnLog": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=["logs:CreateLogStream", "logs:PutLogEvents"],
                            resources=[self._own_log.log_group_arn],
                        )
                    ]
                ),
            },
        )
        acknowledge(role, {f"AwsSolutions-IAM5[Resource::{streams}]": "The streams of one log group."})
        return role
