"""What the commands of ``primavoce aws`` ask for, and how they find account, checkout and names."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.errors import InvalidSetting

if TYPE_CHECKING:
    from primavoce.aws.account import Account
    from primavoce.aws.names import Names

NAME_PATTERN = r"(?=.{1,32}$)(?!.*-(?:weights|speech|agent))[a-z](?:-?[a-z0-9])*"
"""Of a deployment. With what is put behind it, it has to fit where AWS takes fewest, 48 of a runtime; and what
another deployment finds by the beginning of its name, to delete it, may not be this one's."""
OTHER_CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_SECURITY_TOKEN",
    "AWS_CREDENTIAL_EXPIRATION",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
)
"""Variables that SDKs prefer to the profile that `AWS_PROFILE` names."""

Region = Annotated[str | None, typer.Option(help="Region of AWS [AWS_REGION, or the profile's].")]
Profile = Annotated[str | None, typer.Option(help="Profile of the AWS configuration [AWS_PROFILE].")]
Name = Annotated[
    str, typer.Option("--name", help="What every name in the account begins with; another is a second deployment.")
]
InstanceType = Annotated[
    str, typer.Option("--instance-type", help="Machine of the endpoint: ml.g5.xlarge, or ml.c7i.xlarge without a GPU.")
]
Checkout = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A checkout of primavoce; by default the one that this folder is in."),
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="What writes: Bedrock's id of a model or inference profile.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


def open_account(region: str | None, profile: str | None) -> "Account":
    """Return the account that is meant.

    The choice is put into this process's environment: whatever it starts, and each SDK, then finds the same.

    Raises:
        ExtraMissing: boto3 isn't installed.
        AccountUnavailable: there is no region, or no such profile.
    """
    from primavoce.aws.account import Account

    choose(region, profile)
    account = Account.open()
    choose(account.region, None)
    return account


def choose(region: str | None, profile: str | None) -> None:
    """Put what is chosen into this process's environment.

    A profile that is named takes the place of keys that are there: SDKs, and CDK, would go by the keys, and so into
    another account.
    """
    if profile is not None:
        for variable in OTHER_CREDENTIALS:
            os.environ.pop(variable, None)
        os.environ["AWS_PROFILE"] = profile
    if region is not None:
        os.environ["AWS_REGION"] = os.environ["AWS_DEFAULT_REGION"] = region


def names_of(prefix: str, region: str | None, profile: str | None) -> "Names":
    """Return the names that begin with ``prefix``.

    Args:
        prefix: What was said of it.
        region: As it was said, for commands that are printed.
        profile: The same.

    Raises:
        InvalidSetting: it can't be used.
    """
    from primavoce.aws.names import Names

    if not re.fullmatch(NAME_PATTERN, prefix):
        told = "up to 32 small letters, digits and single hyphens, without -weights, -speech or -agent"
        raise InvalidSetting("--name", f"must be {told}, not {prefix[:40]!r}")
    return Names(prefix, region, profile)


def checkout_of(given: Path | None) -> Path:
    """Return the checkout that is meant.

    Raises:
        InvalidSetting: it is none.
    """
    from primavoce.aws.local_checks import IN_CHECKOUT, find_checkout

    found = find_checkout((given or Path.cwd()).absolute())
    if found is None:
        told = f"{given or 'this folder'} is no checkout of primavoce: it has no {', '.join(IN_CHECKOUT)}"
        raise InvalidSetting("--checkout", told)
    return found


def note(text: str) -> None:
    """Say what goes on."""
    typer.echo(f"· {text}", err=True)


def show_json(found: object) -> None:
    """Print one object for programs."""
    import msgspec

    typer.echo(msgspec.json.encode(found).decode())
