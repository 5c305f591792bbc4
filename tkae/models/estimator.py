"""What users call: series in any form and in their own units, with scikit-learn's habits.

Every method is thin: it takes series as they come (`tkae.data.inputs`), scales them as the training series
were, asks the inner level (`tkae.models.contract`), and takes the scaling off again.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.data.doubts import doubts
from tkae.data.inputs import Series, as_given, collection_of
from tkae.data.scaling import Standardiser
from tkae.errors import DataError, UserError
from tkae.fields import parameter
from tkae.models.checkpoints import Watch
from tkae.models.contract import Contract, completed, not_fitted
from tkae.models.offered import offered
from tkae.models.parameters import Parameters
from tkae.seeding import stream

HIDDEN = 0.1  # share of the observed entries that `score` hides


class Kept:
    """What `fit` keeps of the training series, beside what a model learns from them."""

    scaler_: Standardiser | None = None
    variate_names_: tuple[str, ...] = ()
    lengths_: tuple[int, int] = (0, 0)  # of the shortest and the longest
    fingerprint_: str = ""
    labels_: list[Any] | None = None  # the words of `y`, of a model that learned from labels
    limit_: float | None = None  # the anomaly score above which `predict` says -1
    replicas_: tuple[Any, ...] = ()  # the other models of an ensemble


@dataclass
class Estimator(Kept, Parameters, Contract):
    """What every model has beside its settings.

    Parameters
    ----------
    random_state : int
        The seed: the same seed and series give the same model bit for bit. A model without chance does not
        look at it.
    scale : bool
        Whether variates are standardised inside, and scaled back on the way out.
    contamination : float
        The share of training series that `predict` calls anomalies.
    """

    random_state: int = parameter(0, at_least=0)
    scale: bool = parameter(True)
    contamination: float = parameter(0.1, at_least=0, at_most=0.5)

    def seeds(self) -> list[int]:
        """Of the replicas that `fit` trains."""
        return [self.random_state]

    def watch(self) -> Watch | None:
        """Who is told how far `fit` is."""
        return None

    def fit(self, X: Series, y: npt.ArrayLike | None = None) -> Self:
        """Learn from series.

        Parameters
        ----------
        X : list of (T_i, V) arrays, (N, T, V) array, long data frame, or Collection
            The training series, NaN where a value is missing.
        y : array of N labels, optional
            Used by models that learn from labels alone, and ignored by all others.

        Returns
        -------
        self
        """
        self.check()
        given = self._labelled(collection_of(X), y)
        scaler = Standardiser.of(given) if self.scale else None
        train = given if scaler is None else scaler.scale(given)
        for doubt in doubts(given):
            warnings.warn(doubt, stacklevel=2)
        self.check_series(train)
        seeds = self.seeds()
        copies = [self, *(dataclasses.replace(self) for _ in seeds[1:])]
        fitted = type(self).learn_replicas(copies, [train] * len(seeds), seeds, self.watch())
        for model in fitted:
            if isinstance(model, Exception):
                raise model
        self.remember(given, train, scaler, copies[1:])
        return self

    def remember(
        self,
        given: Collection,
        train: Collection,
        scaler: Standardiser | None,
        replicas: Sequence[Self] = (),
    ) -> None:
        """Keep what `Kept` has of the training series, as they were given and as it learned from them."""
        self.scaler_, self.replicas_ = scaler, tuple(replicas)
        self.variate_names_, self.n_features_in_ = given.variates, given.shape[2]
        self.lengths_ = int(given.lengths.min()), int(given.lengths.max())
        self.fingerprint_ = given.fingerprint
        self.limit_ = None
        if self.can("screen"):
            self.limit_ = float(np.quantile(self._mean("screen", train), 1 - self.contamination))

    @offered("encode", "features")
    def transform(self, X: Series) -> Any:
        """The codes z of series (N, D_z); of an ensemble those of all replicas side by side (N, n_seeds D_z).

        The codes of two replicas have nothing in common but the series, so that a mean of them would mean
        nothing; a distance between rows is that of all replicas together.
        """
        x = self._scaled(self._collection(X))
        return np.concatenate([model.features(x) for model in self._replicas()], axis=1)

    @offered("encode", "features")
    def fit_transform(self, X: Series, y: npt.ArrayLike | None = None) -> Any:
        """`fit`, and what `transform` makes of the training series."""
        return self.fit(X, y).transform(X)

    @offered("decode")
    def inverse_transform(self, Z: npt.ArrayLike, lengths: Sequence[int] | Ints | None = None) -> Any:
        """The series that the decoder makes of codes, in the units of the training series.

        Parameters
        ----------
        Z : array (N, D_z)
            Codes as `transform` gives them.
        lengths : N numbers, optional
            How many steps each series has; as many as the longest training series without it.

        Returns
        -------
        An array (N, T, V), or with `lengths` a list of arrays (T_i, V). Of an ensemble it is the mean.
        """
        codes = np.asarray(Z, dtype=np.float64)
        replicas = self._replicas()
        if codes.ndim != 2 or not codes.size or codes.shape[1] % len(replicas):
            raise DataError(f"codes have the shape (series, D_z), as transform gives them, not {codes.shape}")
        steps = np.asarray([self.lengths_[1]] * len(codes) if lengths is None else lengths, dtype=np.int64)
        if steps.shape != (len(codes),) or (steps < 1).any():
            raise DataError(f"lengths are {len(codes)} whole numbers from 1 on, one a code, not {lengths}")
        parts = zip(replicas, np.split(codes, len(replicas), axis=1), strict=True)
        values = np.mean([model.decode(part, steps) for model, part in parts], axis=0)
        made = self._unscaled(Collection(values, lengths=steps))
        return made.values if lengths is None else [made.series(i) for i in range(len(made))]

    @offered("complete")
    def impute(self, X: Series, return_std: bool = False) -> Any:
        """The series completed, in the form and the units in which they are given.

        What was observed stays as it is, bit for bit. Of an ensemble the mean of its replicas is filled in.

        Parameters
        ----------
        X : list of (T_i, V) arrays, (N, T, V) array, long data frame, or Collection
            Series with NaN where a value is missing.
        return_std : bool
            Whether the spread is returned as well: the standard deviation of what the replicas of an ensemble
            fill in, 0 at observed entries, in the form of X.
        """
        replicas = self._replicas()
        if return_std and len(replicas) == 1:
            raise UserError(f"one {self.name} has no spread: fit it with n_seeds of at least 2")
        given = self._collection(X)
        x = self._scaled(given)
        each = [self._unscaled(model.complete(x)).values for model in replicas]
        done = as_given(completed(given, np.mean(each, axis=0) if len(each) > 1 else each[0]), X)
        if not return_std:
            return done
        spread = np.where(given.observed, 0.0, np.std(each, axis=0))
        return done, as_given(given.replace(spread, given.valid), X)

    @offered("screen")
    def score_samples(self, X: Series) -> Floats:
        """How normal each series is, (N): the larger, the more like the training series."""
        return -self._mean("screen", self._scaled(self._collection(X)))

    @offered("screen", "classify")
    def predict(self, X: Series) -> npt.NDArray[Any]:
        """-1 for an anomaly and 1 for others, (N); of a model that learned from labels, the labels.

        An anomaly is less normal than all but the share `contamination` of the training series.
        """
        x = self._scaled(self._collection(X))
        if self.can("classify"):
            labels = self.classify(x)
            return labels if self.labels_ is None else np.asarray(self.labels_)[labels]
        scores = self._mean("screen", x)
        if self.limit_ is None:
            raise not_fitted(f"this {self.name} has no limit: call fit first")
        return np.where(scores > self.limit_, -1, 1)

    @offered("complete", "screen", "classify")
    def score(self, X: Series, y: npt.ArrayLike | None = None) -> float:
        """How good the model is for these series; the larger, the better: what cross-validation maximises.

        A model that completes series is told nothing of a tenth of the observed entries (the same for all
        models of one `random_state`) and scored by 1 - mean(((filled - true) / s) ** 2), where s is the
        deviation of the variate: 1 is perfect, 0 as good as the variate's mean. The score of one that learned
        from labels is its accuracy, of others the mean of `score_samples`.
        """
        given = self._collection(X)
        if self.can("classify"):
            truth = given.labels if y is None else np.asarray(y)
            return float(np.mean(self.predict(given) == truth))
        if not self.can("complete"):
            return float(self.score_samples(given).mean())
        hidden = _some_observed(given, self.random_state)
        if not hidden.any():
            return 0.0
        error = (self.impute(given.without(hidden)).values - given.values) / Standardiser.of(given).deviation
        return 1 - float(np.mean(error[hidden] ** 2))

    def save(self, path: str | Path) -> None:
        """Write the model to one file; `tkae.load` reads it."""
        from tkae.models.files import save

        save(self, Path(path))

    def __sklearn_is_fitted__(self) -> bool:
        return all(hasattr(self, key) for key in self.fitted)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(three_d_array=True, allow_nan=True),
        )

    def _collection(self, X: Series) -> Collection:
        """The series, if they have the variates of the training series."""
        given = collection_of(X)
        known = self.variate_names_ or given.variates
        if len(known) != given.shape[2]:
            self._check_width(given, len(known))
        unnamed = tuple(map(str, range(len(known))))
        if given.variates != known and unnamed not in (given.variates, known):
            raise DataError(
                f"this {self.name} was fitted on the variates {', '.join(known)}; these series have "
                f"{', '.join(given.variates)}: give them the same, in the same order"
            )
        return given

    def _labelled(self, given: Collection, y: npt.ArrayLike | None) -> Collection:
        """The series with labels, where the model learns from them."""
        self.labels_ = None
        if y is None or not self.can("classify"):
            return given
        words, labels = np.unique(np.asarray(y), return_inverse=True)
        self.labels_ = words.tolist()
        return dataclasses.replace(given, labels=labels)

    def _scaled(self, given: Collection) -> Collection:
        return given if self.scaler_ is None else self.scaler_.scale(given)

    def _unscaled(self, x: Collection) -> Collection:
        return x if self.scaler_ is None else self.scaler_.unscale(x)

    def _replicas(self) -> tuple[Self, ...]:
        """The models of the ensemble, of which this is the first."""
        return (self, *self.replicas_)

    def _mean(self, what: str, x: Collection) -> Floats:
        """What the replicas say of series, on average."""
        said = [getattr(model, what)(x) for model in self._replicas()]
        arrays = [one.values if isinstance(one, Collection) else one for one in said]
        return np.asarray(np.mean(arrays, axis=0) if len(arrays) > 1 else arrays[0])


def _some_observed(x: Collection, seed: int) -> Bools:
    """(N, T, V): a tenth of the observed entries, whatever the padding."""
    chosen = np.zeros(x.shape, dtype=bool)
    for i, length in enumerate(x.lengths):
        chosen[i, :length] = stream(seed, "score", i).random((length, x.shape[2])) < HIDDEN
    return chosen & x.observed
