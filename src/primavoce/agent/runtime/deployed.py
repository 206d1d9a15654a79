"""A deployed runtime, by the SDKs of AWS: messages to it, and addresses of sockets. All of it blocks."""

import logging
from dataclasses import dataclass
from typing import Any, Self

import boto3  # type: ignore[import-untyped]
import structlog
from bedrock_agentcore.runtime import AgentCoreRuntimeClient
from botocore.config import Config  # type: ignore[import-untyped]

from primavoce.agent.runtime.arn import OPTION, RuntimeArn
from primavoce.agent.runtime.failures import NO_CREDENTIALS, reason_of, runtime_error
from primavoce.client.sagemaker.credentials import SIGN_IN
from primavoce.errors import InvalidSetting, RuntimeRefused

CONNECT_TIMEOUT_S = 10.0
SILENCE_S = 60.0
"""Seconds without a byte after which a runtime is given up; ours beats every 15."""
PRESIGNED_S = 120
"""Seconds in which an address that was handed out must be used: enough for a slow page and a clock that is a minute
off. AgentCore's SDK signs for 300 at most."""
LOUD_LIBRARIES = ("bedrock_agentcore", "boto3", "botocore", "urllib3")
"""Loggers of libraries that are only heard from a warning on: lower down they write what they sign, and signatures."""

log = structlog.get_logger("primavoce.agent")


@dataclass(frozen=True, slots=True)
class DeployedRuntime:
    """What one asks of it."""

    arn: RuntimeArn
    session: Any
    """Of boto3; has the credentials."""
    client: Any
    """Of boto3."""
    presigner: AgentCoreRuntimeClient

    @classmethod
    def of(cls, arn: RuntimeArn, *, connections: int) -> Self:
        """Return the runtime of ``arn``; nothing is sent yet.

        Args:
            arn: Its name.
            connections: How many may be kept.

        Raises:
            InvalidSetting: its region isn't in its partition.
            RuntimeRefused: there are no credentials for it.
        """
        for name in LOUD_LIBRARIES:
            logging.getLogger(name).setLevel(logging.WARNING)
        config = Config(
            connect_timeout=CONNECT_TIMEOUT_S,
            read_timeout=SILENCE_S,
            max_pool_connections=connections,
            # A prompt that was sent twice would be answered, and paid for, twice.
            retries={"mode": "standard", "total_max_attempts": 1},
        )
        try:
            session = boto3.Session(region_name=arn.region)
            if session.get_partition_for_region(arn.region) != arn.partition:
                raise InvalidSetting(OPTION, f"{arn.region} is no region of {arn.partition}")
            client = session.client("bedrock-agentcore", config=config)
            made = cls(arn, session, client, AgentCoreRuntimeClient(region=arn.region, session=session))
        except Exception as error:
            if type(error).__name__ in ("ProfileNotFound", "ConfigParseError"):
                raise RuntimeRefused(f"{NO_CREDENTIALS}: {SIGN_IN}") from error
            raise
        try:
            made.check_credentials()
        except RuntimeRefused as error:  # whoever starts it is told what to do; whoever asks later can't do it
            raise RuntimeRefused(f"{error.reason}: {SIGN_IN}") from error
        return made

    def invoke(self, message: bytes, session_id: str, *, accept: str) -> dict[str, Any]:
        """Send ``message``, and return the answer, whose body is yet to be read.

        Args:
            message: A JSON object.
            session_id: Whose conversation it is.
            accept: The media type that is wanted.

        Raises:
            AgentError: the answer can't be had.
        """
        self.check_credentials()
        endpoint = {} if self.arn.endpoint is None else {"qualifier": self.arn.endpoint}
        try:
            answer: dict[str, Any] = self.client.invoke_agent_runtime(
                agentRuntimeArn=self.arn.runtime,
                runtimeSessionId=session_id,
                contentType="application/json",
                accept=accept,
                payload=message,
                **endpoint,
            )
        except Exception as error:
            told = runtime_error(error)
            if told is None:
                raise
            log.warning("runtime failed", code=told.code, session=session_id, reason=reason_of(error))
            raise told from error
        return answer

    def presigned(self, session_id: str) -> str:
        """Return a ``wss://`` address that whoever has it may open as ``session_id`` for a little while.

        Raises:
            RuntimeRefused: there are no credentials to sign it with.
        """
        self.check_credentials()
        return self.presigner.generate_presigned_url(
            self.arn.runtime, session_id=session_id, endpoint_name=self.arn.endpoint, expires=PRESIGNED_S
        )

    def close(self) -> None:
        """Let connections go that are kept for later calls; those of calls under way go with their end."""
        self.client.close()

    def check_credentials(self) -> None:
        """See to it that there are credentials, fresh ones if need be.

        Raises:
            RuntimeRefused: there are none.
        """
        try:
            found = self.session.get_credentials()
            if found is not None:
                found.get_frozen_credentials()
        except Exception as error:  # where they come from fails in its own ways: files, commands, other services
            raise RuntimeRefused(NO_CREDENTIALS) from error
        if found is None:
            raise RuntimeRefused(NO_CREDENTIALS)
