"""The recurrent autoencoder on the fused kernels, as an engine for the trainer."""

from __future__ import annotations

from functools import partial

import numpy as np

from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.replicas import Evaluation, Floats, Hyperparameters, Ints, Order, State, check_codes
from tkae.engine.threads import each

ROWS = 256  # series that one thread evaluates at a time


class Recurrent:
    """TKAE, TAE and EncDec-AD: what differs is the architecture and alpha."""

    def __init__(self, architecture: Architecture, threads: int | None = None) -> None:
        self.architecture, self.threads = architecture, threads

    def initial(self, seed: int) -> Floats:
        return self.architecture.initial(seed)

    def decay(self, biases: bool) -> Floats:
        return self.architecture.decay(biases)

    def entries(self, data: SeriesSets, set_of: int, rows: Ints) -> int:
        if data.padded_mean:
            _, _, steps, width = data.x.shape
            return int(len(rows) * (steps + int(self.architecture.end_step)) * width)
        return int(data.counted[set_of, rows].sum())

    def epoch(self, data: SeriesSets, state: State, settings: Hyperparameters, order: Order) -> Floats:
        from tkae.engine.epoch import train_epoch

        parts = np.zeros((len(state.theta), 3))
        spec = self.architecture.spec(data.x.shape[2], order.batch)
        live = np.flatnonzero(state.live)
        each(
            self.threads,
            [partial(train_epoch, spec, data, state, settings, order, int(r), parts[r]) for r in live],
        )
        return parts

    def evaluate(self, data: SeriesSets, theta: Floats, settings: Hyperparameters) -> Evaluation:
        from tkae.engine.epoch import evaluate

        _, n, steps, width = data.x.shape
        spec = self.architecture.spec(steps, min(n, 32))
        size = spec.slots * spec.parts * spec.hidden
        found = Evaluation(
            np.zeros((len(theta), n, size), theta.dtype),
            np.zeros((len(theta), n, steps, width), theta.dtype),
            np.zeros((len(theta), n)),
        )
        order = np.argsort(-data.lengths, axis=1, kind="stable")
        each(
            self.threads,
            [
                partial(evaluate, spec, data, theta[r], settings, r, rows, found.replica(r))
                for r in range(len(theta))
                for rows in np.array_split(order[settings.set_of[r]], -(-n // ROWS))
            ],
        )
        return found

    def decode(self, theta: Floats, codes: Floats, lengths: Ints) -> Floats:
        from tkae.engine.epoch import generate

        steps = int(lengths.max())
        spec = self.architecture.spec(steps, min(len(codes), 32))
        check_codes(codes, spec.slots * spec.parts * spec.hidden)
        outputs = np.zeros((len(codes), steps, spec.variates), theta.dtype)
        generate(spec, theta, codes.astype(theta.dtype), lengths, outputs)
        return outputs
