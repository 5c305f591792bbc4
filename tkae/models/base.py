"""The one contract of all models: fit, encode, classify, reconstruct, impute, score, save, load.

A model is a dataclass: its fields are its settings (and the schema of its config file), and what it
learns is kept in attributes whose names end in `_`. A model that has no code, say, does not override
`encode` and then says so when it is asked.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.data.dataset import Extent
from tkae.errors import DataError, NotSupported, UserError
from tkae.fields import absent, allowed, expected
from tkae.models.watch import Watch
from tkae.storage import load_arrays, save_arrays

Curve = dict[str, npt.NDArray[Any]]  # what is kept of a training's course, by name


@dataclass
class Model:
    """Settings as fields; `fit` learns from a collection and returns the model itself."""

    name: ClassVar[str]
    title: ClassVar[str]  # as the paper's tables print it
    version: ClassVar[int] = 1  # raised whenever the model's numbers change: stored cells are then redone
    together: ClassVar[int] = 1  # how many replicas `fit_replicas` takes at once with profit
    aligned: ClassVar[bool] = False  # to a kernel of the training series: see `Collection.kernel`
    growth: ClassVar[float] = 1.0  # the power of the number of series that a fit costs
    leaner: ClassVar[str] = "take fewer series"  # what a user whose memory does not do can do
    fitted: ClassVar[tuple[str, ...]] = ()  # the arrays that `fit` sets: `save` writes them

    def __post_init__(self) -> None:
        """A setting outside its limits is refused by the library as it is by the command line."""
        for spec in fields(self):
            value = getattr(self, spec.name)
            if not allowed(spec, value):
                raise UserError(f"{self.name}: {spec.name}={value} is not allowed: it takes {expected(spec)}")

    def fit(self, train: Collection, seed: int = 0) -> Self:
        """Learn from the training series; the same seed and series give the same model bit for bit."""
        raise NotImplementedError

    def rests_on(self) -> dict[str, int]:
        """Versions of other methods that enter its numbers: a change of theirs redoes its cells, too."""
        return {}

    def idle(self, kernel: bool) -> frozenset[str]:
        """Settings that change no number beside the others, such as the kernel's own where the series carry
        a `kernel` already: cells that differ only there are the same cell.
        """
        return frozenset()

    def curve(self) -> Curve:
        """How the fit went, where it went on for epochs; kept beside what is measured."""
        return {}

    def footprint(self, extent: Extent) -> int:
        """Bytes that a replica takes while it is fitted and used, roughly: at least its series, as they were
        and as they are given, with masks.
        """
        return 2 * 9 * extent.entries

    def shared(self, sample: Collection, extent: Extent, seed: int) -> dict[str, float]:
        """Seconds of what a fit rests on and others on the same series rest on, too, by what it is."""
        return {}

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """How long a fit, one of `replicas` side by side, keeps one core busy without what is `shared`.

        Timed on some series, all of the longest, and scaled.
        """
        dataclasses.replace(self).fit(sample)  # which may import
        begun = time.process_time()
        dataclasses.replace(self).fit(sample)
        more = extent.train / len(sample)
        return float((time.process_time() - begun) * more**self.growth)

    def shape(self) -> dict[str, Any]:
        """The settings in which models must agree to be fitted together as replicas."""
        return asdict(self)

    @classmethod
    def fit_replicas(
        cls,
        models: Sequence[Self],
        trains: Sequence[Collection],
        seeds: Sequence[int],
        watch: Watch | None = None,
    ) -> list[Self | Exception]:
        """Fit models of one shape side by side; one that fails is returned as its error."""
        results: list[Self | Exception] = []
        for model, train, seed in zip(models, trains, seeds, strict=True):
            try:
                results.append(model.fit(train, seed))
            except Exception as error:
                results.append(error)
        return results

    def encode(self, x: Collection) -> Floats:
        """The codes z (N, D_z)."""
        raise NotSupported(f"{self.name} has no code: it cannot encode series")

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

    def impute(self, x: Collection) -> Collection:
        """The series completed: observed entries as they are, missing ones from the model."""
        return completed(x, self.reconstruct(x))

    def error(self, x: Collection, entries: Bools) -> Floats:
        """(N): mean squared error of the reconstruction over `entries` (N, T, V), where missing values are
        as the model filled them; 0 for a series with no such entry, which has no error to show."""
        squares = np.where(entries, (self.target(x)[0] - self.reconstruct(x)) ** 2, 0.0)
        return np.asarray(squares.sum(axis=(1, 2)) / np.maximum(entries.sum(axis=(1, 2)), 1))

    def score(self, x: Collection) -> Floats:
        """The anomaly score (N): the larger, the less like the training series.

        Without a score of its own, a model's is its error at the observed entries.
        """
        return self.error(x, x.observed)

    @classmethod
    def can(cls, ability: str) -> bool:
        """Whether the model has `encode`, `similarity`, `classify`, `reconstruct`, `impute` or `score`."""
        own = getattr(cls, ability) is not getattr(Model, ability)
        return own or (ability in ("impute", "score") and cls.can("reconstruct"))

    def save(self, path: str | Path) -> None:
        """Write settings and fitted arrays to one file (safetensors with a JSON header)."""
        about = {"version": self.version, "settings": asdict(self)}
        arrays = {key: self._learned(key) for key in self.fitted}
        save_arrays(Path(path), arrays, about, f"model {self.name}")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The model that `save` wrote, equal bit for bit."""
        arrays, about = load_arrays(Path(path), f"model {cls.name}")
        if about["version"] != cls.version:
            raise DataError(
                f"{path} was written by version {about['version']} of {cls.name}; this is version "
                f"{cls.version}: fit the model again"
            )
        # Names may change without the numbers: a renamed setting does not raise the version.
        gone = {*about["settings"]} - {spec.name for spec in fields(cls)} | {*cls.fitted} - {*arrays}
        if gone:
            raise DataError(
                f"{path} was written by another version of tkae ({', '.join(sorted(gone))} of {cls.name} "
                "differ): fit the model again"
            )
        # A setting that came later has the value that all models had until then.
        earlier = {spec.name: absent(spec) for spec in fields(cls)}
        model = cls(**{**earlier, **about["settings"]})
        for key in cls.fitted:
            setattr(model, key, arrays[key])
        return model

    def _learned(self, key: str) -> npt.NDArray[Any]:
        """A fitted array, or the sentence that the model is not fitted yet."""
        if not hasattr(self, key):
            raise NotSupported(f"this {self.name} is not fitted yet: call fit first")
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
