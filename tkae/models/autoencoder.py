"""What all trained models share: replicas that are trained side by side, and what they give afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.data.dataset import Extent
from tkae.errors import DataError, UserError
from tkae.fields import parameter, setting, values
from tkae.models.base import Model
from tkae.models.checkpoints import Watch
from tkae.models.contract import Curve
from tkae.models.filling import FILLS, in_steps, within
from tkae.models.listener import Listener, ToStderr, losses_of, told
from tkae.seeding import stream
from tkae.stopping import looking

if TYPE_CHECKING:
    from tkae.engine.batch import SeriesSets
    from tkae.engine.replicas import Blocks, Engine, Evaluation
    from tkae.engine.trainer import EpochReport, Replica, Training

# Replicas may differ in these; in everything else they are one shape.
FREE = ("alpha", "l2", "p_s", "learning_rate")
TIMED = 3  # epochs of a sample, at most, that tell how long one takes
LONG = 0.05  # seconds of them that are enough
LARGEST = 1e15  # whose square a network can still add up in single precision
MANY = 512  # series of a sample, at most: few would count what an epoch costs whatever their number


@dataclass
class Autoencoder(Model):
    """A network that reconstructs its input through a code.

    Parameters
    ----------
    code_size : int
        D_z, the numbers of the code z (or of each part of it).
    l2 : float
        lambda, the weight of the squared weights in the loss (L_2).
    epochs : int
        How often training goes over the series.
    batch : int
        Series a step of Adam.
    learning_rate : float
        Of Adam.
    fill : {"zero", "locf"}
        What stands at missing entries of the input: 0, which is the mean of standardised series, or the last
        observed value.
    loss : {"filled", "observed", "padded"}
        The entries whose error counts in L_r: all valid ones, observed ones (eq. rec_miss), or all of the
        padded array.
    l2_biases : bool
        lambda / 2 on all variables, in place of lambda on weights.
    drop_last : bool
        Whether an incomplete batch is left out.
    select_every : int
        Keep the best weights of a look every so many epochs; 0: keep the last.
    patience : int
        Stop after so many looks without improvement; 0: never.
    validation : float
        The share of the series that only selection sees.
    n_seeds : int
        How many replicas are trained side by side, an ensemble: their seeds are random_state and the next
        ones. `impute` and `inverse_transform` give their mean, `transform` the codes of all.
    verbose : bool
        Whether `fit` says on stderr how far it is.
    callback : callable, optional
        Called after every epoch with its number and the losses, a dict of L_r, L_2 and L_k.
    """

    replicas_at_once: ClassVar[int] = 10
    any_length: ClassVar[bool] = True  # false: the network sees as many steps as it was fitted with
    fitted: ClassVar[tuple[str, ...]] = ("theta_", "shape_")

    code_size: int = setting(10, at_least=1, at_most=10_000)
    l2: float = setting(0.0, at_least=0)
    epochs: int = setting(5000, at_least=1, at_most=10_000_000)
    batch: int = setting(32, at_least=1, at_most=1_000_000)
    learning_rate: float = setting(0.001, at_least=0)
    fill: str = setting("zero", one_of=tuple(FILLS))
    loss: str = setting("filled", one_of=("filled", "observed", "padded"))
    l2_biases: bool = False
    drop_last: bool = False
    select_every: int = setting(0, at_least=0)
    patience: int = setting(0, at_least=0)
    validation: float = setting(0.0, at_least=0, at_most=0.9)
    n_seeds: int = parameter(1, at_least=1, at_most=1000)
    verbose: bool = parameter(False)
    callback: Callable[..., Any] | None = parameter(None)

    def engine(self, steps: int, width: int) -> Engine:
        """The network for series of `steps` steps and `width` variates."""
        raise NotImplementedError

    def prior(self, train: Collection) -> npt.NDArray[Any] | None:
        """What the codes' inner products are aligned to (N, N), if anything."""
        return None

    def prior_blocks(self, train: Collection, replicas: int) -> Blocks | None:
        """The same, but only between the series of batches, where so many replicas need no more of it."""
        return None

    def replica(self, seed: int, set_of: int, n: int) -> Replica:
        """This model's part in a training of several."""
        from tkae.engine.trainer import Replica

        rows = validation = None
        if self.validation and n > 1:
            order = stream(seed, "validation").permutation(n)
            held = min(max(round(self.validation * n), 1), n - 1)
            validation, rows = np.sort(order[:held]), np.sort(order[held:])
        return Replica(
            seed=seed,
            penalty=self.l2,
            rate=self.learning_rate,
            set_of=set_of,
            rows=rows,
            validation=validation,
        )

    def check(self) -> None:
        super().check()
        if not (self.callback is None or callable(self.callback)):
            raise UserError(f"{self.name}: callback={self.callback} is not allowed: it takes a function")

    def footprint(self, extent: Extent) -> int:
        return super().footprint(extent) + 5 * extent.entries  # the engine's copy

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """The time of an epoch, times their number: linear in the series, which are as long as the data's."""
        # Selection costs a forward run of all series each time, which is about a third of an epoch.
        looks = 1 + 0.33 / self.select_every if self.select_every else 1.0
        model = replace(self, epochs=1 + TIMED, select_every=0, validation=0.0)
        sample = sample.take(np.arange(min(extent.train, MANY)) % len(sample))
        if self.any_length:  # a series costs as many steps as it has
            sample = extent.shortened(sample)
        training = _training([model] * replicas, [sample] * replicas, range(replicas))
        training.run(until=1)  # which may compile
        begun, took = time.process_time(), 0.0
        while training.epoch < model.epochs and took < LONG:
            training.run(until=training.epoch + 1)
            took = time.process_time() - begun
        epoch = took / (training.epoch - 1) / replicas
        return self.epochs * looks * epoch * extent.train / len(sample)

    def check_series(self, train: Collection) -> None:
        from tkae.engine.trainer import check_batch

        largest = np.abs(train.values).max(axis=(1, 2))
        if largest.max() > LARGEST:
            raise DataError(
                f"series '{train.names[int(largest.argmax())]}' has a value of {largest.max():.3g}, which is "
                "too large for a network: standardise the series (scale=True)"
            )
        rows = self.replica(0, 0, len(train)).rows
        check_batch(len(train) if rows is None else len(rows), self.batch, not self.drop_last)

    def idle(self, kernel: bool) -> frozenset[str]:
        return frozenset() if self.select_every else frozenset({"patience"})

    def shared_settings(self) -> dict[str, Any]:
        return {key: value for key, value in values(self).items() if key not in FREE}

    def seeds(self) -> list[int]:
        return [self.random_state + r for r in range(self.n_seeds)]

    def watch(self) -> Watch:
        return Watch(listener=ToStderr() if self.verbose else Listener(), tell_every=10.0)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        (result,) = self.learn_replicas([self], [train], [seed])
        if isinstance(result, Exception):
            raise result
        return result

    @classmethod
    def learn_replicas(
        cls,
        models: Sequence[Self],
        trains: Sequence[Collection],
        seeds: Sequence[int],
        watch: Watch | None = None,
    ) -> list[Self | Exception]:
        watch = watch or Watch()
        # The longest series gives a dense network its inputs and `loss: padded` its mean: a replica must not
        # have them from its neighbours.
        alike: dict[tuple[int, ...], list[int]] = {}
        for i, x in enumerate(trains):
            alike.setdefault((len(x), int(x.lengths.max()), x.shape[2]), []).append(i)
        results: dict[int, Self | Exception] = {}
        for rows in alike.values():
            made = cls._fit_alike(
                [models[i] for i in rows],
                [trains[i] for i in rows],
                [seeds[i] for i in rows],
                watch.part(rows),
            )
            results |= dict(zip(rows, made, strict=True))
        return [results[i] for i in range(len(models))]

    @classmethod
    def _fit_alike(
        cls, models: Sequence[Self], trains: Sequence[Collection], seeds: Sequence[int], watch: Watch
    ) -> list[Self | Exception]:
        """Replicas whose series are as many, as long and as wide."""
        training = _training(models, trains, seeds)
        _go_on(training, watch)

        def after_epoch(progress: EpochReport) -> None:
            watch.keep(training.state)
            if models[0].callback is not None:
                models[0].callback(progress.epoch, losses_of(progress))
            watch.tell(lambda: told(progress), progress.epoch / progress.epochs)

        with looking():
            weights = training.run(after_epoch)
            watch.ended(training.state)
        return [
            UserError(f"the loss of seed {seed} was not finite: lower model.{cls.name}.learning_rate")
            if failed
            else model._keep(theta, training.data.x.shape[2:], training.curve(r))
            for r, (model, theta, failed, seed) in enumerate(
                zip(models, weights, training.failed, seeds, strict=True)
            )
        ]

    def _keep(self, theta: npt.NDArray[Any], shape: tuple[int, ...], curve: Curve) -> Self:
        self.theta_, self.shape_ = theta.copy(), np.array(shape)
        self._curve = curve
        return self

    def curve(self) -> Curve:
        """`losses` (K, 3): L_r, L_2 and L_k, means over the batches of the epochs `epochs` (K)."""
        return getattr(self, "_curve", {})

    @property
    def parameter_count(self) -> int:
        """Trainable numbers of the fitted network."""
        return int(self._learned("theta_").size)

    def try_learned(self, width: int) -> None:
        steps, own = (int(size) for size in self._learned("shape_"))
        theta = self._learned("theta_")
        if own != width or steps < 1 or theta.shape != self.engine(steps, width).decay(biases=False).shape:
            raise ValueError("weights of another network")
        if theta.dtype != np.float32:  # for which the whole network would be compiled anew
            raise ValueError("weights of another precision")

    def encode(self, x: Collection) -> Floats:
        return np.asarray(self._evaluated(x).z[0], dtype=np.float64)

    def decode(self, codes: Floats, lengths: Ints) -> Floats:
        theta, (steps, width) = self._learned("theta_"), self._learned("shape_")
        seen = int(lengths.max()) if self.any_length else int(steps)
        run = np.minimum(lengths, seen) if self.any_length else np.full(len(codes), seen)
        made = self.engine(seen, int(width)).decode(theta, codes, run).astype(np.float64)
        return within(made, lengths)

    def reconstruct(self, x: Collection) -> Floats:
        """The decoder's own run, without a look at the series (p_s = 1)."""
        made = in_steps(self._evaluated(x).outputs[0], x.shape[1])
        return np.where(x.valid, made, 0.0).astype(np.float64)

    def target(self, x: Collection) -> tuple[Floats, Bools]:
        """The filled series, at the entries whose error counts in training."""
        return FILLS[self.fill](x), x.observed if self.loss == "observed" else x.valid

    def _evaluated(self, x: Collection) -> Evaluation:
        theta, (steps, width) = self._learned("theta_"), self._learned("shape_")
        self._check_width(x, int(width))
        seen = int(x.lengths.max()) if self.any_length else int(steps)
        return evaluated(self.engine(seen, int(width)), self.data([x], seen), theta[None])

    def data(
        self, sets: Sequence[Collection], steps: int, kernels: Sequence[npt.NDArray[Any]] = ()
    ) -> SeriesSets:
        """The engine's arrays for some collections of one shape, cut or padded to `steps` steps."""
        from tkae.engine.sets import data_of

        targets = [self.target(x) for x in sets]
        return data_of(
            [in_steps(filled, steps).astype(np.float32) for filled, _ in targets],
            [in_steps(counted, steps) for _, counted in targets],
            [np.minimum(x.lengths, steps) for x in sets],
            kernels or None,
            padded_mean=self.loss == "padded",
        )


