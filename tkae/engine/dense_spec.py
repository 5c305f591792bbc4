"""The shape of a dense autoencoder {D_x, 30, D_z, 30, D_x}, and where its parameters stand."""

from __future__ import annotations

from typing import NamedTuple

from tkae.engine.jit import jit

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
    lanes: int  # B


class Affine(NamedTuple):
    """One layer: W[r, k] stands at weights + r row + k column, the biases from `bias` on."""

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
    activation = spec.activation if layer < 2 else (spec.decoder if layer == 2 else LINEAR)
    if spec.tied == 1 and layer >= 2:
        mirror = affine_at_encoder(spec, LAYERS - 1 - layer)
        return Affine(rows, inputs, mirror, 1, rows, start, activation)
    return Affine(rows, inputs, start, inputs, 1, start + rows * inputs, activation)


@jit
def affine_at_encoder(spec: DenseSpec, layer: int) -> int:
    """Where the weights of encoder layer 0 or 1 begin."""
    return 0 if layer == 0 else spec.hidden * (1 + spec.inputs)


@jit
def dense_count(spec: DenseSpec) -> int:
    last = affine_at(spec, LAYERS - 1)
    return last.bias + last.rows


@jit
def layer_row(spec: DenseSpec, layer: int) -> int:
    """The first workspace row of a layer's activations; a row of ones comes before all of them."""
    total = 1
    for before in range(layer):
        total += width(spec, before)
    return total


@jit
def dense_rows(spec: DenseSpec) -> int:
    """Workspace rows: ones, activations, as many gradients, then target and weight of the output."""
    return 2 * layer_row(spec, LAYERS + 1) + 2 * spec.inputs
