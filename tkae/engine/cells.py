"""One step of an LSTM or GRU layer for all lanes, and its gradient.

GRU in Cho's form: the reset gate acts on the state before the candidate's product. The LSTM's forget
gate has a constant 1 added, apart from its bias, as in the authors' program (so L2 does not see it).
Gates stand in the order i, f, g, o (LSTM) and r, u, candidate (GRU).
"""

from __future__ import annotations

from typing import Any

from tkae.compiled.jit import jit
from tkae.compiled.lanes import Lanes, exp, lanewise, multiply_add, tanh
from tkae.compiled.products import outer, product
from tkae.engine.spec import LSTM, Layer, Spec, space_of


@lanewise
def _lstm(i: Lanes, f: Lanes, g: Lanes, o: Lanes, c: Lanes) -> tuple[Lanes, ...]:
    powers = exp(0.0 - i, -1.0 - f, g + g, 0.0 - o)
    i, f, g, o = (1.0 / (power + 1.0) for power in powers)
    g = multiply_add(g, -2.0, 1.0)
    c = multiply_add(f, c, i * g)
    return i, f, g, o, c


@lanewise
def _lstm_state(o: Lanes, c: Lanes) -> tuple[Lanes, ...]:
    squashed = tanh(c)
    h = o * squashed
    return squashed, h, h


@lanewise
def _lstm_gradient(
    i: Lanes, f: Lanes, g: Lanes, o: Lanes, squashed: Lanes, c: Lanes, dh: Lanes, dc: Lanes
) -> tuple[Lanes, ...]:
    through = dh * o
    dc = multiply_add(through, _slope(squashed), dc)
    d_f = dc * f
    d_i = dc * i
    d_o = through * squashed * (1.0 - o)
    return d_i * g * (1.0 - i), d_f * c * (1.0 - f), d_i * _slope(g), d_o, d_f


def _slope(y: Lanes) -> Lanes:
    """The derivative of tanh where it is y."""
    return multiply_add(0.0 - y, y, 1.0)


@lanewise
def _gru_gates(r: Lanes, u: Lanes, h: Lanes) -> tuple[Lanes, ...]:
    r, u = (1.0 / (power + 1.0) for power in exp(0.0 - r, 0.0 - u))
    return r, u, r * h


@lanewise
def _gru_state(candidate: Lanes, u: Lanes, h: Lanes) -> tuple[Lanes, ...]:
    candidate = tanh(candidate)
    new = multiply_add(u, h - candidate, candidate)
    return candidate, new, new


@lanewise
def _gru_state_gradient(u: Lanes, candidate: Lanes, h: Lanes, dh: Lanes) -> tuple[Lanes, ...]:
    kept = dh * u
    rest = dh * (1.0 - u)
    return kept * (1.0 - u) * (h - candidate), rest * _slope(candidate), kept


@lanewise
def _gru_reset_gradient(r: Lanes, h: Lanes, d_reset: Lanes, dh: Lanes) -> tuple[Lanes, ...]:
    through = d_reset * r
    return through * h * (1.0 - r), dh + through


@jit
def forward(spec: Spec, work: Any, theta: Any, layer: Layer, t: int, above: int, lanes: int) -> None:
    """Step t: reads the input and the state of time t, writes the state of t + 1, also to `above`."""
    H, B = spec.hidden, spec.lanes
    I, K = layer.inputs, layer.inputs + 1 + H  # noqa: E741
    u, a, row = layer.u + t * layer.u_step, layer.a + t * layer.a_step, H * B
    h = u + (I + 1) * B
    new = h + layer.u_step
    if spec.cell == LSTM:
        c = layer.c + t * row
        product(theta, layer.weights, K, 1, 4 * H, K, work, u, work, a, B, lanes, 0)
        reads = (a, a + row, a + 2 * row, a + 3 * row, c)
        _lstm(work, H, B, lanes, (*reads, *reads[:4], c + row))
        _lstm_state(work, H, B, lanes, (a + 3 * row, c + row, a + 4 * row, new, above))
    else:
        reset, candidate, w = h + row, a + 2 * row, layer.weights + 2 * H * K
        product(theta, layer.weights, K, 1, 2 * H, K, work, u, work, a, B, lanes, 0)
        _gru_gates(work, H, B, lanes, (a, a + row, h, a, a + row, reset))
        product(theta, w, K, 1, H, I + 1, work, u, work, candidate, B, lanes, 0)
        product(theta, w + I + 1, K, 1, H, H, work, reset, work, candidate, B, lanes, 1)
        _gru_state(work, H, B, lanes, (candidate, a + row, h, candidate, new, above))


@jit
def backward(spec: Spec, work: Any, theta: Any, layer: Layer, t: int, below: int, lanes: int) -> None:
    """Step t: turns dh (and dc) of time t + 1 into those of t; adds the input's gradient to `below` if >= 0.

    The gates' activations of step t are overwritten with the gradients that `gradient` needs.
    """
    H, B, spare = spec.hidden, spec.lanes, space_of(spec).spare
    I, K = layer.inputs, layer.inputs + 1 + H  # noqa: E741
    a, row, dh = layer.a + t * layer.a_step, H * B, layer.dh
    h = layer.u + t * layer.u_step + (I + 1) * B
    w = layer.weights
    if spec.cell == LSTM:
        gates = (a, a + row, a + 2 * row, a + 3 * row)
        c = layer.c + t * row
        _lstm_gradient(work, H, B, lanes, (*gates, a + 4 * row, c, dh, layer.dc, *gates, layer.dc))
        product(theta, w + I + 1, 1, K, H, 4 * H, work, a, work, dh, B, lanes, 0)
        rows = 4 * H
    else:
        update, candidate = a + row, a + 2 * row
        _gru_state_gradient(work, H, B, lanes, (update, candidate, h, dh, update, candidate, dh))
        product(theta, w + 2 * H * K + I + 1, 1, K, H, H, work, candidate, work, spare, B, lanes, 0)
        _gru_reset_gradient(work, H, B, lanes, (a, h, spare, dh, a, dh))
        product(theta, w + I + 1, 1, K, H, 2 * H, work, a, work, dh, B, lanes, 1)
        rows = 3 * H
    if below >= 0:
        product(theta, w, 1, K, I, rows, work, a, work, below, B, lanes, 1)


@jit
def gradient(spec: Spec, work: Any, grad: Any, layer: Layer, t: int, steps: int, lanes: int) -> None:
    """Add the weights' gradient of `steps` steps from t on, after `backward` went over them."""
    H, B = spec.hidden, spec.lanes
    I, K = layer.inputs, layer.inputs + 1 + H  # noqa: E741
    u, a = layer.u + t * layer.u_step, layer.a + t * layer.a_step
    us, step, w = layer.u_step, layer.a_step, layer.weights
    if spec.cell == LSTM:
        outer(work, a, step, 4 * H, work, u, us, K, B, steps, lanes, grad, w, K)
    else:
        candidate, wc, reset = a + 2 * H * B, w + 2 * H * K, u + K * B
        outer(work, a, step, 2 * H, work, u, us, K, B, steps, lanes, grad, w, K)
        outer(work, candidate, step, H, work, u, us, I + 1, B, steps, lanes, grad, wc, K)
        outer(work, candidate, step, H, work, reset, us, H, B, steps, lanes, grad, wc + I + 1, K)
