"""The fast TCK equals the literal one at equal draws.

Where a member's prior is just regular enough to be left alone (rcond little above 1e-8), rounding alone moves
its means by some 1e-6 (3e-6 seen), and the kernel by less: another seed may need a wider margin on mu.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tests.kernels.tck_oracle import oracle_kernel, oracle_members
from tkae.models.tck import TCK


@pytest.mark.parametrize(
    ("n", "steps", "width", "missing", "ragged"),
    [
        (110, 14, 3, 0.0, False),
        (60, 14, 3, 0.5, False),
        (60, 30, 4, 0.8, False),
        (50, 16, 2, 0.3, True),
        (40, 9, 1, 0.4, False),
    ],
)
def test_equals_the_literal_algorithm(n: int, steps: int, width: int, missing: float, ragged: bool) -> None:
    train = waves(n, steps, width, missing, ragged, seed=1)
    test = waves(17, steps, width, missing, ragged, seed=2)
    tck = TCK(G=2, C=12, iterations=20).learn(train, seed=3)
    oracle = oracle_members(train, G=2, C=12, iterations=20, seed=3)
    for ours, theirs in zip(tck.ensemble(), oracle, strict=True):
        np.testing.assert_allclose(ours.theta, theirs.theta, atol=1e-6)
        np.testing.assert_allclose(ours.mu.reshape(theirs.mu.shape), theirs.mu, atol=1e-6)
        np.testing.assert_allclose(ours.s2, theirs.s2, atol=1e-6)
    for normalised in (True, False):
        tck.normalised = normalised
        for kernel, pair in (
            (tck.kernel(), (train, train)),
            (tck.kernel(None, test), (train, test)),
            (tck.kernel(test), (test, test)),
        ):
            np.testing.assert_allclose(kernel, oracle_kernel(oracle, *pair, normalised), atol=1e-6)


def test_equals_it_far_from_zero() -> None:
    train = waves(60, 14, 3, 0.5)
    train = train.replace(train.values + 30.0)
    tck = TCK(G=1, C=6).learn(train)
    expected = oracle_kernel(oracle_members(train, 1, 6, 20, 0), train, train)
    np.testing.assert_allclose(tck.kernel(), expected, atol=1e-6)
