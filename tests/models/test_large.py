"""Many series: which way the TKAE takes to its kernel changes no bit; what cannot fit is refused first."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tkae.data.dataset import Extent
from tkae.errors import UserError
from tkae.kernels import ensemble
from tkae.models import tkae as module
from tkae.models.ocsvm import OCSVM
from tkae.models.tck import TCK
from tkae.models.tck_kpca import TCKKernelPCA
from tkae.models.tkae import TKAE

TRAIN = waves(40, missing=0.5, ragged=True)
SMALL = {"epochs": 1, "batch": 8, "G": 1, "C": 3, "code_size": 3, "layers": 1}


def replicas() -> list[np.ndarray]:
    made = [TKAE(**SMALL) for _ in range(2)]
    return [one.theta_ for one in TKAE.learn_replicas(made, [TRAIN, TRAIN], [0, 1])]  # type: ignore[union-attr]


def test_blocks_and_the_whole_kernel_give_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replicas()
    monkeypatch.setattr(module, "SMALL", 8)
    monkeypatch.setattr(module, "available", lambda: 0)  # bytes
    monkeypatch.setattr(TKAE, "prior", None)  # nobody asks for the whole
    for ours, theirs in zip(replicas(), whole, strict=True):
        assert np.array_equal(ours, theirs)
    assert not np.array_equal(*whole)


@pytest.mark.parametrize(
    ("series", "epochs", "gigabytes", "blocks"),
    [
        (2000, 1, "16", False),  # small ones are kept on disk, whole
        (50_000, 2, "1000", True),  # 2 epochs of batches see less than there is
        (50_000, 5000, "1000", False),
        (50_000, 5000, "16", True),  # no room for the whole
    ],
)
def test_the_whole_is_made_where_it_pays_and_fits(
    series: int, epochs: int, gigabytes: str, blocks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", gigabytes)
    assert TKAE(epochs=epochs)._in_blocks(series) == blocks


def test_a_kernel_of_ones_own_is_never_replaced_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL", 8)
    assert TKAE(**SMALL).prior_blocks(TRAIN.with_kernel(np.eye(40)), 1) is None
    assert TKAE(**SMALL, kernel=np.eye(40)).prior_blocks(TRAIN, 1) is None
    assert TKAE(**SMALL, select_every=1).prior_blocks(TRAIN, 1) is None


def test_memory_is_linear_in_the_series_but_for_kernels() -> None:
    many, twice = (Extent(n, 10, (100,), test=1000) for n in (100_000, 200_000))
    assert TKAE().footprint(twice) == pytest.approx(2 * TKAE().footprint(many))
    assert TCK().footprint(twice) == pytest.approx(2 * TCK().footprint(many))  # beside 1000 other series
    for model in (TCKKernelPCA(), OCSVM(), TKAE(select_every=10)):
        assert model.footprint(twice) > 3.5 * model.footprint(many)


def test_what_cannot_fit_is_refused_before_mixtures_are_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    tck = TCK(G=1, C=3, iterations=2).learn(TRAIN)
    monkeypatch.setenv("TKAE_MEMORY_GB", "0.000001")
    monkeypatch.setattr(ensemble, "fit_member", None)
    with pytest.raises(UserError, match=r"kernel of 40 series needs about .* select_every"):
        TKAE(**SMALL, select_every=1).learn(TRAIN)
    with pytest.raises(UserError, match="kernel of 40 x 40 series"):
        tck.between()
    with pytest.raises(UserError, match="features of 40 series"):
        tck.features(TRAIN)
