"""The paper's table of datasets, from the real files: equal but for two sets, whose notes say why."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tkae.commands.run import main

pytestmark = pytest.mark.xdist_group("datasets")  # one worker parses the files
AS_PRINTED = ("ecg5000", "libras", "wafer", "japanese_vowels", "arabic_digits", "auslan")
FACTS = ("variates", "n_train", "n_test", "classes", "t_min", "t_max")
ECG2 = ("2", "100", "100", "2", "39", "152")  # stands in the paper's source, commented out


@pytest.fixture(scope="module")
def tables(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of `tkae-run experiment=datasets`; all sets but Physionet, whose beats take a minute."""
    results = tmp_path_factory.mktemp("results")
    names = ",".join([*AS_PRINTED, "ecg2", "ehr"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TKAE_CACHE", str(tmp_path_factory.mktemp("cache")))
        words = [f"dataset=[{names}]", f"data.mirror={mirror}", "data.offline=true", f"results_dir={results}"]
        assert main(["experiment=datasets", *words]) == 0
    return results / "tables"


@pytest.fixture(scope="module")
def facts(tables: Path) -> dict[tuple[str, str], dict[str, str]]:
    """The rows of the long table by dataset and metric."""
    with (tables / "datasets.paper.csv").open() as file:
        return {(row["dataset"], row["metric"]): row for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", AS_PRINTED)
def test_every_number_is_the_printed_one(name: str, facts: dict[tuple[str, str], dict[str, str]]) -> None:
    for metric in FACTS:
        row = facts[name, metric]
        assert float(row["mean"]) == float(row["paper"]) and row["verdict"] == "reproduced", metric
    assert float(facts[name, "missing_share"]["mean"]) == 0.0


def test_ecg2_has_the_numbers_of_the_row_that_was_commented_out(
    facts: dict[tuple[str, str], dict[str, str]],
) -> None:
    assert tuple(f"{float(facts['ecg2', metric]['mean']):g}" for metric in FACTS) == ECG2
    assert not any(facts["ecg2", metric]["paper"] for metric in FACTS)


def test_ehr_differs_in_its_counts_alone_and_the_table_says_why(
    tables: Path, facts: dict[tuple[str, str], dict[str, str]]
) -> None:
    verdicts = {metric: facts["ehr", metric]["verdict"] for metric in FACTS}
    differs = {metric for metric in FACTS if verdicts[metric] == "differs"}
    assert differs == {"n_train", "n_test"} and set(verdicts.values()) == {"differs", "reproduced"}
    assert float(facts["ehr", "n_train"]["mean"]) + float(facts["ehr", "n_test"]["mean"]) == 883
    assert 0.85 < float(facts["ehr", "missing_share"]["mean"]) < 0.87
    for ending in ("md", "tex"):
        assert "883 patients" in (tables / f"datasets.paper.{ending}").read_text()


def test_physionet_is_in_the_experiment_and_has_its_note() -> None:
    """Its counts are in tests/data/sets/test_from_mirror.py, where its beats are detected once."""
    from tkae.settings.compose import compose

    (call,) = compose(["experiment=datasets"], sweep=False)
    assert set(call.datasets) == {*AS_PRINTED, "ecg2", "ehr", "physionet"} and list(call.models) == ["none"]
    row = call.dataset("physionet").paper_row
    assert call.experiment.on_data and row is not None and "detector" in row.note
