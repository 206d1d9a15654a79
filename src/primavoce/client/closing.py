"""The end of a WebSocket, whatever the other side does."""

import anyio
from websockets.asyncio.client import ClientConnection


async def close_within(socket: ClientConnection, limit_s: float) -> None:
    """Close ``socket`` in order, or without a word if that takes longer than ``limit_s`` seconds.

    Shielded: whoever is cancelled would leave the socket open behind them.
    """
    with anyio.move_on_after(limit_s, shield=True) as farewell:
        await socket.close()
    if farewell.cancelled_caught:  # it even waits for room to say so
        socket.transport.abort()
