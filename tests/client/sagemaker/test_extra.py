"""What can be said where the extra isn't installed."""

import subprocess
import sys

from primavoce.errors import ExtraMissing

WITHOUT = """
import sys, anyio
for name in ("aws_sdk_sagemaker_runtime_http2", "awscrt", "boto3", "botocore", "smithy_core"):
    sys.modules[name] = None
from primavoce.client import SpeechSession
from primavoce.client.sagemaker import EndpointAddress, SageMakerSpeech
from primavoce.errors import ExtraMissing

async def main():
    for transport in ("stream", "response-stream"):
        speech = SageMakerSpeech(EndpointAddress("speech", "us-east-1", None, transport))
        for asked in (speech.prepare, speech().__aenter__):
            try:
                await asked()
            except ExtraMissing as error:
                print(error)

anyio.run(main)
"""


def test_the_package_is_light_and_says_what_is_missing() -> None:
    said = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)

    assert said.stdout.splitlines() == [str(ExtraMissing("SageMaker", "aws"))] * 4
    assert said.stderr == ""
