"""What the account needs: who asks, CDK's bootstrap, quotas, permissions, the model."""

from collections.abc import Callable, Iterator

from primavoce.aws.account import SIGN_IN, Account, asking, is_absent
from primavoce.aws.findings import Finding, at_least, missing, ok, quota, unknown
from primavoce.aws.names import BOOTSTRAP_PARAMETER, Names
from primavoce.errors import AccountRefused, AccountUnavailable, DeploymentError

BOOTSTRAP, ACTIONS_ALLOWED, MODEL_ACCESS = "CDK bootstrap", "IAM actions", "model access"
MINIMUM_BOOTSTRAP = (6,)
"""What CDK's own stacks ask for."""
ACTIONS = (
    "cloudformation:DescribeStacks",
    "cloudformation:DescribeStackEvents",
    "cloudformation:ListStackResources",
    "cloudformation:DeleteStack",
    "ecr:GetAuthorizationToken",
    "ecr:DescribeImages",
    "ecr:BatchCheckLayerAvailability",
    "ecr:BatchGetImage",
    "ecr:InitiateLayerUpload",
    "ecr:UploadLayerPart",
    "ecr:CompleteLayerUpload",
    "ecr:PutImage",
    "sagemaker:DescribeEndpoint",
    "sagemaker:DescribeEndpointConfig",
    "sagemaker:ListEndpoints",
    "sagemaker:ListEndpointConfigs",
    "sagemaker:ListModels",
    "sagemaker:ListTags",
    "sagemaker:AddTags",
    "sagemaker:InvokeEndpoint",
    "sagemaker:InvokeEndpointWithBidirectionalStream",
    "sagemaker:InvokeEndpointWithResponseStream",
    "bedrock-agentcore:ListAgentRuntimes",
    "bedrock-agentcore:GetAgentRuntime",
    "bedrock-agentcore:InvokeAgentRuntime",
    "bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream",
    "bedrock:InvokeModel",
    "bedrock:InvokeModelWithResponseStream",
    "application-autoscaling:DescribeScalableTargets",
    "cloudwatch:DescribeAlarms",
    "logs:DescribeLogStreams",
    "logs:GetLogEvents",
    "logs:DescribeLogGroups",
    "logs:DeleteLogGroup",
    "s3:ListAllMyBuckets",
    "s3:ListBucketVersions",
    "tag:GetResources",
    "sts:AssumeRole",
)
"""What these commands do themselves, but for `check`, which tells what it may not see; the
stacks are made by the roles of CDK's bootstrap."""
GEOGRAPHIES = frozenset({"apac", "au", "ca", "eu", "global", "jp", "sa", "us", "us-gov"})
"""What an inference profile's id begins with; the stacks know the same ones."""


def account_findings(
    account: Account, names: Names, *, instance_type: str, instances: int, model: str
) -> Iterator[Finding]:
    """Yield what the account has, and what it hasn't.

    Args:
        account: It.
        names: Of what is to be deployed.
        instance_type: Of the endpoint.
        instances: The most of them.
        model: What writes: the id of a model of Bedrock, or of an inference profile.
    """
    try:
        told = f"{account.identity['Arn']}, account {account.number}"
    except AccountRefused as error:
        yield unknown("credentials", str(error), "sign in with others")
        yield from unreached(instance_type, account.region)
        return
    except DeploymentError as error:
        # What to do stands in the remedy alone.
        yield missing("credentials", str(error).removesuffix(f": {SIGN_IN}"), f"{SIGN_IN}; or --profile NAME")
        yield from unreached(instance_type, account.region)
        return
    yield ok("credentials", told)
    yield ok("region", account.region)
    yield _looked(BOOTSTRAP, lambda: bootstrap(account, names))
    quota_name = _quota_name(instance_type)
    yield _looked(f"quota: {quota_name}", lambda: quota(quota_name, quota_limit(account, quota_name), instances))
    yield _looked(ACTIONS_ALLOWED, lambda: permissions(account))
    yield _looked(MODEL_ACCESS, lambda: model_access(account, model))


def unreached(instance_type: str, region: str | None = None) -> Iterator[Finding]:
    """Yield what would be looked at in an account that can be asked.

    Args:
        instance_type: Of the endpoint.
        region: The one that is chosen, if that is known.
    """
    why = "the account wasn't asked"
    yield unknown("region", why) if region is None else ok("region", region)
    for name in (BOOTSTRAP, f"quota: {_quota_name(instance_type)}", ACTIONS_ALLOWED, MODEL_ACCESS):
        yield unknown(name, why)


def _quota_name(instance_type: str) -> str:
    return f"{instance_type} for endpoint usage"


def _looked(name: str, look: Callable[[], Finding]) -> Finding:
    """Return what ``look`` finds; where it isn't allowed to look, or gets no answer, that can't be told."""
    try:
        return look()
    except AccountRefused as error:
        return unknown(name, str(error), f"ask somebody who may, or be allowed {error.action}")
    except AccountUnavailable as error:
        return unknown(name, str(error), "try again")
    except DeploymentError as error:
        return unknown(name, str(error))


