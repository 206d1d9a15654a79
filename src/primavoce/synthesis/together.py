"""Windows of several utterances in one run, where the device gains from it."""

import logging
from collections.abc import Callable, Sequence

from primavoce.kokoro.runs import Run
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

    def ahead(self) -> Sequence[Run]:
        """Plan the part; what can't be planned is left to whoever asks for it, and fails there."""
        try:
            return self.rendering.ahead()
        except Exception:  # noqa: BLE001 - it is told when the part is asked for
            return ()


class Together:
    """Makes the next parts of several renderings beforehand, on the model's thread.

    Args:
        model: Makes them.
        clock: Seconds.
    """

    def __init__(self, model: AcousticModel, clock: Callable[[], float]) -> None:
        self._model = model
        self._clock = clock
        self.most = model.together
        """How many it makes at a time; fewer once that was too many for the device's memory."""

    def make(self, joints: Sequence[Joint]) -> None:
        """Make the next part of each, in a time that is shared out among them by their sizes.

        Never raises: what can't be made is left to whoever asks for it next, and fails there.
        """
        began = self._clock()
        planned = [(joint, joint.ahead()) for joint in joints]
        runs = [run for _, some in planned for run in some]
        if not runs:
            return
        try:
            self._model.make(runs)
        except Exception:
            self.most = max(1, self.most // 2)
            told = "%d parts can't be made together and are made one by one; from now on up to %d are"
            log.warning(told, len(joints), self.most, exc_info=True)
        took_s = self._clock() - began
        whole = sum(run.frames for run in runs)
        for joint, some in planned:
            joint.took_s = took_s
            joint.shared_s = took_s * sum(run.frames for run in some) / whole
