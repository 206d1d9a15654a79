"""The look at a service's certificate, which must distrust nobody whom AWS's run time trusts."""

import datetime as dt
import socket
import ssl
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import trustme
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.tls import TLSListener, TLSStream
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from smithy_core import URI

from primavoce.client.sagemaker.http2_transport import Transport
from primavoce.client.sagemaker.trust import Look
from tests.client.resuming.cutting import until
from tests.client.sagemaker.answering import full

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

WITHIN_S = 10.0


# --- services


@asynccontextmanager
async def secured(context: ssl.SSLContext) -> AsyncIterator[int]:
    """Let whoever comes in by TLS while the block runs."""

    async def connected(client: TLSStream) -> None:
        async with client:
            await anyio.sleep_forever()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with TLSListener(listener, context, standard_compatible=False) as by_tls, anyio.create_task_group() as tasks:
        tasks.start_soon(by_tls.serve, connected)
        yield int(listener.extra(SocketAttribute.local_port))
        tasks.cancel_scope.cancel()


def signed(folder: Path, *, bits: int = 2048, signers_bits: int = 2048, alternatives: bool = True) -> ssl.SSLContext:
    """Return a server's context; who signed for it is in ``folder``, as ``ca.pem``."""
    signer, key = rsa.generate_private_key(65537, signers_bits), rsa.generate_private_key(65537, bits)
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "those who sign")])
    now = dt.datetime.now(dt.UTC)

    def certificate(of: str, key: rsa.RSAPrivateKey, *extensions: tuple[x509.ExtensionType, bool]) -> bytes:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, of)])
        made = x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number())
        made = made.not_valid_before(now - dt.timedelta(1)).not_valid_after(now + dt.timedelta(1))
        for extension, critical in extensions:
            made = made.add_extension(extension, critical)
        return made.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    others = [(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)] if alternatives else []
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    (folder / "ca.pem").write_bytes(certificate("those who sign", signer, (x509.BasicConstraints(True, None), True)))
    (folder / "own.pem").write_bytes(secret + certificate("localhost", key, *others))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.load_cert_chain(folder / "own.pem")
    context.set_alpn_protocols(["h2"])
    return context


def by_one_who_is_signed_for(folder: Path) -> ssl.SSLContext:
    """Return such a context, where only the last in the chain of those who sign is trusted."""
    signer = trustme.CA().create_child_ca()
    signer.cert_pem.write_to_path(str(folder / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(["h2"])
    signer.issue_cert("localhost").configure_cert(context)
    return context


@contextmanager
def resolved(*addresses: tuple[str, int]) -> Iterator[None]:
    """Have any name resolved to ``addresses``."""
    with pytest.MonkeyPatch.context() as changes:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in addresses]
        changes.setattr("primavoce.client.sagemaker.trust.socket.getaddrinfo", lambda *_, **__: found)
        yield


async def looked(look: Look) -> ssl.SSLCertVerificationError | None:
    return await anyio.to_thread.run_sync(look.distrust)


# --- whom to trust


@pytest.mark.parametrize(
    ("make", "changes"),
    [
        (by_one_who_is_signed_for, {}),
        (signed, {}),
        (signed, {"bits": 1024}),
        (signed, {"signers_bits": 1024}),
        (signed, {"alternatives": False}),
    ],
    ids=["the last signer alone", "a usual one", "a short key", "a signer's short key", "a common name alone"],
)
async def test_whom_the_run_time_trusts_nobody_distrusts(tmp_path, make: Any, changes: dict[str, Any]) -> None:
    context, ca_file = make(tmp_path, **changes), str(tmp_path / "ca.pem")
    async with secured(context) as port:
        transport = Transport(ca_file)
        with anyio.fail_after(30):
            transport._kept.append(await transport._make(URI(host="localhost", port=port)))
        look = Look("localhost", port, ca_file, WITHIN_S)
        why = await looked(look)
        transport.close_all()

    assert why is None
    assert look.is_there


async def test_who_is_signed_for_by_others_is_distrusted(tmp_path) -> None:
    async with secured(signed(tmp_path)) as port:
        trustme.CA().cert_pem.write_to_path(str(tmp_path / "others.pem"))
        look = Look("localhost", port, str(tmp_path / "others.pem"), WITHIN_S)
        why = await looked(look)

    assert why is not None
    assert "unable to get local issuer certificate" in why.verify_message
    assert not look.is_there


async def test_whom_a_keychain_trusts_is_not_known_so_nobody_is_distrusted(tmp_path, monkeypatch) -> None:
    async with secured(signed(tmp_path)) as port:
        by_files = Look("localhost", port, None, WITHIN_S)
        assert await looked(by_files) is not None
        monkeypatch.setattr(sys, "platform", "darwin")
        by_keychain = Look("localhost", port, None, WITHIN_S)
        assert await looked(by_keychain) is None
        named = Look("localhost", port, str(tmp_path / "ca.pem"), WITHIN_S)
        assert await looked(named) is None

    assert (by_files.is_there, by_keychain.is_there) == (False, True)


# --- how far it comes


async def test_all_addresses_are_asked_at_once_for_the_first_may_be_dead(tmp_path) -> None:
    async with secured(signed(tmp_path)) as port:
        with full() as full_port, resolved(("127.0.0.1", full_port), ("127.0.0.1", 9), ("127.0.0.1", port)):
            look = Look("localhost", 8443, str(tmp_path / "ca.pem"), 3600.0)
            with anyio.fail_after(30):
                assert await looked(look) is None

    assert look.is_there


async def test_where_nobody_answers_nobody_is_distrusted() -> None:
    with full() as port:
        look = Look("127.0.0.1", port, None, 0.1)
        assert await looked(look) is None

    assert (look.has_address, look.is_there) == (True, False)


async def test_where_the_connection_is_refused_nobody_is_distrusted() -> None:
    look = Look("127.0.0.1", 9, None, 3600.0)

    assert await looked(look) is None
    assert (look.has_address, look.is_there) == (True, False)


async def test_where_no_tls_is_spoken_nobody_is_distrusted() -> None:
    async def greet(client: SocketStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            async with client:
                await client.send(b"220 at your service\r\n")
                await client.receive()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, greet)
        look = Look("localhost", int(listener.extra(SocketAttribute.local_port)), None, WITHIN_S)
        why = await looked(look)
        tasks.cancel_scope.cancel()

    assert why is None
    assert (look.has_address, look.is_there) == (True, False)


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 64 + ".example.com"])
async def test_a_name_that_is_none_has_no_address(host: str) -> None:
    look = Look(host, 8443, None, WITHIN_S)

    assert await looked(look) is None
    assert not look.has_address


async def test_a_name_that_is_never_resolved_has_no_address(monkeypatch) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> list[Any]:
        asked.set()
        go_on.wait(30)
        return []

    monkeypatch.setattr("primavoce.client.sagemaker.trust.socket.getaddrinfo", hang)
    look = Look("example.com", 8443, None, WITHIN_S)
    thread = threading.Thread(target=look.distrust)
    thread.start()
    await until(asked.is_set)
    had_address = look.has_address
    go_on.set()
    await anyio.to_thread.run_sync(thread.join)

    assert not had_address
