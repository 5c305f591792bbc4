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

BYTES = 125_000_000  # of blocks that are kept; while they are made, twice as much


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
        replicas, count, size = self.batches(first).shape
        many = BYTES // (4 * replicas * count * size * size) or 1
        coming = [self.batches(epoch) for epoch in range(first, min(first + many, self.epochs))]
        sets = np.minimum(self.set_of, len(self.sources) - 1)
        parts: dict[int, Floats] = {}  # by replica (epochs, M, L, L)
        for number, source in enumerate(self.sources):
            own = np.flatnonzero(sets == number)
            if len(own):
                found = source(np.concatenate([batches[own].reshape(-1, size) for batches in coming]))
                found = found.reshape(len(coming), len(own), count, *found.shape[1:])
                parts |= {int(r): found[:, i] for i, r in enumerate(own)}
        self._first = first
        self._made = [
            np.stack([parts[r][e] for r in range(replicas)]).astype(self.dtype, copy=False)
            for e in range(len(coming))
        ]
