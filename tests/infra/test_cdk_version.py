"""Which CLI of CDK the pinned library asks for: it says so itself, in the package of what it writes."""

import json
import tarfile
from importlib.resources import files

import pytest

from primavoce.aws.local_checks import MINIMUM_CDK

pytestmark = pytest.mark.infra


def test_the_cli_that_is_asked_for_is_the_one_that_reads_what_the_library_writes() -> None:
    (package,) = (
        each for each in files("aws_cdk.cloud_assembly_schema._jsii").iterdir() if each.name.endswith(".jsii.tgz")
    )
    with package.open("rb") as file, tarfile.open(fileobj=file) as archive:
        (name,) = (each for each in archive.getnames() if each.endswith("/cli-version.json"))
        told = archive.extractfile(name)
        assert told is not None
        version = json.load(told)["version"]

    assert tuple(map(int, version.split(".")[:2])) == MINIMUM_CDK
