"""What ``cdk`` runs: the context becomes settings, and the settings stacks."""

import os
import sys

from primavoce_infra.deployment import deployment, new_app
from primavoce_infra.invalid import InvalidContext
from primavoce_infra.settings import Settings

BY_HAND = "cdk.out"
"""Where templates go that ``cdk`` hasn't asked for: where it puts its own. A folder of the library's own choice is gone
when the program ends."""


def main() -> None:
    """Write the templates; leave with a sentence where a choice can't be used."""
    by_hand = "CDK_OUTDIR" not in os.environ
    app = new_app(BY_HAND if by_hand else None)
    try:
        deployment(app, Settings.from_context(app.node.get_all_context()))
    except InvalidContext as error:
        sys.exit(f"primavoce: {error}")
    written = app.synth()
    if by_hand:
        print("\n".join(f"written: {stack.template_full_path}" for stack in written.stacks))  # noqa: T201


if __name__ == "__main__":
    main()
