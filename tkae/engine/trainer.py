"""The training of R replicas side by side: epochs of shuffled batches, selection, stop and resume.

Chance is a function of the replica's seed and the epoch's number, never of a generator's history, so
the state of a training is its arrays, and an interrupted training goes on to the same bits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.engine.ahead import Ahead
from tkae.engine.alignment import alignment
from tkae.engine.batch import SeriesSets
from tkae.engine.replicas import (
    Blocks,
    Engine,
    Evaluation,
    Floats,
    Hyperparameters,
    Ints,
    Order,
    State,
)
from tkae.errors import DataError, UserError
from tkae.seeding import stream

CURVE = 200  # epochs of which the losses are kept


@dataclass(frozen=True)
class Replica:
    """One network to be trained."""

    seed: int
    alpha: float = 0.0
    penalty: float = 0.0  # lambda
    p_s: float = 1.0
    rate: float = 0.001
    set_of: int = 0  # which of the data's sets
    rows: Ints | None = None  # the series to train on; None: all
    validation: Ints | None = None  # the series that selection looks at; None: those of the training


@dataclass(frozen=True)
class Schedule:
    """How long, in which batches, and which weights are kept."""

    epochs: int = 5000
    batch: int = 32
    keep_last: bool = True
    decay_biases: bool = False  # L_2 on all variables with lambda / 2, instead of weights with lambda
    select_every: int = 0  # keep the weights with the lowest loss seen every so many epochs; 0: the last
    patience: int = 0  # stop a replica after so many looks without improvement; 0: never

    @property
    def noted(self) -> Ints:
        """The epochs whose losses are kept: all, or about CURVE of them, the last among them."""
        return np.unique(np.linspace(1, self.epochs, min(self.epochs, CURVE)).round().astype(np.int64))


@dataclass(frozen=True)
class EpochReport:
    """What a callback is told after every epoch."""

    epoch: int  # done
    epochs: int
    parts: Floats  # (R, 3): mean L_r, L_2 and L_k over the epoch's batches
    total: Floats  # (R)
    live: npt.NDArray[np.bool_]  # (R): false where a loss was not finite
    seconds: float  # since `run` was called


def check_batch(n: int, batch: int, keep_last: bool) -> None:
    """Whether n series make a batch."""
    if n == 0 or (not keep_last and n < batch):
        raise UserError(
            f"a replica has {n} series to train on, which makes no batch of {batch}; "
            "take smaller batches or keep the incomplete one"
        )


@dataclass
class Training:
    """`run` trains; `weights` are the result; `state` and `restore` carry a training over a break."""

    engine: Engine
    data: SeriesSets
    replicas: Sequence[Replica]
    schedule: Schedule = field(default_factory=Schedule)
    blocks: Sequence[Blocks] = ()  # of kernels that the data do not hold: one a set, or one for all
    dtype: Any = np.float32
    epoch: int = 0

    def __post_init__(self) -> None:
        count, n = len(self.replicas), self.data.x.shape[1]
        theta = np.stack([self.engine.initial(replica.seed) for replica in self.replicas]).astype(self.dtype)
        self._state = State(
            theta, np.zeros_like(theta), np.zeros_like(theta), np.zeros(count, np.int64), np.ones(count, bool)
        )
        self._rows = [
            np.arange(n) if replica.rows is None else np.asarray(replica.rows) for replica in self.replicas
        ]
        self._best, self._best_loss = theta.copy(), np.full(count, np.inf)
        self._waited, self._stopped = np.zeros(count, np.int64), np.zeros(count, bool)
        self._noted = self.schedule.noted
        self._curves = np.full((count, len(self._noted), 3), np.nan, np.float32)
        self._ahead = Ahead(
            self.blocks,
            [replica.set_of for replica in self.replicas],
            self._batches,
            self.schedule.epochs,
            self.dtype,
        )
        self._decay = self.engine.decay(self.schedule.decay_biases).astype(self.dtype)
        self._check()

    @property
    def weights(self) -> Floats:
        """The parameters (R, P) that the schedule keeps."""
        seen = np.isfinite(self._best_loss)
        if not self.schedule.select_every:
            return self._state.theta
        return np.where(seen[:, None], self._best, self._state.theta)

    def curve(self, replica: int) -> dict[str, npt.NDArray[Any]]:
        """`losses` (K, 3): L_r, L_2 and L_k at `epochs` (K); NaN after the end of the replica's training."""
        return {"epochs": self._noted.astype(np.int32), "losses": self._curves[replica].copy()}

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """(R): replicas that a loss that is not finite has ended."""
        return ~self._state.live & ~self._stopped

    def run(self, progress: Callable[[EpochReport], None] | None = None, until: int | None = None) -> Floats:
        """Train up to the schedule's last epoch, or `until` one; the kept weights."""
        began = time.perf_counter()
        last = self.schedule.epochs if until is None else min(until, self.schedule.epochs)
        while self.epoch < last and self._state.live.any():
            settings = self._settings("scheduled sampling")
            parts = self.engine.epoch(self.data, self._state, settings, self._order())
            self.epoch += 1
            self._note(parts)
            if self._looks():
                self._select()
            if progress is not None:
                total = parts[:, 0] + self._of("penalty") * parts[:, 1] + self._of("alpha") * parts[:, 2]
                live, seconds = self._state.live.copy(), time.perf_counter() - began
                progress(EpochReport(self.epoch, self.schedule.epochs, parts, total, live, seconds))
        return self.weights

    def evaluate(self, data: SeriesSets | None = None, theta: Floats | None = None) -> Evaluation:
        """Codes, free-running outputs and errors of the kept weights on these series (or the training's).

        Data of one set are for all replicas; of more sets, each replica sees the one of its number.
        """
        series = self.data if data is None else data
        settings = self._settings("evaluation")._replace(p_s=np.ones(len(self.replicas)))
        if len(series.x) == 1:
            settings = settings._replace(set_of=np.zeros_like(settings.set_of))
        return self.engine.evaluate(series, self.weights if theta is None else theta, settings)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that changes while training, by name."""
        return {**self._arrays(), "epoch": np.array(self.epoch)}

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` gave, in a training with the same settings."""
        mine = self._arrays()
        for name, array in self.state().items():
            if name not in state or state[name].shape != array.shape or state[name].dtype != array.dtype:
                raise DataError(f"this state is of another training: its '{name}' does not fit; start afresh")
        for name, array in mine.items():  # only now: a training is not left half restored
            array[...] = state[name]
        self.epoch = int(state["epoch"])

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        own = {"best": self._best, "best_loss": self._best_loss}
        own |= {"waited": self._waited, "stopped": self._stopped, "curves": self._curves}
        return {**self._state._asdict(), **own}

    def _of(self, name: str) -> npt.NDArray[np.float64]:
        return np.array([getattr(replica, name) for replica in self.replicas], dtype=np.float64)

    def _settings(self, use: str) -> Hyperparameters:
        keys = [
            stream(replica.seed, use, self.epoch).integers(2**64, dtype=np.uint64)
            for replica in self.replicas
        ]
        sets = np.array([replica.set_of for replica in self.replicas], dtype=np.int64)
        alpha, penalty, p_s, rate = (self._of(name) for name in ("alpha", "penalty", "p_s", "rate"))
        return Hyperparameters(alpha, penalty, p_s, rate, sets, np.array(keys), self._decay)

    def _order(self) -> Order:
        counts = np.array([len(rows) for rows in self._rows], dtype=np.int64)
        keep_last = int(self.schedule.keep_last)
        if not self.blocks:
            rows = self._shuffled(self.epoch, counts.max())
            return Order(rows, counts, self.schedule.batch, keep_last, np.zeros((1, 0, 0, 0), self.dtype))
        rows = self._batches(self.epoch).reshape(len(counts), -1)
        return Order(rows, counts, self.schedule.batch, keep_last, self._ahead.at(self.epoch))

    def _shuffled(self, epoch: int, width: int) -> Ints:
        """The series (R, width) in the order of an epoch; -1 after a replica's last one."""
        rows = np.full((len(self.replicas), width), -1, dtype=np.int64)
        for line, own, replica in zip(rows, self._rows, self.replicas, strict=True):
            line[: len(own)] = stream(replica.seed, "shuffle", epoch).permutation(own)
        return rows

    def _batches(self, epoch: int) -> Ints:
        """The batches (R, M, B) of an epoch, the longest series of each first: so they stand in the lanes."""
        size, most = self.schedule.batch, max(len(rows) for rows in self._rows)
        rows = self._shuffled(epoch, -(-most // size) * size).reshape(len(self.replicas), -1, size)
        sets = np.array([replica.set_of for replica in self.replicas])[:, None, None]
        lengths = np.where(rows >= 0, self.data.lengths[sets, rows], 0)
        return np.take_along_axis(rows, np.argsort(-lengths, axis=2, kind="stable"), axis=2)

    def _note(self, parts: Floats) -> None:
        """Keep the epoch's losses (R, 3), if it is one of those that are kept."""
        k = int(np.searchsorted(self._noted, self.epoch))
        if self._noted[k] == self.epoch:
            self._curves[self._state.live, k] = parts[self._state.live]

    def _looks(self) -> bool:
        """Whether the weights are compared after this epoch: the last counts, however short the budget."""
        every = self.schedule.select_every
        return every > 0 and (self.epoch % every == 0 or self.epoch == self.schedule.epochs)

    def _select(self) -> None:
        """Keep a replica's weights where its total loss is the lowest seen; stop it when patience ends."""
        losses = self._losses()
        better = self._state.live & (losses < self._best_loss)
        self._best[better], self._best_loss[better] = self._state.theta[better], losses[better]
        self._waited[:] = np.where(better, 0, self._waited + 1)
        if self.schedule.patience:
            ended = self._state.live & (self._waited >= self.schedule.patience)
            self._stopped[ended], self._state.live[ended] = True, False

    def _losses(self) -> npt.NDArray[np.float64]:
        """The total loss (R) of the present weights, scheduled sampling and the whole kernel included."""
        found = self.engine.evaluate(self.data, self._state.theta, self._settings("selection"))
        losses = np.zeros(len(self.replicas))
        for r, replica in enumerate(self.replicas):
            rows = self._rows[r] if replica.validation is None else np.asarray(replica.validation)
            entries = max(self.engine.entries(self.data, replica.set_of, rows), 1)
            l2 = 0.5 * float(np.sum(self._decay * self._state.theta[r].astype(np.float64) ** 2))
            losses[r] = found.squares[r, rows].sum() / entries + replica.penalty * l2
            if replica.alpha > 0:
                kernel = self.data.kernels[min(replica.set_of, len(self.data.kernels) - 1)]
                losses[r] += replica.alpha * alignment(found.z[r, rows], kernel[np.ix_(rows, rows)])
        return losses

    def _check(self) -> None:
        n = self.data.x.shape[1]
        check_batch(min(map(len, self._rows)), self.schedule.batch, self.schedule.keep_last)
        aligned = any(replica.alpha > 0 for replica in self.replicas)
        if aligned and self.blocks and self.schedule.select_every:
            raise UserError(
                "the loss by which weights are selected needs the whole kernel: give it, or set select_every "
                "to 0"
            )
        if aligned and not self.blocks and self.data.kernels.shape[-1] != n:
            raise UserError(f"alpha > 0 needs a kernel of {n} x {n} series; give one, or set alpha to 0")