def bootstrap(account: Account, names: Names) -> Finding:
    """Return whether CDK's bootstrap is there, and new enough."""
    remedy = f"`{names.of_cdk(f'bootstrap aws://{account.number}/{account.region}')}`"
    try:
        with asking("ssm:GetParameter"):
            found = account.client("ssm").get_parameter(Name=BOOTSTRAP_PARAMETER)
    except DeploymentError as error:
        if is_absent(error):
            return missing(BOOTSTRAP, f"there is none in {account.region}", remedy)
        raise
    return at_least(BOOTSTRAP, found["Parameter"]["Value"], MINIMUM_BOOTSTRAP, remedy)


def quota_limit(account: Account, name: str) -> float | None:
    """Return SageMaker's quota of that ``name``; `None` where there is none.

    Raises:
        DeploymentError: it can't be asked for.
    """
    quotas = account.client("service-quotas")
    # What was never changed isn't always among what applies: then the default does.
    for action in ("list_service_quotas", "list_aws_default_service_quotas"):
        with asking("servicequotas:" + action.title().replace("_", "").replace("Aws", "AWS")):
            for page in quotas.get_paginator(action).paginate(ServiceCode="sagemaker"):
                for each in page["Quotas"]:
                    if each.get("QuotaName") == name:
                        return float(each["Value"])
    return None


def permissions(account: Account) -> Finding:
    """Return whether IAM's simulator would allow `ACTIONS`; service control policies it may not know."""
    who = principal(account)
    if who is None:
        return ok(ACTIONS_ALLOWED, "the account's root user may do everything; better use a role")
    denied = []
    with asking("iam:SimulatePrincipalPolicy"):
        pages = account.client("iam").get_paginator("simulate_principal_policy")
        for page in pages.paginate(PolicySourceArn=who, ActionNames=list(ACTIONS)):
            denied += [
                each["EvalActionName"] for each in page["EvaluationResults"] if each["EvalDecision"] != "allowed"
            ]
    if not denied:
        return ok(ACTIONS_ALLOWED, f"{len(ACTIONS)} of {len(ACTIONS)} allowed, by IAM's simulator")
    # Simulated on all resources: who may do it to some of them alone is told so, and may be right all the same.
    told = f"not allowed on every resource: {', '.join(denied)}"
    return unknown(ACTIONS_ALLOWED, told, "allow them, on this deployment's resources at least")


def principal(account: Account) -> str | None:
    """Return whose policies count: the user's, or the role's that is played; `None` for the account's root.

    Raises:
        DeploymentError: the role can't be looked up.
    """
    arn = account.identity["Arn"]
    if arn.endswith(":root"):
        return None
    if ":assumed-role/" not in arn:
        return arn
    role = arn.split(":assumed-role/", 1)[1].split("/", 1)[0]
    with asking("iam:GetRole"):
        found: str = account.client("iam").get_role(RoleName=role)["Role"]["Arn"]
    return found


def model_access(account: Account, model: str) -> Finding:
    """Return whether the account may use ``model``."""
    name, remedy = MODEL_ACCESS, "Bedrock's console, Model catalog: open the model and ask for access"
    try:
        behind = _models_behind(account, model)
        states = {each: _availability(account, each) for each in behind}
    except DeploymentError as error:
        if is_absent(error):
            told = f"there is no {model} in {account.region}"
            return missing(name, told, "choose another: --model, or another region")
        raise
    for each, state in states.items():
        lacking = [what for what, value in state.items() if value not in ("AVAILABLE", "AUTHORIZED")]
        if lacking:
            return missing(name, f"{each}: {', '.join(lacking)}", remedy)
    return ok(name, model)


def _models_behind(account: Account, model: str) -> list[str]:
    """Return the models that an inference profile has, or the one that is named."""
    if not _is_profile(model):
        return [model]
    with asking("bedrock:GetInferenceProfile"):
        found = account.client("bedrock").get_inference_profile(inferenceProfileIdentifier=model)
    return sorted({each["modelArn"].rpartition("/")[2] for each in found["models"]})


def _is_profile(model: str) -> bool:
    """Return whether ``model`` is an inference profile's id: a place before the maker's name."""
    return model.split(".", 1)[0] in GEOGRAPHIES


def _availability(account: Account, model: str) -> dict[str, str]:
    """Return the states of ``model``; not whether it is in this region, for a profile sends requests to others."""
    with asking("bedrock:GetFoundationModelAvailability"):
        found = account.client("bedrock").get_foundation_model_availability(modelId=model)
    return {
        "agreement": found["agreementAvailability"]["status"],
        "authorization": found["authorizationStatus"],
        "entitlement": found["entitlementAvailability"],
    }
