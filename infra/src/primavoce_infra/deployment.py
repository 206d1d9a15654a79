"""One deployment: three stacks, each after the one that it needs."""

from dataclasses import dataclass

from aws_cdk import App, Tags, Validations
from cdk_nag import AwsSolutionsChecks
from constructs import Construct

from primavoce_infra.agent import AgentStack
from primavoce_infra.settings import Settings
from primavoce_infra.speech import SpeechStack
from primavoce_infra.weights import WeightsStack

STRONG = {"@aws-cdk/core:defaultCrossStackReferences": "strong"}
"""A stack that another one imports from can't be deleted or changed under it: that keeps an agent's endpoint there."""


def new_app(folder: str | None = None) -> App:
    """Return an app whose templates cdk-nag looks at when they are written, into ``folder`` if one is given."""
    app = App(outdir=folder, analytics_reporting=False, context=STRONG)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


@dataclass(frozen=True, slots=True)
class Deployment:
    """The stacks of one deployment."""

    weights: WeightsStack
    speech: SpeechStack
    agent: AgentStack


def deployment(scope: Construct, settings: Settings) -> Deployment:
    """Put the three stacks of a deployment into ``scope``."""
    weights = WeightsStack(scope, settings=settings)
    speech = SpeechStack(scope, settings=settings, weights=weights)
    agent = AgentStack(scope, settings=settings, weights=weights, speech=speech)
    for stack in (weights, speech, agent):
        # What is billed, and what is left after a teardown, is found by these.
        Tags.of(stack).add("project", "primavoce")
        Tags.of(stack).add("deployment", settings.name)
    return Deployment(weights, speech, agent)
