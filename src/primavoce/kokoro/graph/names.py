"""What values are called in our graphs; light, so that running a prepared graph imports no onnx.

Exports have names of their own, which differ: `primavoce.kokoro.graph.landmarks` finds these values in any of them.
"""

FRAMES = "frames"
"""What the decoder hands to the generator: (batch, 512, T), 80 frames a second."""
STYLE = "style_half"
"""The decoder's half of the style vector: (batch, 128)."""
SOURCE = "source"
"""The harmonic source's spectrum, magnitudes before phases: (batch, 22, 60 T + 1), 4,800 frames a second."""
UPSAMPLED, SOURCE_SLOW, SOURCE_FAST = "upsampled", "source_slow", "source_fast"
"""The generator's first values, each made by one convolution: (batch, channels, time)."""
SPECTRUM = "spectrum"
"""What the generator makes: (batch, 22, 60 T + 1), log magnitudes before the sines of which the phases are made."""
DURATIONS = "durations"
"""Steps of 25 ms that each position of the input lasts, pads included."""
FEATURES = "features"
"""What is told of a segment for the prediction: (batch, features, 1), as `primavoce.kokoro.graph.features` lists it."""
SCALES, SHIFTS = "scales", "shifts"
"""What the style makes of the normalised values: (batch, channels of all uses, 1)."""
MEANS, VARIANCES = "means", "variances"
"""What the normalisations are told: (batch, channels of all sites, 1)."""
USED_MEANS, USED_VARIANCES = "used_means", "used_variances"
"""What they used, told or their own."""
OWN = "own"
"""Whether they are to use what they find themselves: a single truth value."""
DROPPED = "dropped"
"""How many frames of context, before and after, the second half of the generator does without: (2,), whole numbers."""

ALL = (
    *(FRAMES, STYLE, SOURCE, UPSAMPLED, SOURCE_SLOW, SOURCE_FAST, SPECTRUM, DURATIONS, FEATURES),
    *(SCALES, SHIFTS, MEANS, VARIANCES, USED_MEANS, USED_VARIANCES, OWN, DROPPED),
)
"""All of them: an export's own values by these names get others."""
