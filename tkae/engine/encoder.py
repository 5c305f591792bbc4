"""The encoder: one stack of layers over a batch, forward or backward in time, and its gradient.

A backward stack is the same stack on series that were reversed within their length when the batch
was gathered. The last state of a series stands where it ended.
"""

from __future__ import annotations

from typing import Any

from tkae.compiled.jit import fill, jit
from tkae.engine.spec import Spec, layer_at, space_of
from tkae.engine.stack import (
    chunk_ends,
    clear_gradients,
    layer_forward,
    stack_backward,
    stack_gradient,
    steps_of,
    wide,
)


@jit
def encode(spec: Spec, work: Any, theta: Any, stack: int, alive: Any) -> None:
    """Run the stack from zero states."""
    H, B, steps = spec.hidden, spec.lanes, steps_of(alive)
    for index in range(spec.layers):
        layer = layer_at(spec, stack, index)
        fill(work, layer.u + (layer.inputs + 1) * B, H * B, 0)
        fill(work, layer.c, H * B, 0)
        for t in range(steps):
            layer_forward(spec, work, theta, stack, index, t, wide(alive[t]))


@jit
def encode_gradient(spec: Spec, work: Any, theta: Any, grad: Any, stack: int, alive: Any) -> None:
    """Back through time from the gradients of the final states, which `d_states` holds."""
    clear_gradients(spec, work, stack)
    steps = steps_of(alive)
    last = steps - 1
    for t in range(steps - 1, -1, -1):
        lanes = wide(alive[t])
        _add_final(spec, work, stack, alive[t + 1], alive[t])
        stack_backward(spec, work, theta, stack, t, -1, lanes)
        if chunk_ends(alive, t, last):
            stack_gradient(spec, work, grad, stack, t, last - t + 1, lanes)
            last = t - 1


@jit
def state_row(spec: Spec, slot: int, part: int, stack: int) -> int:
    """Where h (part 0) or c (part 1) of a direction begins among the rows of `states`."""
    inputs = 1 + spec.directions * spec.parts * spec.hidden
    return slot * inputs + 1 + (part * spec.directions + stack) * spec.hidden


@jit
def final_states(spec: Spec, work: Any, stack: int, lengths: Any) -> None:
    """Copy every series' state at its own last step to the rows that the code's dense layers read."""
    H, B = spec.hidden, spec.lanes
    for slot in range(spec.slots):
        layer = layer_at(spec, stack, spec.layers - 1 - slot)
        h = layer.u + (layer.inputs + 1) * B
        for part in range(spec.parts):
            row = space_of(spec).states + state_row(spec, slot, part, stack) * B
            source, step = (h, layer.u_step) if part == 0 else (layer.c, H * B)
            for j in range(H):
                for b in range(B):
                    work[row + j * B + b] = work[source + lengths[b] * step + j * B + b]


@jit
def _add_final(spec: Spec, work: Any, stack: int, first: int, end: int) -> None:
    """Add the final states' gradients to the lanes first..end, which end at this step."""
    H, B = spec.hidden, spec.lanes
    for slot in range(spec.slots):
        layer = layer_at(spec, stack, spec.layers - 1 - slot)
        for part in range(spec.parts):
            row = space_of(spec).d_states + state_row(spec, slot, part, stack) * B
            goal = layer.dh if part == 0 else layer.dc
            for j in range(H):
                for b in range(first, end):
                    work[goal + j * B + b] += work[row + j * B + b]
