"""Whether a service's certificate is trusted, asked by Python's own TLS.

The run time of AWS knows at once, and tells after 10 to 30 s, so that nobody learns from how long it takes.
"""

import socket
import ssl
import time
from contextlib import suppress
from pathlib import Path

SYSTEMS = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where the run time of AWS finds the system's certificates; Python may look elsewhere, and must not trust fewer."""


def distrust(host: str, port: int, ca_file: str | None, within_s: float) -> ssl.SSLCertVerificationError | None:
    """Return why the certificate of a service isn't trusted, or `None` if it is, or can't be seen. It blocks.

    Args:
        host: Of the service.
        port: Of the service.
        ca_file: Who may have signed it, as PEM; those that the system trusts unless given.
        within_s: The longest wait for a connection, and then for TLS.
    """
    deadline = time.monotonic() + within_s
    try:
        context = _context(ca_file)
        with socket.create_connection((host, port), timeout=within_s) as connection:
            connection.settimeout(max(0.1, deadline - time.monotonic()))
            with context.wrap_socket(connection, server_hostname=host):
                return None
    except ssl.SSLCertVerificationError as error:
        return error
    except (OSError, ValueError):  # no connection, no TLS, no name: others tell that
        return None


def _context(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=ca_file)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # the run time isn't strict
    context.set_alpn_protocols(["h2", "http/1.1"])
    if ca_file is None:
        for known in filter(Path.exists, map(Path, SYSTEMS)):
            with suppress(OSError):
                context.load_verify_locations(cafile=known)
    return context
