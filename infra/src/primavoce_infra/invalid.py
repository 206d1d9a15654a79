"""What is told of a choice that can't be used."""


class InvalidContext(Exception):
    """A key of the context, or the capacity's file, says something that can't be used."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key = key
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.key} {self.reason}"
