"""Repeated splits: all series in one pool, parted anew for every run, with the same share of each class."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tkae.data.collection import Collection, Ints
from tkae.data.dataset import Splits
from tkae.seeding import stream


def resplit(splits: Splits, share: float, seed: int, *names: str) -> Splits:
    """The same series with another `share` of each class for testing; `seed` and `names` decide which.

    A series is named by its place in the pool: the given training series first, then the test series.
    """
    series = pooled(splits.train, splits.test)
    assert series.labels is not None
    held = held_out(series.labels, share, seed, *names)
    rest = np.setdiff1d(np.arange(len(series)), held)
    return replace(splits, train=series.take(rest), test=series.take(held))


def held_out(labels: Ints, share: float, seed: int, *names: str) -> Ints:
    """The positions of `share` of each class, to the nearest whole number, in order."""
    chance = stream(seed, *names)
    classes = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return np.sort(np.concatenate([chance.permutation(of)[: round(share * len(of))] for of in classes]))


def pooled(first: Collection, other: Collection) -> Collection:
    """The series of both, one collection after the other."""
    assert first.labels is not None and other.labels is not None
    return Collection(
        np.concatenate([first.values, other.values]),
        np.concatenate([first.observed, other.observed]),
        np.concatenate([first.lengths, other.lengths]),
        np.concatenate([first.labels, other.labels]),
        variates=first.variates,
    )
