"""keep_models=true: the model of a cell is beside its record, and takes series in their own units."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.files import Files
from tkae.data.prepare import prepare
from tkae.data.scaling import Standardiser
from tkae.errors import UserError
from tkae.models.files import load
from tkae.models.mask import MaskLogistic
from tkae.runs.plan import plan
from tkae.runs.runner import Run
from tkae.runs.store import Store
from tkae.settings.compose import compose

WORDS = ["dataset=japanese_vowels", "budget=smoke", "seeds=1"]


def test_the_model_of_a_cell_completes_series_in_their_own_units(tmp_path: Path) -> None:
    words = ["experiment=imputation", "model=pca", *WORDS, f"results_dir={tmp_path}"]
    assert main(words) == 0
    (cell,) = plan(compose(words, sweep=False))
    path, record = Store(tmp_path).model_path(cell.entry()), Store(tmp_path).path(cell.entry())
    assert not path.exists()
    before = record.read_bytes()
    assert main([*words, "keep_models=true"]) == 0, "it is stored, but for the model"
    changed = path.stat().st_mtime_ns
    assert main([*words, "keep_models=true"]) == 0
    assert path.stat().st_mtime_ns == changed, "nothing is left to do"
    assert record.with_suffix("").name in before.decode() and record.exists()

    model = load(path)
    raw = cell.dataset.load(Files(), 0)
    task = prepare(cell.dataset, cell.missingness, cell.protocol, Files(), 0, cell.series)
    scaler = Standardiser.of(raw.train.take(np.arange(40) * len(raw.train) // 40))
    np.testing.assert_allclose(model.scaler_.mean, scaler.mean)
    given = scaler.unscale(task.test.given)
    expected = scaler.unscale(model.complete(task.test.given))
    np.testing.assert_allclose(model.impute(given).values, expected.values, atol=1e-9)
    assert model.lengths_ == (task.train.given.lengths.min(), task.train.given.lengths.max())


def test_a_model_that_learned_from_labels_is_kept_with_them(tmp_path: Path) -> None:
    words = ["experiment=classification", "model=mask_logistic", *WORDS, f"results_dir={tmp_path}"]
    assert main([*words, "keep_models=true"]) == 0
    (cell,) = plan(compose(words, sweep=False))
    model = load(Store(tmp_path).model_path(cell.entry()))
    task = prepare(cell.dataset, cell.missingness, cell.protocol, Files(), 0, cell.series)
    assert isinstance(model, MaskLogistic)
    assert np.array_equal(model.predict(task.test.given), model.classify(task.test.given))


def test_workers_without_the_folder_keep_none(tmp_path: Path) -> None:
    words = ["experiment=imputation", "model=mean", *WORDS, "executor=dask", f"results_dir={tmp_path}"]
    with pytest.raises(UserError, match="those of executor=dask may not: choose executor=processes"):
        Run.of(compose([*words, "keep_models=true"], sweep=False))
