"""What a kernel must know of a network's shape, and where things stand in a replica's two flat arrays.

All parameters of a replica are one vector: encoder forward, encoder backward, code, decoder, output.
Every affine map keeps its bias as one more column, that meets a row of ones. All that a batch needs
while it is worked on is one workspace, whose rows hold one number for each of the B lanes (series).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tkae.compiled.jit import fill, jit

LSTM, GRU = 0, 1
DECODER = 2  # the stack after the encoder's forward (0) and backward (1) ones


class Spec(NamedTuple):
    """Whole numbers only, so that one compiled kernel serves every shape."""

    cell: int
    layers: int
    hidden: int  # H: cells a layer
    variates: int  # V
    directions: int  # 2: forward and backward encoder; 1: forward only
    parts: int  # states that a dense layer sees and makes: 1 (h) or 2 (h and c)
    dense: int  # number of dense layers: 1, or one for every layer
    slots: int  # dense outputs that the decoder starts from, 1 or one for every layer: z is all of them
    memory: int  # the row of a slot where the LSTM decoder's c_0 begins: H, or 0 (as h_0); -1: c_0 = 0
    output_bias: int
    end_step: int  # 1: the decoder runs one step more, whose target is 0
    reverse: int  # 1: the target is the series read backwards
    steps: int  # T, of the longest series
    lanes: int  # B, a multiple of the lanes' width


class Layer(NamedTuple):
    """Offsets of one recurrent layer: weights in the parameters, the rest in the workspace."""

    inputs: int  # I
    weights: int  # (gates H, I + 1 + H): columns for the input, the bias, the state
    u: int  # (T + 2, rows, B): input, ones, state before the step; for GRU also reset x state
    u_step: int
    a: int  # (T + 1, rows, B): gates, later the gradients before their nonlinearity
    a_step: int
    c: int  # (T + 2, H, B): the LSTM's memory before the step
    dh: int  # (H, B)
    dc: int  # (H, B)


@jit
def gates(spec: Spec) -> int:
    return 4 if spec.cell == LSTM else 3


@jit
def _inputs(spec: Spec, layer: int) -> int:
    return spec.variates if layer == 0 else spec.hidden


@jit
def _layer_size(spec: Spec, layer: int) -> int:
    return gates(spec) * spec.hidden * (_inputs(spec, layer) + 1 + spec.hidden)


@jit
def _input_rows(spec: Spec, layer: int) -> int:
    return _inputs(spec, layer) + 1 + spec.hidden * (1 if spec.cell == LSTM else 2)


@jit
def _gate_rows(spec: Spec) -> int:
    return (5 if spec.cell == LSTM else 3) * spec.hidden  # the LSTM's fifth is tanh(c)


@jit
def _layer_space(spec: Spec, layer: int) -> int:
    rows = _input_rows(spec, layer) + _gate_rows(spec) + spec.hidden
    return ((spec.steps + 2) * rows + 2 * spec.hidden) * spec.lanes


@jit
def layer_at(spec: Spec, stack: int, layer: int) -> Layer:
    """Layer `layer` (0 is the lowest) of the forward (0), backward (1) or decoder (2) stack."""
    weights, space = 0, 0
    for below in range(spec.layers):
        before = min(stack, spec.directions) + (1 if below < layer else 0)
        weights += before * _layer_size(spec, below)
        space += before * _layer_space(spec, below)
    if stack == DECODER:
        weights += spec.dense * _dense_size(spec)
    slots, b = spec.steps + 2, spec.lanes
    u_step, a_step = _input_rows(spec, layer) * b, _gate_rows(spec) * b
    a = space + slots * u_step
    c = a + slots * a_step
    dh = c + slots * spec.hidden * b
    return Layer(_inputs(spec, layer), weights, space, u_step, a, a_step, c, dh, dh + spec.hidden * b)


@jit
def code_inputs(spec: Spec) -> int:
    """Rows that a dense layer sees: a one, then h (and c) of every direction."""
    return 1 + spec.directions * spec.parts * spec.hidden


@jit
def _dense_size(spec: Spec) -> int:
    return spec.parts * spec.hidden * code_inputs(spec)


@jit
def dense_at(spec: Spec, index: int) -> int:
    """The weights (parts H, 1 + inputs) of a dense layer; the first column is the bias."""
    total = 0
    for layer in range(spec.layers):
        total += spec.directions * _layer_size(spec, layer)
    return total + index * _dense_size(spec)


@jit
def output_at(spec: Spec) -> int:
    """The weights (V, H) of the output, with the bias as first column if there is one."""
    total = dense_at(spec, spec.dense)
    for layer in range(spec.layers):
        total += _layer_size(spec, layer)
    return total


@jit
def parameter_count(spec: Spec) -> int:
    return output_at(spec) + spec.variates * (spec.hidden + spec.output_bias)


@jit
def code_size(spec: Spec) -> int:
    """The length of z."""
    return spec.slots * spec.parts * spec.hidden


class Space(NamedTuple):
    """Offsets in the workspace of all that is not a layer's."""

    target: int  # (T + 2, V, B)
    weight: int  # (T + 2, V, B): what an entry's squared error counts for
    output: int  # (T + 2, V, B), then its gradient
    fed: int  # (T + 2, B): 1 where the decoder's input is its own last output
    d_input: int  # (V, B)
    spare: int  # (H, B)
    error: int  # (1, B)
    states: int  # (slots, code_inputs, B)
    d_states: int  # the same
    code: int  # (slots parts H, B)
    d_code: int  # the same
    gram: int  # (B, B)
    kernel: int  # (B, B)
    size: int


@jit
def space_of(spec: Spec) -> Space:
    b, slots = spec.lanes, spec.steps + 2
    target = 0
    for layer in range(spec.layers):
        target += (spec.directions + 1) * _layer_space(spec, layer)
    entries = slots * spec.variates * b
    fed = target + 3 * entries
    d_input = fed + slots * b
    spare = d_input + spec.variates * b
    error = spare + spec.hidden * b
    states = error + b
    d_states = states + spec.slots * code_inputs(spec) * b
    code = d_states + spec.slots * code_inputs(spec) * b
    d_code = code + code_size(spec) * b
    gram = d_code + code_size(spec) * b
    kernel = gram + b * b
    return Space(
        target, target + entries, target + 2 * entries, fed, d_input, spare, error,
        states, d_states, code, d_code, gram, kernel, kernel + b * b,
    )  # fmt: skip


@jit
def ones(spec: Spec, work: Any) -> None:
    """Write the rows of ones that meet the biases; nothing else writes there."""
    for stack in range(3):
        if stack == DECODER or stack < spec.directions:
            for index in range(spec.layers):
                layer = layer_at(spec, stack, index)
                for t in range(spec.steps + 2):
                    start = layer.u + t * layer.u_step + layer.inputs * spec.lanes
                    fill(work, start, spec.lanes, 1)
    start = space_of(spec).states
    for _ in range(spec.slots):
        fill(work, start, spec.lanes, 1)
        start += code_inputs(spec) * spec.lanes
