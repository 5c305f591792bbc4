"""The operations that scripts/bench/flops.py counts are those that PyTorch carries out."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from scripts.bench import flops
from scripts.bench.plain import PlainDense, PlainRecurrent


def carried_out(network: nn.Module, x: torch.Tensor) -> int:
    """The operations of all matrix products, forward and backward, as PyTorch sees them."""
    counter = FlopCounterMode(display=False)
    with counter:  # in double precision, where no fused layer hides its products
        nn.functional.mse_loss(network.double()(x.double()), x.double()).backward()
    return counter.get_total_flops()


@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(("steps", "variates"), [(1, 3), (4, 1), (5, 6)])
def test_a_recurrent_step_is_counted_as_pytorch_does_it(
    cell: str, layers: int, steps: int, variates: int
) -> None:
    network, x = PlainRecurrent(variates, cell, layers, 7, 0.8), torch.randn(3, steps, variates)
    assert 3 * flops.recurrent(steps, variates, cell, layers, 7) == carried_out(network, x)


def test_a_dense_step_is_counted_as_pytorch_does_it() -> None:
    assert 3 * flops.dense(20, 6, 4) == carried_out(PlainDense(20, 6, 4), torch.randn(3, 5, 4))


def test_a_tiny_network_by_hand() -> None:
    """One LSTM layer of one cell, one variate, two steps: multiply-adds, and two operations for each."""
    encoder = (2 * 4 + 2 * 4) + (2 * 4 + 2 * 4 + 4)  # a direction: W x and its gradient; U h, all three
    code = 2 + 2 + 2
    decoder = (2 * 4 + 2 * 4 + 4) + 3 * (2 * 4)
    output = 3 * 2
    assert flops.recurrent(2, 1, "lstm", 1, 1) == 2 * (2 * encoder + code + decoder + output)
