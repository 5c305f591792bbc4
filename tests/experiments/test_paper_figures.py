"""The figures that can be had exactly: the paper's PCA, Mean and LOCF rows on the authors' own files."""

from __future__ import annotations

from pathlib import Path

from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose


def measured(mirror: Path, results: Path, experiment: str, *more: str) -> dict[str, dict[str, float]]:
    """The figures of each model, as `tkae-run` would compute and store them."""
    words = [f"experiment={experiment}", "dataset=japanese_vowels", f"data.mirror={mirror}", "seeds=1", *more]
    calls = compose(words, sweep=False)
    store = Store(results)
    figures = {}
    for cell in plan(calls):
        (outcome,) = run_group([cell], results, calls.files)
        assert not outcome.error
        record = store.read(cell)
        assert record is not None
        if cell.protocol.name == "authors":
            assert record["masks"].startswith("TCK_data_")
        figures[cell.model.name] = record["metrics"]
    return figures


def test_the_pca_row_of_the_classification_table_exactly(mirror: Path, tmp_path: Path) -> None:
    figures = measured(mirror, tmp_path, "classification", "protocol=authors", "model=pca")["pca"]
    assert round(figures["accuracy"], 1) == 76.8 and round(figures["f1"], 1) == 76.7


def test_the_baselines_of_the_imputation_table(mirror: Path, tmp_path: Path) -> None:
    """Within 0.003 as printed, with three decimals. The authors' mask for this table (rate 0.51) is lost.

    With theirs of rate 0.5 the MSE of Mean is 0.4988, printed 0.499: unrounded it is 0.0032 from 0.502.
    """
    figures = measured(mirror, tmp_path, "imputation", "protocol=authors", "model=[mean,locf]")
    for model, mse, corr in (("mean", 502, 699), ("locf", 84, 954)):
        assert abs(round(1000 * figures[model]["mse"]) - mse) <= 3
        assert abs(round(1000 * figures[model]["corr"]) - corr) <= 3


def test_the_imputation_table_is_of_stretched_series(mirror: Path, tmp_path: Path) -> None:
    """Only the stretching is undone: at their own lengths LOCF is far off. An earlier study has 0.177/0.900.

    Which split the table is of cannot be told here: both lie within 0.003 (see test_protocols for the value).
    """
    own_length = "dataset.japanese_vowels.stretch=false"
    figures = measured(mirror, tmp_path, "imputation", "protocol=authors", "model=locf", own_length)["locf"]
    assert figures["mse"] > 0.15 and figures["corr"] < 0.92
