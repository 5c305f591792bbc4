"""Similarity matrices against literal loops, and the properties that the figures rest on."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.engine.alignment import alignment
from tkae.evaluation.similarity import aligned, block_means, centred, in_own_units, within_between

LABELS = np.array([0, 2, 2, 0, 1, 2, 0, 1])


@pytest.fixture
def codes() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(8, 3)) + LABELS[:, None]


@pytest.fixture
def kernel() -> np.ndarray:
    root = np.random.default_rng(1).random((8, 5))
    return root @ root.T


def test_alignment_is_the_papers_loss_in_other_words(codes: np.ndarray, kernel: np.ndarray) -> None:
    products = codes @ codes.T
    dots = sum(products[i, j] * kernel[i, j] for i in range(8) for j in range(8))
    expected = dots / np.sqrt((products**2).sum() * (kernel**2).sum())
    assert aligned(products, kernel) == pytest.approx(expected)
    loss = np.sqrt(((products / np.linalg.norm(products) - kernel / np.linalg.norm(kernel)) ** 2).sum())
    assert alignment(codes, kernel) == pytest.approx(loss)
    assert aligned(products, kernel) == pytest.approx(1 - loss**2 / 2)


def test_alignment_does_not_see_scale(codes: np.ndarray, kernel: np.ndarray) -> None:
    assert aligned(kernel, 7 * kernel) == pytest.approx(1)
    assert aligned(codes @ codes.T, 3 * kernel) == pytest.approx(aligned(codes @ codes.T, kernel))
    assert aligned(kernel, 0 * kernel) == 0


def test_centring_is_that_of_the_codes(codes: np.ndarray, kernel: np.ndarray) -> None:
    moved = codes - codes.mean(axis=0)
    assert np.allclose(centred(codes @ codes.T), moved @ moved.T)
    same = np.ones((8, 1))  # codes that say nothing: well aligned all the same, until centred
    assert aligned(same @ same.T, kernel) > 0.8
    assert abs(aligned(centred(same @ same.T), centred(kernel))) < 1e-12


def test_blocks_are_means_over_pairs_of_different_series(kernel: np.ndarray) -> None:
    got = block_means(kernel, LABELS)
    for a in range(3):
        for b in range(3):
            pairs = [
                kernel[i, j]
                for i in range(8)
                for j in range(8)
                if LABELS[i] == a and LABELS[j] == b and i != j
            ]
            assert got[a, b] == pytest.approx(np.mean(pairs))
    pairs_of_one = [kernel[i, j] for i in range(8) for j in range(8) if i != j and LABELS[i] == LABELS[j]]
    pairs_of_two = [kernel[i, j] for i in range(8) for j in range(8) if LABELS[i] != LABELS[j]]
    assert within_between(kernel, LABELS) == pytest.approx((np.mean(pairs_of_one), np.mean(pairs_of_two)))


def test_a_block_matrix_has_only_similarities_within() -> None:
    blocks = (LABELS[:, None] == LABELS).astype(float)
    assert np.array_equal(block_means(blocks, LABELS), np.eye(3))
    assert within_between(blocks, LABELS) == (1, 0)


def test_what_has_no_pair_has_no_mean() -> None:
    alone = np.array([0, 1, 1])
    means = block_means(np.ones((3, 3)), alone)
    assert np.isnan(means[0, 0]) and means[0, 1] == means[1, 1] == 1
    within, between = within_between(np.ones((2, 2)), np.array([0, 1]))
    assert np.isnan(within) and between == 1
    assert np.isnan(within_between(np.ones((2, 2)), np.array([0, 0]))[1])


def test_own_units_make_the_mean_diagonal_one(kernel: np.ndarray) -> None:
    assert np.diag(in_own_units(kernel)).mean() == pytest.approx(1)
    assert np.allclose(in_own_units(5 * kernel), in_own_units(kernel))
    assert np.array_equal(in_own_units(np.zeros((2, 2))), np.zeros((2, 2)))
