import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.kokoro.kernel import KernelMachine, expand, inverse_of_lower, squared_distances, whitening

FEATURES, COORDINATES, TARGETS, ROWS = 30, 6, 40, 12
COMPONENTS = 5
CHANCE = np.random.default_rng(9)
KNOWN = CHANCE.standard_normal((ROWS, FEATURES)).astype(np.float32)
WANTED = CHANCE.standard_normal((ROWS, COMPONENTS)) @ CHANCE.standard_normal((COMPONENTS, TARGETS)) + 3
UNUSED = 7
"""A feature that doesn't count."""


def machine() -> KernelMachine:
    """Solved without a ridge, so that it goes through every row."""
    used = np.array([number for number in range(FEATURES) if number != UNUSED], np.int16)
    centre = KNOWN[:, used].mean(axis=0)
    projection = (0.2 * CHANCE.standard_normal((len(used), COORDINATES))).astype(np.float32)
    rows = (KNOWN[:, used] - centre) @ projection
    offset = WANTED.mean(axis=0)
    scale = WANTED.std(axis=0)
    wanted = (WANTED - offset) / scale
    components = np.linalg.svd(wanted, full_matrices=False)[2][:COMPONENTS]
    weights = np.linalg.lstsq(expand(rows, rows, whitening(rows)), wanted @ components.T)[0]
    return KernelMachine(used, centre, projection, rows, weights, components, scale, offset)


MACHINE = machine()


@pytest.mark.parametrize("row", range(ROWS))
def test_a_rows_own_features_give_back_its_targets_at_no_distance(row: int) -> None:
    targets, distance = MACHINE.evaluate(KNOWN[row])

    np.testing.assert_allclose(targets, WANTED[row], rtol=1e-2, atol=1e-2)
    assert targets.dtype == np.float32
    assert distance == pytest.approx(0, abs=1e-2)


@given(st.integers(0, ROWS - 1), st.floats(0.1, 0.5))
def test_what_is_near_a_row_is_at_its_distance_and_close_to_its_targets(row: int, moved: float) -> None:
    features = KNOWN[row] + np.float32(moved) * np.eye(FEATURES, dtype=np.float32)[0]

    targets, distance = MACHINE.evaluate(features)

    assert distance == pytest.approx(moved * np.linalg.norm(MACHINE.projection[0]), rel=0.05)
    assert np.abs(targets - WANTED[row]).max() < np.abs(WANTED - WANTED[row]).max()


def test_what_is_far_from_all_rows_follows_the_trend_alone() -> None:
    """Far away, equal steps along one way change the targets by equal amounts."""
    away = (100 * CHANCE.standard_normal(FEATURES)).astype(np.float32)

    found = [MACHINE.evaluate(KNOWN.mean(axis=0) + by * away) for by in (1, 2, 3)]

    (once, near), (twice, farther), (thrice, farthest) = found
    np.testing.assert_allclose(thrice - twice, twice - once, rtol=1e-2, atol=0.05)
    assert 10 < near < farther < farthest


def test_a_feature_that_does_not_count_changes_nothing() -> None:
    features = KNOWN[0].copy()
    features[UNUSED] += 100

    np.testing.assert_array_equal(MACHINE.evaluate(features)[0], MACHINE.evaluate(KNOWN[0])[0])


def test_further_rows_leave_the_first_ones_numbers_as_they_are() -> None:
    some, all_of_them = MACHINE.rows[:7], MACHINE.rows
    at = MACHINE.coordinates(KNOWN + np.float32(0.1))

    few, many = (expand(at, rows, whitening(rows)) for rows in (some, all_of_them))

    np.testing.assert_allclose(many[:, :7], few[:, :7], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", [1, 64, 65, 300])
def test_the_inverse_of_a_triangle_is_that_of_any_matrix(size: int) -> None:
    lower = np.tril(CHANCE.standard_normal((size, size))) + 5 * np.sqrt(size) * np.eye(size)

    np.testing.assert_allclose(inverse_of_lower(lower), np.linalg.inv(lower), atol=1e-12)


def test_distances_are_those_of_every_pair() -> None:
    first, second = KNOWN[:3], KNOWN[2:7]

    found = squared_distances(first, second)

    np.testing.assert_allclose(found, np.square(first[:, None] - second).sum(axis=2), rtol=1e-4, atol=1e-4)
    assert found.min() >= 0


def test_its_arrays_make_the_same_machine_but_for_rounding() -> None:
    again = KernelMachine.unpacked(MACHINE.packed())

    for row in range(ROWS):
        np.testing.assert_allclose(again.evaluate(KNOWN[row])[0], WANTED[row], atol=0.1)
        assert again.evaluate(KNOWN[row])[1] < 0.02


def test_rounding_twice_is_rounding_once() -> None:
    packed = MACHINE.packed()

    again = KernelMachine.unpacked(packed).packed()

    assert again.keys() == packed.keys()
    for name, value in packed.items():
        np.testing.assert_array_equal(again[name], value)
        assert again[name].dtype == value.dtype
