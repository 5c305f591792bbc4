"""What a dataset is: a dataclass whose fields are its settings, that loads a training and a test split."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Ints
from tkae.data.files import Files, Remote
from tkae.errors import DataError

LENGTHS = 64  # that tell how long series are


@dataclass(frozen=True)
class PaperRow:
    """A row of the paper's table of datasets."""

    variates: int
    train: int
    test: int
    classes: int
    shortest: int
    longest: int
    source: str
    note: str = ""  # why ours differs


@dataclass(frozen=True)
class Extent:
    """How much there is of a dataset: what the cost of a fit depends on."""

    train: int  # series
    variates: int
    lengths: tuple[int, ...]  # of some of them, evenly from the shortest to the longest
    test: int = 0  # series of the other split

    @classmethod
    def of(cls, train: int, variates: int, lengths: Sequence[int] | Ints, test: int = 0) -> Extent:
        """With quantiles of these lengths."""
        some = np.quantile(np.asarray(lengths), np.linspace(0.0, 1.0, LENGTHS))
        return cls(train, variates, tuple(some.round().astype(int).tolist()), test)

    def shortened(self, sample: Collection) -> Collection:
        """Some series, cut off to be as long as the data's.

        Their mean length would not do: a batch takes whole vectors of series, and as many steps as its
        longest.
        """
        lengths = np.resize(self.lengths, len(sample))
        inside = np.arange(sample.shape[1]) < lengths[:, None]
        return replace(sample, lengths=lengths, observed=sample.observed & inside[:, :, None])

    @property
    def longest(self) -> int:
        return self.lengths[-1]

    @property
    def entries(self) -> int:
        """Of the padded training series (N, T, V)."""
        return self.train * self.longest * self.variates


@dataclass(frozen=True)
class Splits:
    """The two splits in the units of the source, padded to the same number of steps."""

    train: Collection
    test: Collection
    classes: tuple[str, ...] = ()  # the name of label i
    positive: int | None = None  # the label that a binary F1 takes as positive
    scaled: bool = False  # as the experiment wants them already: no further standardisation
    guessed: bool = False  # nobody said which label is positive: it is the last in the alphabet


@dataclass(frozen=True)
class Kernels:
    """Where the authors keep kernels of a dataset: `Ktrtr` among its training series, `Ktete` test series."""

    remote: Remote
    unit: bool = False  # scaled to [0, 1] by the least and the largest of all entries

    @property
    def title(self) -> str:
        return f"Ktrtr of {self.remote.place.name}{' (min-max)' if self.unit else ''}"


@dataclass
class Dataset(ABC):
    """One dataset of the paper, a generator, or a user's file."""

    name: ClassVar[str]
    title: ClassVar[str]  # as the paper's tables print it
    remotes: ClassVar[tuple[Remote, ...]] = ()  # every public file that some setting needs
    licence: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    paper_row: ClassVar[PaperRow | None] = None  # what the paper's table of datasets says
    own: ClassVar[bool] = False  # it is a user's file
    labelled: ClassVar[bool] = True  # its series have classes, unless a user's file has none
    published: ClassVar[dict[float, Remote]] = {}  # missing rate -> the authors' file with their holes

    def kernels(self, rate: float | None) -> Kernels | None:
        """The authors' kernels of the series with their own holes at `rate`; None: with nothing removed."""
        remote = None if rate is None else self.published.get(rate)
        return None if remote is None else Kernels(remote)

    @property
    def series(self) -> int | None:
        """How many the larger split has, as far as that is known without the data."""
        return None if self.paper_row is None else max(self.paper_row.train, self.paper_row.test)

    def at_most(self, series: int | None) -> Self:
        """The dataset with at most so many series a split, if it can be asked for fewer."""
        return self

    @property
    def called(self) -> str:
        """What a table calls it."""
        return self.title

    @abstractmethod
    def fingerprint(self, files: Files) -> str:
        """Identifies, without loading them, what its settings do not: checksums of files, versions.

        The same for every seed; a renamed or added setting does not change it.
        """

    def ensure_files(self, files: Files) -> None:  # noqa: B027 (most have none)
        """Have all files that `load` needs on this machine, or raise the sentence that says why not."""

    def extent(self, files: Files) -> Extent:
        """Its extent, from the data if they are here, else from the paper's table."""
        try:
            splits = self.load(files, 0)
        except DataError:
            if self.paper_row is None:
                raise
            row = self.paper_row
            return Extent.of(row.train, row.variates, [row.shortest, row.longest], row.test)
        train, test = splits.train, splits.test
        return Extent.of(len(train), train.shape[2], train.lengths, len(test))

    @abstractmethod
    def load(self, files: Files, seed: int) -> Splits:
        """The splits; `seed` matters only to generators (a new draw a seed)."""

    def seen(self, x: Collection) -> Collection:
        """What models see of a standardised split before anything is removed."""
        return x
