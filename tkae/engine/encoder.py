"""The encoder: one stack of layers over a batch, forward or backward in time, and its gradient.

A backward stack is the same stack on series that were reversed within their length when the batch
was gathered. Lanes are sorted by length, longest first, so that the lanes still alive at a step are
the first `alive[t]` ones; the others are not computed, and their last state stands where they ended.
"""

from __future__ import annotations

from typing import Any

from tkae.compiled.jit import fill, jit
from tkae.compiled.vectors import WIDTH
from tkae.engine import cells
from tkae.engine.spec import Spec, layer_at, space_of

CHUNK = 8  # steps whose weight gradients are summed in one pass, while they are in cache


@jit
def wide(lanes: int) -> int:
    """`lanes` rounded up to whole vectors."""
    return (lanes + WIDTH - 1) // WIDTH * WIDTH


@jit
def chunk_ends(alive: Any, t: int, last: int) -> bool:
    """Whether the steps t..last are to be summed now: the chunk is full or the lanes change below t."""
    return bool(t == 0 or last - t + 1 == CHUNK or wide(alive[t - 1]) != wide(alive[t]))


@jit
def encode(spec: Spec, work: Any, theta: Any, stack: int, alive: Any) -> None:
    """Run the stack from zero states; alive (T + 2) are the lanes that have a step t."""
    H, B, spare = spec.hidden, spec.lanes, space_of(spec).spare
    for index in range(spec.layers):
        layer = layer_at(spec, stack, index)
        top = index + 1 == spec.layers
        up = layer_at(spec, stack, 0 if top else index + 1)
        start = layer.u + (layer.inputs + 1) * B
        fill(work, start, H * B, 0)
        fill(work, layer.c, H * B, 0)
        t = 0
        while alive[t] > 0:
            above = spare if top else up.u + t * up.u_step
            cells.forward(spec.cell, work, theta, layer, t, H, above, B, wide(alive[t]))
            t += 1


@jit
def encode_gradient(spec: Spec, work: Any, theta: Any, grad: Any, stack: int, alive: Any) -> None:
    """Back through time from the gradients of the final states, which `d_states` holds."""
    H, B, spare = spec.hidden, spec.lanes, space_of(spec).spare
    for index in range(spec.layers):
        layer = layer_at(spec, stack, index)
        fill(work, layer.dh, H * B, 0)
        fill(work, layer.dc, H * B, 0)
    steps = 0
    while alive[steps] > 0:
        steps += 1
    last = steps - 1
    for t in range(steps - 1, -1, -1):
        lanes = wide(alive[t])
        _add_final(spec, work, stack, alive[t + 1], alive[t])
        for index in range(spec.layers - 1, -1, -1):
            layer = layer_at(spec, stack, index)
            below = layer_at(spec, stack, index - 1).dh if index > 0 else -1
            cells.backward(spec.cell, work, theta, layer, t, H, below, spare, B, lanes)
        if chunk_ends(alive, t, last):
            for index in range(spec.layers):
                layer = layer_at(spec, stack, index)
                cells.gradient(spec.cell, work, grad, layer, t, last - t + 1, H, B, lanes)
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
