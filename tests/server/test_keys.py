"""API keys: made, kept, looked up, read again."""

import errno
import os
import stat
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from primavoce.access import ApiKey, digest_of
from primavoce.errors import InvalidSetting
from primavoce.server.keys import LOOK_PERIOD_S, KeyRing, add_key, make_key, read_keys, remove_key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_keys_are_long_and_never_the_same() -> None:
    keys = {make_key() for _ in range(100)}

    assert len(keys) == 100
    assert all(key.startswith("pv_") and len(key) >= 3 + 43 for key in keys)


def test_a_key_is_added_as_a_digest_in_a_file_that_only_its_owner_reads(path: Path) -> None:
    key = add_key(path, "ada")

    assert key not in path.read_text()
    assert path.read_text() == f"ada sha256:{digest_of(key.encode()).hex()}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_keys(path) == (ApiKey("ada", digest_of(key.encode())),)


def test_a_second_key_goes_below_the_first_even_without_a_line_end(path: Path) -> None:
    first = add_key(path, "ada")
    path.write_text(path.read_text().rstrip("\n"))

    second = add_key(path, "grace")

    ring = KeyRing((), path)
    assert (ring.name_of(first.encode()), ring.name_of(second.encode())) == ("ada", "grace")


def test_a_name_has_one_key(path: Path) -> None:
    add_key(path, "ada")

    with pytest.raises(InvalidSetting, match="ada: has a key"):
        add_key(path, "ada")


@pytest.mark.parametrize("name", ["", "two words", "../up", "-dash", "a\nb", "x" * 65, "sha256:ab", "ключ"])
def test_what_is_no_name_gets_no_key(path: Path, name: str) -> None:
    with pytest.raises(InvalidSetting, match="a name has"):
        add_key(path, name)

    assert not path.exists()


def test_a_key_is_removed_and_the_rest_of_the_file_stays(path: Path) -> None:
    add_key(path, "ada")
    with path.open("a") as file:
        file.write("# the lab's\n\n")
    key = add_key(path, "grace")
    path.chmod(0o640)

    remove_key(path, "ada")

    assert path.read_text() == f"# the lab's\n\ngrace sha256:{digest_of(key.encode()).hex()}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in path.parent.iterdir()] == ["keys"]


def test_whose_the_file_is_it_stays_though_somebody_else_removes_a_key(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[str, int, int]] = []

    def give(file: str, user: int, group: int) -> None:
        assert "ada" in path.read_text()  # before it is put in place
        given.append((Path(file).parent.name, user, group))

    add_key(path, "ada")
    owner = path.stat()
    monkeypatch.setattr(os, "chown", give)

    remove_key(path, "ada")

    assert given == [(path.parent.name, owner.st_uid, owner.st_gid)]


def test_a_file_that_cannot_stay_its_owners_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    add_key(path, "ada")
    before = path.read_text()
    monkeypatch.setattr(os, "chown", refuse)

    with pytest.raises(InvalidSetting, match="without taking it from its owner"):
        remove_key(path, "ada")

    assert path.read_text() == before
    assert [file.name for file in path.parent.iterdir()] == ["keys"]


def test_a_link_to_the_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(path)
    add_key(link, "ada")

    remove_key(link, "ada")

    assert link.is_symlink()
    assert path.read_text() == ""


def test_nobodys_key_cannot_be_removed(path: Path) -> None:
    add_key(path, "ada")

    with pytest.raises(InvalidSetting, match="grace: has no key"):
        remove_key(path, "grace")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"ada\n", "line 1 is not NAME"),
        (b"# of mine\nada md5:00\n", "line 2 is not NAME"),
        (b"ada sha256:00\n", "line 1 is not NAME"),
        (b"a/b sha256:" + b"0" * 64, "line 1 is not NAME"),
        (b"ada sha256:" + b"0" * 64 + b"\nada sha256:" + b"1" * 64, "line 2: 'ada' has a key already"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_broken_file_is_refused_by_its_line_and_not_quoted(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)

    with pytest.raises(InvalidSetting, match=reason) as told:
        KeyRing((), path)

    assert "0000" not in str(told.value)


def test_a_file_that_is_not_there_is_refused_at_the_start(path: Path) -> None:
    with pytest.raises(InvalidSetting, match="can't be read"):
        KeyRing((), path)


def test_without_keys_none_is_asked_for_but_an_empty_file_lets_nobody_in(path: Path) -> None:
    path.touch()

    assert not KeyRing().asks
    assert KeyRing((), path).asks
    assert KeyRing((), path).name_of(b"anything") is None


def test_every_key_is_compared_wherever_the_one_that_fits_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    import hmac

    compared: list[bytes] = []

    def compare(known: bytes, shown: bytes) -> bool:
        compared.append(known)
        return known == shown

    monkeypatch.setattr(hmac, "compare_digest", compare)
    ring = KeyRing([ApiKey(name, digest_of(name.encode())) for name in ("a", "b", "c")])

    for key, name in ((b"a", "a"), (b"c", "c"), (b"nobody's", None)):
        compared.clear()
        assert ring.name_of(key) == name
        assert len(compared) == 3


def test_a_file_that_has_changed_is_read_again_after_a_second(path: Path) -> None:
    clock = Clock()
    first = add_key(path, "ada")
    ring = KeyRing((), path, clock=clock)
    second = add_key(path, "grace")

    early = ring.name_of(second.encode())
    clock.now += LOOK_PERIOD_S
    late = ring.name_of(second.encode())
    remove_key(path, "ada")
    clock.now += LOOK_PERIOD_S

    assert (early, late) == (None, "grace")
    assert ring.name_of(first.encode()) is None


@pytest.mark.parametrize("broken", ["no key at all", None], ids=["broken", "gone"])
def test_a_file_that_breaks_later_keeps_the_keys_that_were_there_and_is_told_once(
    path: Path, broken: str | None
) -> None:
    clock = Clock()
    key = add_key(path, "ada").encode()
    ring = KeyRing((), path, clock=clock)
    path.unlink() if broken is None else path.write_text(broken)

    with capture_logs() as logs:
        names = []
        for _ in range(3):
            clock.now += LOOK_PERIOD_S
            names.append(ring.name_of(key))

    assert names == ["ada"] * 3
    assert [line["log_level"] for line in logs] == ["error"]


def test_a_file_that_could_not_be_read_for_a_moment_is_read_at_the_next_look(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_many_files(*_: object, **__: object) -> str:
        raise OSError(errno.EMFILE, "Too many open files")

    clock = Clock()
    key = add_key(path, "ada").encode()
    ring = KeyRing((), path, clock=clock)
    remove_key(path, "ada")

    names = []
    with capture_logs() as logs:
        with monkeypatch.context() as moment:
            moment.setattr(Path, "read_text", too_many_files)
            for _ in range(2):
                clock.now += LOOK_PERIOD_S
                names.append(ring.name_of(key))
        clock.now += LOOK_PERIOD_S
        names.append(ring.name_of(key))

    assert names == ["ada", "ada", None]
    assert [line["log_level"] for line in logs] == ["error", "info"]


def test_a_file_that_comes_back_and_goes_again_is_told_again(path: Path, tmp_path: Path) -> None:
    clock = Clock()
    key = add_key(path, "ada").encode()
    ring = KeyRing((), path, clock=clock)

    with capture_logs() as logs:
        for source, target in ((path, tmp_path / "away"), (tmp_path / "away", path), (path, tmp_path / "away")):
            source.rename(target)
            clock.now += LOOK_PERIOD_S
            assert ring.name_of(key) == "ada"

    assert [line["log_level"] for line in logs] == ["error", "info", "error"]
