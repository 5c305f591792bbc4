"""The dense autoencoders (AE, with tied weights, denoising) as an engine for the trainer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tkae.engine.batch import SeriesSets
from tkae.engine.dense_spec import LAYERS, LINEAR, RELU, SIGMOID, TANH, DenseSpec, affine_at, dense_count
from tkae.engine.replicas import Evaluation, Floats, Hyperparameters, Ints, Order, State, check_codes
from tkae.engine.threads import each
from tkae.errors import UserError, unknown
from tkae.seeding import stream

ACTIVATIONS = {"tanh": TANH, "sigmoid": SIGMOID, "relu": RELU}


@dataclass(frozen=True)
class Dense:
    """{D_x, hidden, D_z, hidden, D_x}; D_x = T V, the series unfolded with its padding."""

    inputs: int  # D_x
    code: int = 10  # D_z
    hidden: int = 30
    activation: str = "tanh"
    linear_decoder: bool = False  # the decoder's hidden layer is linear
    tied: bool = False
    corruption: float = 0.0  # probability that an input is set to 0 in training
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise unknown("activation", self.activation, ACTIVATIONS)

    def spec(self, batch: int) -> DenseSpec:
        kind = ACTIVATIONS[self.activation]
        decoder = LINEAR if self.linear_decoder else kind
        return DenseSpec(self.inputs, self.hidden, self.code, kind, decoder, int(self.tied), batch)

    @property
    def parameter_count(self) -> int:
        """Trainable numbers, biases included; tied weights count once."""
        return int(dense_count(self.spec(1)))

    def initial(self, seed: int) -> Floats:
        """Weights uniform within 1 / sqrt(fan in), biases 0."""
        theta = np.zeros(self.parameter_count)
        for layer in range(LAYERS):
            affine = affine_at(self.spec(1), layer)
            if layer < 2 or not self.tied:
                bound, shape = 1.0 / np.sqrt(affine.inputs), (affine.rows, affine.inputs)
                row, column = np.indices(shape)
                drawn = stream(seed, "init", f"dense.{layer}").uniform(-bound, bound, shape)
                theta[affine.weights + row * affine.row + column * affine.column] = drawn
        return theta

    def decay(self, biases: bool) -> Floats:
        if biases:
            return np.ones(self.parameter_count)
        factors = np.full(self.parameter_count, 2.0)
        for layer in range(LAYERS):
            affine = affine_at(self.spec(1), layer)
            factors[affine.bias : affine.bias + affine.rows] = 0.0
        return factors

    def entries(self, data: SeriesSets, set_of: int, rows: Ints) -> int:
        return len(rows) * self.inputs if data.padded_mean else int(data.counted[set_of, rows].sum())

    def epoch(self, data: SeriesSets, state: State, settings: Hyperparameters, order: Order) -> Floats:
        from tkae.engine.dense_kernels import dense_epoch

        if settings.alpha.any():
            raise UserError("dense autoencoders have no kernel alignment: set alpha to 0")
        self._check(data)
        parts, spec = np.zeros((len(state.theta), 3)), self.spec(order.batch)
        jobs = [
            partial(dense_epoch, spec, data, state, settings, order, self.corruption, int(r), parts[r])
            for r in np.flatnonzero(state.live)
        ]
        each(self.threads, jobs)
        return parts

    def evaluate(self, data: SeriesSets, theta: Floats, settings: Hyperparameters) -> Evaluation:
        from tkae.engine.dense_kernels import dense_evaluate

        self._check(data)
        _, n, steps, width = data.x.shape
        found = Evaluation(
            np.zeros((len(theta), n, self.code), theta.dtype),
            np.zeros((len(theta), n, steps, width), theta.dtype),
            np.zeros((len(theta), n)),
        )
        rows, spec = np.arange(n), self.spec(min(n, 32))
        jobs = [
            partial(dense_evaluate, spec, data, theta[r], settings, r, rows, found.replica(r))
            for r in range(len(theta))
        ]
        each(self.threads, jobs)
        return found

    def decode(self, theta: Floats, codes: Floats, lengths: Ints) -> Floats:
        from tkae.engine.dense_kernels import dense_generate

        check_codes(codes, self.code)
        outputs = np.zeros((len(codes), self.inputs), theta.dtype)
        dense_generate(
            self.spec(min(len(codes), 32)), theta, np.ascontiguousarray(codes, theta.dtype), outputs
        )
        return outputs.reshape(len(codes), int(lengths.max()), -1)

    def _check(self, data: SeriesSets) -> None:
        _, _, steps, width = data.x.shape
        if steps * width != self.inputs:
            raise UserError(
                f"this autoencoder has {self.inputs} inputs; series of {steps} x {width} need {steps * width}"
            )
