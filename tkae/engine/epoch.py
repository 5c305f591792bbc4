"""The kernels that Python calls, once a replica: an epoch of training, or an evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import fill, jit
from tkae.engine.batch import Lineup, SeriesSets, line_up, series_of, toss
from tkae.engine.code import start_decoder
from tkae.engine.decoder import decode
from tkae.engine.optimiser import advance, rows_used
from tkae.engine.replicas import Evaluation, Hyperparameters, Order, State, hyperparameters_of
from tkae.engine.spec import Spec, code_size, space_of
from tkae.engine.step import forward, gradient, workspace


@jit
def train_epoch(
    spec: Spec, data: SeriesSets, state: State, settings: Hyperparameters, order: Order, r: int, parts: Any
) -> None:
    """One epoch of replica r, whose mean loss parts (3) are returned in `parts`.

    A loss or gradient that is not finite ends the replica before the update.
    """
    theta = state.theta[r]
    series, own = series_of(data, settings.set_of[r]), hyperparameters_of(settings, r)
    work, grad = workspace(spec, theta), np.zeros_like(theta)
    block = np.zeros((0, 0), theta.dtype)
    last, done = rows_used(order, r), 0
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, last)]
        if order.blocks.size > 0:
            block = order.blocks[r, start // order.batch]
        loss = gradient(spec, work, theta, series, own, rows, block, grad, parts)
        done += 1
        if not advance(state, settings, r, grad, loss):
            break
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@jit
def _read_outputs(spec: Spec, work: Any, lineup: Lineup, outputs: Any) -> None:
    """What the decoder made in a batch, each to the row of its series in (N, T, V)."""
    start, B, V = space_of(spec).output, spec.lanes, spec.variates
    for b in range(lineup.filled):
        row, length = lineup.order[b], lineup.lengths[b]
        for t in range(length):
            for v in range(V):
                outputs[row, length - 1 - t if spec.reverse else t, v] = work[start + (t * V + v) * B + b]


@jit
def _read_out(spec: Spec, work: Any, lineup: Lineup, found: Evaluation) -> None:
    """Codes, outputs and squared errors of a batch, each to the row of its series."""
    space, B, V = space_of(spec), spec.lanes, spec.variates
    _read_outputs(spec, work, lineup, found.outputs)
    for b in range(lineup.filled):
        row, length = lineup.order[b], lineup.lengths[b]
        for d in range(code_size(spec)):
            found.z[row, d] = work[space.code + d * B + b]
        for t in range(length + spec.end_step):
            for v in range(V):
                at = (t * V + v) * B + b
                if work[space.weight + at] > 0:
                    found.squares[row] += float(work[space.output + at] - work[space.target + at]) ** 2


@jit
def evaluate(
    spec: Spec, data: SeriesSets, theta: Any, settings: Hyperparameters, r: int, rows: Any, found: Evaluation
) -> None:
    """The series `rows` through replica r, B at a time, into z (N, D), outputs (N, T, V) and squares (N)."""
    series, own = series_of(data, settings.set_of[r]), hyperparameters_of(settings, r)
    work = workspace(spec, theta)
    for start in range(0, rows.size, spec.lanes):
        lineup = forward(spec, work, theta, series, own, rows[start : start + spec.lanes])
        _read_out(spec, work, lineup, found)


@jit
def generate(spec: Spec, theta: Any, codes: Any, lengths: Any, outputs: Any) -> None:
    """The decoder's own run from `codes` (N, D) for `lengths` (N) steps, B at a time, into (N, T, V)."""
    work, space, B = workspace(spec, theta), space_of(spec), spec.lanes
    rows = np.arange(codes.shape[0])
    for start in range(0, rows.size, B):
        lineup = line_up(spec, rows[start : start + B], lengths)
        toss(spec, work, lineup, 1.0, np.uint64(0))
        fill(work, space.code, code_size(spec) * B, 0)
        for b in range(lineup.filled):
            for d in range(code_size(spec)):
                work[space.code + d * B + b] = codes[lineup.order[b], d]
        start_decoder(spec, work)
        decode(spec, work, theta, lineup.alive_out)
        _read_outputs(spec, work, lineup, outputs)
