"""Every registered model keeps the contract, and the check finds each way to break it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import pytest

from tests.models.test_contract import MODELS, make
from tkae.data.collection import Collection, Floats
from tkae.models.base import Model
from tkae.testing import check_model

WITHOUT_CHANCE = ("mean", "locf", "pca", "ocsvm", "mask", "mask_logistic", "count_logistic")


@pytest.mark.parametrize("name", MODELS)
def test_a_registered_model_keeps_it(name: str) -> None:
    model = make(name)
    assert model.name == name
    check_model(model, draws=name not in WITHOUT_CHANCE)


@dataclass
class Level(Model):
    """A sound model: it scores a series by how far its mean lies from the training mean."""

    name: ClassVar[str] = "level"
    title: ClassVar[str] = "Level"
    fitted: ClassVar[tuple[str, ...]] = ("means_",)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        self.means_ = _means(train).mean(axis=0)
        return self

    def screen(self, x: Collection) -> Floats:
        means = self._for(x, self._learned("means_"))
        return np.asarray(np.abs(_means(x) - means).sum(axis=1))


def _means(x: Collection) -> Floats:
    """(N, V)."""
    seen = np.where(x.observed, x.values, 0.0)
    return np.asarray(seen.sum(axis=1) / np.maximum(x.observed.sum(axis=1), 1))


class Untold(Level):
    title = ""


class Peeking(Level):
    def screen(self, x: Collection) -> Floats:
        return np.asarray(super().screen(x) + x.values.sum(axis=(1, 2)))


class CountingPadding(Level):
    def screen(self, x: Collection) -> Floats:
        return np.asarray(super().screen(x) / x.shape[1])


class Crowded(Level):
    def screen(self, x: Collection) -> Floats:
        scores = super().screen(x)
        return np.asarray(scores - scores.mean())


class Remembering(Level):
    def learn(self, train: Collection, seed: int = 0) -> Self:
        self.fits_ = getattr(self, "fits_", 0) + 1
        super().learn(train, seed)
        self.means_ = self.means_ * self.fits_
        return self


class Forgetful(Level):
    def learn(self, train: Collection, seed: int = 0) -> Self:
        self.offset_ = 1.0
        return super().learn(train, seed)

    def screen(self, x: Collection) -> Floats:
        return np.asarray(super().screen(x) + getattr(self, "offset_", 0.0))


class Infinite(Level):
    def screen(self, x: Collection) -> Floats:
        return np.asarray(super().screen(x) / 0.0 * 0.0)


class Meddling(Level):
    def screen(self, x: Collection) -> Floats:
        object.__setattr__(x, "values", np.zeros(x.shape))
        return np.zeros(len(x)) if self._for(x, self._learned("means_")) is not None else super().screen(x)


class Careless(Level):
    def screen(self, x: Collection) -> Floats:
        return np.asarray(np.abs(_means(x) - self.means_).sum(axis=1))


BROKEN = {
    Untold: "has no title",
    Peeking: "values under missing entries or padding enter the outputs",
    CountingPadding: "more padding changes the numbers",
    Crowded: "depend on those beside it",
    Remembering: "do not give the same bits",
    Forgetful: "after save and load the numbers differ",
    Infinite: "not finite",
    Meddling: "the series are changed by learning or use",
    Careless: "before it is fitted raises AttributeError",
}


def test_a_sound_model_passes() -> None:
    check_model(Level(), draws=False)


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
def test_a_broken_model_is_told_what_is_wrong(cls: type[Model]) -> None:
    with pytest.raises(AssertionError, match=BROKEN[cls]):
        check_model(cls())


def test_what_is_said_of_chance_is_held_to_it() -> None:
    with pytest.raises(AssertionError, match="another seed does not change its numbers"):
        check_model(Level(), draws=True)
