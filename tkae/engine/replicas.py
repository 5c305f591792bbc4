"""What the replicas of one training share and what each has for itself, as plain arrays.

A replica reads its own row of every array and nothing else, so its numbers are the same in any
company and on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from tkae.compiled.jit import jit
from tkae.engine.batch import SeriesSets
from tkae.errors import DataError

Floats = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Hyperparameters(NamedTuple):
    """Hyperparameters of R replicas."""

    alpha: npt.NDArray[np.float64]  # (R): weight of the kernel alignment
    penalty: npt.NDArray[np.float64]  # (R): lambda
    p_s: npt.NDArray[np.float64]  # (R): probability that the decoder's own output is fed back
    rate: npt.NDArray[np.float64]  # (R): Adam's learning rate
    set_of: Ints  # (R): the set of series that the replica works on
    keys: npt.NDArray[np.uint64]  # (R): where the replica's coins come from
    decay: Floats  # (P): what half a squared parameter counts for in L_2


class OwnHyperparameters(NamedTuple):
    """Hyperparameters of one replica, as `Hyperparameters` has them for all."""

    alpha: float
    penalty: float
    p_s: float
    key: np.uint64
    decay: Floats  # (P)


@jit
def hyperparameters_of(settings: Hyperparameters, r: int) -> OwnHyperparameters:
    alpha, penalty, p_s = settings.alpha[r], settings.penalty[r], settings.p_s[r]
    return OwnHyperparameters(alpha, penalty, p_s, settings.keys[r], settings.decay)


Blocks = Callable[[Ints], Floats]  # batches (M, B) of positions, -1 for none: the kernel of each (M, L, L)


class State(NamedTuple):
    """Parameters and Adam's moments; changed in place."""

    theta: Floats  # (R, P)
    m: Floats  # (R, P)
    v: Floats  # (R, P)
    steps: Ints  # (R): updates made
    live: Bools  # (R): false once a loss was not finite


class Order(NamedTuple):
    """Which series make the batches of an epoch."""

    rows: Ints  # (R, N): the first counts[r] are replica r's, in the order of its batches
    counts: Ints  # (R)
    batch: int
    keep_last: int  # 1: an incomplete last batch is used
    blocks: Floats  # (R, M, L, L): the kernel of each batch, whose rows are longest first; (1, 0, 0, 0): none


class Evaluation(NamedTuple):
    """What the networks give for series, each (R, N, ...); of one replica, without the first axis."""

    z: Floats  # (R, N, D)
    outputs: Floats  # (R, N, T, V): 0 in the padding
    squares: npt.NDArray[np.float64]  # (R, N): summed squared error of the entries that count

    def replica(self, r: int) -> Evaluation:
        """Views of what is replica r's."""
        return Evaluation(self.z[r], self.outputs[r], self.squares[r])


def check_codes(codes: Floats, size: int) -> None:
    """Refuse codes (N, D) of another size than the network's."""
    if codes.shape[1] != size:
        raise DataError(f"the codes of this network have {size} numbers, not {codes.shape[1]}")


class Engine(Protocol):
    """A family of networks of one shape, trained and evaluated side by side."""

    def initial(self, seed: int) -> Floats:
        """The first parameters (P) of a seed."""

    def decay(self, biases: bool) -> Floats:
        """What half a squared parameter counts for in L_2 (P)."""

    def entries(self, data: SeriesSets, set_of: int, rows: Ints) -> int:
        """By how many entries the squared errors of these series are divided."""

    def epoch(self, data: SeriesSets, state: State, settings: Hyperparameters, order: Order) -> Floats:
        """Train one epoch in place; the mean loss parts L_r, L_2 and L_k of its batches (R, 3)."""

    def evaluate(self, data: SeriesSets, theta: Floats, settings: Hyperparameters) -> Evaluation:
        """All series of each replica's set through its network, with its p_s and its keys."""

    def decode(self, theta: Floats, codes: Floats, lengths: Ints) -> Floats:
        """The series (N, T, V) that the network of weights `theta` (P) makes of codes (N, D)."""
