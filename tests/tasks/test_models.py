"""A model that is fitted, kept and applied again: one seed gives the same files, other tables are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from tkae.data.collection import Collection
from tkae.errors import DataError, UserError
from tkae.tasks.apply import apply
from tkae.tasks.model import EPOCHS, settings

NETWORK = ["model=tae", "budget=smoke", "model.code_size=3", "n_seeds=2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With 40 waves in own.csv, of which number 7 is of another kind, and a model that was fitted to them."""
    made = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    series = [np.sin(np.arange(rng.integers(8, 14))[:, None] + 3 * rng.random(2)) for _ in range(40)]
    series[7] = 5 * rng.normal(size=(12, 2))
    x = Collection.from_series(series, np.arange(40) % 2, [f"n{i}" for i in range(40)], ["u", "v"])
    frame = x.without(rng.random(x.shape) < 0.2).to_frame()
    frame.to_csv(made / "own.csv", index=False)
    frame[["series", "v", "time", "label", "u"]].to_csv(made / "turned.csv", index=False)
    frame.rename(columns={"v": "w"}).to_csv(made / "other.csv", index=False)
    run("impute", made, "own.csv", "first", f"save={made}/model.safetensors", *NETWORK)
    return made


def run(task: str, folder: Path, source: str, target: str, *words: str) -> pandas.DataFrame:
    second = [f"imputed={folder}/{target}.filled.csv"] if task == "impute" else []
    apply(task, [f"path={folder}/{source}", f"output={folder}/{target}.csv", *second, *words])
    return pandas.read_csv(folder / f"{target}.csv")


def test_the_same_seed_gives_the_same_files(folder: Path) -> None:
    run("impute", folder, "own.csv", "again", f"save={folder}/again.safetensors", *NETWORK)
    names = ["csv", "filled.csv", "png"]
    for one, other in [(f"first.{n}", f"again.{n}") for n in names] + [
        ("model.safetensors", "again.safetensors")
    ]:
        assert (folder / one).read_bytes() == (folder / other).read_bytes(), one
    run("impute", folder, "own.csv", "other_seed", "seed=5", *NETWORK)
    assert (folder / "first.csv").read_bytes() != (folder / "other_seed.csv").read_bytes()


def test_two_networks_have_a_spread_where_they_filled_in(folder: Path) -> None:
    filled = pandas.read_csv(folder / "first.filled.csv")
    own = pandas.read_csv(folder / "own.csv")
    assert len(filled) == own[["u", "v"]].isna().to_numpy().sum() and (filled.spread > 0).all()


def test_a_kept_model_does_the_same_again(folder: Path) -> None:
    run("impute", folder, "own.csv", "loaded", f"load={folder}/model.safetensors")
    for name in ("csv", "filled.csv", "png"):
        assert (folder / f"first.{name}").read_bytes() == (folder / f"loaded.{name}").read_bytes()


def test_a_kept_model_takes_variates_in_any_order(folder: Path) -> None:
    turned = run("impute", folder, "turned.csv", "turned_done", f"load={folder}/model.safetensors")
    assert list(turned.columns) == ["series", "v", "time", "label", "u"]
    pandas.testing.assert_frame_equal(turned, pandas.read_csv(folder / "first.csv")[turned.columns])


def test_a_kept_model_refuses_other_variates(folder: Path) -> None:
    with pytest.raises(
        DataError, match=r"other.csv lacks 'v' and has besides 'w': the model of .* on 'u', 'v'"
    ):
        run("impute", folder, "other.csv", "never", f"load={folder}/model.safetensors")
    run("impute", folder, "own.csv", "mean", "model=mean", f"save={folder}/mean.safetensors")
    with pytest.raises(UserError, match="holds a model of the kind mean, which cannot encode series"):
        run("embed", folder, "own.csv", "never", f"load={folder}/mean.safetensors")
    assert not (folder / "never.csv").exists()


def test_codes_stand_beside_the_ids(folder: Path) -> None:
    codes = run("embed", folder, "own.csv", "codes", f"load={folder}/model.safetensors")
    assert list(codes.columns) == ["series", *(f"z{d}" for d in range(1, 7)), "label"]  # of two networks
    assert codes.series.tolist() == [f"n{i}" for i in range(40)] and codes.label.tolist() == [0, 1] * 20
    assert codes.iloc[:, 1:7].std().min() > 0


def test_the_most_anomalous_series_comes_first(folder: Path) -> None:
    frame = pandas.read_csv(folder / "own.csv")
    frame["split"] = np.where(frame.series == "n7", "test", "train")  # not learned from
    frame.to_csv(folder / "split.csv", index=False)
    scores = run("screen", folder, "split.csv", "scores", "model=pca", "model.code_size=4")
    assert scores.series[0] == "n7" and scores["rank"].tolist() == list(range(1, 41))
    assert scores.score.is_monotonic_decreasing and list(scores.columns) == [
        "series",
        "score",
        "rank",
        "label",
    ]


def test_the_check_names_the_better_way(tmp_path: Path) -> None:
    rows = [f"{i},{t},{t}" for i in range(20) for t in range(40)]
    (tmp_path / "ramps.csv").write_text("\n".join(["series,time,v", *rows]) + "\n")
    words = [f"path={tmp_path}/ramps.csv", f"output={tmp_path}/x.csv", "picture=null", "model=mean"]
    (_, check, _) = apply("impute", words)
    assert "the error is 1.0" in check and check.endswith("LOCF is better; try more epochs, or another model")


def test_what_needs_too_much_memory_is_refused_beforehand(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", "0.00001")
    with pytest.raises(UserError, match="TKAE of 40 series, up to 13 steps long, needs about"):
        run("embed", folder, "own.csv", "never")


def test_settings_go_by_the_size_of_the_data() -> None:
    def of(count: int, steps: int, model: str = "tkae", budget: str = "auto") -> dict[str, object]:
        return settings(model, "embed", budget, Collection(np.zeros((count, steps, 1))))

    assert of(10, 5)["epochs"] == EPOCHS[1] and "validation" not in of(10, 5)
    few, many, long = (of(*size)["epochs"] for size in ((400, 10), (4000, 10), (400, 2000)))
    assert EPOCHS[1] > few > long and few > many > EPOCHS[0]  # type: ignore[operator]
    assert "select_every" not in of(6000, 2)  # which would need the whole kernel
    assert of(400, 10)["validation"] == 0.15 and of(400, 10, budget="quick")["epochs"] == 100
    assert of(400, 10, "pca") == {} and set(of(400, 10, "ocsvm")) <= {"nu"}
