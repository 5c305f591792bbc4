"""IF: an isolation forest on the series unfolded into vectors of T·V numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats, Ints
from tkae.fields import setting
from tkae.models.base import Model
from tkae.models.filling import FILLS, in_steps
from tkae.seeding import stream

SAMPLE = 256  # series that a tree is grown from, at most


@dataclass
class IsolationForest(Model):
    """Series that few random cuts set apart are anomalies.

    Steps beyond the longest training series are not seen.

    Parameters
    ----------
    trees : int
        Of the forest.
    contamination : float
        The share of training series whose anomaly score is above 0.
    fill : {"zero", "locf"}
        What stands at missing entries: 0, the mean of standardised series, or the last observed value.

    The others are those of `Estimator`.
    """

    name: ClassVar[str] = "iforest"
    title: ClassVar[str] = "IF"
    growth: ClassVar[float] = 0.3  # trees are grown from a few series, however many there are
    # The nodes of all trees one after the other: what they cut where, where one goes on (a leaf: to itself),
    # and the path length at which a leaf isolates.
    fitted: ClassVar[tuple[str, ...]] = (
        "roots_", "feature_", "threshold_", "left_", "right_", "path_", "normal_", "offset_", "shape_"
    )  # fmt: skip

    trees: int = setting(100, at_least=1, at_most=100_000)
    contamination: float = setting(0.5, at_least=1e-6, at_most=0.5)
    fill: str = setting("zero", one_of=tuple(FILLS))

    def learn(self, train: Collection, seed: int = 0) -> Self:
        from sklearn.ensemble import IsolationForest as Forest

        self.shape_: Ints = np.array([train.lengths.max(), train.shape[2]])
        vectors = self._vectors(train)
        sample = min(SAMPLE, len(vectors))
        chance = int(stream(seed, "iforest").integers(2**31))
        forest = Forest(
            n_estimators=self.trees,
            max_samples=sample,
            contamination=self.contamination,
            random_state=chance,
        )
        grown = [tree.tree_ for tree in forest.fit(vectors).estimators_]
        sizes = np.array([tree.node_count for tree in grown])
        self.roots_: Ints = np.cumsum(sizes) - sizes
        starts = np.repeat(self.roots_, sizes)  # of the tree that a node is in
        itself = np.arange(len(starts))
        left = np.concatenate([tree.children_left for tree in grown])
        right = np.concatenate([tree.children_right for tree in grown])
        leaf = left < 0
        self.left_: Ints = np.where(leaf, itself, left + starts)
        self.right_: Ints = np.where(leaf, itself, right + starts)
        self.feature_: Ints = np.where(leaf, 0, np.concatenate([tree.feature for tree in grown]))
        self.threshold_: Floats = np.concatenate([tree.threshold for tree in grown])
        counts = np.concatenate([tree.n_node_samples for tree in grown])
        self.path_: Floats = _depths(self.roots_, self.left_, self.right_) + average_path(counts)
        self.normal_: Floats = average_path(np.array([sample]))
        self.offset_: Floats = np.array([-forest.offset_])
        return self

    def screen(self, x: Collection) -> Floats:
        self._check_width(x, int(self._learned("shape_")[1]))
        vectors = self._vectors(x)
        rows = np.arange(len(vectors))[:, None]
        node = np.repeat(self.roots_[None], len(vectors), axis=0)  # (N, trees)
        while True:
            on = np.where(
                vectors[rows, self.feature_[node]] <= self.threshold_[node],
                self.left_[node],
                self.right_[node],
            )
            if np.array_equal(on, node):  # all are in a leaf
                break
            node = on
        paths = self.path_[node].mean(axis=1)
        # Trees grown from a single series have no path to compare with.
        relative = paths / self.normal_ if self.normal_[0] else np.ones(len(paths))
        return np.asarray(2.0**-relative - self.offset_)

    def try_learned(self, width: int) -> None:
        left, right, feature = (self._learned(name) for name in ("left_", "right_", "feature_"))
        itself, (steps, own) = np.arange(len(left)), self._learned("shape_")
        if (left < itself).any() or (right < itself).any():
            raise ValueError("trees that never end")
        for name in ("right_", "feature_", "threshold_", "path_"):
            if self._learned(name).shape != itself.shape:
                raise ValueError("nodes of other trees")
        for places, stop in ((left, len(left)), (right, len(left)), (feature, steps * own)):
            if ((places < 0) | (places >= stop)).any():
                raise ValueError("nodes that lead out of their trees")
        super().try_learned(width)

    def _vectors(self, x: Collection) -> npt.NDArray[np.float32]:
        """(N, T·V): the trees were grown from numbers of this precision."""
        filled = in_steps(FILLS[self.fill](x), int(self.shape_[0]))
        return filled.reshape(len(x), -1).astype(np.float32)


def _depths(roots: Ints, left: Ints, right: Ints) -> Floats:
    """How many cuts lie above each node."""
    depth, level = np.zeros(len(left)), roots
    while len(level):
        level = level[left[level] != level]  # without leaves
        for below in (left[level], right[level]):
            depth[below] = depth[level] + 1
        level = np.concatenate([left[level], right[level]])
    return depth


def average_path(counts: Ints) -> Floats:
    """The mean path length in random trees that isolate each of so many series (Liu et al. 2008)."""
    several = np.maximum(counts, 3)
    long = 2 * (np.log(several - 1) + np.euler_gamma) - 2 * (several - 1) / several
    return np.where(counts <= 1, 0.0, np.where(counts == 2, 1.0, long))
