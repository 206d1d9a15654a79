"""The second stack: the endpoint, with a GPU and without, and who it is."""

from typing import Any

import pytest

from tests.infra.written import Written, allowed, flat, statements

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
REPOSITORY = "<primavoce-weights:ExportsOutputFnGetAttSpeechImages"


def variant(written: Written, name: str) -> Any:
    (only,) = written.template(f"{name}-speech").one("AWS::SageMaker::EndpointConfig")["ProductionVariants"]
    return only


def container(written: Written, name: str) -> Any:
    return written.template(f"{name}-speech").one("AWS::SageMaker::Model")["PrimaryContainer"]


def test_a_gpu_has_a_driver_that_the_images_libraries_run_on(written: Written) -> None:
    found = variant(written, "primavoce")

    assert found["InstanceType"] == "ml.g5.xlarge"
    assert found["InferenceAmiVersion"] == "al2023-ami-sagemaker-inference-gpu-4-1"
    assert container(written, "primavoce")["Environment"]["PRIMAVOCE_DEVICE"] == "cuda"


def test_a_machine_without_a_gpu_asks_for_no_driver(written: Written) -> None:
    found = variant(written, "tiny")

    assert found["InstanceType"] == "ml.c7i.xlarge"
    assert "InferenceAmiVersion" not in found
    assert container(written, "tiny")["Environment"]["PRIMAVOCE_DEVICE"] == "cpu"


@pytest.mark.parametrize(("name", "instances"), [("primavoce", 1), ("tiny", 2)])
def test_it_begins_with_the_least_number_of_instances(written: Written, name: str, instances: int) -> None:
    assert variant(written, name)["InitialInstanceCount"] == instances


def test_sessions_go_to_the_instance_that_has_the_fewest(written: Written) -> None:
    assert variant(written, "primavoce")["RoutingConfig"] == {"RoutingStrategy": "LEAST_OUTSTANDING_REQUESTS"}


def test_a_container_has_ten_minutes_to_become_healthy(written: Written) -> None:
    assert variant(written, "primavoce")["ContainerStartupHealthCheckTimeoutInSeconds"] == 600


def test_figures_come_every_ten_seconds(written: Written) -> None:
    configuration = written.template("primavoce-speech").one("AWS::SageMaker::EndpointConfig")

    assert configuration["MetricsConfig"] == {"EnableEnhancedMetrics": True, "MetricPublishFrequencyInSeconds": 10}


def test_what_scaling_has_made_of_it_outlives_a_deployment(written: Written) -> None:
    assert written.template("primavoce-speech").one("AWS::SageMaker::Endpoint")["RetainAllVariantProperties"] is True


def test_what_cant_be_changed_has_no_name_so_that_another_can_take_its_place(written: Written) -> None:
    template = written.template("primavoce-speech")

    assert "EndpointConfigName" not in template.one("AWS::SageMaker::EndpointConfig")
    assert "ModelName" not in template.one("AWS::SageMaker::Model")


@pytest.mark.parametrize(("name", "ending"), [("primavoce", ":0.1.0"), ("tiny", "@sha256:" + "5" * 64)])
def test_the_image_is_of_the_repository_by_tag_or_digest(written: Written, name: str, ending: str) -> None:
    image = flat(container(written, name)["Image"])

    assert f"/<{name}-weights:ExportsOutputRefSpeechImages" in image
    assert image.endswith(ending)


@pytest.mark.parametrize(("name", "sessions"), [("primavoce", "4"), ("tiny", "100")])
def test_the_server_lets_in_as_many_as_an_instance_takes_and_no_more(
    written: Written, name: str, sessions: str
) -> None:
    assert container(written, name)["Environment"]["PRIMAVOCE_MAX_SESSIONS"] == sessions


@pytest.mark.parametrize(("name", "isolated"), [("primavoce", True), ("tiny", False)])
def test_the_container_is_cut_off_from_networks_unless_told(written: Written, name: str, isolated: object) -> None:
    assert written.template(f"{name}-speech").one("AWS::SageMaker::Model")["EnableNetworkIsolation"] is isolated


