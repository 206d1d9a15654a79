"""Windows of several utterances in one run, where the device gains from it."""

import logging
from collections.abc import Callable, Sequence

from primavoce.synthesis.segment import AcousticModel, Rendering

log = logging.getLogger("primavoce.synthesis")


class Joint:
    """The next part of a rendering, as far as it may be made together with others'.

    Args:
        rendering: Whose next part it is.
    """

    def __init__(self, rendering: Rendering) -> None:
        self.rendering = rendering
        """Whose next part it is."""
        self.shared_s = 0.0
        """Seconds of the work that was done together, this part's share of them."""
        self.took_s = 0.0
        """Seconds that all of it took."""


def make_together(model: AcousticModel, joints: Sequence[Joint], clock: Callable[[], float]) -> None:
    """Make the next part of each beforehand; what can't be made is left to whoever asks for it next, and fails there.

    Args:
        model: Makes them; on its own thread.
        joints: Of different renderings.
        clock: Seconds.
    """
    began = clock()
    planned = [(joint, joint.rendering.ahead()) for joint in joints]
    runs = [run for _, some in planned for run in some]
    if not runs:
        return
    try:
        model.make(runs)
    except Exception:
        log.warning("%d parts can't be made together and are made one by one", len(joints), exc_info=True)
        return
    took_s = clock() - began
    for joint, some in planned:
        joint.took_s = took_s
        joint.shared_s = took_s * len(some) / len(runs)
