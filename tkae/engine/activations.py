"""The activations of dense layers and their gradients, on rows of a flat workspace."""

from __future__ import annotations

from typing import Any

from tkae.compiled.jit import jit
from tkae.compiled.lanes import Lanes, lanewise, sigmoid, tanh
from tkae.engine.dense_spec import RELU, SIGMOID, TANH


@lanewise
def _tanh(x: Lanes) -> tuple[Lanes, ...]:
    return (tanh(x),)


@lanewise
def _sigmoid(x: Lanes) -> tuple[Lanes, ...]:
    return (sigmoid(x),)


@lanewise
def _relu(x: Lanes) -> tuple[Lanes, ...]:
    return (x.where_positive(x),)


@lanewise
def _tanh_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d * (1.0 - y * y),)


@lanewise
def _sigmoid_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d * y * (1.0 - y),)


@lanewise
def _relu_gradient(y: Lanes, d: Lanes) -> tuple[Lanes, ...]:
    return (d.where_positive(y),)


@jit
def activate(kind: int, work: Any, rows: int, width: int, y: int) -> None:
    if kind == TANH:
        _tanh(work, rows, width, width, (y, y))
    elif kind == SIGMOID:
        _sigmoid(work, rows, width, width, (y, y))
    elif kind == RELU:
        _relu(work, rows, width, width, (y, y))


@jit
def activation_gradient(kind: int, work: Any, rows: int, width: int, y: int, d: int) -> None:
    if kind == TANH:
        _tanh_gradient(work, rows, width, width, (y, d, d))
    elif kind == SIGMOID:
        _sigmoid_gradient(work, rows, width, width, (y, d, d))
    elif kind == RELU:
        _relu_gradient(work, rows, width, width, (y, d, d))
