"""The kernel's blocks for the batches of a training, where nobody holds the whole kernel.

Which series make the batches of an epoch is known before it begins, and of every epoch to come. A look at
all series costs the same whether blocks of one epoch or of many are made of it. So those of some epochs
are made at a time, as many as `BYTES` hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tkae.engine.replicas import Blocks, Floats, Ints

BYTES = 250_000_000  # of blocks that are kept


@dataclass
class Ahead:
    """`at` an epoch, the blocks of all replicas (R, M, L, L)."""

    sources: Sequence[Blocks]  # one a set of series, or one for all
    set_of: Sequence[int]  # (R)
    batches: Callable[[int], Ints]  # of an epoch (R, M, B): positions of series, -1 for none
    epochs: int  # after the last one there are no batches
    dtype: Any
    _first: int = 0
    _made: list[Floats] = field(default_factory=list)  # of the epochs from `_first` on

    def at(self, epoch: int) -> Floats:
        if not self._first <= epoch < self._first + len(self._made):
            self._make(epoch)
        return self._made[epoch - self._first]

    def _make(self, first: int) -> None:
        """The blocks of the epochs from this one on, all batches of a set in one call."""
        self._first, self._made = first, []
        replicas, count, size = self.batches(first).shape
        many = BYTES // (4 * replicas * count * size * size) or 1
        coming = [self.batches(epoch) for epoch in range(first, min(first + many, self.epochs))]
        sets = np.minimum(self.set_of, len(self.sources) - 1)
        self._made = [np.empty(0)] * len(coming)
        for number, source in enumerate(self.sources):
            own = np.flatnonzero(sets == number)
            if len(own):
                found = source(np.concatenate([batches[own].reshape(-1, size) for batches in coming]))
                for e, made in enumerate(np.split(found, len(coming))):
                    if not self._made[e].size:
                        self._made[e] = np.empty((replicas, count, *found.shape[1:]), self.dtype)
                    self._made[e][own] = made.reshape(len(own), count, *found.shape[1:])
