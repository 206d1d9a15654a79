"""What names an endpoint of SageMaker where an address is asked for: ``sagemaker:NAME``, with options as a query."""

import re
from dataclasses import dataclass
from typing import Literal, Self, get_args
from urllib.parse import parse_qsl

from primavoce.errors import InvalidSetting

SCHEME = "sagemaker:"
Transport = Literal["stream", "response-stream"]
_NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
_OPTIONS = ("region", "transport", "url", "variant")


def is_sagemaker(address: str) -> bool:
    """Return whether ``address`` names an endpoint of SageMaker."""
    return address.startswith(SCHEME)


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """An endpoint, and how to speak to it."""

    endpoint: str
    """Its name."""
    region: str | None = None
    """The environment's or the profile's unless given."""
    variant: str | None = None
    """SageMaker chooses unless given."""
    transport: Transport = "stream"
    """``stream``: in both directions; ``response-stream``: an utterance at a time."""
    url: str | None = None
    """Address of the service, with its port, where it isn't the region's own: of an interface endpoint, for example."""

    @classmethod
    def parse(cls, name: str, address: str) -> Self:
        """Return what ``address`` names.

        Args:
            name: Of the setting or option, for the error's sentence.
            address: ``sagemaker:NAME``, with ``?region=…&transport=…&variant=…&url=…`` if wanted.

        Raises:
            InvalidSetting: it names nothing.
        """
        endpoint, _, query = address.removeprefix(SCHEME).partition("?")
        if not _NAME.fullmatch(endpoint):
            reason = f"{endpoint[:80]!r} is no name of an endpoint: letters, digits and hyphens, at most 63"
            raise InvalidSetting(name, reason)
        options = dict(parse_qsl(query, keep_blank_values=True))
        if unknown := sorted(set(options) - set(_OPTIONS)):
            raise InvalidSetting(name, f"unknown: {unknown[0][:80]!r}; an endpoint has {', '.join(_OPTIONS)}")
        transport = options.get("transport", "stream")
        if transport not in get_args(Transport):
            raise InvalidSetting(
                name, f"unknown: {transport[:80]!r}; a transport is {' or '.join(get_args(Transport))}"
            )
        url = options.get("url") or None
        if url is not None and not url.startswith(("https://", "http://")):
            raise InvalidSetting(name, f"{url[:80]!r} is no address of a service: https://HOST:PORT")
        return cls(
            endpoint,
            region=options.get("region") or None,
            variant=options.get("variant") or None,
            transport="response-stream" if transport == "response-stream" else "stream",
            url=url,
        )
