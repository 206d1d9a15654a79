"""The command line: parse, build, run."""


def main() -> None:
    """Run the command that the process was started with."""
    from primavoce.cli.commands import app

    app()
