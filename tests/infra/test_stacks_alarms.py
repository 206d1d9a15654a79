"""Alarms, what they watch, and whom they tell."""

import io
import json
import logging
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping

import pytest
import structlog

from primavoce.errors import Overloaded
from primavoce.protocol.messages import Error
from primavoce.server.observation import Observer
from primavoce.server.records import UtteranceRecord
from primavoce.server.refusal import QUEUE_SATURATED
from primavoce.server.run import configure_logging
from primavoce.testing.fake_engine import FakeModel, fake_engine
from primavoce_infra.log_metrics import LOG_METRICS
from primavoce_infra.naming import ALARM_KINDS
from tests.infra.written import Written, flat
from tests.server.test_session import calling

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
STACK = "primavoce-speech"


def test_there_is_an_alarm_of_each_kind_and_no_other(written: Written) -> None:
    names = {each["Properties"]["AlarmName"] for each in written.template(STACK).all("AWS::CloudWatch::Alarm").values()}

    assert names == {f"{STACK}-{kind}" for kind in (*ALARM_KINDS, "scale-in")}


@pytest.mark.parametrize("kind", ALARM_KINDS)
def test_each_alarm_tells_when_it_begins_and_when_it_ends_and_says_what_of(written: Written, kind: str) -> None:
    template = written.template(STACK)
    alarm = template.alarm(kind)

    (topic,) = template.all("AWS::SNS::Topic")
    assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": topic}]
    assert alarm["TreatMissingData"] == "notBreaching"
    assert len(alarm["AlarmDescription"]) > 40


@pytest.mark.parametrize(("stack", "seconds"), [("primavoce-speech", 1), ("tiny-speech", 0.7)])
def test_the_wait_for_first_audio_is_read_from_the_servers_own_log(
    written: Written, stack: str, seconds: float
) -> None:
    alarm = written.template(stack).alarm("first-audio-p95")

    assert (alarm["Namespace"], alarm["MetricName"]) == (f"Primavoce/{stack}", "FirstAudio")
    assert (alarm["ExtendedStatistic"], alarm["Threshold"]) == ("p95", seconds)


@pytest.mark.parametrize(("stack", "microseconds"), [("primavoce-speech", 5_000_000), ("tiny-speech", 3_000_000)])
def test_sagemakers_own_wait_is_in_microseconds(written: Written, stack: str, microseconds: int) -> None:
    alarm = written.template(stack).alarm("first-chunk-p95")

    assert (alarm["MetricName"], alarm["ExtendedStatistic"]) == ("FirstChunkLatency", "p95")
    assert alarm["Threshold"] == microseconds
    assert {each["Name"]: each["Value"] for each in alarm["Dimensions"]} == {
        "EndpointName": stack,
        "VariantName": "primary",
    }


def test_errors_are_the_most_of_any_kind_for_one_that_fails_is_of_several(written: Written) -> None:
    metrics = written.template(STACK).alarm("errors")["Metrics"]

    (total,) = (each["Expression"] for each in metrics if each["ReturnData"])
    summed = {each["Id"]: each["MetricStat"]["Metric"]["MetricName"] for each in metrics if not each["ReturnData"]}
    assert set(summed.values()) == {"Invocation5XXErrors", "InvocationModelErrors", "MidStreamErrors", "Faults"}
    assert total == f"MAX([{', '.join(f'FILL({each}, 0)' for each in summed)}])"


def test_refusals_for_longer_than_an_instance_takes_are_an_alarm(written: Written) -> None:
    alarm = written.template(STACK).alarm("refusals")

    assert (alarm["MetricName"], alarm["Statistic"]) == ("Refusals", "Sum")
    assert alarm["EvaluationPeriods"] * alarm["Period"] == 600


@pytest.mark.parametrize(("name", "sessions"), [("primavoce", 3.6), ("tiny", 90)])
def test_instances_that_are_nearly_full_are_an_alarm(written: Written, name: str, sessions: float) -> None:
    template = written.template(f"{name}-speech")
    alarm = template.alarm("capacity")

    assert (alarm["MetricName"], alarm["Statistic"]) == ("ConcurrentRequestsPerModel", "Average")
    assert alarm["Threshold"] == sessions


def test_what_is_counted_in_the_log_goes_by_the_endpoints_name(written: Written) -> None:
    filters = written.template(STACK).all("AWS::Logs::MetricFilter").values()

    assert len(filters) == len(LOG_METRICS)
    for each in filters:
        assert flat(each["Properties"]["LogGroupName"]).startswith("<primavoce-weights:ExportsOutputRefEndpointLog")
        (counted,) = each["Properties"]["MetricTransformations"]
        assert counted["MetricNamespace"] == "Primavoce/primavoce-speech"


