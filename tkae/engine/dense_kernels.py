"""The dense autoencoder's kernels: forward, backward, an epoch, an evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import fill, jit
from tkae.compiled.lanes import Lanes
from tkae.compiled.matrix import combine, dots
from tkae.compiled.sweep import Sums, sweep
from tkae.compiled.vectors import WIDTH
from tkae.engine.activations import activate, activation_gradient
from tkae.engine.batch import SeriesSets, mix
from tkae.engine.dense_spec import (
    LAYERS,
    DenseSpec,
    affine_at,
    dense_space,
    gradient_at,
    layer_at,
    stride,
    zeros_at,
)
from tkae.engine.optimiser import advance_by, penalise, rows_used
from tkae.engine.replicas import Evaluation, Hyperparameters, Order, State


@sweep(sums=0)
def _copy(x: Lanes) -> tuple[tuple[Lanes, ...], Sums]:
    return (x,), ()


@sweep(sums=1)
def _error(
    output: Lanes, target: Lanes, counted: Lanes, always: Lanes, sometimes: Lanes, factor: Lanes
) -> tuple[tuple[Lanes, ...], Sums]:
    difference = output - target
    weighted = (always + sometimes * counted) * difference
    return (factor * weighted,), ((weighted * difference,),)


@jit
def _aligned(size: int, like: Any) -> Any:
    """Zeros of the type of `like`, from where a line of the cache begins: loads are then faster."""
    space = np.zeros(size + WIDTH, dtype=like.dtype)
    skip = (-(space.ctypes.data // space.itemsize)) % WIDTH
    return space[skip : skip + size]


@jit
def dense_workspace(spec: DenseSpec, theta: Any) -> Any:
    work = _aligned(dense_space(spec), theta)
    fill(work, 0, spec.batch, 1)
    return work


@jit
def _corrupt(work: Any, start: int, count: int, row: int, corruption: float, key: np.uint64) -> None:
    """Set to 0 the inputs j of series `row` for which `uniform(key, row, j)` is below `corruption`.

    The draws' 53 bits are compared as whole numbers, which is the same and runs in vectors.
    """
    limit = np.uint64(np.ceil(corruption * 2.0**53))
    first = np.uint64(row) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(count):
        j = np.uint64(i)
        if mix(mix(key ^ (first + j)) + j) >> np.uint64(11) < limit:
            work[start + i] = 0


@jit
def _counted(data: SeriesSets, own: int, row: int) -> int:
    """How many entries of a series count."""
    flags, total = data.counted[own, row].reshape(-1), 0
    for j in range(flags.size):
        total += flags[j]
    return total


@jit
def dense_forward(
    spec: DenseSpec, work: Any, theta: Any, data: SeriesSets, own: int, rows: Any,
    corruption: float, key: np.uint64,
) -> None:  # fmt: skip
    """Series `rows`, some inputs set to 0, through all layers."""
    n, N, D = rows.size, data.x.shape[1], spec.inputs
    for b in range(n):
        row, x = rows[b], layer_at(spec, 0) + b * stride(spec, 0)
        length = data.lengths[own, row] * data.x.shape[3]
        _copy((data.x, work), ((own * N + row) * D, x), length, ())
        fill(work, x + length, D - length, 0)
        if corruption > 0:
            _corrupt(work, x, length, row, corruption, key)
    dense_layers(spec, work, theta, n, 0)


@jit
def dense_layers(spec: DenseSpec, work: Any, theta: Any, n: int, first: int) -> None:
    """The activations of all layers above layer `first` from that one's, of n series."""
    for layer in range(first, LAYERS):
        affine = affine_at(spec, layer)
        x, xr = layer_at(spec, layer), stride(spec, layer)
        y, yr = layer_at(spec, layer + 1), stride(spec, layer + 1)
        W, K = affine.weights, affine.inputs
        if layer < 2:
            dots(theta, affine.bias, work, x, xr, theta, W, affine.row, work, y, yr, n, affine.rows, K)
        else:
            combine(
                theta, affine.bias, 0, work, x, xr, 1, theta, W, affine.column, work, y, yr, n, affine.rows, K
            )
        activate(affine.activation, work, n, yr, y)


@jit
def dense_errors(
    spec: DenseSpec, work: Any, data: SeriesSets, own: int, row: int, b: int, factor: float
) -> float:
    """The summed squared error of series `row`, the b-th of its batch; `factor` times the error takes the
    place of the output.
    """
    output = layer_at(spec, LAYERS) + b * stride(spec, LAYERS)
    first = (own * data.x.shape[1] + row) * spec.inputs
    length, always = data.lengths[own, row] * data.x.shape[3], float(data.padded_mean)
    numbers = (always, 1.0 - always, factor)
    (inside,) = _error((work, data.x, data.counted, work), (output, first, first, output), length, numbers)
    # Padding is not read: there the target is 0.
    places = (output + length, zeros_at(spec), first + length, output + length)
    (padding,) = _error((work, work, data.counted, work), places, spec.inputs - length, numbers)
    return float(inside + padding)


