"""The dense autoencoder's kernels: forward, backward, an epoch, an evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.engine.batch import Data, uniform
from tkae.engine.dense_spec import LAYERS, RELU, SIGMOID, TANH, DenseSpec, affine_at, dense_rows, layer_row
from tkae.engine.jit import fill, jit
from tkae.engine.lanes import Lanes, lanewise, sigmoid, tanh
from tkae.engine.optimiser import add_penalty, advance, rows_used
from tkae.engine.products import outer, product
from tkae.engine.replicas import Order, Settings, State


@lanewise
def _tanh(x: Lanes) -> tuple[Lanes, ...]:
    return (tanh(x),)


@lanewise
def _sigmoid(x: Lanes) -> tuple[Lanes, ...]:
    return (sigmoid(x),)


@lanewise
def _relu(x: Lanes) -> tuple[Lanes, ...]:
    return (x.where_positive(x),)


@lanewise
def _tanh_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d * (1.0 - y * y),)


@lanewise
def _sigmoid_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d * y * (1.0 - y),)


@lanewise
def _relu_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d.where_positive(y),)


@jit
def _activate(kind: int, work: Any, rows: int, B: int, y: int) -> None:
    if kind == TANH:
        _tanh(work, rows, B, B, (y, y))
    elif kind == SIGMOID:
        _sigmoid(work, rows, B, B, (y, y))
    elif kind == RELU:
        _relu(work, rows, B, B, (y, y))


@jit
def _activation_gradient(kind: int, work: Any, rows: int, B: int, y: int, d: int) -> None:
    if kind == TANH:
        _tanh_gradient(work, rows, B, B, (y, d, d))
    elif kind == SIGMOID:
        _sigmoid_gradient(work, rows, B, B, (y, d, d))
    elif kind == RELU:
        _relu_gradient(work, rows, B, B, (y, d, d))


@jit
def dense_workspace(spec: DenseSpec, theta: Any) -> Any:
    work = np.zeros(dense_rows(spec) * spec.lanes, dtype=theta.dtype)
    fill(work, 0, spec.lanes, 1)
    return work


@jit
def dense_forward(
    spec: DenseSpec, work: Any, theta: Any, data: Data, own: int, rows: Any, corruption: float, key: np.uint64
) -> float:  # fmt: skip
    """Series `rows`, some inputs set to 0, through all layers; the number of entries that count."""
    B, V, n = spec.lanes, data.x.shape[3], rows.size
    target = 2 * layer_row(spec, LAYERS + 1) * B
    weight, total = target + spec.inputs * B, 0.0
    for j in range(spec.inputs):
        t, v = j // V, j % V
        for b in range(B):
            value, counts = 0.0, 0.0
            if b < n:
                row = rows[b]
                if t < data.lengths[own, row]:
                    value = float(data.x[own, row, t, v])
                if data.padded_mean == 1 or data.counted[own, row, t, v]:
                    counts = 1.0
            total += counts
            work[target + j * B + b] = value
            work[weight + j * B + b] = counts
            dropped = corruption > 0 and b < n and uniform(key, rows[b], j) < corruption
            work[(1 + j) * B + b] = 0.0 if dropped else value
    for layer in range(LAYERS):
        one = affine_at(spec, layer)
        x, y = layer_row(spec, layer) * B, layer_row(spec, layer + 1) * B
        product(theta, one.bias, 1, 1, one.rows, 1, work, 0, work, y, B, B, 0)
        product(theta, one.weights, one.row, one.column, one.rows, one.inputs, work, x, work, y, B, B, 1)
        _activate(one.activation, work, one.rows, B, y)
    return total


@jit
def dense_gradient(spec: DenseSpec, work: Any, theta: Any, grad: Any, total: float) -> float:
    """The reconstruction loss after `dense_forward`; `grad` (P) receives its gradient."""
    B, half = spec.lanes, layer_row(spec, LAYERS + 1)
    output, target, scale = layer_row(spec, LAYERS) * B, 2 * half * B, 1.0 / max(total, 1.0)
    goal, loss, size = output + half * B, 0.0, spec.inputs * B
    for i in range(size):
        difference = work[output + i] - work[target + i]
        weighted = work[target + size + i] * difference
        loss += weighted * difference
        work[goal + i] = 2.0 * scale * weighted
    fill(grad, 0, grad.size, 0)
    for layer in range(LAYERS - 1, -1, -1):
        one = affine_at(spec, layer)
        x, y = layer_row(spec, layer) * B, layer_row(spec, layer + 1) * B
        d, below = y + half * B, x + half * B
        _activation_gradient(one.activation, work, one.rows, B, y, d)
        outer(work, d, 0, one.rows, work, 0, 0, 1, B, 1, B, grad, one.bias, 1)
        if one.column == 1:
            outer(work, d, 0, one.rows, work, x, 0, one.inputs, B, 1, B, grad, one.weights, one.row)
        else:  # transposed weights: so is their gradient
            outer(work, x, 0, one.inputs, work, d, 0, one.rows, B, 1, B, grad, one.weights, one.column)
        if layer > 0:
            product(
                theta, one.weights, one.column, one.row, one.inputs, one.rows, work, d, work, below, B, B, 0
            )
    return loss * scale


@jit
def dense_epoch(
    spec: DenseSpec, data: Data, state: State, settings: Settings, order: Order,
    corruption: float, r: int, parts: Any,
) -> None:  # fmt: skip
    """One epoch of replica r, whose mean loss parts (3) are returned in `parts`."""
    theta = state.theta[r]
    work, grad = dense_workspace(spec, theta), np.zeros_like(theta)
    last, done = rows_used(order, r), 0
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, last)]
        total = dense_forward(spec, work, theta, data, settings.set_of[r], rows, corruption, settings.keys[r])
        loss = dense_gradient(spec, work, theta, grad, total)
        squares = add_penalty(theta, grad, settings.decay, settings.penalty[r])
        parts[0] += loss
        parts[1] += squares
        done += 1
        if not advance(state, settings, r, grad, loss + settings.penalty[r] * squares):
            break
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@jit
def dense_evaluate(
    spec: DenseSpec, data: Data, theta: Any, settings: Settings, r: int, rows: Any,
    z: Any, outputs: Any, squares: Any,
) -> None:  # fmt: skip
    """The series `rows`, not corrupted, into z (N, D_z), outputs (N, T, V) and squares (N)."""
    work, B, V, own = dense_workspace(spec, theta), spec.lanes, data.x.shape[3], settings.set_of[r]
    code, output = layer_row(spec, 2) * B, layer_row(spec, LAYERS) * B
    target = 2 * layer_row(spec, LAYERS + 1) * B
    for start in range(0, rows.size, B):
        block = rows[start : min(start + B, rows.size)]
        dense_forward(spec, work, theta, data, own, block, 0.0, settings.keys[r])
        for b in range(block.size):
            row = block[b]
            for d in range(spec.code):
                z[row, d] = work[code + d * B + b]
            for j in range(spec.inputs):
                at = j * B + b
                if j // V < data.lengths[own, row]:
                    outputs[row, j // V, j % V] = work[output + at]
                difference = float(work[output + at] - work[target + at])
                squares[row] += work[target + spec.inputs * B + at] * difference**2
