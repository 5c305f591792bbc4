"""Missingness injection: which observed entries are taken away, for later comparison.

Every pattern removes exactly `round(rate * observed entries)` entries: of a collection as a whole, or of
each of its series (`by`). The draw has its own seed, apart from the run's, so every model of a comparison
sees the same holes:

* rate 0 removes nothing, rate 1 everything;
* by series and below 1, each keeps at least one entry;
* by collection and below 1, a series that would lose all its entries keeps one (drawn at random), and
  another series gives one entry instead, so that the count stays exact; only where no other series can give
  one (fewer entries remain than series, or all that remain are those that drive MAR) do series lose
  everything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tkae.data.collection import Bools, Collection, Floats
from tkae.data.masks import Masks, fitting, read_masks, sha256_of, write_masks
from tkae.errors import DataError
from tkae.fields import setting
from tkae.seeding import stream


@dataclass
class Missingness:
    """Says which entries of a dataset's splits are removed in run number `run`."""

    name: ClassVar[str]
    source: ClassVar[str] = "drawn here"  # for people
    own: ClassVar[bool] = False  # it comes from a user's file

    def masks(self, dataset: str, splits: Mapping[str, Collection], run: int) -> Masks:
        """Nothing is removed: the data as they are, with the holes that they came with."""
        return {split: np.zeros(x.shape, dtype=bool) for split, x in splits.items()}

    def fingerprint(self, dataset: str, run: int) -> str:
        """Identifies what the settings do not: the content of a file."""
        return ""

    def called(self, dataset: str, run: int) -> str:
        """What the holes of all runs of a comparison share, where the settings do not tell it."""
        return ""


@dataclass
class Untouched(Missingness):
    """`missingness=none`: for data that come with holes of their own."""

    name: ClassVar[str] = "none"
    source: ClassVar[str] = "none"


@dataclass
class FromFile(Missingness):
    """`missingness=file`: holes that were written before, or those of an authors' `.mat` file."""

    name: ClassVar[str] = "file"
    source: ClassVar[str] = "from a file"
    own: ClassVar[bool] = True

    # A mask file for all runs, or the folder of missingness.write_to with one for each dataset and run.
    path: str = setting("", identity=False)

    def __post_init__(self) -> None:
        if not self.path:
            raise DataError("missingness=file needs missingness.path=FILE|FOLDER (see missingness.write_to)")

    def masks(self, dataset: str, splits: Mapping[str, Collection], run: int) -> Masks:
        path = self._location(dataset, run)
        masks = read_masks(path)
        return {split: fitting(masks, split, x, path) for split, x in splits.items()}

    def fingerprint(self, dataset: str, run: int) -> str:
        return sha256_of(self._location(dataset, run))

    def called(self, dataset: str, run: int) -> str:
        """The file, or the folder and what its files are called but for the number of the run."""
        path = self._location(dataset, run)
        if path == Path(self.path):
            return f"{path.name} ({self.fingerprint(dataset, run)[:8]})"
        return f"{path.parent.name}/{path.stem.rpartition('-')[0]}"

    def _location(self, dataset: str, run: int) -> Path:
        path = Path(self.path)
        if not path.is_dir():
            return path
        found = sorted(path.glob(f"{dataset}.*-{run}.safetensors"))
        if len(found) != 1:
            names = ", ".join(match.name for match in found) or "none"
            raise DataError(f"{path}: one mask file for {dataset} and run {run} was expected, found {names}")
        return found[0]


@dataclass
class Pattern(Missingness, ABC):
    """A random pattern; its subclasses say in which order entries are taken (the smallest rank first)."""

    rate: float = setting(0.5, at_least=0, at_most=1)  # share of the observed entries that is removed
    by: str = setting("collection", one_of=("collection", "series"))  # of which that share is taken
    seed: int = setting(0, at_least=0)  # of the holes alone: the run's seed does not enter
    draw: int | None = setting(None, at_least=0)  # one mask for all runs; null: mask number s for run s
    write_to: str | None = setting(None, identity=False)  # a folder that gets every mask that was drawn

    def masks(self, dataset: str, splits: Mapping[str, Collection], run: int) -> Masks:
        draw = run if self.draw is None else self.draw
        masks = {
            split: self.remove(x, stream(self.seed, "mask", self.name, dataset, split, draw))
            for split, x in splits.items()
        }
        if self.write_to is not None:
            how = f"{self.name}.{self.rate:g}" + (".series" if self.by == "series" else "")
            file = f"{dataset}.{how}.{self.seed}-{draw}.safetensors"
            about = {
                "dataset": dataset,
                "pattern": self.name,
                "rate": self.rate,
                "by": self.by,
                "seed": self.seed,
                "draw": draw,
            }
            write_masks(Path(self.write_to) / file, masks, about)
        return masks

    def remove(self, x: Collection, rng: np.random.Generator) -> Bools:
        """(N, T, V): the entries to take away."""
        return self._of_each(x, rng) if self.by == "series" else self._of_all(x, rng)

    def _of_all(self, x: Collection, rng: np.random.Generator) -> Bools:
        count = round(self.rate * int(x.observed.sum()))
        removed = np.zeros(x.shape, dtype=bool)
        if count:
            ranks = np.where(x.observed, self.ranks(x, rng), np.inf)
            if np.isfinite(ranks).sum() < count:
                raise self._too_much(float(np.isfinite(ranks).sum() / x.observed.sum()))
            removed = _smallest(ranks, count)
            _leave_one(x.observed, removed, np.isfinite(ranks), rng)
        return removed

    def _of_each(self, x: Collection, rng: np.random.Generator) -> Bools:
        have = x.observed.sum(axis=(1, 2))
        counts = np.rint(self.rate * have).astype(int)
        if self.rate < 1:
            counts = np.minimum(counts, np.maximum(have - 1, 0))
        ranks = np.where(x.observed, self.ranks(x, rng), np.inf)
        removable = np.isfinite(ranks).sum(axis=(1, 2))
        short = removable < counts
        if short.any():
            raise self._too_much(float((removable[short] / have[short]).min()))
        removed = np.zeros(x.shape, dtype=bool)
        for i in np.flatnonzero(counts):
            removed[i] = _smallest(ranks[i], counts[i])
        return removed

    def _too_much(self, most: float) -> DataError:
        return DataError(
            f"missingness '{self.name}' can remove at most {most:.3f} of these entries, not "
            f"{self.rate:g}: lower missingness.rate or take missingness=uniform"
        )

    @abstractmethod
    def ranks(self, x: Collection, rng: np.random.Generator) -> Floats:
        """(N, T, V): entries are removed in this order; infinity is never removed."""


