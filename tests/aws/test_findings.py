"""What a deployment needs, and whether it can go on."""

import pytest

from primavoce.aws.findings import Finding, at_least, missing, ok, quota, unknown, verdict, version_in

DEPLOY = "primavoce aws deploy --name demo"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("uv 0.9.13 (abc 2026-01-01)", (0, 9, 13)),
        ("v24.19.0", (24, 19, 0)),
        ("2.1148.1 (build 4ff77cc)", (2, 1148, 1)),
        ("Docker version 28.2.2, build e6534b4", (28, 2, 2)),
        ("none at all", ()),
    ],
)
def test_a_version_is_read_from_what_a_program_says(text: str, version: tuple[int, ...]) -> None:
    assert version_in(text) == version


@pytest.mark.parametrize(
    ("text", "state"), [("18.0.0", "ok"), ("24", "ok"), ("17.9.9", "missing"), ("v?", "unknown"), ("18", "ok")]
)
def test_a_version_is_enough_or_too_old_or_cannot_be_told(text: str, state: str) -> None:
    assert at_least("Node", text, (18,), "install it").state == state


@pytest.mark.parametrize(
    ("limit", "wanted", "state"), [(0.0, 1, "missing"), (1.0, 2, "missing"), (2.0, 2, "ok"), (None, 1, "unknown")]
)
def test_a_quota_is_enough_or_not_or_not_listed(limit: float | None, wanted: int, state: str) -> None:
    found = quota("ml.g5.xlarge for endpoint usage", limit, wanted)

    assert found.state == state
    assert (found.remedy == "") == (state == "ok")


def test_a_quota_that_leaves_no_room_for_a_change_says_so() -> None:
    assert "twice" in quota("q", 1.0, 1).detail
    assert "twice" not in quota("q", 2.0, 1).detail


def test_only_what_is_needed_and_known_to_be_missing_stops_a_deployment() -> None:
    harmless = [ok("a", "1"), unknown("b", "nobody may look"), missing("c", "none", "get it", needed=False)]

    assert verdict(harmless, DEPLOY).can_deploy
    assert not verdict([*harmless, missing("d", "none", "get it")], DEPLOY).can_deploy


def test_the_sentence_names_what_stops_it_and_what_cannot_be_told() -> None:
    found = verdict([missing("Docker", "none", "get it"), unknown("quota", "denied"), ok("uv", "1")], DEPLOY)

    assert found.sentence == "`primavoce aws deploy --name demo` can't go on: Docker; can't tell: quota"
    assert found.as_object()["can_deploy"] is False


def test_whatever_isnt_ok_says_what_to_do() -> None:
    assert missing("Docker", "none", "get it").remedy == "get it"
    assert Finding("a", "unknown", "why", "ask").remedy == "ask"
