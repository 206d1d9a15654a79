"""Trials, interleaved: whatever else the machine does meanwhile meets every way of speaking alike."""

from collections.abc import Awaitable, Callable, Mapping

Note = Callable[[str], None]
"""Told what goes on."""


async def take_turns[T](
    ways: Mapping[str, Callable[[], Awaitable[T]]], *, trials: int, note: Note
) -> dict[str, list[T]]:
    """Try each of ``ways`` once, then each once more, and so on; never two at a time.

    Every second round goes backwards: what slowly changes, such as a processor that grows warm, favours neither the
    first nor the last.

    Args:
        ways: Name → what tries it once.
        trials: Of each.
        note: Told of each round.
    """
    found: dict[str, list[T]] = {name: [] for name in ways}
    for trial in range(trials):
        note(f"trial {trial + 1} of {trials}")
        order = list(ways)[:: 1 if trial % 2 == 0 else -1]
        for name in order:
            found[name].append(await ways[name]())
    return found
