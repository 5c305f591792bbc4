"""A stack of recurrent layers, one step at a time: what the encoder and the decoder have in common.

Lanes are sorted by length, longest first, so that the lanes still alive at a step are the first `alive[t]`
ones; the others are not computed. alive (T + 2) are the lanes that have a step t.
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
def steps_of(alive: Any) -> int:
    """The steps of the longest series."""
    steps = 0
    while alive[steps] > 0:
        steps += 1
    return steps


@jit
def chunk_ends(alive: Any, t: int, last: int) -> bool:
    """Whether the steps t..last are to be summed now: the chunk is full or the lanes change below t."""
    return bool(t == 0 or last - t + 1 == CHUNK or wide(alive[t - 1]) != wide(alive[t]))


@jit
def layer_forward(spec: Spec, work: Any, theta: Any, stack: int, index: int, t: int, lanes: int) -> None:
    """Step t of one layer, whose new state is also the input of the layer above."""
    above = space_of(spec).spare
    if index + 1 < spec.layers:
        up = layer_at(spec, stack, index + 1)
        above = up.u + t * up.u_step
    cells.forward(spec, work, theta, layer_at(spec, stack, index), t, above, lanes)


@jit
def clear_gradients(spec: Spec, work: Any, stack: int) -> None:
    """dh and dc of all layers = 0."""
    for index in range(spec.layers):
        layer = layer_at(spec, stack, index)
        fill(work, layer.dh, spec.hidden * spec.lanes, 0)
        fill(work, layer.dc, spec.hidden * spec.lanes, 0)


@jit
def stack_backward(spec: Spec, work: Any, theta: Any, stack: int, t: int, d_input: int, lanes: int) -> None:
    """Step t of all layers, from the top; the gradient of the input is added to `d_input` if >= 0."""
    for index in range(spec.layers - 1, -1, -1):
        below = layer_at(spec, stack, index - 1).dh if index > 0 else d_input
        cells.backward(spec, work, theta, layer_at(spec, stack, index), t, below, lanes)


@jit
def stack_gradient(spec: Spec, work: Any, grad: Any, stack: int, t: int, steps: int, lanes: int) -> None:
    """Add all layers' weight gradients of `steps` steps from t on."""
    for index in range(spec.layers):
        cells.gradient(spec, work, grad, layer_at(spec, stack, index), t, steps, lanes)
