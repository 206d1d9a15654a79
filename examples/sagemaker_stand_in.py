"""Speak through what SageMaker has in front of an endpoint, played on this machine: no account, and nothing to pay.

primavoce serve &
uv run --extra aws --extra dev python examples/sagemaker_stand_in.py ws://127.0.0.1:8080
"""

import asyncio
import os
import sys

from primavoce.client.sagemaker import EndpointAddress, SageMakerSpeech
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY, sagemaker_front


async def main(url: str) -> None:
    os.environ |= {"AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY}  # it verifies signatures
    async with sagemaker_front(url) as front:
        address = EndpointAddress("speech", region="us-east-1", url=front.url)  # so its endpoint is called
        speech = SageMakerSpeech(address, ca_file=front.ca_file)
        async with speech() as session, session.utterance("Good morning. It is me.") as utterance:
            seconds = sum([len(pcm) async for pcm in utterance.audio()]) / 2 / 24_000
    print(f"{seconds:.1f} s of audio, after {front.sessions[0].verified_events} signed events")


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
