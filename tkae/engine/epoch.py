"""The kernels that Python calls, once a replica: an epoch of training, or an evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import jit
from tkae.engine.batch import Lineup, SeriesSets, series_of
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
    last, done = rows_used(order, r), 0
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, last)]
        loss = gradient(spec, work, theta, series, own, rows, grad, parts)
        done += 1
        if not advance(state, settings, r, grad, loss):
            break
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@jit
def _read_out(spec: Spec, work: Any, lineup: Lineup, found: Evaluation) -> None:
    """Codes, outputs and squared errors of a batch, each to the row of its series."""
    space, B, V = space_of(spec), spec.lanes, spec.variates
    for b in range(lineup.filled):
        row, length = lineup.order[b], lineup.lengths[b]
        for d in range(code_size(spec)):
            found.z[row, d] = work[space.code + d * B + b]
        for t in range(length + spec.end_step):
            for v in range(V):
                at = (t * V + v) * B + b
                output = work[space.output + at]
                if t < length:
                    found.outputs[row, length - 1 - t if spec.reverse else t, v] = output
                if work[space.weight + at] > 0:
                    found.squares[row] += float(output - work[space.target + at]) ** 2


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
