import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.access import DIGEST_PREFIX, digest_of, parse_digest, parse_keys, parse_origin, parse_origins
from primavoce.errors import InvalidSetting

KEY = "pv_0123456789abcdef"


def test_a_key_is_kept_as_its_digest_alone() -> None:
    (key,) = parse_keys("V", KEY)

    assert key.digest == digest_of(KEY.encode())
    assert KEY not in repr(key)
    assert repr(key.digest) not in repr(key)


def test_keys_and_digests_may_stand_side_by_side_and_the_same_one_counts_once() -> None:
    digest = DIGEST_PREFIX + digest_of(KEY.encode()).hex()

    keys = parse_keys("V", f"{KEY}, {digest}, another-key-of-mine,")

    assert [key.digest for key in keys] == [digest_of(KEY.encode()), digest_of(b"another-key-of-mine")]
    assert len({key.name for key in keys}) == 2


@pytest.mark.parametrize(
    "text", ["short", "sha256:12", "sha256:" + "g" * 64, "a key with spaces in it", "ключключключключключ", ","]
)
def test_what_is_no_key_is_refused_without_being_told(text: str) -> None:
    with pytest.raises(InvalidSetting) as told:
        parse_keys("PRIMAVOCE_API_KEYS", f"{KEY},{text}" if text != "," else text)

    assert KEY not in str(told.value)
    assert text == "," or text not in str(told.value)


@given(st.binary(max_size=40))
def test_a_digest_is_read_as_it_is_written(key: bytes) -> None:
    assert parse_digest(DIGEST_PREFIX + digest_of(key).hex()) == digest_of(key)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Voice.Example.com", "https://voice.example.com"),
        ("https://voice.example.com:443", "https://voice.example.com"),
        ("http://voice.example.com:443", "http://voice.example.com:443"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("app://local", "app://local"),
        ("null", None),
        ("voice.example.com", None),
        ("https://", None),
        ("https://voice.example.com/page", None),
        ("https://ada@voice.example.com", None),
        ("https://voice.example.com:port", None),
        ("http://[::bad", None),
        ("", None),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(text: str, origin: str | None) -> None:
    assert parse_origin(text) == origin


def test_origins_stand_in_a_list() -> None:
    assert parse_origins("V", " https://a.example.com/ , *,") == ("https://a.example.com", "*")


def test_what_is_no_origin_is_named() -> None:
    with pytest.raises(InvalidSetting, match="V: must be origins"):
        parse_origins("V", "https://a.example.com,b.example.com")
