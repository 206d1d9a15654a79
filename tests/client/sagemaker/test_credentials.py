import threading
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from primavoce.aws.account import SIGN_IN
from primavoce.client.sagemaker import credentials
from primavoce.client.sagemaker.credentials import Credentials, CredentialSource
from primavoce.errors import EndpointRefused, InvalidSetting
from tests.client.resuming.cutting import until

pytestmark = pytest.mark.anyio


class Frozen:
    access_key, secret_key, token = "id", "secret", "token"


class Found:
    def __init__(self, error: Exception | None = None) -> None:
        self.asked = 0
        self._error = error

    def get_frozen_credentials(self) -> Frozen:
        self.asked += 1
        if self._error:
            raise self._error
        return Frozen()


class Session:
    def __init__(self, found: Found | None, region: str | None = "eu-west-1") -> None:
        self._found = found
        self._region = region

    def get_credentials(self) -> Found | None:
        return self._found

    def get_config_variable(self, name: str) -> str | None:
        return {"region": self._region, "ca_bundle": "/ca.pem"}[name]


async def test_botocore_is_asked_once_in_a_while() -> None:
    now, found = [0.0], Found()
    source = CredentialSource(Session(found), keep_s=60.0, clock=lambda: now[0])

    first = await source.current("speech")
    now[0] = 59.0
    await source.current("speech")
    asked_until_then = found.asked
    now[0] = 60.0
    await source.current("speech")

    assert first == Credentials("id", "secret", "token")
    assert (asked_until_then, found.asked) == (1, 2)


async def test_secrets_are_not_shown() -> None:
    shown = repr(await CredentialSource(Session(Found())).current("speech"))

    assert "secret" not in shown.replace("secret_key", "")
    assert "token'" not in shown


async def test_no_credentials_are_told_at_once() -> None:
    with pytest.raises(EndpointRefused, match="there are no credentials: `aws configure`"):
        await CredentialSource(Session(None)).current("speech")


def test_what_to_do_without_credentials_is_said_in_the_words_of_the_other_commands() -> None:
    assert credentials.SIGN_IN == SIGN_IN


async def test_where_they_come_from_may_fail_in_any_way() -> None:
    with pytest.raises(EndpointRefused, match=r"no credentials can be had \(ZeroDivisionError\)"):
        await CredentialSource(Session(Found(ZeroDivisionError("secret")))).current("speech")


async def test_who_is_trusted_is_botocores() -> None:
    assert await CredentialSource(Session(None)).ca_file() == "/ca.pem"


async def test_the_region_is_botocores() -> None:
    assert await CredentialSource(Session(None)).region() == "eu-west-1"
    with pytest.raises(InvalidSetting, match="AWS_REGION"):
        await CredentialSource(Session(None, region=None)).region()


class HangingOnce(Found):
    """Answers once, and then not until it is told to."""

    def __init__(self, expires_in_s: float | None = None) -> None:
        super().__init__()
        self.go_on = threading.Event()
        if expires_in_s is not None:
            self._expiry_time = datetime.now(UTC) + timedelta(seconds=expires_in_s)

    def get_frozen_credentials(self) -> Frozen:
        self.asked += 1
        if self.asked > 1:
            self.go_on.wait(10)
        return Frozen()


async def test_credentials_that_are_still_good_are_used_while_botocore_hangs() -> None:
    now, found = [0.0], HangingOnce(expires_in_s=900.0)
    source = CredentialSource(Session(found), keep_s=60.0, patience_s=0.01, again_s=9000.0, clock=lambda: now[0])
    first = await source.current("speech")
    now[0] = 100.0

    with anyio.fail_after(5):
        second, third = await source.current("speech"), await source.current("speech")
        region, trusted = await source.region(), await source.ca_file()
    now[0] = 1000.0
    with anyio.move_on_after(0.05) as patience:
        await source.current("speech")
    asked, threads = found.asked, [thread for thread in threading.enumerate() if thread.name == "aws-credentials"]
    found.go_on.set()

    assert (first, second, third) == (first,) * 3
    assert (region, trusted) == ("eu-west-1", "/ca.pem")
    assert patience.cancelled_caught  # they have expired
    assert asked == 2
    assert [thread.daemon for thread in threads] == [True]


async def test_credentials_that_are_still_good_are_used_when_botocore_fails() -> None:
    now, found = [0.0], Found()
    source = CredentialSource(Session(found), clock=lambda: now[0])
    first = await source.current("speech")
    found._error = ZeroDivisionError()
    now[0] = 100.0

    assert await source.current("speech") == first


async def test_botocore_is_asked_once_for_all_who_wait() -> None:
    found = HangingOnce()
    found.asked = 1
    source = CredentialSource(Session(found))
    told: list[Credentials] = []

    async def ask() -> None:
        told.append(await source.current("speech"))

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        found.go_on.set()

    assert len(told) == 3
    assert found.asked == 2


async def test_botocore_is_asked_off_the_event_loop() -> None:
    asked_in: list[threading.Thread] = []

    class Noting(Session):
        def get_credentials(self) -> Found | None:
            asked_in.append(threading.current_thread())
            return super().get_credentials()

        def get_config_variable(self, name: str) -> str | None:
            asked_in.append(threading.current_thread())
            return super().get_config_variable(name)

    source = CredentialSource(Noting(Found()))
    await source.current("speech")
    await source.region()
    await source.ca_file()

    assert len(asked_in) == 3
    assert threading.current_thread() not in asked_in


async def test_neither_the_loop_nor_the_settings_wait_while_botocore_hangs() -> None:
    found = HangingOnce()
    found.asked = 1  # so that it hangs at once
    source = CredentialSource(Session(found))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(source.current, "speech")
        with anyio.fail_after(5):
            await until(lambda: found.asked == 2)
            region, trusted = await source.region(), await source.ca_file()
        found.go_on.set()

    assert (region, trusted) == ("eu-west-1", "/ca.pem")


