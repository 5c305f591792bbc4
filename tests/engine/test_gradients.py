"""The kernels' losses and gradients are those of torch's autograd on the same weights."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.engine.helpers import Problem, relative_error
from tkae.engine.architecture import Architecture

TOLERANCE = {np.float32: 1e-4, np.float64: 1e-9}
VARIANTS = {
    "paper": {},
    "memory-zero": {"memory": "zero"},
    "authors": {"combination": "layers", "output_bias": False, "end_step": True},
    "authors-last": {"combination": "layers", "start": "last", "output_bias": False, "end_step": True},
    "encdec-ad": {"bidirectional": False, "reverse": True},
}


def _agrees(problem: Problem, dtype: type, p_s: float, padded: int = 0) -> None:
    loss, parts, grad = problem.kernels(p_s, padded=padded)
    wanted, wanted_parts, wanted_grad = problem.autograd(p_s, padded=padded)
    assert loss == pytest.approx(wanted, rel=TOLERANCE[dtype])
    assert parts == pytest.approx(wanted_parts, rel=TOLERANCE[dtype])
    assert relative_error(grad, wanted_grad) < TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("cell", "layers", "p_s"), list(itertools.product(["lstm", "gru"], [1, 2, 3], [0.0, 0.5, 1.0]))
)
def test_gradient_is_that_of_autograd(dtype: type, cell: str, layers: int, p_s: float) -> None:
    shape = Architecture(variates=3, cell=cell, layers=layers, hidden=5, combination="layers")
    _agrees(Problem(shape, dtype), dtype, p_s)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("padded", [0, 1])
def test_gradient_of_every_variant(dtype: type, cell: str, variant: str, padded: int) -> None:
    shape = Architecture(variates=2, cell=cell, layers=2, hidden=4, **VARIANTS[variant])
    _agrees(Problem(shape, dtype, n=37, steps=12, seed=3), dtype, 0.5, padded)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("memory", ["code", "zero"])
@pytest.mark.parametrize(("layers", "p_s"), list(itertools.product([1, 3], [0.0, 1.0])))
def test_gradient_through_the_first_memory(dtype: type, memory: str, layers: int, p_s: float) -> None:
    shape = Architecture(variates=3, layers=layers, hidden=5, memory=memory)
    _agrees(Problem(shape, dtype), dtype, p_s)


@pytest.mark.parametrize("hidden", [1, 3, 7, 11])
def test_gradient_at_sizes_that_fill_no_block(hidden: int) -> None:
    shape = Architecture(variates=hidden + 1, cell="gru", layers=2, hidden=hidden)
    _agrees(Problem(shape, n=5), np.float64, 0.5)
