"""`tkae.results`: every record of a folder as rows of a typed frame, single or packed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

import tkae
from tkae.commands.results import main as pack
from tkae.commands.run import main
from tkae.errors import UserError
from tkae.runs.store import Store

OWN = "series,time,v,label\n" + "".join(f"{i},{t},{i + t},{'xy'[i % 2]}\n" for i in range(40) for t in (0, 1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("results")
    (made / "own.csv").write_text(OWN)
    common = ["budget=smoke", f"results_dir={made}", "missingness.rate=0.5"]
    assert main(["experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]", *common]) == 0
    own = ["dataset=file", f"dataset.path={made}/own.csv", "model=pca", "seeds=2", *common]
    assert main(["experiment=imputation", "model.pca.code_size=1", *own]) == 0
    store = Store(made)
    last = max(store.entries(), key=lambda entry: (entry.story["dataset"] == "file", entry.seed))
    assert last.record is not None
    rest = {name: part for name, part in last.record.items() if name != "metrics"}
    store.write(replace(last, record={**rest, "status": "failed", "error": "no luck"}), {})
    return made


def test_every_figure_of_every_record_has_its_row(folder: Path) -> None:
    frame = tkae.results(folder)
    stored = {
        (entry.key, name): math.nan if value is None else value
        for entry in Store(folder).entries()
        for name, value in (entry.record or {}).get("metrics", {}).items()
    }
    done = frame[frame.error.isna()]
    got = {(row.key, row.metric): row.value for row in done.itertuples()}
    assert got == pytest.approx(stored, nan_ok=True, rel=0, abs=0) and len(stored) == 25
    (failed,) = frame[frame.error.notna()].itertuples()
    assert (
        failed.error == "no luck"
        and failed.seed == 1
        and pandas.isna(failed.metric)
        and pandas.isna(failed.value)
    )
    assert set(frame.dataset) == {"japanese_vowels", "own.csv"}


def test_columns_have_the_types_of_their_values(folder: Path) -> None:
    frame = tkae.results(folder)
    types = frame.dtypes.astype(str)
    assert types[["value", "seed", "seconds"]].tolist() == ["float64", "int64", "float64"]
    assert (types[["experiment", "dataset", "method", "metric"]] == "category").all()
    assert types["model.code_size"] == "Int64" and types["missingness.rate"] == "Float64"
    assert frame["model.code_size"].isna().sum() == (frame.model == "mean").sum()
    over_seeds = frame.groupby(["dataset", "method", "metric"], observed=True).value.agg(["mean", "size"])
    assert over_seeds.loc[("japanese_vowels", "pca", "mse"), "size"] == 2


def test_packed_records_give_the_same_frame(folder: Path, tmp_path: Path) -> None:
    assert pack(["pack", str(folder), str(tmp_path)]) == 0
    keys = ["key", "metric"]
    single, packed = (
        tkae.results(place).sort_values(keys, ignore_index=True) for place in (folder, tmp_path)
    )
    for frame in (single, packed):  # categories may have another order
        frame[frame.select_dtypes("category").columns] = frame.select_dtypes("category").astype(str)
    pandas.testing.assert_frame_equal(single, packed)


def test_a_record_that_was_changed_is_left_out_and_named(tmp_path: Path) -> None:
    assert main(["experiment=imputation", "dataset=japanese_vowels", "model=mean", "budget=smoke",
                 f"results_dir={tmp_path}"]) == 0  # fmt: skip
    (path, _) = sorted(tmp_path.glob("records/*/*/*/*.json"))
    stored = json.loads(path.read_text())
    stored["record"]["metrics"]["mse"] = 0.0
    path.write_text(json.dumps(stored))
    with pytest.warns(UserWarning, match="changed after it was written"):
        frame = tkae.results(tmp_path)
    assert frame.key.nunique() == 1


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is it a results folder"):
        tkae.results(tmp_path)
