"""The third stack: the agent, in Bedrock AgentCore, which writes by a model of Bedrock and speaks by the endpoint."""

from aws_cdk import Aws, CfnOutput, Duration, Stack
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_iam as iam
from constructs import Construct

from primavoce_infra.acknowledging import acknowledge
from primavoce_infra.bedrock import model_statements
from primavoce_infra.ecr_access import WHY_ALL, pull_statements
from primavoce_infra.linting import SAID_TWICE, UNKNOWN_ACTION, leave_alone
from primavoce_infra.naming import Names
from primavoce_infra.service_log import ServiceLog
from primavoce_infra.settings import Settings
from primavoce_infra.speech import SpeechStack
from primavoce_infra.weights import WeightsStack

SPEAK = (
    "sagemaker:InvokeEndpoint",
    "sagemaker:InvokeEndpointWithBidirectionalStream",
    "sagemaker:InvokeEndpointWithResponseStream",
)
"""Sessions, and what stands in for them where they can't be had."""
LONGEST_ROLE_SESSION = Duration.hours(8)
"""As long as AgentCore lets a session live."""
LOG_FOLDER = "/aws/bedrock-agentcore/runtimes"


class AgentStack(Stack):
    """The runtime, and who it is."""

    def __init__(self, scope: Construct, *, settings: Settings, weights: WeightsStack, speech: SpeechStack) -> None:
        names = Names(settings.name)
        super().__init__(scope, names.agent_stack, description="primavoce: the agent that speaks by the endpoint")
        # The endpoint's ARN is imported from its stack, so that CloudFormation itself refuses to make this one first,
        # and to take that one away while this one is there.
        self.add_stack_dependency(speech)
        role = self._role(settings, names, weights, endpoint_arn=speech.endpoint.ref)
        runtime = agentcore.Runtime(
            self,
            "Runtime",
            runtime_name=names.runtime,
            description="An agent whose answers are spoken while it writes them",
            # For arm64: AgentCore has no other machines for containers like this.
            agent_runtime_artifact=agentcore.AgentRuntimeArtifact.from_image_uri(
                weights.agent_repository.repository_uri_for_tag_or_digest(settings.agent_image)
            ),
            execution_role=role.without_policy_updates(),  # or CDK adds all that any agent could want
            protocol_configuration=agentcore.ProtocolType.HTTP,
            network_configuration=agentcore.RuntimeNetworkConfiguration.using_public_network(),
            lifecycle_configuration=agentcore.LifecycleConfiguration(
                idle_runtime_session_timeout=Duration.seconds(settings.idle_timeout_s)
            ),
            environment_variables={
                "AWS_DEFAULT_REGION": Aws.REGION,  # Boto3 reads this one, the HTTP/2 SDK and Strands the other
                "AWS_REGION": Aws.REGION,
                "DOCKER_CONTAINER": "1",
                "PRIMAVOCE_AGENT_MODEL": f"bedrock:{settings.model}",
                "PRIMAVOCE_AGENT_SPEECH": f"sagemaker:{speech.endpoint.attr_endpoint_name}",
                "PRIMAVOCE_OPEN": "1",  # AgentCore asks for signatures, and lets nobody else reach the container
            },
        )
        leave_alone(runtime, SAID_TWICE)
        unchecked = "Annotation::aws-cdk-lib.aws-bedrockagentcore:containerUriValidationSkipped"
        acknowledge(runtime, {unchecked: "The address is made of our own repository's, which CDK doesn't know yet."})
        log_group = f"{LOG_FOLDER}/{runtime.agent_runtime_id}-DEFAULT"
        ServiceLog(self, "Log", log_group_name=log_group, retention_days=settings.retention_days)
        CfnOutput(self, "RuntimeArn", value=runtime.agent_runtime_arn)
        CfnOutput(self, "RuntimeId", value=runtime.agent_runtime_id)
        CfnOutput(self, "RuntimeLogGroup", value=log_group)

    def _role(self, settings: Settings, names: Names, weights: WeightsStack, *, endpoint_arn: str) -> iam.Role:
        here = f"{Aws.REGION}:{Aws.ACCOUNT_ID}"
        log_groups = f"arn:{Aws.PARTITION}:logs:{here}:log-group:{LOG_FOLDER}/{names.runtime}-*"
        runtimes = f"arn:{Aws.PARTITION}:bedrock-agentcore:{here}:runtime/{names.runtime}-*"
        models = model_statements(settings.model)
        role = iam.Role(
            self,
            "ExecutionRole",
            description="AgentCore, as it runs the agent",
            assumed_by=iam.ServicePrincipal(
                "bedrock-agentcore.amazonaws.com",
                conditions={
                    "StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID},
                    "ArnLike": {"aws:SourceArn": runtimes},
                },
            ),
            max_session_duration=LONGEST_ROLE_SESSION,
            inline_policies={
                "Speech": iam.PolicyDocument(
                    statements=[iam.PolicyStatement(actions=list(SPEAK), resources=[endpoint_arn])]
                ),
                "Model": iam.PolicyDocument(statements=models),
                "Image": iam.PolicyDocument(statements=pull_statements(weights.agent_repository)),
                "Log": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=[
                                "logs:CreateLogGroup",
                                "logs:CreateLogStream",
                                "logs:DescribeLogStreams",
                                "logs:PutLogEvents",
                            ],
                            resources=[log_groups],
                        )
                    ]
                ),
            },
        )
        reasons = {
            "AwsSolutions-IAM5[Resource::*]": WHY_ALL,
            f"AwsSolutions-IAM5[Resource::{log_groups}]": "The runtime's id, which its log group is named by, isn't "
            "known before the runtime is, and that needs the role.",
        }
        for statement in models:
            for resource in statement.resources:
                if ":bedrock:*::" in resource:
                    reasons[f"AwsSolutions-IAM5[Resource::{resource}]"] = (
                        "An inference profile sends requests to several regions, and chooses; the condition holds it "
                        "to the one profile, and the model is named."
                    )
        acknowledge(role, reasons)
        leave_alone(role, UNKNOWN_ACTION)  # of SPEAK, the one for sessions
        return role
