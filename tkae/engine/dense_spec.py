"""The shape of a dense autoencoder {D_x, 30, D_z, 30, D_x}, and where its numbers stand."""

from __future__ import annotations

from typing import NamedTuple

from tkae.compiled.jit import jit
from tkae.compiled.vectors import WIDTH

TANH, SIGMOID, RELU, LINEAR = 0, 1, 2, 3
LAYERS = 4


class DenseSpec(NamedTuple):
    """Whole numbers only, so that one compiled kernel serves every shape."""

    inputs: int  # D_x
    hidden: int
    code: int  # D_z
    activation: int  # of both encoder layers, the code included
    decoder: int  # activation of the decoder's hidden layer; the output is linear
    tied: int  # 1: the decoder's weights are the encoder's, transposed
    batch: int  # B


class Affine(NamedTuple):
    """One layer: W[r, k] stands at weights + r row + k column, the biases from `bias` on.

    Decoder layers stand transposed, as those of the encoder that they mirror: in every layer it is the
    longer side of the large matrices that is contiguous, and tied weights are no special case.
    """

    rows: int
    inputs: int
    weights: int
    row: int
    column: int
    bias: int
    activation: int


@jit
def width(spec: DenseSpec, layer: int) -> int:
    """Units of layer 0 (the input) to 4 (the output)."""
    if layer == 2:
        return spec.code
    return spec.hidden if layer % 2 == 1 else spec.inputs


@jit
def affine_at(spec: DenseSpec, layer: int) -> Affine:
    """The map from layer `layer` to the next; weights, then biases, one layer after the other."""
    start = 0
    for before in range(layer):
        shared = spec.tied == 1 and before >= 2
        start += width(spec, before + 1) * (1 if shared else 1 + width(spec, before))
    rows, inputs = width(spec, layer + 1), width(spec, layer)
    if layer < 2:
        return Affine(rows, inputs, start, inputs, 1, start + rows * inputs, spec.activation)
    activation = spec.decoder if layer == 2 else LINEAR
    if spec.tied == 1:
        mirror = 0 if layer == 3 else spec.hidden * (1 + spec.inputs)
        return Affine(rows, inputs, mirror, 1, rows, start, activation)
    return Affine(rows, inputs, start, 1, rows, start + rows * inputs, activation)


@jit
def dense_count(spec: DenseSpec) -> int:
    last = affine_at(spec, LAYERS - 1)
    return last.bias + last.rows


@jit
def stride(spec: DenseSpec, layer: int) -> int:
    """How far apart the rows of a layer's activations (B, units) begin."""
    return -(-width(spec, layer) // WIDTH) * WIDTH


@jit
def zeros_at(spec: DenseSpec) -> int:
    """The workspace begins with B ones; then come as many zeros as the longest row has numbers."""
    return -(-spec.batch // WIDTH) * WIDTH


@jit
def layer_at(spec: DenseSpec, layer: int) -> int:
    """Where a layer's activations (B, stride) begin."""
    start = zeros_at(spec) + max(stride(spec, 0), stride(spec, 1), stride(spec, 2))
    for before in range(layer):
        start += spec.batch * stride(spec, before)
    return start


@jit
def gradient_at(spec: DenseSpec, layer: int) -> int:
    """Where the gradient of a layer's activations (B, stride) begins; the output's takes its place."""
    if layer == LAYERS:
        return layer_at(spec, layer)
    return layer_at(spec, LAYERS + 1) + layer_at(spec, layer) - layer_at(spec, 1)


@jit
def dense_space(spec: DenseSpec) -> int:
    """Numbers in the workspace."""
    return gradient_at(spec, LAYERS - 1) + spec.batch * stride(spec, LAYERS - 1)
