"""The generative decoder: every step's output may be the next step's input, and so may its gradient."""

from __future__ import annotations

from functools import partial
from typing import Any

from tkae.compiled.jit import fill, jit
from tkae.compiled.lanes import Lanes, lanewise, multiply_add
from tkae.compiled.products import outer, product
from tkae.engine.batch import total_of
from tkae.engine.spec import DECODER, Spec, layer_at, output_at, space_of
from tkae.engine.stack import (
    chunk_ends,
    clear_gradients,
    layer_forward,
    stack_backward,
    stack_gradient,
    steps_of,
    wide,
)


@partial(lanewise, shared=(0,))
def _choose(fed: Lanes, output: Lanes, target: Lanes) -> tuple[Lanes, ...]:
    return (multiply_add(fed, output, (1.0 - fed) * target),)


@partial(lanewise, shared=(3, 5))
def _error(output: Lanes, target: Lanes, weight: Lanes, total: Lanes) -> tuple[Lanes, ...]:
    difference = output - target
    weighted = weight * difference
    return weighted * 2.0, multiply_add(weighted, difference, total)


@partial(lanewise, shared=(0,))
def _feed_back(fed: Lanes, d_input: Lanes, d_output: Lanes) -> tuple[Lanes, ...]:
    return (multiply_add(fed, d_input, d_output),)


@jit
def decode(spec: Spec, work: Any, theta: Any, alive: Any) -> None:
    """From the initial states to `output`; `fed` says where an output is fed back."""
    H, B, V, space = spec.hidden, spec.lanes, spec.variates, space_of(spec)
    bottom, top = layer_at(spec, DECODER, 0), layer_at(spec, DECODER, spec.layers - 1)
    K = H + spec.output_bias
    source = top.u + (top.inputs + 1 - spec.output_bias) * B
    fill(work, bottom.u, V * B, 0)
    for t in range(steps_of(alive)):
        lanes = wide(alive[t])
        if t > 0:
            fed, last, goal = space.fed + t * B, (t - 1) * V * B, bottom.u + t * bottom.u_step
            _choose(work, V, B, lanes, (fed, space.output + last, space.target + last, goal))
        for index in range(spec.layers):
            layer_forward(spec, work, theta, DECODER, index, t, lanes)
        output = space.output + t * V * B
        state = source + (t + 1) * top.u_step
        product(theta, output_at(spec), K, 1, V, K, work, state, work, output, B, lanes, 0)


@jit
def reconstruction_loss(spec: Spec, work: Any, alive: Any) -> float:
    """The weighted squared error; `output` is overwritten with its gradient."""
    B, V, space = spec.lanes, spec.variates, space_of(spec)
    fill(work, space.error, B, 0)
    for t in range(steps_of(alive)):
        row = t * V * B
        places = (space.output + row, space.target + row, space.weight + row, space.error)
        _error(work, V, B, wide(alive[t]), (*places, space.output + row, space.error))
    return total_of(work, space.error, B)


@jit
def decode_gradient(spec: Spec, work: Any, theta: Any, grad: Any, alive: Any) -> None:
    """Back through time from the outputs' gradients to dh and dc of the initial states."""
    H, B, V, space = spec.hidden, spec.lanes, spec.variates, space_of(spec)
    top = layer_at(spec, DECODER, spec.layers - 1)
    K, w = H + spec.output_bias, output_at(spec)
    source = top.u + (top.inputs + 1 - spec.output_bias) * B
    clear_gradients(spec, work, DECODER)
    steps = steps_of(alive)
    last = steps - 1
    for t in range(steps - 1, -1, -1):
        lanes = wide(alive[t])
        output = space.output + t * V * B
        product(theta, w + spec.output_bias, 1, K, H, V, work, output, work, top.dh, B, lanes, 1)
        fill(work, space.d_input, V * B, 0)
        d_input = space.d_input if t > 0 else -1  # the first input is a constant
        stack_backward(spec, work, theta, DECODER, t, d_input, lanes)
        if t > 0:
            before = space.output + (t - 1) * V * B
            _feed_back(work, V, B, lanes, (space.fed + t * B, space.d_input, before, before))
        if chunk_ends(alive, t, last):
            count = last - t + 1
            stack_gradient(spec, work, grad, DECODER, t, count, lanes)
            state = source + (t + 1) * top.u_step
            outer(work, output, V * B, V, work, state, top.u_step, K, B, count, lanes, grad, w, K)
            last = t - 1
