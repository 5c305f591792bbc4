"""The estimate: what it scales with, by a clock that ticks once a look."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.collection import Collection
from tkae.data.dataset import Extent
from tkae.data.files import Files
from tkae.data.sets.arabic_digits import ArabicDigits
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.models import autoencoder
from tkae.models.ae import AE
from tkae.models.pca import PCA
from tkae.models.tae import TAE
from tkae.models.tck import TCK
from tkae.models.tkae import TKAE
from tkae.runs.plan import groups, plan
from tkae.settings.compose import compose

EXTENT = Extent(train=1024, variates=2, lengths=(1, 4, 7, 12))
MODELS = [
    AE(epochs=10, code_size=2),
    TAE(epochs=10, code_size=2),
    TKAE(epochs=10, code_size=2, G=1, C=3),
    TCK(G=2, C=3),
    PCA(),
]


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = itertools.count()
    monkeypatch.setattr("time.process_time", lambda: float(next(counter)))


@pytest.fixture
def sample() -> Collection:
    return Collection(np.random.default_rng(0).standard_normal((64, 12, 2)))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_more_series_and_more_epochs_take_longer(model, ticks: None, sample: Collection) -> None:
    once = model.seconds(sample, EXTENT)
    assert once > 0 and not hasattr(model, "theta_")  # what is timed is a copy
    twice = model.seconds(sample, replace(EXTENT, train=2048))
    assert twice > once * 1.9
    if model.name in ("ae", "tae"):
        assert twice == pytest.approx(2 * once)
        assert replace(model, epochs=20).seconds(sample, EXTENT) == pytest.approx(2 * once)
    if model.name == "tck":
        assert replace(model, G=4).seconds(sample, EXTENT) == pytest.approx(2 * once)


def spy(training: Callable[..., Any], seen: list[Collection]) -> Callable[..., Any]:
    """The same, but what it trains on is noted."""

    def called(models: Any, trains: Any, seeds: Any) -> Any:
        seen.append(trains[0])
        return training(models, trains, seeds)

    return called


def test_only_a_network_of_fixed_size_pays_for_padding(ticks: None, sample: Collection) -> None:
    seen = []
    for model in MODELS[:2]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(autoencoder, "_training", spy(autoencoder._training, seen))
            model.seconds(sample, EXTENT)
    of_ae, of_tae = (one.lengths for one in seen)
    assert (of_ae == EXTENT.longest).all()
    assert sorted(set(of_tae)) == [*EXTENT.lengths] and of_tae.mean() == np.mean(EXTENT.lengths)


def test_the_extent_comes_from_the_data_or_from_the_papers_table(tmp_path: Path) -> None:
    here = Files(cache=tmp_path, offline=True)
    own = JapaneseVowels().extent(here)
    assert (own.train, own.variates, own.longest) == (270, 12, 26)
    assert np.mean(own.lengths) == pytest.approx(4274 / 270, abs=0.2) and own.lengths[0] == 7
    table = ArabicDigits().extent(here)
    assert (table.train, table.variates, table.lengths[0], table.longest) == (6600, 13, 4, 93)


def test_every_worker_gets_its_share_and_the_same_data_stay_together() -> None:
    words = ["experiment=classification", "dataset=japanese_vowels", "model=tkae", "model.alpha=0.1,0.2,0.3"]
    cells = plan(compose(words, True))
    assert [len(group) for group in groups(cells, 1)] == [10, 10, 10]
    assert [len(group) for group in groups(cells, 4)] == [8, 8, 8, 6]
    assert [{cell.seed for cell in group} for group in groups(cells[:], 4)] == [
        {0, 1, 2}, {2, 3, 4, 5}, {5, 6, 7}, {8, 9},
    ]  # fmt: skip


def test_the_plan_tells_how_long_and_the_cheap_come_first(tmp_path: Path, capsys) -> None:
    words = ["-m", "experiment=imputation,classification", "dataset=japanese_vowels", "model=[pca,tkae]"]
    assert main([*words, "budget=smoke", f"results_dir={tmp_path}"]) == 0
    out = capsys.readouterr().out
    first, second = out.index("pca: 2 to compute"), out.index("tkae: 2 to compute")
    assert first < second and "8 cells: 0 stored, 8 to compute; about" in out
