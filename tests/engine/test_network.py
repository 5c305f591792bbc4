"""The network's parts against torch's own layers, and its parameter counts against the paper's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.engine.helpers import Problem
from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.recurrent import Recurrent
from tkae.engine.reference import Network
from tkae.engine.trainer import Replica, Schedule, Training
from tkae.errors import UserError

AUTHORS = {"combination": "layers", "output_bias": False, "end_step": True}


@pytest.mark.parametrize(("variates", "count"), [(5, 6130), (10, 6780), (15, 7430), (20, 8080)])
def test_parameter_counts_are_the_papers(variates: int, count: int) -> None:
    assert Architecture(variates, "lstm", 2, 10, **AUTHORS).parameter_count == count


@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("layers", [1, 3])
def test_blocks_cover_the_parameters_once(cell: str, layers: int) -> None:
    shape = Architecture(4, cell, layers, 6, **AUTHORS)
    marks = np.zeros(shape.parameter_count)
    for block in shape.blocks():
        block.of(marks)[:] += 1
    assert (marks == 1).all()


def test_forward_stack_is_that_of_nn_lstm() -> None:
    shape = Architecture(3, "lstm", 2, 5)
    problem = Problem(shape)
    theta = torch.tensor(problem.theta)
    stack = torch.nn.LSTM(3, 5, 2, batch_first=True, dtype=torch.float64)
    for block in shape.blocks():
        if block.name.startswith("encoder.forward"):
            layer, matrix = (
                int(block.name[-1]),
                theta[block.offset :][: np.prod(block.shape)].view(block.shape),
            )
            inputs = block.bias
            getattr(stack, f"weight_ih_l{layer}").data = matrix[:, :inputs].clone()
            getattr(stack, f"weight_hh_l{layer}").data = matrix[:, inputs + 1 :].clone()
            bias = matrix[:, inputs].clone()
            bias[5:10] += 1.0  # the constant of the forget gate
            getattr(stack, f"bias_ih_l{layer}").data = bias
            getattr(stack, f"bias_hh_l{layer}").data.zero_()
    x, lengths = torch.tensor(problem.x), torch.tensor(problem.lengths)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    _, (h, c) = stack(packed)
    states = Network(shape)._run(theta[None], "encoder.forward", x[None], lengths[None])
    for layer, (own_h, own_c) in enumerate(states):
        assert torch.allclose(own_h[0], h[layer], atol=1e-12)
        assert torch.allclose(own_c[0], c[layer], atol=1e-12)


@pytest.mark.parametrize(
    "variant", [{}, {"memory": "zero"}, AUTHORS, {"reverse": True, "bidirectional": False}]
)
def test_free_running_evaluation_is_that_of_the_reference(variant: dict) -> None:
    shape = Architecture(3, "lstm", 2, 5, **variant)
    problem = Problem(shape, n=40)
    data = SeriesSets(problem.x[None], problem.counted[None], problem.lengths[None], np.zeros((1, 0, 0)), 0)
    training = Training(Recurrent(shape), data, [Replica(0)], Schedule(), dtype=np.float64)
    found = training.evaluate(theta=problem.theta[None])
    network, theta = Network(shape), torch.tensor(problem.theta)[None]
    x, lengths = torch.tensor(problem.x)[None], torch.tensor(problem.lengths)[None]
    z = network.encode(theta, x, lengths)
    fed = torch.ones(1, 40, problem.steps, dtype=torch.bool)
    outputs = network.decode(theta, z, x, fed)[0].numpy()
    assert np.allclose(found.z[0], z[0], atol=1e-12)
    for i, length in enumerate(problem.lengths):
        wanted = outputs[i, :length][::-1] if shape.reverse else outputs[i, :length]
        assert np.allclose(found.outputs[0, i, :length], wanted, atol=1e-12)
        assert (found.outputs[0, i, length:] == 0).all()


@pytest.mark.parametrize("memory", ["code", "zero"])
def test_first_output_is_that_of_lstm_cells_started_from_the_code(memory: str) -> None:
    """Torch's own cell, with h_0 = z and c_0 = z or 0 in every layer."""
    shape = Architecture(3, "lstm", 2, 5, memory=memory)
    problem = Problem(shape)
    data = SeriesSets(problem.x[None], problem.counted[None], problem.lengths[None], np.zeros((1, 0, 0)), 0)
    training = Training(Recurrent(shape), data, [Replica(0)], Schedule(), dtype=np.float64)
    found = training.evaluate(theta=problem.theta[None])
    z = torch.tensor(found.z[0])
    value = torch.zeros(problem.n, 3, dtype=torch.float64)
    blocks = {block.name: torch.tensor(block.of(problem.theta)) for block in shape.blocks()}
    for layer in range(2):
        matrix, inputs = blocks[f"decoder.{layer}"], value.shape[1]
        bias = matrix[:, inputs].clone()
        bias[5:10] += 1.0  # the constant of the forget gate
        weights = matrix[:, :inputs], matrix[:, inputs + 1 :], bias, torch.zeros_like(bias)
        value, _ = torch.lstm_cell(value, (z, z if memory == "code" else torch.zeros_like(z)), *weights)
    output = value @ blocks["output"][:, 1:].T + blocks["output"][:, 0]
    assert np.allclose(found.outputs[0, :, 0], output, atol=1e-12)


@pytest.mark.parametrize("variant", [{"cell": "gru"}, {"combination": "layers"}, AUTHORS | {"start": "last"}])
def test_memory_is_for_an_lstm_whose_code_is_one_dense_layer(variant: dict) -> None:
    """Elsewhere the setting makes no other network; and nowhere does it add a parameter."""
    code, zero = (Architecture(3, **variant, memory=memory).spec(4, 8) for memory in ("code", "zero"))
    assert code == zero
    assert Architecture(3).parameter_count == Architecture(3, memory="zero").parameter_count


def test_codes_of_norm_zero_align_finitely() -> None:
    problem = Problem(Architecture(2, "gru", 1, 3))
    problem.theta[:] = 0.0
    loss, parts, grad = problem.kernels(0.5)
    assert np.isfinite(loss) and np.isfinite(grad).all() and parts[2] == pytest.approx(1.0)


def test_an_unknown_cell_is_named() -> None:
    with pytest.raises(UserError, match="did you mean 'lstm'"):
        Architecture(2, "lstn")