@dataclass
class Uniform(Pattern):
    """Every observed entry with the same probability: missing completely at random."""

    name: ClassVar[str] = "uniform"

    def ranks(self, x: Collection, rng: np.random.Generator) -> Floats:
        return rng.random(x.shape)


@dataclass
class Block(Pattern):
    """Whole stretches of a variate, as when a sensor drops out for a while."""

    name: ClassVar[str] = "block"

    length: int = setting(5, at_least=1)  # steps of a stretch

    def ranks(self, x: Collection, rng: np.random.Generator) -> Floats:
        # Time is cut into stretches with a random start for each series and variate; all entries of a
        # stretch share a rank, so they go together (the last stretch may be cut to meet the count).
        n, steps, width = x.shape
        shift = rng.integers(self.length, size=(n, 1, width))
        stretch = (np.arange(steps)[None, :, None] + shift) // self.length
        ranks = rng.random((n, steps // self.length + 2, width))
        return np.take_along_axis(ranks, stretch, axis=1)


@dataclass
class MAR(Pattern):
    """Missing at random: the chance to be removed grows with an observed value that is never removed.

    With several variates that is the first variate at the same step; with one it is the value of the
    preceding even step, and only odd steps are removed. Where it is itself missing it counts as average.
    """

    name: ClassVar[str] = "mar"

    strength: float = setting(1.0)  # log-odds a standard deviation of the value that drives

    def ranks(self, x: Collection, rng: np.random.Generator) -> Floats:
        n, steps, width = x.shape
        drives = np.zeros(x.shape, dtype=bool)  # the entries that stay, because removal depends on them
        if width > 1:
            drives[:, :, 0] = True
            source = np.broadcast_to(np.arange(steps), (n, steps))
        else:
            drives[:, ::2] = True
            source = np.broadcast_to(np.arange(steps) // 2 * 2, (n, steps))
        first = np.take_along_axis(x.values[:, :, 0], source, axis=1)
        seen = np.take_along_axis(x.observed[:, :, 0], source, axis=1)
        mean = first[seen].mean() if seen.any() else 0.0
        deviation = first[seen].std() if seen.any() else 0.0
        score = np.where(seen, (first - mean) / (deviation if deviation > 0 else 1.0), 0.0)
        # An exponential clock of rate exp(strength * score): the order in which the clocks ring is a
        # draw without replacement with these weights. In logarithms, so that no strength overflows.
        ranks = np.log(rng.exponential(size=x.shape)) - (self.strength * score)[:, :, None]
        return np.where(drives, np.inf, ranks)


def _smallest(ranks: Floats, count: int) -> Bools:
    """The `count` smallest entries; of those that are equal, the first. A sort would take much longer."""
    last = np.partition(ranks, count - 1, axis=None)[count - 1]
    chosen: Bools = ranks < last
    equal = np.flatnonzero(ranks == last)[: count - int(chosen.sum())]
    chosen.reshape(-1)[equal] = True
    return chosen


def _leave_one(observed: Bools, removed: Bools, removable: Bools, rng: np.random.Generator) -> None:
    """Give every emptied series one entry back and take one from a series that has more than one left."""
    left = (observed & ~removed).sum(axis=(1, 2))
    for i in np.flatnonzero((left == 0) & observed.any(axis=(1, 2))):
        givers = removable & ~removed & (left > 1)[:, None, None]
        if not givers.any():
            return  # fewer entries remain than series
        give = rng.choice(np.flatnonzero(givers))
        back = rng.choice(np.flatnonzero(removed[i]))
        removed.reshape(-1)[give] = True
        removed[i].reshape(-1)[back] = False
        left[i] += 1
        left[give // observed[0].size] -= 1
