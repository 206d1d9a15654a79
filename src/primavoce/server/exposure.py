"""What must hold before a server is shown to anybody: keys where the network reaches it, and TLS that works."""

import ssl

from primavoce.errors import InvalidSetting
from primavoce.server.gate import is_loopback
from primavoce.settings import Settings


def check_exposure(host: str, settings: Settings) -> None:
    """Refuse an address that others reach if everybody were let in by it.

    Args:
        host: The address that is listened on.
        settings: What an operator has chosen.

    Raises:
        InvalidSetting: no key is asked for, and nobody has said that somebody else asks.
    """
    asks = bool(settings.api_keys) or settings.keys_file is not None
    if not (is_loopback(host) or asks or settings.open):
        raise InvalidSetting(
            "PRIMAVOCE_HOST",
            f"others reach {host}, and no API key is asked for: set PRIMAVOCE_KEYS_FILE or PRIMAVOCE_API_KEYS; or "
            "PRIMAVOCE_OPEN=1 (--open) where somebody else lets people in, as the platform of a container does",
        )


def check_tls(settings: Settings) -> None:
    """Refuse a certificate or a key that can't be used; Uvicorn would end with a trace.

    Raises:
        InvalidSetting: one is missing, can't be read, or doesn't belong to the other.
    """
    certificate, key = settings.tls_certificate, settings.tls_key
    if certificate is None and key is None:
        return
    if certificate is None or key is None:
        raise InvalidSetting(
            "PRIMAVOCE_TLS_CERTIFICATE" if certificate is None else "PRIMAVOCE_TLS_KEY",
            "TLS needs a certificate and its key: set both, or neither",
        )
    for name, path in (("PRIMAVOCE_TLS_CERTIFICATE", certificate), ("PRIMAVOCE_TLS_KEY", key)):
        try:
            path.read_bytes()
        except OSError as error:
            raise InvalidSetting(name, f"can't read {path}: {error.strerror}") from error
    try:
        # Without a password of ours, OpenSSL would ask for one at the terminal, and wait.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, OSError, ValueError) as error:
        reason = error.reason if isinstance(error, ssl.SSLError) and error.reason else type(error).__name__
        raise InvalidSetting(
            "PRIMAVOCE_TLS_CERTIFICATE",
            f"{certificate} and {key} are no certificate and its key, as PEM without a password ({reason})",
        ) from error
