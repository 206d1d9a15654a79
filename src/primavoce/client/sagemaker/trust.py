"""Whether a service's certificate is trusted, asked by Python's own TLS.

The run time of AWS knows at once, and tells after 10 to 30 s, so that nobody learns from how long it takes.
"""

import selectors
import socket
import ssl
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from typing import Any

SYSTEMS = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where the run time of AWS finds the system's certificates; Python may look elsewhere, and must not trust fewer."""
FOLDERS = ("/etc/ssl/certs", "/etc/pki/tls/certs")
"""And where it finds them one by one."""
KEYCHAINS = ("darwin", "win32")
"""Systems on which it asks a keychain, which Python doesn't know."""


class Look:
    """A look at a service; a thread is to take it, and any may see how far it has come.

    Args:
        host: Of the service.
        port: Of the service.
        ca_file: Who may have signed its certificate, as PEM; those that the system trusts unless given.
        within_s: The longest wait for a connection and for TLS.
    """

    def __init__(self, host: str, port: int, ca_file: str | None, within_s: float) -> None:
        self.has_address = False
        """Whether the host's name has been resolved."""
        self.is_there = False
        """Whether the service speaks TLS, with a certificate that isn't known to be distrusted."""
        self._host = host
        self._port = port
        self._ca_file = ca_file
        self._within_s = within_s

    def distrust(self) -> ssl.SSLCertVerificationError | None:
        """Return why the certificate isn't trusted, or `None` if it is, or can't be seen. It blocks."""
        try:
            addresses = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
            self.has_address = True
            context = _context(self._ca_file)
            deadline = time.monotonic() + self._within_s
            with _first_to_answer(addresses, deadline) as connection:
                connection.settimeout(max(0.1, deadline - time.monotonic()))
                with context.wrap_socket(connection, server_hostname=self._host):
                    self.is_there = True
                    return None
        except ssl.SSLCertVerificationError as error:
            return error
        except (OSError, ValueError):  # no connection, no TLS, no name: others tell that
            return None


def _first_to_answer(addresses: Iterable[tuple[Any, ...]], deadline: float) -> socket.socket:
    """Return a connection with the first of ``addresses`` to take one: all are asked at once, for some may be dead.

    Raises:
        OSError: none does.
    """
    with ExitStack() as others, selectors.DefaultSelector() as asked:
        for family, kind, protocol, _, address in addresses:
            with suppress(OSError):  # a family that this machine hasn't, or an address without a route
                each = others.enter_context(socket.socket(family, kind, protocol))
                each.settimeout(0.0)
                with suppress(BlockingIOError):
                    each.connect(address)
                asked.register(each, selectors.EVENT_WRITE)
        while asked.get_map() and (left_s := deadline - time.monotonic()) > 0:
            for key, _ in asked.select(left_s):
                found = key.fileobj
                assert isinstance(found, socket.socket)
                asked.unregister(found)
                if not found.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    return socket.socket(fileno=found.detach())
    raise OSError("nobody answers")


def _context(ca_file: str | None) -> ssl.SSLContext:
    """Return whom to trust: nobody is distrusted here whom the run time trusts."""
    context = ssl.create_default_context(cafile=ca_file)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # who signs for others may be trusted without who signed it
    context.set_ciphers("DEFAULT:@SECLEVEL=0")  # short keys may be
    context.set_alpn_protocols(["h2", "http/1.1"])
    if ca_file is not None:
        return context
    if sys.platform in KEYCHAINS:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context
    for known in SYSTEMS:
        with suppress(OSError):  # it isn't there
            context.load_verify_locations(cafile=known)
    for folder in FOLDERS:
        with suppress(OSError):
            context.load_verify_locations(capath=folder)
    return context
