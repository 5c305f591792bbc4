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
    """alive[t]: how many lanes have a step t, if each has `more` steps more than its length."""
    for t in range(alive.size):
        alive[t] = 0
        for b in range(lanes.size):
            if lanes[b] > 0 and lanes[b] + more > t:
                alive[t] += 1


@jit
def gather(
    spec: Spec, work: Any, x: Any, counted: Any, padded: int, order: Any, lengths: Any, n: int
) -> None:
    """Inputs of both directions, targets and weights of n series; 0 wherever a lane has no data."""
    B, V, space = spec.lanes, spec.variates, space_of(spec)
    ahead, back = layer_at(spec, 0, 0), layer_at(spec, spec.directions - 1, 0)
    total = 0.0
    for t in range(lengths[0] + spec.end_step):
        for v in range(V):
            to = (t * V + v) * B
            for b in range(B):
                value, turned, weight, other = 0.0, 0.0, 0.0, 0.0
                if t < lengths[b]:
                    end = lengths[b] - 1 - t
                    value, turned = float(x[order[b], t, v]), float(x[order[b], end, v])
                    weight = 1.0 if counted[order[b], t, v] else 0.0
                    other = 1.0 if counted[order[b], end, v] else 0.0
                    total += weight
                elif b < n and t == lengths[b]:
                    weight = other = float(padded * spec.end_step)  # the end step counts where padding does
                work[back.u + t * back.u_step + v * B + b] = turned
                work[ahead.u + t * ahead.u_step + v * B + b] = value  # last: with one direction they are one
                work[space.target + to + b] = turned if spec.reverse else value
                work[space.weight + to + b] = other if spec.reverse else weight
    if padded:
        total = float(n * (x.shape[1] + spec.end_step) * V)
    scale = 1.0 / total if total > 0 else 0.0
    entries = (lengths[0] + spec.end_step) * V * B
    for i in range(entries):
        work[space.weight + i] *= scale


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
