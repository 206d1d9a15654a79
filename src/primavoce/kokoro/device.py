"""Where the model runs, and what that device gains from.

onnxruntime falls back to the processor without an error when a device can't be had, so what was got is looked at.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import onnxruntime

from primavoce.errors import DeviceUnavailable
from primavoce.kokoro.windows import MOST_FRAMES
from primavoce.settings import DeviceChoice

type DeviceName = Literal["cpu", "cuda"]

CPU_PROVIDER, CUDA_PROVIDER = "CPUExecutionProvider", "CUDAExecutionProvider"

log = logging.getLogger("primavoce.kokoro")


@dataclass(frozen=True, slots=True)
class Device:
    """Something that graphs run on."""

    name: DeviceName
    provider: str
    """The run time's name for what runs graphs on it."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The provider's options."""
    together: int = 1
    """Windows that it makes in one run in less time than one after another; 1 where it doesn't."""
    sizes: Sequence[int] = ()
    """Frames of a window, in order, that it is best held to since it knows their shapes; none where any is as good."""

    @property
    def providers(self) -> list[str | tuple[str, dict[str, str]]]:
        """What the run time is asked for."""
        return [(self.provider, dict(self.options))] if self.options else [self.provider]

    def check(self, session: "onnxruntime.InferenceSession") -> None:
        """Refuse a session that runs elsewhere.

        Raises:
            DeviceUnavailable: it does.
        """
        if self.provider not in session.get_providers():
            raise DeviceUnavailable(self.name, "the run time can't start it and would use the processor instead")


CPU = Device("cpu", CPU_PROVIDER)
"""Four windows in one run take as long as four runs: 0.98 to 1.15 of it, measured on one core."""

CUDA_TOGETHER = 8
"""Windows in one run on a GPU, whose time for a small one goes into starting a thousand kernels. Not measured yet."""
CUDA_SIZES = (24, 48, 96, MOST_FRAMES)
"""Frames of a GPU's windows: each the double of the one before, as windows grow."""
CUDA_OPTIONS = {
    # Trying every algorithm at each new length, the default, would take seconds: the first stage's lengths all differ.
    "cudnn_conv_algo_search": "HEURISTIC",
    # 10 bits of mantissa, the default, until somebody has heard that they are enough.
    "use_tf32": "0",
}
"""Names and meanings: onnxruntime, CUDA execution provider."""


def find_device(choice: DeviceChoice, *, available: Sequence[str] | None = None) -> Device:
    """Return what the model is to run on, as far as the run time's build tells.

    Args:
        choice: What was asked for.
        available: The providers that the run time was built with; asked of it unless given.

    Raises:
        DeviceUnavailable: this run time has nothing for what was asked for by name.
    """
    if choice == "cpu":
        return CPU
    if CUDA_PROVIDER in (onnxruntime.get_available_providers() if available is None else available):
        return Device("cuda", CUDA_PROVIDER, CUDA_OPTIONS, CUDA_TOGETHER, CUDA_SIZES)
    if choice == "cuda":
        raise DeviceUnavailable("cuda", "this onnxruntime was built without it; onnxruntime-gpu takes its place")
    return CPU


def candidates(choice: DeviceChoice) -> list[Device]:
    """Return the devices to try, in this order; the processor is the last of them only if that was left open.

    Raises:
        DeviceUnavailable: this run time has nothing for what was asked for by name.
    """
    found = find_device(choice)
    return [found, CPU] if choice == "auto" and found is not CPU else [found]


def load_libraries() -> None:
    """Load CUDA's libraries from the packages that they came in, where the run time can: it looks for the system's."""
    preload = getattr(onnxruntime, "preload_dlls", None)
    if preload is not None:
        preload()
