"""The code z: dense tanh layers on the encoder's final states, which start the decoder.

The paper has one layer on the top states of both directions, and z is the whole state of every decoder
layer: h_0 = z and, for LSTM, c_0 = z. With c_0 = 0 the code would reach the decoder through the gates of
its first step alone. The authors' program has one a layer (slot s is made of encoder layer M - 1 - s and
starts decoder layer s), of which z is all, or only the last one, for every decoder layer.
"""

from __future__ import annotations

from typing import Any

from tkae.compiled.jit import fill, jit
from tkae.compiled.lanes import Lanes, lanewise, same, tanh
from tkae.compiled.products import outer, product
from tkae.engine.spec import DECODER, Spec, code_inputs, dense_at, layer_at, space_of


@lanewise
def _tanh(x: Lanes) -> tuple[Lanes, ...]:
    return (tanh(x),)


@lanewise
def _tanh_gradient(y: Lanes, dy: Lanes) -> tuple[Lanes, ...]:
    return (dy * (1.0 - y * y),)


@lanewise
def _add(a: Lanes, b: Lanes) -> tuple[Lanes, ...]:
    return (a + b,)


@jit
def _dense_of(spec: Spec, slot: int) -> int:
    return dense_at(spec, spec.layers - 1 - slot if spec.dense > 1 else 0)


@jit
def make_code(spec: Spec, work: Any, theta: Any) -> None:
    """From `states` to `code`."""
    B, space = spec.lanes, space_of(spec)
    K, rows = code_inputs(spec), spec.parts * spec.hidden
    for slot in range(spec.slots):
        states, code = space.states + slot * K * B, space.code + slot * rows * B
        product(theta, _dense_of(spec, slot), K, 1, rows, K, work, states, work, code, B, B, 0)
        _tanh(work, rows, B, B, (code, code))


@jit
def start_decoder(spec: Spec, work: Any) -> None:
    """From `code` to the decoder's initial states."""
    B, H, space = spec.lanes, spec.hidden, space_of(spec)
    rows = spec.parts * H
    for index in range(spec.layers):
        layer = layer_at(spec, DECODER, index)
        code = space.code + (index % spec.slots) * rows * B
        h = layer.u + (layer.inputs + 1) * B
        same(work, H, B, B, (code, h))
        if spec.memory >= 0:
            same(work, H, B, B, (code + spec.memory * B, layer.c))
        else:
            fill(work, layer.c, H * B, 0)


@jit
def code_gradient(spec: Spec, work: Any, theta: Any, grad: Any) -> None:
    """From the decoder's dh and dc, added to what `d_code` holds already, to `d_states`."""
    B, H, space = spec.lanes, spec.hidden, space_of(spec)
    K, rows = code_inputs(spec), spec.parts * H
    for index in range(spec.layers):
        layer = layer_at(spec, DECODER, index)
        goal = space.d_code + (index % spec.slots) * rows * B
        _add(work, H, B, B, (goal, layer.dh, goal))
        if spec.memory >= 0:
            memory = goal + spec.memory * B
            _add(work, H, B, B, (memory, layer.dc, memory))
    for slot in range(spec.slots):
        code, d_code = space.code + slot * rows * B, space.d_code + slot * rows * B
        states, d_states = space.states + slot * K * B, space.d_states + slot * K * B
        _tanh_gradient(work, rows, B, B, (code, d_code, d_code))
        w = _dense_of(spec, slot)
        outer(work, d_code, 0, rows, work, states, 0, K, B, 1, B, grad, w, K)
        product(theta, w, 1, K, K, rows, work, d_code, work, d_states, B, B, 0)
