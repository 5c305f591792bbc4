"""The kernels that Python calls: an epoch of training, or an evaluation, of all replicas at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from tkae.engine.batch import Data
from tkae.engine.jit import jit, parallel
from tkae.engine.replicas import Order, Settings, State
from tkae.engine.spec import Spec, code_size, space_of
from tkae.engine.step import forward, gradient, update, workspace


@jit
def _train(spec: Spec, data: Data, state: State, settings: Settings, order: Order, r: int, parts: Any) -> None:
    """One epoch of replica r; a loss or gradient that is not finite ends it before the update."""
    theta, own = state.theta[r], settings.set_of[r]
    work, grad = workspace(spec, theta), np.zeros_like(theta)
    kernel = data.kernels[min(own, data.kernels.shape[0] - 1)]
    count, done = order.counts[r], 0
    last = count if order.keep_last == 1 else count // order.batch * order.batch
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, count)]
        loss = gradient(
            spec, work, theta, grad, data.x[own], data.counted[own], data.padded_mean, data.lengths[own], kernel,
            rows, settings.alpha[r], settings.penalty[r], settings.decay, settings.p_s[r], settings.keys[r], parts,
        )  # fmt: skip
        finite = np.isfinite(loss) and update(
            theta, grad, state.m[r], state.v[r], state.steps[r] + 1, settings.rate[r]
        )
        done += 1
        if not finite:
            state.live[r] = False
            break
        state.steps[r] += 1
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@parallel
def train_epoch(spec: Spec, data: Data, state: State, settings: Settings, order: Order, parts: Any) -> None:
    """Every live replica over its batches; parts (R, 3) receives the mean losses."""
    for r in prange(state.theta.shape[0]):
        if state.live[r]:
            _train(spec, data, state, settings, order, r, parts[r])


@jit
def _evaluate(
    spec: Spec, data: Data, theta: Any, own: int, p_s: float, key: np.uint64, rows: Any, z: Any, outputs: Any, squares: Any
) -> None:  # fmt: skip
    work = workspace(spec, theta)
    order, lanes = np.zeros(spec.lanes, np.int64), np.zeros(spec.lanes, np.int64)
    alive, alive_out = np.zeros(spec.steps + 2, np.int64), np.zeros(spec.steps + 2, np.int64)
    x, lengths = data.x[own], data.lengths[own]
    forward(
        spec, work, theta, x, data.counted[own], data.padded_mean, lengths, rows, p_s, key,
        order, lanes, alive, alive_out,
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


@parallel
def evaluate(
    spec: Spec, data: Data, theta: Any, settings: Settings, order: Any, z: Any, outputs: Any, squares: Any
) -> None:
    """All series of each replica's set, in blocks of B rows of order (S, N), into z, outputs and squares."""
    n, replicas = order.shape[1], theta.shape[0]
    blocks = (n + spec.lanes - 1) // spec.lanes
    for job in prange(replicas * blocks):
        r, first = job // blocks, job % blocks * spec.lanes
        own = settings.set_of[r]
        rows = order[own, first : min(first + spec.lanes, n)]
        _evaluate(
            spec, data, theta[r], own, settings.p_s[r], settings.keys[r], rows, z[r], outputs[r], squares[r]
        )  # fmt: skip