async def test_settings_that_botocore_cannot_read_are_not_read_again_for_a_while() -> None:
    now, asked = [0.0], []

    class Unreadable(Session):
        def get_config_variable(self, name: str) -> str | None:
            asked.append(name)
            raise OSError("secret")

    source = CredentialSource(Unreadable(None), keep_s=60.0, clock=lambda: now[0])
    for ask in (source.region, source.region, source.ca_file, source.ca_file):
        with pytest.raises(InvalidSetting, match=r"its settings can't be read \(OSError\)"):
            await ask()
    asked_until_then = list(asked)
    now[0] = 60.0
    with pytest.raises(InvalidSetting):
        await source.region()

    assert asked_until_then == ["region", "ca_bundle"]
    assert asked == ["region", "ca_bundle", "region"]


async def test_settings_are_read_once() -> None:
    asked = []

    class Noting(Session):
        def get_config_variable(self, name: str) -> str | None:
            asked.append(name)
            return super().get_config_variable(name)

    source = CredentialSource(Noting(None), keep_s=0.0)
    for _ in range(2):
        assert (await source.region(), await source.ca_file()) == ("eu-west-1", "/ca.pem")

    assert asked == ["region", "ca_bundle"]


# --- a search that doesn't end


class Deaf(Session):
    """Answers nobody who comes first: so many as it is told, until it is told to go on."""

    def __init__(self, hangs: int = 1, found: Found | None = None) -> None:
        super().__init__(found or Found())
        self.asked = 0
        self.go_on = threading.Event()
        self._hangs = hangs

    def get_credentials(self) -> Found | None:
        self.asked += 1
        if self.asked <= self._hangs:
            self.go_on.wait(30)
        return super().get_credentials()


async def asked_in_vain(source: CredentialSource, session: Deaf, asked: int) -> None:
    """Ask as somebody who is cancelled, once a search, and no more, hangs for him."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(source.current, "speech")
        await until(lambda: session.asked == asked)
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()


async def test_a_search_that_does_not_end_keeps_nobody_from_another() -> None:
    now, session = [0.0], Deaf()
    source = CredentialSource(session, again_s=60.0, clock=lambda: now[0])
    await asked_in_vain(source, session, 1)
    now[0] = 59.0
    await asked_in_vain(source, session, 1)
    now[0] = 60.0

    with anyio.fail_after(5):
        assert await source.current("speech") == Credentials("id", "secret", "token")
    now[0] = 1000.0
    with anyio.fail_after(5):
        await source.current("speech")
    asked = session.asked
    session.go_on.set()

    assert asked == 3


async def test_whoever_waited_before_is_told_what_another_search_finds() -> None:
    now, session, told = [0.0], Deaf(), []
    source = CredentialSource(session, again_s=60.0, clock=lambda: now[0])

    async def ask() -> None:
        told.append(await source.current("speech"))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await until(lambda: session.asked == 1)
            now[0] = 60.0
            tasks.start_soon(ask)
    session.go_on.set()

    assert len(told) == 2


async def test_what_comes_first_is_taken_even_of_a_search_that_was_given_up() -> None:
    now, session, told = [0.0], Deaf(hangs=2), []
    source = CredentialSource(session, again_s=60.0, clock=lambda: now[0])
    await asked_in_vain(source, session, 1)
    now[0] = 60.0

    async def ask() -> None:
        told.append(await source.current("speech"))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await until(lambda: session.asked == 2)
            session.go_on.set()

    assert told == [Credentials("id", "secret", "token")]


async def test_what_a_search_that_hung_finds_late_does_not_replace_what_was_found_since() -> None:
    class Numbered(Deaf):
        def get_credentials(self) -> Found | None:
            frozen, found = Frozen(), Found()
            frozen.access_key = f"of search {self.asked + 1}"
            found.get_frozen_credentials = lambda: frozen  # type: ignore[method-assign]
            super().get_credentials()
            return found

    now, session = [0.0], Numbered()
    source = CredentialSource(session, again_s=60.0, clock=lambda: now[0])
    await asked_in_vain(source, session, 1)
    now[0] = 60.0
    first = await source.current("speech")
    (hung,) = [search.answer for search in source._searches["credentials"] if not search.answer.done()]
    session.go_on.set()
    await until(hung.done)

    assert first.access_key == "of search 2"
    assert await source.current("speech") == first


async def test_few_searches_hang_at_once() -> None:
    now, session = [0.0], Deaf(hangs=100)
    source = CredentialSource(session, again_s=60.0, clock=lambda: now[0])
    for asked in (1, 2, 3, 3, 3):
        await asked_in_vain(source, session, asked)
        now[0] += 60.0
    session.go_on.set()

    assert session.asked == credentials.MOST_SEARCHES


async def test_another_search_has_a_session_of_its_own_unless_one_was_given(monkeypatch) -> None:
    made: list[Deaf] = []

    def make() -> Deaf:
        made.append(Deaf(hangs=0 if made else 1))
        return made[-1]

    monkeypatch.setattr(credentials, "_session", make)
    now = [0.0]
    source = CredentialSource(again_s=60.0, clock=lambda: now[0])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(source.current, "speech")
        await until(lambda: made and made[0].asked)
        tasks.cancel_scope.cancel()
    for now[0] in (60.0, 120.0, 180.0):
        with anyio.fail_after(5):
            await source.current("speech")
    made[0].go_on.set()

    assert [session.asked for session in made] == [1, 3]
    assert source.session is made[1]
