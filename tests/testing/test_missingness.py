"""Every registered missingness keeps the contract, and the check finds each way to break it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.data.collection import Bools, Collection
from tkae.data.masks import Masks
from tkae.data.missingness import Pattern, Uniform
from tkae.seeding import stream
from tkae.settings.registry import GROUPS, lookup
from tkae.testing import check_missingness

QUICK: dict[str, dict[str, Any]] = {"mar": {"rate": 0.3}}  # it cannot remove half of every collection


@pytest.mark.parametrize("name", [name for name in GROUPS["missingness"] if name != "file"])
def test_a_registered_missingness_keeps_it(name: str) -> None:
    cls = lookup("missingness", name)
    check_missingness(cls(**QUICK.get(name, {})), draws=name != "none")
    if issubclass(cls, Pattern):
        check_missingness(cls(**QUICK.get(name, {}), draw=3), draws=False)


def test_holes_from_a_file_keep_it(tmp_path: Path, complete: Collection) -> None:
    Uniform(write_to=str(tmp_path)).masks("some", {"train": complete, "test": complete}, 0)
    (path,) = tmp_path.iterdir()
    check_missingness(lookup("missingness", "file")(path=str(path)), draws=False, series={"own": complete})


class Unseeded(Uniform):
    def remove(self, x: Collection, rng: np.random.Generator) -> Bools:
        return super().remove(x, np.random.default_rng())


class Greedy(Uniform):
    def remove(self, x: Collection, rng: np.random.Generator) -> Bools:
        return np.ones(x.shape, dtype=bool)


class Peeking(Uniform):
    def remove(self, x: Collection, rng: np.random.Generator) -> Bools:
        return np.asarray(x.observed & (x.values.mean() > 100))


class Mixing(Uniform):
    def masks(self, dataset: str, splits: Mapping[str, Collection], run: int) -> Masks:
        rng = stream(self.seed, "mask", len(splits), run)
        return {split: self.remove(x, rng) for split, x in splits.items()}


class Numbers(Uniform):
    def remove(self, x: Collection, rng: np.random.Generator) -> Bools:
        return super().remove(x, rng).astype(float)  # type: ignore[return-value]


BROKEN = {
    Unseeded: "other holes the second time",
    Greedy: "it removes padding, or what is missing already",
    Peeking: "values under missing entries or padding enter the holes",
    Mixing: "a split's holes depend on the other split",
    Numbers: "a mask is float64",
}


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
def test_a_broken_missingness_is_told_what_is_wrong(cls: type[Uniform]) -> None:
    with pytest.raises(AssertionError, match=BROKEN[cls]):
        check_missingness(cls())


def test_what_is_said_of_chance_is_held_to_it() -> None:
    with pytest.raises(AssertionError, match="another run changes its holes"):
        check_missingness(Uniform(), draws=False)