def _training(models: Sequence[Autoencoder], trains: Sequence[Collection], seeds: Sequence[int]) -> Training:
    """One training for all replicas; series that several share are held once."""
    from tkae.engine.trainer import Schedule, Training

    first, n = models[0], len(trains[0])
    sets: dict[str, Collection] = {x.fingerprint: x for x in trains}
    numbers = {print_: i for i, print_ in enumerate(sets)}
    blocks = [own for x in sets.values() if (own := first.prior_blocks(x, len(models))) is not None]
    kernels = [] if blocks else [first.prior(x) for x in sets.values()]
    steps = max(int(x.lengths.max()) for x in sets.values())
    schedule = Schedule(
        epochs=first.epochs,
        batch=first.batch,
        keep_last=not first.drop_last,
        decay_biases=first.l2_biases,
        select_every=first.select_every,
        patience=first.patience,
    )
    return Training(
        first.engine(steps, trains[0].shape[2]),
        first.data(list(sets.values()), steps, [k for k in kernels if k is not None]),
        [
            model.replica(seed, numbers[x.fingerprint], n)
            for model, x, seed in zip(models, trains, seeds, strict=True)
        ],
        schedule,
        blocks,
    )


def _go_on(training: Training, watch: Watch) -> None:
    """From where an interrupted training was, if it kept that."""
    earlier = watch.earlier()
    if earlier is None:
        return
    try:
        if not 0 <= int(earlier.get("epoch", -1)) <= training.schedule.epochs:
            raise DataError("an epoch that this training does not have")
        training.restore(earlier)
        watch.listener.note(f"goes on from epoch {training.epoch}")
    except DataError:
        watch.listener.note("the checkpoint does not fit this training, which starts afresh")


def evaluated(engine: Engine, data: SeriesSets, theta: npt.NDArray[Any]) -> Evaluation:
    """The first set of `data` through networks of these weights (R, P), free running."""
    from tkae.engine.replicas import Hyperparameters

    count, ones = len(theta), np.ones(len(theta))
    sets, keys = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.uint64)
    return engine.evaluate(data, theta, Hyperparameters(0 * ones, 0 * ones, ones, ones, sets, keys, theta[0]))
