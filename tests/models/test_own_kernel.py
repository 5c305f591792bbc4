"""A TKAE is aligned to the kernel that its series carry; without one, to their TCK; others do not care."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.series import NETWORKS, make, sines, weights
from tests.report.test_section import about
from tkae.data.collection import Collection
from tkae.data.prepare import prepare
from tkae.data.readers.mat import read_kernels
from tkae.engine.alignment import alignment
from tkae.models.tkae import TKAE
from tkae.runs.plan import plan
from tkae.runs.ready import fetched
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose


def with_two_groups(x: Collection) -> Collection:
    side = x.values[:, 0, 0] > 0
    return x.with_kernel((side[:, None] == side) + 0.01)


def no_tck(*_: Any, **__: Any) -> Any:
    raise AssertionError("the TCK was computed")


def test_it_takes_the_place_of_the_tck(monkeypatch: pytest.MonkeyPatch) -> None:
    x = sines(ragged=True)
    own = make("tkae").learn(x)
    same = make("tkae").learn(x.with_kernel(np.asarray(make("tkae").prior(x))))
    assert weights(same) == weights(own)  # our own TCK given by hand
    monkeypatch.setattr("tkae.kernels.cache.cached_kernel", no_tck)
    other = make("tkae").learn(with_two_groups(x))
    assert weights(other) != weights(own)
    scaled = x.with_kernel(8.0 * np.asarray(with_two_groups(x).kernel))
    assert weights(make("tkae").learn(scaled)) == weights(other)  # only directions count (eq. regularization)
    assert weights(make("tkae", alpha=0.0).learn(with_two_groups(x))) == weights(make("tae").learn(x))


def test_codes_follow_it() -> None:
    x = with_two_groups(sines())
    far, near = (
        alignment(make("tkae", alpha=alpha, epochs=150, learning_rate=0.01).learn(x).encode(x), x.kernel)
        for alpha in (0.0, 5.0)
    )
    assert near < 0.6 * far


@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "tkae"])
def test_models_that_are_aligned_to_nothing_do_not_see_it(name: str) -> None:
    x = sines(ragged=True)
    assert weights(make(name).learn(with_two_groups(x))) == weights(make(name).learn(x))


def test_replicas_have_each_their_own() -> None:
    x = sines(ragged=True)
    trains = [x, with_two_groups(x), with_two_groups(sines(seed=1)), x]
    found = TKAE.learn_replicas([make("tkae") for _ in trains], trains, [0, 0, 1, 1])
    for model, train, seed in zip(found, trains, [0, 0, 1, 1], strict=True):
        assert weights(model) == weights(make("tkae").learn(train, seed))


WORDS = ["experiment=classification", "dataset=[ehr,japanese_vowels]", "budget=smoke", "seeds=1"]


def cells(mirror: Path, *words: str) -> Any:
    calls = compose([*WORDS, f"data.mirror={mirror}", *words], sweep=False)
    files = calls.files
    return fetched(plan(calls), files), files


def test_a_run_with_the_published_kernel_is_one_with_that_matrix(mirror: Path, tmp_path: Path) -> None:
    """And its record says which kernel it was, and its key is another than with our own TCK."""
    theirs, files = cells(mirror, "protocol=authors", "model=tkae")
    ours, _ = cells(mirror, "protocol=authors", "model=tkae", "protocol.kernels=tck")
    assert not {cell.key for cell in theirs} & {cell.key for cell in ours}
    assert all("protocol.kernels" in cell.changed for cell in ours)
    titles = ["Ktrtr of Blood_LPS.mat (min-max)", "Ktrtr of TCK_data_0.8.mat"]
    for cell, by_tck, title in zip(theirs, ours, titles, strict=True):
        bare = prepare(by_tck.dataset, by_tck.missingness, by_tck.protocol, files, 0).train.given
        kernel = read_kernels(
            files.get(cell.dataset.kernels(getattr(cell.missingness, "rate", None)).remote)
        )[0]
        if "min-max" in title:
            kernel = (kernel - kernel.min()) / (kernel.max() - kernel.min())
        task = prepare(cell.dataset, cell.missingness, cell.protocol, files, 0)
        by_hand, by_task = (
            replace(cell.model).learn(x) for x in (bare.with_kernel(kernel), task.train.given)
        )
        assert bare.kernel is None and weights(by_hand) == weights(by_task)
        assert weights(by_hand) != weights(replace(cell.model).learn(bare))
        (outcome,) = run_group([cell], tmp_path, files)
        assert not outcome.error
        assert (Store(tmp_path).read(cell) or {})["kernel"] == title


def test_only_models_that_are_aligned_name_a_kernel(mirror: Path, tmp_path: Path) -> None:
    (_, cell), files = cells(mirror, "protocol=authors", "model=pca")
    (outcome,) = run_group([cell], tmp_path, files)
    assert not outcome.error and "kernel" not in (Store(tmp_path).read(cell) or {})


def test_a_caption_tells_the_kernels(mirror: Path) -> None:
    (one, other), _ = cells(mirror, "protocol=authors", "model=tkae")
    done = {"status": "done", "metrics": {}, "masks": "none"}
    records = {one.key: {**done, "kernel": "Ktrtr of a.mat"}, other.key: {**done, "kernel": "TCK"}}
    assert about([one, other], records).endswith("Removed entries: none. Aligned to: Ktrtr of a.mat, TCK.")
    assert about([one, other], {one.key: done}).endswith("Removed entries: none.")
    assert about([one], {one.key: {"status": "failed"}}) == "Protocol authors, budget smoke."
