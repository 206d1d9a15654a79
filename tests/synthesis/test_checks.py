import pytest

from primavoce.synthesis.checks import CHECK_EVERY, Checks


@pytest.mark.parametrize("every", [1, 3, CHECK_EVERY])
def test_one_utterance_in_so_many_is_due(every: int) -> None:
    checks = Checks(every)

    due = [checks.due() for _ in range(5 * every)]

    assert [number for number, each in enumerate(due, start=1) if each] == [every * count for count in range(1, 6)]


def test_it_is_one_in_a_hundred() -> None:
    checks = Checks()

    assert sum(checks.due() for _ in range(1000)) == 10
