"""The first stack: where images and weights lie, and the log group that SageMaker writes to."""

from aws_cdk import CfnOutput, CfnResource, Duration, RemovalPolicy, Stack
from aws_cdk import aws_ecr as ecr
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from constructs import Construct

from primavoce_infra.acknowledging import acknowledge
from primavoce_infra.linting import SAID_TWICE, leave_alone
from primavoce_infra.naming import Names
from primavoce_infra.settings import Settings

KEPT_IMAGES = 10
"""Of each repository that have spoken, and as many of those that haven't; by the day of their push. An instance that
comes pulls the one that runs anew, so pushes whose deployment fails may not have it deleted."""
VERIFIED_TAGS = "verified-*"
"""The second tag that `primavoce aws` gives to what has spoken."""
EMPTIER = "Custom::S3AutoDeleteObjectsCustomResourceProvider"
"""CDK's own: one in the stack, whose function empties the bucket before it goes."""


class WeightsStack(Stack):
    """Bucket, image repositories, log group: what has to be there before an image can be pushed."""

    def __init__(self, scope: Construct, *, settings: Settings) -> None:
        names = Names(settings.name)
        super().__init__(scope, names.weights_stack, description="primavoce: weights, images and logs")
        self.bucket = self._bucket()
        # Exported whether or not they are imported: this stack is deployed before the speech stack, so an export that
        # came and went with `model_data` could not go, for the speech stack would still import it.
        self.bucket_arn = self.export_value(self.bucket.bucket_arn)
        self.bucket_name = self.export_value(self.bucket.bucket_name)
        self._leave_no_log_of_emptying()
        self.speech_repository = self._repository("SpeechImages", names.speech_repository)
        self.agent_repository = self._repository("AgentImages", names.agent_repository)
        self.endpoint_log_group = self._log_group("EndpointLog", names.endpoint_log_group, settings.retention_days)
        CfnOutput(self, "BucketName", value=self.bucket.bucket_name)
        CfnOutput(self, "SpeechRepositoryUri", value=self.speech_repository.repository_uri)
        CfnOutput(self, "AgentRepositoryUri", value=self.agent_repository.repository_uri)
        CfnOutput(self, "EndpointLogGroup", value=self.endpoint_log_group.ref)

    def _bucket(self) -> s3.Bucket:
        bucket = s3.Bucket(
            self,
            "Weights",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            # Not versioned: the server checks what it loads by its digest, and an old version would go on to be billed.
            lifecycle_rules=[s3.LifecycleRule(abort_incomplete_multipart_upload_after=Duration.days(1))],
            removal_policy=RemovalPolicy.DESTROY,
            auto_delete_objects=True,
        )
        acknowledge(
            bucket,
            {
                "AwsSolutions-S1": "Its objects are published weights, whose digests the server checks. A log of who "
                "read them would need a second bucket, which would be left, and billed, when this one is gone."
            },
        )
        return bucket

    def _leave_no_log_of_emptying(self) -> None:
        """Give the function that empties the bucket a log group that goes with the stack; it would make one itself."""
        provider = self.node.find_child(EMPTIER)
        function = provider.node.find_child("Handler")
        assert isinstance(function, CfnResource)
        log_group = self._log_group("EmptyingLog", f"/aws/lambda/{function.ref}", 1)
        # What is made later is deleted earlier: the bucket is emptied while the group is there to take the lines of it.
        self.bucket.node.find_child("AutoDeleteObjectsCustomResource").node.add_dependency(log_group)
        leave_alone(function, SAID_TWICE)

    def _log_group(self, construct_id: str, name: str, retention_days: int) -> logs.CfnLogGroup:
        log_group = logs.CfnLogGroup(self, construct_id, log_group_name=name, retention_in_days=retention_days)
        log_group.apply_removal_policy(RemovalPolicy.DESTROY)
        return log_group

    def _repository(self, construct_id: str, name: str) -> ecr.Repository:
        return ecr.Repository(
            self,
            construct_id,
            repository_name=name,
            image_scan_on_push=True,
            image_tag_mutability=ecr.TagMutability.IMMUTABLE,
            lifecycle_rules=[
                ecr.LifecycleRule(
                    rule_priority=1,
                    description="what a push was cut off from",
                    tag_status=ecr.TagStatus.UNTAGGED,
                    max_image_age=Duration.days(7),
                ),
                # What a rule's tags fit is expired by none that comes after it.
                ecr.LifecycleRule(
                    rule_priority=2,
                    description="the last few that have spoken",
                    tag_status=ecr.TagStatus.TAGGED,
                    tag_pattern_list=[VERIFIED_TAGS],
                    max_image_count=KEPT_IMAGES,
                ),
                ecr.LifecycleRule(
                    rule_priority=3,
                    description="the last few",
                    tag_status=ecr.TagStatus.TAGGED,
                    tag_pattern_list=["*"],
                    max_image_count=KEPT_IMAGES,
                ),
            ],
            removal_policy=RemovalPolicy.DESTROY,
            empty_on_delete=True,
        )
