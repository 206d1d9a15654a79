import pytest

from primavoce.client.sagemaker.address import EndpointAddress, is_sagemaker
from primavoce.errors import InvalidSetting


@pytest.mark.parametrize(
    ("address", "endpoint"),
    [
        ("sagemaker:speech", EndpointAddress("speech")),
        ("sagemaker:a-1?region=eu-west-1", EndpointAddress("a-1", region="eu-west-1")),
        ("sagemaker:a?transport=response-stream&variant=b", EndpointAddress("a", None, "b", "response-stream")),
        ("sagemaker:a?region=", EndpointAddress("a")),
        ("sagemaker:a?url=https%3A%2F%2Fexample.com:8443", EndpointAddress("a", url="https://example.com:8443")),
    ],
)
def test_an_endpoint_is_named_with_its_options(address: str, endpoint: EndpointAddress) -> None:
    assert EndpointAddress.parse("--url", address) == endpoint


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("sagemaker:", "'' is no name of an endpoint"),
        ("sagemaker:-a", "'-a' is no name of an endpoint"),
        ("sagemaker:a/b", "'a/b' is no name of an endpoint"),
        ("sagemaker:" + "a" * 64, "is no name of an endpoint"),
        ("sagemaker:a?voice=b", "unknown: 'voice'; an endpoint has region, transport, url, variant"),
        ("sagemaker:a?url=example.com", "'example.com' is no address of a service"),
        ("sagemaker:a?transport=b", "unknown: 'b'; a transport is stream or response-stream"),
    ],
)
def test_what_names_no_endpoint_is_refused(address: str, reason: str) -> None:
    with pytest.raises(InvalidSetting, match="--url") as refused:
        EndpointAddress.parse("--url", address)

    assert reason in str(refused.value)


@pytest.mark.parametrize(("address", "is_one"), [("sagemaker:a", True), ("ws://sagemaker:1", False), ("local", False)])
def test_an_endpoint_is_told_from_other_addresses(address: str, is_one: bool) -> None:
    assert is_sagemaker(address) is is_one
