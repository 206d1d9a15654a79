"""A server of one's own."""

from primavoce.client.local_server import for_ourselves


def test_a_server_of_ones_own_asks_nobody_for_a_key() -> None:
    environ = {"PRIMAVOCE_API_KEYS": "pv_0123456789abcdef", "PRIMAVOCE_TLS_KEY": "/key", "PRIMAVOCE_VOICE": "af_sky"}

    assert for_ourselves(environ) == {"PRIMAVOCE_VOICE": "af_sky"}
