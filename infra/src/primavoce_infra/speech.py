"""The second stack: the SageMaker endpoint that speaks, how it grows and shrinks, and who hears of its troubles."""

from aws_cdk import CfnOutput, Stack
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from primavoce_infra.alarms import EndpointAlarms
from primavoce_infra.dashboard import endpoint_dashboard
from primavoce_infra.naming import MODELS_PREFIX, VARIANT, Names
from primavoce_infra.scaling import EndpointScaling
from primavoce_infra.settings import Settings
from primavoce_infra.speech_role import speech_role
from primavoce_infra.weights import WeightsStack

STARTUP_TIMEOUT_S = 600
"""Until ``/ping`` says 200: the image comes with its graphs prepared, so that it takes seconds, once it is there."""
METRICS_EVERY_S = 10
"""Scaling sees sessions come this often; SageMaker's default is a minute."""


class SpeechStack(Stack):
    """Model, endpoint configuration, endpoint; scaling, alarms, dashboard."""

    def __init__(self, scope: Construct, *, settings: Settings, weights: WeightsStack) -> None:
        names = Names(settings.name)
        super().__init__(scope, names.speech_stack, description="primavoce: the endpoint that speaks")
        self.add_stack_dependency(weights)
        model = self._model(settings, weights)
        self.endpoint = self._endpoint(settings, names, model)
        if settings.scaling:
            EndpointScaling(self, "Scaling", endpoint=self.endpoint, names=names, capacity=settings.capacity)
        alarms = EndpointAlarms(
            self, "Alarms", names=names, settings=settings, log_group_name=weights.endpoint_log_group.ref
        )
        endpoint_dashboard(self, names=names, settings=settings, alarms=alarms)
        CfnOutput(self, "EndpointName", value=self.endpoint.attr_endpoint_name)
        CfnOutput(self, "EndpointArn", value=self.endpoint.ref)
        CfnOutput(self, "AlarmTopicArn", value=alarms.topic.topic_arn)
        # By these the next deployment knows what it may not fall below, also while nothing scales.
        capacity = settings.capacity
        CfnOutput(self, "MinInstances", value=str(capacity.min_instances))
        CfnOutput(self, "MaxInstances", value=str(capacity.max_instances))
        CfnOutput(self, "SessionsPerInstance", value=str(capacity.sessions_per_instance))

    def _model(self, settings: Settings, weights: WeightsStack) -> sagemaker.CfnModel:
        role = speech_role(self, weights, model_data=settings.model_data)
        # Where it listens, whom it lets in and where its weights are, the image says.
        environment = {
            # Without the GPU that it was to have, a container doesn't become healthy, instead of being slow.
            "PRIMAVOCE_DEVICE": "cuda" if settings.has_gpu else "cpu",
            # Whoever is let in beyond that would wait, and count for scaling as one who is spoken to.
            "PRIMAVOCE_MAX_SESSIONS": str(settings.capacity.sessions_per_instance),
        }
        data = None
        if settings.model_data:
            data = sagemaker.CfnModel.ModelDataSourceProperty(
                s3_data_source=sagemaker.CfnModel.S3DataSourceProperty(
                    compression_type="None",
                    s3_data_type="S3Prefix",
                    s3_uri=f"s3://{weights.bucket_name}/{MODELS_PREFIX}/{settings.model_data}/",
                )
            )
        return sagemaker.CfnModel(
            self,
            "Model",
            execution_role_arn=role.role_arn,
            enable_network_isolation=settings.network_isolation,
            primary_container=sagemaker.CfnModel.ContainerDefinitionProperty(
                image=weights.speech_repository.repository_uri_for_tag_or_digest(settings.speech_image),
                environment=environment,
                model_data_source=data,
            ),
        )

    def _endpoint(self, settings: Settings, names: Names, model: sagemaker.CfnModel) -> sagemaker.CfnEndpoint:
        variant = sagemaker.CfnEndpointConfig.ProductionVariantProperty(
            variant_name=VARIANT,
            model_name=model.attr_model_name,
            instance_type=settings.instance_type,
            initial_instance_count=settings.capacity.min_instances,
            initial_variant_weight=1,
            container_startup_health_check_timeout_in_seconds=STARTUP_TIMEOUT_S,
            inference_ami_version=settings.inference_ami if settings.has_gpu else None,
            # A session lasts for minutes: turn by turn, a new instance would wait long for its share.
            routing_config=sagemaker.CfnEndpointConfig.RoutingConfigProperty(
                routing_strategy="LEAST_OUTSTANDING_REQUESTS"
            ),
        )
        # Without a name: a configuration can't be changed, and CloudFormation can only put another in its place if the
        # names differ.
        configuration = sagemaker.CfnEndpointConfig(
            self,
            "Configuration",
            production_variants=[variant],
            metrics_config=sagemaker.CfnEndpointConfig.MetricsConfigProperty(
                enable_enhanced_metrics=True, metric_publish_frequency_in_seconds=METRICS_EVERY_S
            ),
        )
        return sagemaker.CfnEndpoint(
            self,
            "Endpoint",
            endpoint_name=names.endpoint,
            endpoint_config_name=configuration.attr_endpoint_config_name,
            # What scaling has made of the number of instances outlives a new image.
            retain_all_variant_properties=True,
        )
