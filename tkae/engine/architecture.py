"""The network's shape as the paper and its protocols state it, and its parameters by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.compiled.vectors import WIDTH
from tkae.engine.spec import (
    DECODER,
    GRU,
    LSTM,
    Spec,
    code_inputs,
    dense_at,
    layer_at,
    output_at,
    parameter_count,
)
from tkae.errors import unknown
from tkae.seeding import stream

CELLS = {"lstm": LSTM, "gru": GRU}
COMBINATIONS = ("top", "layers")
STARTS = ("all", "last")
MEMORIES = ("code", "zero")
Floats = npt.NDArray[Any]


@dataclass(frozen=True)
class Architecture:
    """A recurrent autoencoder: encoder stacks, the code's dense layers, the generative decoder."""

    variates: int  # V
    cell: str = "lstm"
    layers: int = 2  # M
    hidden: int = 10  # H, which the paper calls D_z
    bidirectional: bool = True
    combination: str = "top"  # "top": one dense layer on the top states h; "layers": one a layer, on h and c
    start: str = "all"  # with "layers", decoder layers start from "all" dense layers or from the "last"
    memory: str = "code"  # with "top", the LSTM decoder's c_0 is the "code", as h_0 is, or "zero"
    output_bias: bool = True
    end_step: bool = False  # one step more, with target 0
    reverse: bool = False  # reconstruct the series from its end

    def __post_init__(self) -> None:
        for kind, value, known in (
            ("cell", self.cell, CELLS),
            ("combination", self.combination, COMBINATIONS),
            ("start", self.start, STARTS),
            ("memory", self.memory, MEMORIES),
        ):
            if value not in known:
                raise unknown(kind, value, known)

    def spec(self, steps: int, batch: int) -> Spec:
        """The kernel's view, for series of up to `steps` steps in batches of up to `batch`."""
        each = self.combination == "layers"
        parts = 2 if each and self.cell == "lstm" else 1
        shared = 0 if self.cell == "lstm" and self.memory == "code" else -1  # where c has no rows of its own
        return Spec(
            cell=CELLS[self.cell],
            layers=self.layers,
            hidden=self.hidden,
            variates=self.variates,
            directions=2 if self.bidirectional else 1,
            parts=parts,
            dense=self.layers if each else 1,
            slots=self.layers if each and self.start == "all" else 1,
            memory=self.hidden if parts == 2 else shared,
            output_bias=int(self.output_bias),
            end_step=int(self.end_step),
            reverse=int(self.reverse),
            steps=steps,
            lanes=-(-batch // WIDTH) * WIDTH,
        )

    @property
    def parameter_count(self) -> int:
        """Trainable numbers, biases included."""
        return int(parameter_count(self.spec(1, 1)))

    def blocks(self) -> list[ParameterBlock]:
        """Every matrix of the parameter vector, in order."""
        spec = self.spec(1, 1)
        gates = 4 if self.cell == "lstm" else 3
        found = []
        stacks = [*["encoder.forward", "encoder.backward"][: spec.directions], "decoder"]
        for name in stacks:
            stack = DECODER if name == "decoder" else stacks.index(name)
            for index in range(self.layers):
                layer = layer_at(spec, stack, index)
                shape = (gates * self.hidden, layer.inputs + 1 + self.hidden)
                found.append(ParameterBlock(f"{name}.{index}", layer.weights, shape, layer.inputs))
        for index in range(spec.dense):
            shape = (spec.parts * self.hidden, code_inputs(spec))
            found.append(ParameterBlock(f"code.{index}", dense_at(spec, index), shape, 0))
        shape = (self.variates, self.hidden + spec.output_bias)
        found.append(ParameterBlock("output", output_at(spec), shape, 0 if self.output_bias else None))
        return sorted(found, key=lambda block: block.offset)

    def initial(self, seed: int) -> Floats:
        """The first parameters (P) of a seed: Glorot's uniform weights, biases 0, the GRU's gates 1."""
        theta = np.zeros(self.parameter_count)
        for block in self.blocks():
            matrix = block.of(theta)
            recurrent = block.name.startswith(("encoder", "decoder"))
            groups = [slice(None)]
            if recurrent and self.cell == "gru":  # two matrices: both gates, and the candidate
                groups = [slice(0, 2 * self.hidden), slice(2 * self.hidden, None)]
            chance = stream(seed, "init", block.name)
            for group in groups:
                rows, columns = matrix[group].shape
                bound = np.sqrt(6.0 / (rows + columns - (block.bias is not None)))
                matrix[group] = chance.uniform(-bound, bound, (rows, columns))
            if block.bias is not None:
                matrix[:, block.bias] = 0.0
                if len(groups) == 2:
                    matrix[groups[0], block.bias] = 1.0
        return theta

    def decay(self, biases: bool) -> Floats:
        """What half a squared parameter counts for in L_2 (P): all variables 1, or weights 2 and biases 0."""
        if biases:
            return np.ones(self.parameter_count)
        factors = np.full(self.parameter_count, 2.0)
        for block in self.blocks():
            if block.bias is not None:
                block.of(factors)[:, block.bias] = 0.0
        return factors


@dataclass(frozen=True)
class ParameterBlock:
    """One matrix in the parameter vector; `bias` is its bias column."""

    name: str
    offset: int
    shape: tuple[int, int]
    bias: int | None

    def of(self, theta: Floats) -> Floats:
        """The matrix as a view of the vector theta (P)."""
        return theta[self.offset : self.offset + self.shape[0] * self.shape[1]].reshape(self.shape)
