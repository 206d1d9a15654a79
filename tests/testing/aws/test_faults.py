import pytest

from primavoce.testing.aws.faults import Fault, FaultCount, FaultPlan, Trouble

CUT = Trouble.TRUNCATION
TEXT = 0


@pytest.mark.parametrize(
    ("fault", "frames", "fails_at"),
    [
        (None, [TEXT, 100, TEXT], None),
        (Fault(CUT), [TEXT, TEXT, 100], 2),
        (Fault(CUT, 100), [100, TEXT, 1], 2),
        (Fault(CUT, 100), [100, TEXT], None),
        (Fault(CUT, after_frames=0), [TEXT, 100], 0),
        (Fault(CUT, after_frames=1), [100, TEXT, TEXT], 1),
        (Fault(CUT, 1000, after_frames=2), [TEXT, TEXT, 5], 2),
        (Fault(CUT, after_frames=3), [TEXT, 100, TEXT], None),
    ],
)
def test_a_fault_is_due_after_so_much_audio_or_so_many_frames(fault, frames: list[int], fails_at: int | None) -> None:
    count = FaultCount(fault)

    due = [count.due(audio_bytes=audio_bytes) for audio_bytes in frames]

    assert [number for number, trouble in enumerate(due) if trouble is not None][:1] == (
        [] if fails_at is None else [fails_at]
    )


def test_each_session_has_the_next_fault_and_then_none() -> None:
    plan = FaultPlan([CUT, None])
    plan.add(Fault(CUT, 5))

    assert [plan.next() for _ in range(4)] == [Fault(CUT), None, Fault(CUT, 5), None]
