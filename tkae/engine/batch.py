"""A batch: series gathered into lanes, sorted by length, with their targets, weights and coins."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tkae.compiled.jit import fill, jit
from tkae.compiled.lanes import Lanes, lanewise, same
from tkae.compiled.transpose import turn
from tkae.compiled.vectors import WIDTH
from tkae.engine.spec import Spec, layer_at, space_of


class SeriesSets(NamedTuple):
    """S sets of N series; a replica works on one of them. Values under padding are never read."""

    x: npt.NDArray[Any]  # (S, N, T, V)
    counted: npt.NDArray[np.bool_]  # (S, N, T, V): the entries whose error counts
    lengths: npt.NDArray[np.int64]  # (S, N)
    kernels: npt.NDArray[Any]  # (S, N, N); (1, 0, 0) where no replica aligns, or `Order` has blocks
    padded_mean: int  # 1: the mean runs over the padded array and the end step (the authors' program)


class Series(NamedTuple):
    """The set that a replica works on."""

    x: npt.NDArray[Any]  # (N, T, V)
    counted: npt.NDArray[np.bool_]  # (N, T, V)
    lengths: npt.NDArray[np.int64]  # (N)
    kernel: npt.NDArray[Any]  # (N, N), or (0, 0)
    padded_mean: int


class Lineup(NamedTuple):
    """Which series stand in the B lanes of a batch, longest first."""

    order: npt.NDArray[np.int64]  # (B): the series; 0 in lanes without one
    lengths: npt.NDArray[np.int64]  # (B): of these series; 0 in lanes without one
    alive: npt.NDArray[np.int64]  # (T + 2): how many lanes have a step t in the encoder
    alive_out: npt.NDArray[np.int64]  # (T + 2): the same in the decoder, which may have the end step
    filled: int  # lanes that hold a series


@jit
def series_of(data: SeriesSets, own: int) -> Series:
    """Set `own`; one kernel may serve all sets."""
    kernel = data.kernels[min(own, data.kernels.shape[0] - 1)]
    return Series(data.x[own], data.counted[own], data.lengths[own], kernel, data.padded_mean)


@jit
def line_up(spec: Spec, rows: Any, lengths: Any) -> Lineup:
    """The series `rows`, of these lengths (N), in their lanes."""
    order, lanes = np.zeros(spec.lanes, np.int64), np.zeros(spec.lanes, np.int64)
    alive, alive_out = np.zeros(spec.steps + 2, np.int64), np.zeros(spec.steps + 2, np.int64)
    sort_by_length(rows, lengths, order, lanes)
    count_alive(lanes, 0, alive)
    count_alive(lanes, spec.end_step, alive_out)
    return Lineup(order, lanes, alive, alive_out, rows.size)


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


@partial(lanewise, shared=(1, 2))
def _tally(weight: Lanes, total: Lanes) -> tuple[Lanes, ...]:
    return (weight + total,)


@partial(lanewise, shared=(1,))
def _scale(weight: Lanes, factor: Lanes) -> tuple[Lanes, ...]:
    return (weight * factor,)


@jit
def gather(spec: Spec, work: Any, series: Series, lineup: Lineup) -> None:
    """Inputs of both directions, targets and weights of the batch; 0 wherever a lane has no data."""
    x, padded, n = series.x, series.padded_mean, lineup.filled
    order, lengths = lineup.order, lineup.lengths
    B, V, space = spec.lanes, spec.variates, space_of(spec)
    steps, step, row = lengths[0] + spec.end_step, V * B, space.error
    _lay(work, space.target, x, order, lengths, steps)
    _lay(work, space.weight, series.counted, order, lengths, steps)
    fill(work, row, B, 0)
    _tally(work, steps * V, B, B, (space.weight, row, row))
    total = float(n * (x.shape[1] + spec.end_step) * V) if padded else total_of(work, row, B)
    if padded and spec.end_step:  # the end step counts where padding does
        for b in range(n):
            for v in range(V):
                work[space.weight + lengths[b] * step + v * B + b] = 1
    fill(work, row, B, 1.0 / total if total > 0 else 0.0)
    _scale(work, steps * V, B, B, (space.weight, row, space.weight))
    ahead = layer_at(spec, 0, 0)
    for t in range(lengths[0]):
        same(work, V, B, B, (space.target + t * step, ahead.u + t * ahead.u_step))
    if spec.directions == 2:
        back = layer_at(spec, 1, 0)
        _mirror(work, space.target, step, back.u, back.u_step, lengths, V)
    if spec.reverse:
        _mirror(work, ahead.u, ahead.u_step, space.target, step, lengths, V)
        same(work, steps * V, B, B, (space.weight, space.output))  # which is not used yet
        _mirror(work, space.output, step, space.weight, step, lengths, V)


@jit
def total_of(work: Any, row: int, B: int) -> float:
    """The sum of a row, lane after lane."""
    total = 0.0
    for b in range(row, row + B):
        total += work[b]
    return total


@jit
def _lay(work: Any, goal: int, values: Any, order: Any, lengths: Any, steps: int) -> None:
    """Rows (t, v) of all lanes = values (N, T, V) of the series `order`; 0 from a series' end on."""
    size, V = values.shape[1] * values.shape[2], values.shape[2]
    starts, limits = order * size, lengths * V
    turn(work, goal, order.size, values.ravel(), starts, limits, min(steps, values.shape[1]) * V)
    if steps > values.shape[1]:
        fill(work, goal + size * order.size, V * order.size, 0)


@jit
def _mirror(work: Any, source: int, source_step: int, goal: int, step: int, lengths: Any, V: int) -> None:
    """Rows (t, v) of `goal` = those of `source` with every series read backwards; 0 from its end on."""
    B = lengths.size
    for first in range(0, B, WIDTH):
        alike = lengths[first] == lengths[first + WIDTH - 1]
        for t in range(lengths[0]):
            before, to, at = lengths[first] - 1 - t, goal + t * step + first, source + first
            if alike and before >= 0:
                same(work, V, B, WIDTH, (at + before * source_step, to))
            else:
                for row in range(0, V * B, B):
                    for b in range(row, row + WIDTH):
                        own = lengths[first + b - row] - 1 - t
                        work[to + b] = work[at + own * source_step + b] if own >= 0 else 0.0


@jit
def toss(spec: Spec, work: Any, lineup: Lineup, p_s: float, key: np.uint64) -> None:
    """Write `fed`: 1 where the decoder's last output is its input."""
    B, fed, n = spec.lanes, space_of(spec).fed, lineup.filled
    for t in range(lineup.lengths[0] + spec.end_step):
        for b in range(B):
            own = p_s >= 1.0 or (p_s > 0.0 and b < n and uniform(key, lineup.order[b], t) < p_s)
            work[fed + t * B + b] = 1 if own else 0


@jit
def gather_kernel(spec: Spec, work: Any, kernel: Any, block: Any, lineup: Lineup) -> None:
    """The batch's block of K: `block`, whose series stand as in the lanes, or without it from K (N, N)."""
    B, start, order, n = spec.lanes, space_of(spec).kernel, lineup.order, lineup.filled
    fill(work, start, B * B, 0)
    for i in range(n):
        for j in range(n):
            work[start + i * B + j] = block[i, j] if block.size > 0 else kernel[order[i], order[j]]
