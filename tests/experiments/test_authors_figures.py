"""protocol=authors with the authors' files gives their printed figures, all the way through `tkae-run`."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.settings.compose import compose

Rows = dict[tuple[str, str, str], dict[str, str]]
IMPUTATION = {  # MSE and CORR of Tab. imputation; its "ECG" is ECG2
    ("libras", "mean"): ("0.505", "0.666"),
    ("libras", "locf"): ("0.085", "0.949"),
    ("ecg2", "mean"): ("0.883", "0.702"),
    ("ecg2", "locf"): ("0.393", "0.884"),
}


@pytest.fixture(scope="module")
def table(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Rows]:
    """The long table of an experiment under protocol=authors."""
    cache = tmp_path_factory.mktemp("cache")

    def run(experiment: str, *words: str) -> Rows:
        results = tmp_path_factory.mktemp("results")
        source = [f"data.mirror={mirror}", "data.offline=true", f"results_dir={results}"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TKAE_CACHE", str(cache))
            assert main([f"experiment={experiment}", "protocol=authors", *source, *words]) == 0
        with (results / "tables" / f"{experiment}.authors.csv").open() as file:
            return {(row["dataset"], row["method"], row["metric"]): row for row in csv.DictReader(file)}

    return run


def test_the_baselines_of_the_imputation_table_to_three_digits(table: Callable[..., Rows]) -> None:
    rows = table("imputation", "dataset=[libras,ecg2]", "model=[mean,locf]")
    for (dataset, model), figures in IMPUTATION.items():
        for metric, printed in zip(("mse", "corr"), figures, strict=True):
            row = rows[dataset, model, metric]
            assert f"{float(row['mean']):.3f}" == row["paper"] == printed
            assert row["verdict"] == "reproduced"


def test_the_pca_row_of_ehr_exactly(table: Callable[..., Rows]) -> None:
    """LOCF-filled and with no further entry removed: zero-filled, PCA gives 85.2 and 64.9."""
    rows = table("classification", "dataset=ehr", "model=pca")
    for metric, printed in (("accuracy", "83.5"), ("f1", "65.1")):
        row = rows["ehr", "pca", metric]
        assert f"{float(row['mean']):.1f}" == row["paper"] == printed and row["verdict"] == "reproduced"
    filled = table("classification", "dataset=ehr", "model=pca", "model.fill=zero")
    assert [f"{float(filled['ehr', 'pca', m]['mean']):.1f}" for m in ("accuracy", "f1")] == ["85.2", "64.9"]


def datasets(*words: str) -> list[str]:
    (call,) = compose(["experiment=imputation", "model=mean", *words], sweep=False)
    return list(call.datasets)


def test_ecg2_stands_for_ecg5000_only_where_the_user_did_not_choose() -> None:
    assert datasets()[0] == "ecg5000" and "ecg2" not in datasets()
    assert datasets("protocol=clean") == datasets()
    assert datasets("protocol=authors") == ["ecg2", *datasets()[1:]]
    assert datasets("protocol=authors", "dataset=ecg5000") == ["ecg5000"]
    assert datasets("protocol=authors", "dataset=[ecg5000,libras]") == ["ecg5000", "libras"]


@pytest.mark.parametrize("protocol", ["paper", "authors", "clean"])
def test_ehr_keeps_its_own_holes_and_others_lose_entries(protocol: str) -> None:
    (call,) = compose(["experiment=classification", f"protocol={protocol}", "model=pca"], sweep=False)
    assert call.missingness_of("ehr").name == "none"
    for other in ("japanese_vowels", "arabic_digits"):
        removal = call.missingness_of(other)
        assert removal.name == "uniform" and getattr(removal, "rate", None) == 0.8
