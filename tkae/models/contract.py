"""What a model learns from series and tells of others, all of them scaled collections.

This is what the author of a model writes. Users call what `tkae.models.estimator` makes of it; experiments
call this, since their series are standardised and have their holes by then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.errors import DataError, NotSupported
from tkae.models.checkpoints import Watch

Curve = dict[str, npt.NDArray[Any]]  # what is kept of a training's course, by name


class Contract(ABC):
    """`learn` returns the model itself; what it learns is kept in attributes whose names end in `_`.

    A model that has no code, say, does not override `encode` and then says so when it is asked.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1  # raised whenever the model's numbers change: what is stored is then redone
    fitted: ClassVar[tuple[str, ...]] = ()  # the arrays that `learn` sets: files of models hold them

    @abstractmethod
    def learn(self, train: Collection, seed: int = 0) -> Self:
        """Learn from the training series; the same seed and series give the same model bit for bit."""

    def check_series(self, train: Collection) -> None:
        """Raise the sentence why it cannot learn from these series, if that is known beforehand."""
        return

    @classmethod
    def learn_replicas(
        cls,
        models: Sequence[Self],
        trains: Sequence[Collection],
        seeds: Sequence[int],
        watch: Watch | None = None,
    ) -> list[Self | Exception]:
        """`learn` of several models of one shape, side by side; one that fails is returned as its error."""
        results: list[Self | Exception] = []
        for model, train, seed in zip(models, trains, seeds, strict=True):
            if watch is not None:
                watch.tell(lambda: f"{len(results)}/{len(models)} fitted", len(results) / len(models))
            try:
                results.append(model.learn(train, seed))
            except Exception as error:
                results.append(error)
        return results

    def curve(self) -> Curve:
        """How the training went, where it went on for epochs; kept beside what is measured."""
        return {}

    def encode(self, x: Collection) -> Floats:
        """The codes z (N, D_z)."""
        raise NotSupported(f"{self.name} has no code: it cannot encode series")

    def features(self, x: Collection) -> Floats:
        """Numbers that stand for a series (N, D): its code, if a model has one."""
        return self.encode(x)

    def decode(self, codes: Floats, lengths: Ints) -> Floats:
        """The series (N, max(lengths), V) that the decoder makes of codes (N, D_z); 0 in the padding."""
        raise NotSupported(f"{self.name} has no decoder that goes by the code alone")

    def similarity(self, x: Collection) -> Floats:
        """How like each training series these are (N, N_train): what a kernel has in place of a code."""
        raise NotSupported(f"{self.name} has no kernel: it cannot tell similarities")

    def classify(self, x: Collection) -> Ints:
        """The label (N) that a model which learned from labels gives each series."""
        raise NotSupported(f"{self.name} has no classes: it cannot classify series")

    def reconstruct(self, x: Collection) -> Floats:
        """The model's output (N, T, V) at every valid entry; 0 in the padding."""
        raise NotSupported(f"{self.name} has no decoder: it cannot reconstruct series")

    def target(self, x: Collection) -> tuple[Floats, Bools]:
        """What a reconstruction is held against, and the entries where it is, both (N, T, V)."""
        return x.values, x.observed

    def complete(self, x: Collection) -> Collection:
        """The series completed: observed entries as they are, missing ones from the model."""
        return completed(x, self.reconstruct(x))

    def error(self, x: Collection, entries: Bools) -> Floats:
        """(N): mean squared error of the reconstruction over `entries` (N, T, V), where missing values are
        as the model filled them; 0 for a series with no such entry, which has no error to show."""
        squares = np.where(entries, (self.target(x)[0] - self.reconstruct(x)) ** 2, 0.0)
        return np.asarray(squares.sum(axis=(1, 2)) / np.maximum(entries.sum(axis=(1, 2)), 1))

    def screen(self, x: Collection) -> Floats:
        """The anomaly score (N): the larger, the less like the training series.

        Without a score of its own, a model's is its error at the observed entries.
        """
        return self.error(x, x.observed)

    @classmethod
    def can(cls, ability: str) -> bool:
        """Whether the model has `encode`, `similarity`, `classify`, `reconstruct`, `complete` or `screen`."""
        own = getattr(cls, ability) is not getattr(Contract, ability)
        return own or (ability in ("complete", "screen") and cls.can("reconstruct"))

    def try_learned(self, width: int) -> None:
        """Use what came from a file once, on series of so many variates; what does not fit is an error.

        A model whose compiled code trusts its arrays looks at them here instead.
        """
        x = Collection(np.zeros((3, 2, width)))
        for ability in ("encode", "similarity", "classify", "reconstruct", "screen"):
            if self.can(ability):
                getattr(self, ability)(x)

    def _learned(self, key: str) -> npt.NDArray[Any]:
        """A fitted array, or the sentence that the model is not fitted yet."""
        if not hasattr(self, key):
            raise not_fitted(f"this {self.name} is not fitted yet: call fit first")
        return np.asarray(getattr(self, key))

    def _for(self, x: Collection, learned: Floats) -> Floats:
        """`learned` (..., V), if the series have as many variates as those that were learned from."""
        self._check_width(x, learned.shape[-1])
        return learned

    def _check_width(self, x: Collection, width: int) -> None:
        if width != x.shape[2]:
            raise DataError(
                f"this {self.name} was fitted on {width} variates; these series have {x.shape[2]}"
            )


def completed(x: Collection, output: Floats) -> Collection:
    """`x` with its missing entries taken from `output` (N, T, V): a complete collection."""
    return x.replace(np.where(x.observed, x.values, output), x.valid)


def not_fitted(sentence: str) -> NotSupported:
    """An error that scikit-learn's tools know as well; it is imported only for that."""
    from sklearn.exceptions import NotFittedError

    made: NotSupported = type("NotFitted", (NotSupported, NotFittedError), {})(sentence)
    return made
