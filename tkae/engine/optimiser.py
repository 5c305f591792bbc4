"""What happens to a gradient: the L_2 penalty, clipping by its global norm, Adam's update."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.engine.jit import jit
from tkae.engine.replicas import Order, Settings, State

CLIP = 1.0  # the gradient's largest global norm
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


@jit
def add_penalty(theta: Any, grad: Any, decay: Any, penalty: float) -> float:
    """L_2; its gradient times lambda is added to `grad`."""
    squares = 0.0
    for i in range(theta.size):
        squares += 0.5 * decay[i] * theta[i] * theta[i]
        grad[i] += penalty * decay[i] * theta[i]
    return squares


@jit
def update(theta: Any, grad: Any, m: Any, v: Any, step: int, rate: float) -> bool:
    """Clip the gradient to the global norm CLIP, then Adam; False, and no change, if it is not finite."""
    squares = 0.0
    for i in range(grad.size):
        squares += float(grad[i]) * float(grad[i])
    if not np.isfinite(squares):
        return False
    scale = CLIP / max(np.sqrt(squares), CLIP)
    slow, fast = 1.0 - BETA1**step, np.sqrt(1.0 - BETA2**step)
    for i in range(grad.size):
        g = grad[i] * scale
        m[i] = BETA1 * m[i] + (1.0 - BETA1) * g
        v[i] = BETA2 * v[i] + (1.0 - BETA2) * g * g
        theta[i] -= rate / slow * m[i] / (np.sqrt(v[i]) / fast + EPSILON)
    return True


@jit
def advance(state: State, settings: Settings, r: int, grad: Any, loss: float) -> bool:
    """Update replica r; if its loss or gradient is not finite, end it instead and say so."""
    finite = np.isfinite(loss) and update(
        state.theta[r], grad, state.m[r], state.v[r], state.steps[r] + 1, settings.rate[r]
    )
    if finite:
        state.steps[r] += 1
    else:
        state.live[r] = False
    return bool(finite)


@jit
def rows_used(order: Order, r: int) -> int:
    """How many of replica r's series an epoch sees."""
    count = order.counts[r]
    return int(count if order.keep_last == 1 else count // order.batch * order.batch)
