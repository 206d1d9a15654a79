"""How long an utterance is said to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.protocol.messages import Options
from primavoce.protocol.options import SAMPLE_RATES, resolve_options
from primavoce.protocol.utterance import Utterance


@pytest.mark.parametrize("rate", SAMPLE_RATES)
@given(samples=st.integers(1, 48_000 * 1800))
def test_every_sample_can_be_told_from_it(rate: int, samples: int) -> None:
    utterance = Utterance("r", resolve_options(Options(sample_rate=rate)), 100, 3600.0, 0.0)
    utterance.sent(samples / rate, now=1.0)

    assert round(utterance.complete_message(now=1.0).total_duration_s * rate) == samples
