"""What happens to a gradient: the L_2 penalty, clipping by its global norm, Adam's update.

Two passes over the parameters do: one adds the penalty's gradient and sums squares, one updates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import jit
from tkae.compiled.lanes import Lanes
from tkae.compiled.sweep import Sums, square_root, sweep
from tkae.engine.replicas import Hyperparameters, Order, State

CLIP = 1.0  # the gradient's largest global norm
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


@sweep(sums=1)
def _penalise(theta: Lanes, grad: Lanes, decay: Lanes, penalty: Lanes) -> tuple[tuple[Lanes, ...], Sums]:
    decayed = decay * theta
    total = grad + penalty * decayed
    return (total,), ((decayed, theta),)


@sweep(sums=2)
def _penalise_evenly(theta: Lanes, grad: Lanes, factor: Lanes) -> tuple[tuple[Lanes, ...], Sums]:
    total = grad + factor * theta
    return (total,), ((theta, theta), (total, total))


@sweep(sums=1)
def _squares(grad: Lanes) -> tuple[tuple[Lanes, ...], Sums]:
    return (), ((grad, grad),)


@sweep(sums=0)
def _adam(
    theta: Lanes, grad: Lanes, m: Lanes, v: Lanes, scale: Lanes, rate: Lanes, fast: Lanes
) -> tuple[tuple[Lanes, ...], Sums]:
    g = grad * scale
    m = m * BETA1 + g * (1.0 - BETA1)
    v = v * BETA2 + g * g * (1.0 - BETA2)
    return (theta - rate * m / (square_root(v) * fast + EPSILON), m, v), ()


@jit
def penalise(
    theta: Any, grad: Any, start: int, count: int, decay: float, penalty: float
) -> tuple[float, float]:
    """L_2 of `count` parameters of one decay, whose gradient times lambda is added to `grad`; and the
    sum of its squares.
    """  # fmt: skip
    squares, norm = _penalise_evenly((theta, grad, grad), (start, start, start), count, (decay * penalty,))
    return 0.5 * decay * squares, norm


@jit
def add_penalty(theta: Any, grad: Any, decay: Any, penalty: float) -> float:
    """L_2; its gradient times lambda is added to `grad`."""
    (twice,) = _penalise((theta, grad, decay, grad), (0, 0, 0, 0), theta.size, (penalty,))
    return float(0.5 * twice)


@jit
def power(base: float, count: int) -> float:
    """base^count by multiplication: the C library's pow may differ from processor to processor."""
    result = 1.0
    while count > 0:
        if count & 1:
            result *= base
        base *= base
        count >>= 1
    return result


@jit
def update(theta: Any, grad: Any, norm: float, m: Any, v: Any, step: int, rate: float) -> None:
    """Clip the gradient, whose squared norm is `norm`, to the global norm CLIP, then Adam."""
    scale = CLIP / max(np.sqrt(norm), CLIP)
    slow, fast = 1.0 - power(BETA1, step), 1.0 / np.sqrt(1.0 - power(BETA2, step))
    numbers = (scale, rate / slow, fast)
    _adam((theta, grad, m, v, theta, m, v), (0, 0, 0, 0, 0, 0, 0), theta.size, numbers)


@jit
def advance_by(state: State, settings: Hyperparameters, r: int, grad: Any, norm: float, loss: float) -> bool:
    """Update replica r; if its loss or the gradient's squared norm is not finite, end it and say so."""
    finite = np.isfinite(loss) and np.isfinite(norm)
    if finite:
        state.steps[r] += 1
        update(state.theta[r], grad, norm, state.m[r], state.v[r], state.steps[r], settings.rate[r])
    else:
        state.live[r] = False
    return bool(finite)


@jit
def advance(state: State, settings: Hyperparameters, r: int, grad: Any, loss: float) -> bool:
    """`advance_by` a gradient whose norm is not known yet."""
    (norm,) = _squares((grad,), (0,), grad.size, ())
    return advance_by(state, settings, r, grad, norm, loss)


@jit
def rows_used(order: Order, r: int) -> int:
    """How many of replica r's series an epoch sees."""
    count = order.counts[r]
    return int(count if order.keep_last == 1 else count // order.batch * order.batch)
