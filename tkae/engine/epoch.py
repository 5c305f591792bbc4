"""The kernels that Python calls, once a replica: an epoch of training, or an evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import jit
from tkae.engine.batch import Data
from tkae.engine.optimiser import advance, rows_used
from tkae.engine.replicas import Order, Settings, State
from tkae.engine.spec import Spec, code_size, space_of
from tkae.engine.step import forward, gradient, workspace


@jit
def train_epoch(
    spec: Spec, data: Data, state: State, settings: Settings, order: Order, r: int, parts: Any
) -> None:
    """One epoch of replica r, whose mean loss parts (3) are returned in `parts`.

    A loss or gradient that is not finite ends the replica before the update.
    """
    theta, own = state.theta[r], settings.set_of[r]
    work, grad = workspace(spec, theta), np.zeros_like(theta)
    kernel = data.kernels[min(own, data.kernels.shape[0] - 1)]
    last, done = rows_used(order, r), 0
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, last)]
        loss = gradient(
            spec, work, theta, grad, data.x[own], data.counted[own], data.padded_mean, data.lengths[own],
            kernel, rows, settings.alpha[r], settings.penalty[r], settings.decay,
            settings.p_s[r], settings.keys[r], parts,
        )  # fmt: skip
        done += 1
        if not advance(state, settings, r, grad, loss):
            break
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@jit
def _evaluate(
    spec: Spec, data: Data, work: Any, theta: Any, settings: Settings, r: int, rows: Any,
    z: Any, outputs: Any, squares: Any,
) -> None:  # fmt: skip
    own = settings.set_of[r]
    order, lanes = np.zeros(spec.lanes, np.int64), np.zeros(spec.lanes, np.int64)
    alive, alive_out = np.zeros(spec.steps + 2, np.int64), np.zeros(spec.steps + 2, np.int64)
    x, lengths = data.x[own], data.lengths[own]
    forward(
        spec, work, theta, x, data.counted[own], data.padded_mean, lengths, rows,
        settings.p_s[r], settings.keys[r], order, lanes, alive, alive_out,
    )  # fmt: skip
    space, B, V = space_of(spec), spec.lanes, spec.variates
    for b in range(rows.size):
        row, length = order[b], lanes[b]
        for d in range(code_size(spec)):
            z[row, d] = work[space.code + d * B + b]
        for t in range(length + spec.end_step):
            for v in range(V):
                at = (t * V + v) * B + b
                output = work[space.output + at]
                if t < length:
                    outputs[row, length - 1 - t if spec.reverse else t, v] = output
                if work[space.weight + at] > 0:
                    squares[row] += float(output - work[space.target + at]) ** 2


@jit
def evaluate(
    spec: Spec,
    data: Data,
    theta: Any,
    settings: Settings,
    r: int,
    rows: Any,
    z: Any,
    outputs: Any,
    squares: Any,
) -> None:
    """The series `rows` through replica r, B at a time, into z (N, D), outputs (N, T, V) and squares (N)."""
    work = workspace(spec, theta)
    for start in range(0, rows.size, spec.lanes):
        _evaluate(spec, data, work, theta, settings, r, rows[start : start + spec.lanes], z, outputs, squares)
