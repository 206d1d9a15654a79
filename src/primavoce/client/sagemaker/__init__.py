"""Sessions with endpoints of Amazon SageMaker; needs the extra ``aws``.

Light until a session is opened: the SDK and botocore are imported then.
"""

from primavoce.client.sagemaker.address import EndpointAddress, is_sagemaker
from primavoce.client.sagemaker.credentials import CredentialSource
from primavoce.client.sagemaker.link import sagemaker_link
from primavoce.client.sagemaker.response_stream import response_stream_link
from primavoce.client.sagemaker.speech import SageMakerSpeech

__all__ = [
    "CredentialSource",
    "EndpointAddress",
    "SageMakerSpeech",
    "is_sagemaker",
    "response_stream_link",
    "sagemaker_link",
]
