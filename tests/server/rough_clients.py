"""Clients that know the words and not the grammar: bytes that a server may meet on its port, made by chance."""

import base64
import json
import random
import socket
import struct
from collections.abc import Callable

SESSION_PATH = b"/invocations-bidirectional-stream"
GOOD_HANDSHAKE = (
    b"GET " + SESSION_PATH + b" HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
)
GOOD_MESSAGES = (
    {"text": "Good morning."},
    {"text": "Hello there. And hello again.", "request_id": "r", "events": ["words"]},
    {"type": "text", "text": "One moment. Le", "request_id": "t"},
    {"type": "end", "request_id": "t"},
    {"type": "cancel"},
    {"type": "ping", "request_id": "p"},
    {"type": "flush"},
    {"type": "close"},
)
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
TIMEOUT_S = 0.02
"""How long one that listens for a moment does: it is rough, and doesn't wait for anybody."""


def handshake(chance: random.Random) -> bytes:
    """Return a handshake as it should be."""
    return GOOD_HANDSHAKE + base64.b64encode(chance.randbytes(16)) + b"\r\n\r\n"


def frame(
    payload: bytes, opcode: int = TEXT, *, last: bool = True, reserved: int = 0, mask: bytes | None = b"\0\0\0\0"
) -> bytes:
    """Return one frame of a WebSocket; by default as it should be."""
    first = bytes([(0x80 if last else 0) | reserved << 4 | opcode])
    bit = 0x80 if mask is not None else 0
    if len(payload) < 126:
        size = bytes([bit | len(payload)])
    elif len(payload) < 65536:
        size = bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        size = bytes([bit | 127]) + struct.pack(">Q", len(payload))
    key = mask or b""
    masked = bytes(byte ^ key[index % 4] for index, byte in enumerate(payload)) if mask else payload
    return first + size + key + masked


def spoilt(chance: random.Random, good: bytes) -> bytes:
    """Return ``good`` with a few bytes changed, left out, doubled, or put in."""
    made = bytearray(good)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(made) + 1)
        match chance.randrange(4):
            case 0:
                made[place:place] = chance.randbytes(chance.randint(1, 9))
            case 1:
                del made[place : place + chance.randint(1, 9)]
            case 2:
                made[place : place + 1] = chance.randbytes(1)
            case _:
                made[place:place] = made[place // 2 : place]
    return bytes(made)


def some_message(chance: random.Random) -> bytes:
    """Return a message, good, spoilt or rubbish."""
    good = json.dumps(chance.choice(GOOD_MESSAGES)).encode()
    return chance.choice((good, good, spoilt(chance, good), chance.randbytes(chance.randint(0, 200)), b""))


def some_frames(chance: random.Random) -> bytes:
    """Return what a client may send of one message, as frames, right or wrong."""
    message = some_message(chance)
    mask = chance.randbytes(4)
    match chance.randrange(12):
        case 0 | 1 | 2:
            return frame(message, chance.choice((TEXT, BINARY)), mask=mask)
        case 3:  # in pieces, with a control frame among them
            cut = len(message) // 2
            between = frame(b"x", chance.choice((PING, PONG)), mask=mask)
            return frame(message[:cut], TEXT, last=False) + between + frame(message[cut:], CONTINUATION)
        case 4:  # a second message begins before the first has ended
            return frame(message, TEXT, last=False) + frame(message, TEXT)
        case 5:
            return frame(message, CONTINUATION)
        case 6:
            return frame(message, chance.randrange(16), reserved=chance.randrange(8), last=chance.random() < 0.5)
        case 7:
            return frame(message, mask=None)
        case 8:  # too long for a control frame, or in pieces
            return frame(chance.randbytes(200), chance.choice((PING, PONG, CLOSE)), last=chance.random() < 0.5)
        case 9:  # a close with no code, half a code, one that doesn't exist, a reason that isn't UTF-8
            return frame(chance.choice((b"", b"\x03", struct.pack(">H", chance.randrange(65536)) + b"\xff")), CLOSE)
        case 10:  # a length that lies
            return bytes([0x81, 0xFF]) + struct.pack(">Q", chance.randrange(2**64)) + mask + message
        case _:
            return chance.randbytes(chance.randint(1, 400))


def some_request(chance: random.Random) -> bytes:
    """Return a request over HTTP, right or wrong."""
    body = some_message(chance)
    size = chance.choice((str(len(body)).encode(), b"-1", b"1e3", b"999999999999999999999", b"3, 4", b"", b"0x10"))
    heads = (
        b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body),
        b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + size + b"\r\n\r\n",
        b"POST /invocations HTTP/1.0\r\n\r\n",
        b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chance.choice((b"%x\r\n" % len(body), b"-5\r\n", b"zz\r\n", b"ffffffffffffffff\r\n")),
        b"POST /invocations HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /ping?" + b"x" * chance.choice((10, 9000, 70_000)) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /ping HTTP/1.1\r\n" + b"X-A: b\r\n" * chance.choice((1, 300, 9000)) + b"Host: localhost\r\n\r\n",
        chance.choice(
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"\0" * 99, b"GET\r\n\r\n")
        ),
    )
    whole = chance.choice(heads) + body + chance.choice((b"", b"\r\n0\r\n\r\n"))
    whole = spoilt(chance, whole) if chance.random() < 0.3 else whole
    return whole[: chance.randrange(len(whole))] if chance.random() < 0.2 else whole


def rough_session(chance: random.Random, connection: socket.socket) -> None:
    """Open a session, by a handshake that is right or nearly, and send frames that are right or not."""
    opening = handshake(chance)
    connection.sendall(spoilt(chance, opening) if chance.random() < 0.2 else opening)
    if chance.random() < 0.7:
        listen(connection)
    for _ in range(chance.randint(1, 6)):
        connection.sendall(some_frames(chance))
        if chance.random() < 0.3:
            listen(connection)


def rough_request(chance: random.Random, connection: socket.socket) -> None:
    """Send requests over HTTP, one after another whatever comes back."""
    for _ in range(chance.randint(1, 3)):
        connection.sendall(some_request(chance))


def noise(chance: random.Random, connection: socket.socket) -> None:
    """Send anything at all."""
    connection.sendall(chance.randbytes(chance.choice((1, 100, 5000))))


def listen(connection: socket.socket) -> None:
    """Take what there is, for a moment."""
    connection.settimeout(TIMEOUT_S)
    try:
        connection.recv(65536)
    except TimeoutError:
        pass
    connection.settimeout(5)


def leave(chance: random.Random, connection: socket.socket) -> None:
    """Go, politely or not."""
    match chance.randrange(3):
        case 0:
            connection.shutdown(socket.SHUT_WR)  # says that it is done, and may still listen
            listen(connection)
        case 1:  # with a reset
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        case _:
            pass


ROUGH: tuple[Callable[[random.Random, socket.socket], None], ...] = (
    rough_session,
    rough_session,
    rough_session,
    rough_request,
    noise,
)


def bother(chance: random.Random, place: tuple[str, int]) -> None:
    """Be one rough client of the server at ``place``."""
    with socket.create_connection(place, timeout=5) as connection:
        try:
            chance.choice(ROUGH)(chance, connection)
            leave(chance, connection)
        except (ConnectionError, OSError):
            pass  # it has been shown the door
