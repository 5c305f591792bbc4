"""The protocols side by side: every row once, in the line that it shares with the other protocols."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.report.made_up import run_of, sections_of, write_stored
from tkae.report.grid import Grid
from tkae.report.side_by_side import side_by_side
from tkae.report.tables import measured_text

OWN = "{models: [pca], title: LOCF and PCA, settings: {model.fill: locf}, protocols: [authors]}"
CONTROL = f"experiment.controls={{pca_locf: {OWN}}}"
IMPUTATION = ["experiment=imputation", "protocol=paper,authors,clean", CONTROL]
PROTOCOLS = ("paper", "authors", "clean")


def sections(words: list[str]):
    return sections_of(run_of(words, Path("nowhere")))


def lines(table: Grid) -> list[dict[str, str]]:
    """Every line by its heads."""
    return [
        dict(zip(table.header, (one.text for one in line), strict=True))
        for block in table.blocks
        for line in block
    ]


def test_every_row_of_every_protocol_stands_in_one_line() -> None:
    made = sections(IMPUTATION)
    table = side_by_side(made)
    seen = {(one["dataset"], one["method"], one["metric"]): one for one in table.long}
    assert len(seen) == len(table.long) == len(lines(table))
    expected = set()
    for section in made:
        for row in (row for row in section.rows if row.metric.name in ("mse", "corr")):
            where = ("ecg5000" if row.dataset == "ecg2" else row.dataset, row.method, row.metric.name)
            expected.add(where)
            line, name = seen[where], section.protocol
            ours = [line[f"{column}_{name}"] for column in ("mean", "std", "n", "verdict")]
            assert ours == [row.mean, row.std, row.n, row.verdict]
            if row.paper is not None:
                assert (line["paper"], line["paper_std"]) == (row.paper.value, row.paper.std)
    assert set(seen) == expected  # and nothing else: other metrics the paper does not print


def test_a_figure_bears_its_own_verdict() -> None:
    made = sections(IMPUTATION)
    table = side_by_side(made)
    columns = {name: table.header.index(name) for name in PROTOCOLS}
    shown = [
        (name, line[at].text, line[at].verdict)
        for block in table.blocks
        for line in block
        for name, at in columns.items()
        if line[at].text != "–"
    ]
    rows = [
        (s.protocol, measured_text(r), r.verdict)
        for s in made
        for r in s.rows
        if r.metric.name in ("mse", "corr")
    ]
    assert sorted(shown) == sorted(rows) and {verdict for *_, verdict in shown} >= {"better", "worse", ""}


@pytest.mark.parametrize("protocols", ["paper,authors", "authors,clean"])
def test_a_dataset_that_stands_for_another_shares_its_line(protocols: str) -> None:
    table = side_by_side(sections(["experiment=imputation", f"protocol={protocols}"]))
    assert "ecg2" not in {line["dataset"] for line in table.long}
    assert "ECG2" not in {line["Dataset"] for line in lines(table)}  # whichever comes first
    assert table.notes == ["Under authors, ECG2 stands in the place of ECG."]
    ecg = next(line for line in lines(table) if line["Dataset"] == "ECG" and line["Method"] == "TKAE")
    assert ecg["Printed"] == "0.151 ± 0.003" and "–" not in ecg.values()


def test_a_row_of_one_protocol_has_dashes_under_the_others_and_stands_with_its_dataset() -> None:
    table = side_by_side(sections(IMPUTATION))
    own = [line for line in lines(table) if line["Method"] == "LOCF and PCA (ours)"]
    assert len(own) == 2 * 5
    assert all(line["paper"] == line["clean"] == line["Printed"] == "–" != line["authors"] for line in own)
    long = [line for line in table.long if line["method"] == "pca_locf"]
    assert {line["n_authors"] for line in long} == {10}
    assert {line[f"{name}_{p}"] for line in long for name in ("mean", "n") for p in ("paper", "clean")} == {
        None
    }
    assert all(len({line[0].text for line in block}) == 1 for block in table.blocks)
    assert len(table.blocks) == 5


@pytest.mark.parametrize(
    ("experiment", "metrics"),
    [
        ("missingness", {"accuracy"}),  # printed at one point of the sweep
        ("alignment_weight", {"accuracy", "mse", "mse_observed"}),  # nothing printed
        (
            "kernel_matrices",
            {"alignment", "centred_alignment", "alignment_loss", "contrast"},
        ),  # nor are facts
    ],
)
def test_metrics_in_print_else_those_with_a_direction(experiment: str, metrics: set[str]) -> None:
    table = side_by_side(sections([f"experiment={experiment}", "protocol=paper,clean"]))
    assert {line["metric"] for line in table.long} == metrics


def test_points_of_a_sweep_have_lines_of_their_own() -> None:
    table = side_by_side(sections(["experiment=missingness", "protocol=paper,clean"]))
    rates = [line["missingness.rate"] for line in table.long if line["method"] == "tkae"]
    assert rates == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    printed = {line["missingness.rate"] for line in table.long if line["paper"]}
    assert printed == {0.9} and all(line["n_paper"] == line["n_clean"] == 10 for line in table.long)


def test_it_is_written_for_experiments_with_several_protocols_alone(tmp_path: Path) -> None:
    small = ["dataset=japanese_vowels", "model=pca", "experiment.controls={}"]
    write_stored(run_of(["experiment=imputation,classification", *small], tmp_path / "one"))
    write_stored(run_of(["experiment=imputation", "protocol=paper,clean", *small], tmp_path / "two"))
    assert not (tmp_path / "one" / "tables" / "imputation.csv").exists()
    with (tmp_path / "two" / "tables" / "imputation.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == "pca"]
    assert [row["metric"] for row in rows] == ["mse", "corr"]  # as printed of others


def test_the_printed_figure_is_shown_if_any_protocol_has_the_settings_of_its_own() -> None:
    """To fill by LOCF is a change of the paper's protocol, but not of the authors'."""
    words = ["experiment=imputation", "dataset=libras", "model=dae", "experiment.controls={}"]
    table = side_by_side(sections([*words, "model.dae.fill=locf", "protocol=paper,authors"]))
    for line in table.long:
        assert line["model.fill"] == "locf" and line["paper"]
        assert line["verdict_paper"] == "" != line["verdict_authors"]
