"""What an operator is woken for; ``docs/aws.md`` says of each what to do."""

from aws_cdk import Aws, Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from primavoce_infra.log_metrics import FAULTS, FIRST_AUDIO, REFUSALS, count_in_log
from primavoce_infra.naming import Names
from primavoce_infra.settings import Settings
from primavoce_infra.variant_metrics import FIRST_CHUNK, SERVICE_ERRORS, SESSIONS, of_log, of_sagemaker

FIVE_MINUTES = Duration.minutes(5)
ERRORS = 3
"""In five minutes, of any one kind: one or two may be clients that went the wrong way about it."""
REFUSALS_MANY = 10
"""In five minutes, twice in a row: a few are told to come again while an instance starts."""
NEAR_FULL = 0.9
"""Of what an instance can take, for five minutes: scaling aims below that, so there was nothing more to be had."""


class EndpointAlarms(Construct):
    """The alarms, the topic that tells of them, and the figures that some of them watch."""

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, settings: Settings, log_group_name: str
    ) -> None:
        super().__init__(scope, construct_id)
        self._names = names
        count_in_log(self, names, log_group_name)
        self.topic = self._topic(settings.alarm_email)
        self.alarms = [
            self._alarm(
                "first-audio-p95",
                f"Of a hundred utterances, five wait longer than {settings.first_audio_p95_ms} ms for first audio.",
                of_log(names, FIRST_AUDIO, statistic="p95"),
                threshold=settings.first_audio_p95_ms / 1000,
                of=5,
                at_least=3,
            ),
            self._alarm(
                "first-chunk-p95",
                f"SageMaker waits longer than {settings.first_chunk_p95_ms} ms for the first frame of a session; the "
                "time that the client takes to say something is part of it.",
                of_sagemaker(names, FIRST_CHUNK, statistic="p95"),
                threshold=settings.first_chunk_p95_ms * 1000,  # its unit is the microsecond
                of=5,
                at_least=3,
            ),
            self._alarm(
                "errors",
                "Sessions fail: many of 5XX, errors of the container, streams that break off, or faults in its log.",
                self._errors(),
                threshold=ERRORS,
                reaching=True,
            ),
            self._alarm(
                "refusals",
                "Utterances are refused for want of room, for longer than an instance takes to start.",
                of_log(names, REFUSALS, statistic="Sum", period=FIVE_MINUTES),
                threshold=REFUSALS_MANY,
                of=2,
                at_least=2,
                reaching=True,
            ),
            self._alarm(
                "capacity",
                f"Instances have nine tenths of the {settings.capacity.sessions_per_instance} sessions that each can "
                "take: as many as may be are running, the quota is used up, or none are to be had.",
                of_sagemaker(names, SESSIONS, statistic="Average"),
                threshold=round(NEAR_FULL * settings.capacity.sessions_per_instance, 2),
                of=5,
                at_least=5,
                reaching=True,
            ),
        ]

    def _alarm(
        self,
        kind: str,
        told: str,
        metric: cloudwatch.IMetric,
        *,
        threshold: float,
        of: int = 1,
        at_least: int = 1,
        reaching: bool = False,
    ) -> cloudwatch.Alarm:
        """Return an alarm that goes off when ``at_least`` of the last ``of`` figures pass, or reach, the threshold."""
        comparison = cloudwatch.ComparisonOperator
        alarm = cloudwatch.Alarm(
            self,
            kind,
            alarm_name=self._names.alarm(kind),
            alarm_description=told,
            metric=metric,
            threshold=threshold,
            evaluation_periods=of,
            datapoints_to_alarm=at_least,
            comparison_operator=(
                comparison.GREATER_THAN_OR_EQUAL_TO_THRESHOLD if reaching else comparison.GREATER_THAN_THRESHOLD
            ),
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        alarm.add_ok_action(actions.SnsAction(self.topic))
        return alarm

    def _errors(self) -> cloudwatch.MathExpression:
        # One session that fails is a fault in the log, and an answer of 5XX, an error of the container or a stream that
        # breaks off besides: added up, a single one would wake somebody.
        metrics: dict[str, cloudwatch.IMetric] = {
            f"service{number}": of_sagemaker(self._names, name, statistic="Sum", period=FIVE_MINUTES)
            for number, name in enumerate(SERVICE_ERRORS)
        }
        metrics["faults"] = of_log(self._names, FAULTS, statistic="Sum", period=FIVE_MINUTES)
        return cloudwatch.MathExpression(
            expression=f"MAX([{', '.join(f'FILL({name}, 0)' for name in metrics)}])",
            using_metrics=metrics,
            label="errors",
            period=FIVE_MINUTES,
        )

    def _topic(self, email: str) -> sns.Topic:
        # Not encrypted at rest: alarms hold names and numbers, nothing of what clients say. CloudWatch can't publish to
        # a topic under SNS' own key, and one of ours would cost, and outlive the stack for a week.
        topic = sns.Topic(self, "Topic", display_name=f"{self._names.endpoint} alarms", enforce_ssl=True)
        # A policy of its own takes the place of the one by which the account's alarms may publish.
        topic.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            )
        )
        if email:
            topic.add_subscription(subscriptions.EmailSubscription(email))
        return topic
