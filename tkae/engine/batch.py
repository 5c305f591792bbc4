"""A batch: series gathered into lanes, sorted by length, with their targets, weights and coins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tkae.engine.jit import fill, jit
from tkae.engine.spec import Spec, layer_at, space_of


class Data(NamedTuple):
    """S sets of N series; a replica works on one of them. Values under padding are never read."""

    x: npt.NDArray[Any]  # (S, N, T, V)
    counted: npt.NDArray[np.bool_]  # (S, N, T, V): the entries whose error counts
    lengths: npt.NDArray[np.int64]  # (S, N)
    kernels: npt.NDArray[Any]  # (S, N, N), or (1, 0, 0) where no replica aligns
    padded_mean: int  # 1: the mean runs over the padded array and the end step (the authors' program)


@jit
def mix(x: np.uint64) -> np.uint64:
    """A bijection that scatters 64 bits (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@jit
def uniform(key: np.uint64, row: int, t: int) -> float:
    """A number in [0, 1) that depends on the key, the series and the step only."""
    place = np.uint64(row) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(t)
    return float(mix(mix(key ^ place) + np.uint64(t)) >> np.uint64(11)) * 2.0**-53


@jit
def coins(key: np.uint64, rows: Any, steps: int) -> Any:
    """The draws (rows, steps) of a batch: below p_s, the decoder's own output is fed back."""
    drawn = np.empty((rows.size, steps))
    for b in range(rows.size):
        for t in range(steps):
            drawn[b, t] = uniform(key, rows[b], t)
    return drawn


@jit
def sort_by_length(rows: Any, lengths: Any, order: Any, lanes: Any) -> None:
    """order (B) and lanes (B): the series and their lengths, longest first, ties as they came; then 0."""
    fill(lanes, 0, lanes.size, 0)
    fill(order, 0, order.size, 0)
    for i in range(rows.size):
        length, at = lengths[rows[i]], i
        while at > 0 and lanes[at - 1] < length:
            lanes[at], order[at] = lanes[at - 1], order[at - 1]
            at -= 1
        lanes[at], order[at] = length, rows[i]


@jit
def count_alive(lanes: Any, more: int, alive: Any) -> None:
    """alive[t]: how many lanes have a step t, if each has `more` steps more than its length.

    `lanes` are lengths, longest first, then 0.
    """
    left = lanes.size
    while left > 0 and lanes[left - 1] == 0:
        left -= 1
    for t in range(alive.size):
        while left > 0 and lanes[left - 1] + more <= t:
            left -= 1
        alive[t] = left


@jit
def gather(
    spec: Spec, work: Any, x: Any, counted: Any, padded: int, order: Any, lengths: Any, n: int
) -> None:
    """Inputs of both directions, targets and weights of n series; 0 wherever a lane has no data."""
    B, V, space = spec.lanes, spec.variates, space_of(spec)
    ahead, back = layer_at(spec, 0, 0), layer_at(spec, spec.directions - 1, 0)
    total = n * (x.shape[1] + spec.end_step) * V if padded else _count(counted, order, lengths)
    scale = 1.0 / total if total > 0 else 0.0
    end = scale * padded * spec.end_step  # what the end step counts where padding does
    values, counts, size, alive = x.ravel(), counted.ravel(), x.shape[1] * V, n
    for t in range(lengths[0] + spec.end_step):
        while alive > 0 and lengths[alive - 1] <= t:
            alive -= 1
        for v in range(V):
            forth, turned = ahead.u + t * ahead.u_step + v * B, back.u + t * back.u_step + v * B
            to = (t * V + v) * B
            for b in range(alive):
                first = order[b] * size + v
                mirrored, here = first + (lengths[b] - 1 - t) * V, first + t * V
                shown = mirrored if spec.reverse else here
                work[turned + b] = values[mirrored]
                work[forth + b] = values[here]  # last: with one direction they are one
                work[space.target + to + b] = values[shown]
                work[space.weight + to + b] = scale if counts[shown] else 0.0
            for b in range(alive, B):
                work[turned + b] = 0.0
                work[forth + b] = 0.0
                work[space.target + to + b] = 0.0
                work[space.weight + to + b] = end if b < n and t == lengths[b] else 0.0


@jit
def _count(counted: Any, order: Any, lengths: Any) -> int:
    """The entries of a batch whose error counts."""
    total = 0
    for b in range(order.size):
        for t in range(lengths[b]):
            for v in range(counted.shape[2]):
                total += counted[order[b], t, v]
    return total


@jit
def toss(spec: Spec, work: Any, order: Any, steps: int, n: int, p_s: float, key: np.uint64) -> None:
    """Write `fed`: 1 where the decoder's last output is its input."""
    B, fed = spec.lanes, space_of(spec).fed
    for t in range(steps):
        for b in range(B):
            own = p_s >= 1.0 or (p_s > 0.0 and b < n and uniform(key, order[b], t) < p_s)
            work[fed + t * B + b] = 1 if own else 0


@jit
def gather_kernel(spec: Spec, work: Any, kernel: Any, order: Any, n: int) -> None:
    """The batch's block of K."""
    B, start = spec.lanes, space_of(spec).kernel
    fill(work, start, B * B, 0)
    for i in range(n):
        for j in range(n):
            work[start + i * B + j] = kernel[order[i], order[j]]
