"""What ``cdk`` runs: the context becomes settings, and the settings stacks."""

import sys

from primavoce_infra.deployment import deployment, new_app
from primavoce_infra.invalid import InvalidContext
from primavoce_infra.settings import Settings


def main() -> None:
    """Write the templates; leave with a sentence where a choice can't be used."""
    app = new_app()
    try:
        deployment(app, Settings.from_context(app.node.get_all_context()))
    except InvalidContext as error:
        sys.exit(f"primavoce: {error}")
    app.synth()


if __name__ == "__main__":
    main()
