import pytest

from primavoce.audio.encoders import encoder_for
from primavoce.audio.formats import FORMATS
from primavoce.audio.pauses import pause_after, silent_sample


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("One.", 0.30),
        ("One?", 0.32),
        ("One!", 0.30),
        ("One…", 0.35),
        ("One...", 0.35),
        ("One:", 0.25),
        ("One,", 0.15),
        ("One", 0.35),
        ("“One.”", 0.30),
        ("(One.)", 0.30),
        ("**One?**", 0.32),
        ("One! 🎉", 0.30),
        ("一。", 0.30),
        ("一？", 0.32),
        ("एक।", 0.30),
        ("", 0.35),
    ],
)
def test_the_pause_follows_the_mark(text: str, seconds: float) -> None:
    assert pause_after(text) == seconds


@pytest.mark.parametrize("name", [each.name for each in FORMATS.values() if each.sends_samples])
def test_silence_is_what_is_encoded_of_it(name: str) -> None:
    encoder = encoder_for(name, 8000)

    encoded = encoder.push(bytes(200)) + encoder.flush()

    assert silent_sample(name, FORMATS[name].sample_width) * 100 == encoded[encoder.header_bytes :]