def test_without_model_data_the_role_has_no_part_in_the_bucket(written: Written) -> None:
    role = written.template("primavoce-speech").role("sagemaker.amazonaws.com")

    assert [action for action in allowed(role) if action.startswith("s3:")] == []
    assert "ModelDataSource" not in container(written, "primavoce")


def test_model_data_is_one_folder_of_the_bucket_and_no_more(written: Written) -> None:
    role = written.template("tiny-speech").role("sagemaker.amazonaws.com")
    source = container(written, "tiny")["ModelDataSource"]["S3DataSource"]

    assert source["S3DataType"] == "S3Prefix"
    assert flat(source["S3Uri"]).endswith("/models/v1/small/")
    (objects,) = allowed(role)["s3:GetObject"]
    assert objects.endswith("/models/v1/small/*")
    (listing,) = [each for each in statements(role) if each["Action"] == "s3:ListBucket"]
    assert listing["Condition"] == {"StringLike": {"s3:prefix": ["models/v1/small/*"]}}
    assert {action for action in allowed(role) if action.startswith("s3:")} == {"s3:GetObject", "s3:ListBucket"}


def test_the_role_pulls_from_one_repository(written: Written) -> None:
    may = allowed(written.template("primavoce-speech").role("sagemaker.amazonaws.com"))

    (repository,) = may["ecr:BatchGetImage"]
    assert repository.startswith(REPOSITORY)
    assert may["ecr:GetDownloadUrlForLayer"] == may["ecr:BatchCheckLayerAvailability"] == {repository}


def test_the_role_writes_one_log(written: Written) -> None:
    may = allowed(written.template("primavoce-speech").role("sagemaker.amazonaws.com"))

    written_to = set().union(*(where for action, where in may.items() if action.startswith("logs:")))

    (log_group,) = written_to
    assert log_group.startswith("<primavoce-weights:ExportsOutputFnGetAttEndpointLogArn")


def test_the_role_publishes_in_sagemakers_namespaces_alone(written: Written) -> None:
    role = written.template("primavoce-speech").role("sagemaker.amazonaws.com")

    (figures,) = [each for each in statements(role) if each["Action"] == "cloudwatch:PutMetricData"]

    namespaces = {"cloudwatch:namespace": ["AWS/SageMaker", "/aws/sagemaker/Endpoints"]}
    assert figures["Condition"] == {"StringEquals": namespaces}


def test_the_role_may_do_nothing_else(written: Written) -> None:
    may = allowed(written.template("primavoce-speech").role("sagemaker.amazonaws.com"))

    assert {action.partition(":")[0] for action in may} == {"cloudwatch", "ecr", "logs"}
    assert [action for action in may if "*" in action] == []


def test_nobody_elses_account_makes_sagemaker_take_the_role_on(written: Written) -> None:
    role = written.template("primavoce-speech").role("sagemaker.amazonaws.com")

    (trusted,) = role["AssumeRolePolicyDocument"]["Statement"]

    assert trusted["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_it_tells_the_endpoints_name(written: Written) -> None:
    names = {"AlarmTopicArn", "EndpointArn", "EndpointName"}
    assert written.template("primavoce-speech").outputs == names | LIMITS


LIMITS = {"MinInstances", "MaxInstances", "SessionsPerInstance"}


@pytest.mark.parametrize(
    ("name", "limits"), [("primavoce", ["1", "2", "4"]), ("tiny", ["2", "20", "100"]), ("still-life", ["1", "2", "4"])]
)
def test_it_tells_what_the_next_deployment_may_not_fall_below_also_while_nothing_scales(
    written: Written, name: str, limits: list[str]
) -> None:
    outputs = written.template(f"{name}-speech").content["Outputs"]

    assert [outputs[each]["Value"] for each in ("MinInstances", "MaxInstances", "SessionsPerInstance")] == limits