def test_fields_that_are_counted_are_those_that_the_server_writes() -> None:
    with structlog.testing.capture_logs() as lines:
        Observer().utterance_ended(
            UtteranceRecord(
                session="s", request_id="r", voice="v", language="en-us", outcome="error", code=Overloaded(1).code,
                characters=1, segments=0, audio_s=0, work_s=0, dry_s=0, arrived_at=0, ended_at=1, first_audio_at=1,
            ),
            {},
        )  # fmt: skip
    (line,) = lines
    by_name = {each.name: each for each in LOG_METRICS}

    assert f'$.event = "{line["event"]}"' in by_name["Utterances"].pattern
    assert by_name["FirstAudio"].value.removeprefix("$.") in line
    assert f'$.code = "{line["code"]}"' in by_name["Refusals"].pattern
    assert f'$.code = "{QUEUE_SATURATED}"' in by_name["Refusals"].pattern


def counts(pattern: str, line: Mapping[str, object]) -> bool:
    """Return whether CloudWatch would count ``line``: of its filters, as much as ours are written in."""
    operators = {
        "=": operator.eq,
        "!=": operator.ne,
        ">=": lambda value, least: isinstance(value, int | float) and value >= least,
    }

    def compared(term: re.Match[str]) -> str:
        name, sign, value = term.groups()
        return str(bool(operators[sign](line.get(name), json.loads(value))))

    logic = re.sub(r'\$\.(\w+) (>=|!=|=) ("[^"]*"|[0-9.]+)', compared, pattern.strip("{} "))
    assert set(re.findall(r"[^() ]+", logic)) <= {"True", "False", "&&", "||"}, pattern
    found: bool = eval(logic.replace("&&", "and").replace("||", "or"))
    return found


@pytest.fixture
def log_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[dict[str, object]]]]:
    """What takes the lines of the log as a server writes them."""
    before, root = structlog.get_config(), logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    root.handlers[:] = []  # pytest's own, which would be closed
    text = io.StringIO()
    monkeypatch.setattr(sys, "stderr", text)
    configure_logging("info")
    monkeypatch.undo()
    yield lambda: [json.loads(line) for line in text.getvalue().splitlines()]
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)


def ended(outcome: str) -> UtteranceRecord:
    return UtteranceRecord(
        session="s", request_id="r", voice="v", language="en-us", outcome=outcome, code=None,
        characters=1, segments=0, audio_s=0, work_s=0, dry_s=0, arrived_at=0, ended_at=1, first_audio_at=None,
    )  # fmt: skip


@pytest.mark.anyio
async def test_a_model_that_fails_is_one_fault(serving, log_lines: Callable[[], list[dict[str, object]]]) -> None:
    def fail() -> None:
        raise RuntimeError

    async with (
        serving(fake_engine(model=FakeModel(before=fail))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="Hello.", request_id="a")
        await caller.until(Error)

    lines = log_lines()
    counted = {each.name: sum(counts(each.pattern, line) for line in lines) for each in LOG_METRICS}
    assert counted == {"FirstAudio": 0, "Utterances": 1, "Refusals": 0, "Faults": 1}


def test_a_session_that_fails_is_one_fault_however_many_utterances_it_takes_along(
    log_lines: Callable[[], list[dict[str, object]]],
) -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        structlog.get_logger("primavoce.server").exception("session failed", session="s")
    for _ in range(2):
        Observer().utterance_ended(ended("failed"), {})

    lines = log_lines()
    counted = {each.name: sum(counts(each.pattern, line) for line in lines) for each in LOG_METRICS}
    assert counted == {"FirstAudio": 0, "Utterances": 2, "Refusals": 0, "Faults": 1}


def test_the_topic_takes_messages_of_this_accounts_alarms_by_tls(written: Written) -> None:
    policy = written.template(STACK).one("AWS::SNS::TopicPolicy")

    by_effect = {each["Effect"]: each for each in policy["PolicyDocument"]["Statement"]}

    assert by_effect["Deny"]["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert by_effect["Allow"]["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert by_effect["Allow"]["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_nobody_gets_mail_unless_asked_for(written: Written) -> None:
    assert written.template(STACK).all("AWS::SNS::Subscription") == {}
    subscription = written.template("tiny-speech").one("AWS::SNS::Subscription")
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", "operator@example.com")


@pytest.mark.parametrize(("stack", "has_gpu"), [("primavoce-speech", True), ("tiny-speech", False)])
def test_the_dashboard_shows_a_gpu_where_there_is_one(written: Written, stack: str, has_gpu: object) -> None:
    dashboard = written.template(stack).one("AWS::CloudWatch::Dashboard")

    widgets = json.loads(flat(dashboard["DashboardBody"]))["widgets"]

    shown = {each["properties"]["title"]: json.dumps(each["properties"].get("metrics")) for each in widgets}
    assert ("GPUUtilization" in shown["Machines, %"]) is has_gpu
    assert "CPUUtilization" in shown["Machines, %"]