@jit
def dense_gradient(
    spec: DenseSpec, work: Any, theta: Any, grad: Any, data: SeriesSets, own: int, rows: Any,
    decay: Any, penalty: float,
) -> tuple[float, float, float]:  # fmt: skip
    """After `dense_forward`: the reconstruction loss, L_2, and the squared norm of the gradient of
    L_r + lambda L_2, which `grad` (P) receives.
    """  # fmt: skip
    n, zeros, total, loss = rows.size, zeros_at(spec), 0, 0.0
    for b in range(n):
        total += spec.inputs if data.padded_mean == 1 else _counted(data, own, rows[b])
    scale = 1.0 / max(total, 1)
    for b in range(n):
        loss += dense_errors(spec, work, data, own, rows[b], b, 2.0 * scale)
    l2, norm = 0.0, 0.0
    for layer in range(LAYERS - 1, -1, -1):
        affine = affine_at(spec, layer)
        W, x, xr = affine.weights, layer_at(spec, layer), stride(spec, layer)
        y, yr = layer_at(spec, layer + 1), stride(spec, layer + 1)
        d, below = gradient_at(spec, layer + 1), gradient_at(spec, layer)
        activation_gradient(affine.activation, work, n, yr, y, d)
        combine(work, zeros, 0, work, 0, 0, 1, work, d, yr, grad, affine.bias, 0, 1, affine.rows, n)
        if layer >= 2:
            inputs, out = affine.inputs, affine.rows
            dots(work, zeros, work, d, yr, theta, W, out, work, below, xr, n, inputs, out)
            combine(work, zeros, 0, work, x, 1, xr, work, d, yr, grad, W, out, inputs, out, n)
        else:
            inputs, out = affine.rows, affine.inputs
            if spec.tied == 1:  # the decoder's part is there already
                combine(grad, W, out, work, d, 1, yr, work, x, xr, grad, W, out, inputs, out, n)
            else:
                combine(work, zeros, 0, work, d, 1, yr, work, x, xr, grad, W, out, inputs, out, n)
            if layer > 0:
                combine(work, zeros, 0, work, d, yr, 1, theta, W, out, work, below, xr, n, out, inputs)
        # What was just computed is still in the cache.
        more, square = penalise(theta, grad, affine.bias, affine.rows, decay[affine.bias], penalty)
        l2, norm = l2 + more, norm + square
        if layer < 2 or spec.tied == 0:
            more, square = penalise(theta, grad, W, inputs * out, decay[W], penalty)
            l2, norm = l2 + more, norm + square
    return loss * scale, l2, norm


@jit
def dense_epoch(
    spec: DenseSpec, data: SeriesSets, state: State, settings: Hyperparameters, order: Order,
    corruption: float, r: int, parts: Any,
) -> None:  # fmt: skip
    """One epoch of replica r, whose mean loss parts (3) are returned in `parts`."""
    theta, own, penalty = state.theta[r], settings.set_of[r], settings.penalty[r]
    work, grad = dense_workspace(spec, theta), _aligned(theta.size, theta)
    last, done = rows_used(order, r), 0
    for start in range(0, last, order.batch):
        rows = order.rows[r, start : min(start + order.batch, last)]
        dense_forward(spec, work, theta, data, own, rows, corruption, settings.keys[r])
        loss, l2, norm = dense_gradient(spec, work, theta, grad, data, own, rows, settings.decay, penalty)
        parts[0] += loss
        parts[1] += l2
        done += 1
        if not advance_by(state, settings, r, grad, norm, loss + penalty * l2):
            break
    for i in range(parts.size):
        parts[i] /= max(done, 1)


@jit
def dense_evaluate(
    spec: DenseSpec,
    data: SeriesSets,
    theta: Any,
    settings: Hyperparameters,
    r: int,
    rows: Any,
    found: Evaluation,
) -> None:
    """The series `rows`, not corrupted, into z (N, D_z), outputs (N, T, V) and squares (N)."""
    work, own = dense_workspace(spec, theta), settings.set_of[r]
    for start in range(0, rows.size, spec.batch):
        block = rows[start : min(start + spec.batch, rows.size)]
        dense_forward(spec, work, theta, data, own, block, 0.0, settings.keys[r])
        for b in range(block.size):
            row, length = block[b], data.lengths[own, block[b]] * data.x.shape[3]
            code = layer_at(spec, 2) + b * stride(spec, 2)
            output = layer_at(spec, LAYERS) + b * stride(spec, LAYERS)
            _copy((work, found.z), (code, row * spec.code), spec.code, ())
            _copy((work, found.outputs), (output, row * spec.inputs), length, ())
            found.squares[row] = dense_errors(spec, work, data, own, row, b, 1.0)


@jit
def dense_generate(spec: DenseSpec, theta: Any, codes: Any, outputs: Any) -> None:
    """The outputs (N, D_x) of codes (N, D_z)."""
    work = dense_workspace(spec, theta)
    for start in range(0, codes.shape[0], spec.batch):
        n = min(spec.batch, codes.shape[0] - start)
        for b in range(n):
            code = layer_at(spec, 2) + b * stride(spec, 2)
            _copy((codes, work), ((start + b) * spec.code, code), spec.code, ())
        dense_layers(spec, work, theta, n, 2)
        for b in range(n):
            output = layer_at(spec, LAYERS) + b * stride(spec, LAYERS)
            _copy((work, outputs), (output, (start + b) * spec.inputs), spec.inputs, ())
