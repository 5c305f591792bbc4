"""Every experiment of the paper in one command, on the real data: no cell fails and no table has a gap."""

from __future__ import annotations

import csv
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tkae.cli import main
from tkae.data.heartbeats import DETECTORS
from tkae.registry import GROUPS

pytestmark = pytest.mark.xdist_group("everything")  # one worker runs the command for all of these tests

WITH_FIGURE = {
    "missingness",
    "alignment_weight",
    "l2_weight",
    "kernel_matrices",
    "ehr_density",
    "sinusoids",
    "long_series",
}


@pytest.fixture(scope="module")
def results(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("everything")
    words = ["-m", "experiment=glob(*)", "budget=smoke", "executor=processes", f"data.mirror={mirror}"]
    with pytest.MonkeyPatch.context() as patch:  # gqrs takes minutes for all of Physionet, sleepecg seconds
        patch.setitem(DETECTORS, "gqrs", replace(DETECTORS["gqrs"], find=DETECTORS["sleepecg"].find))
        assert main([*words, f"results_dir={folder}"]) == 0
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("experiment", GROUPS["experiment"])
def test_every_cell_of_every_table_is_filled(results: Path, experiment: str) -> None:
    table = rows(results / "tables" / f"{experiment}.paper.csv")
    assert table and all(row["failed"] == "0" for row in table)
    # Where there is no figure there can be none: PCA has no parameters to train.
    empty = {(row["method"], row["metric"]) for row in table if row["n"] != row["seeds"]}
    assert empty <= {("pca", "parameters")}


def test_figures_are_there_as_numbers_and_drawn(results: Path) -> None:
    made = {path.name for path in (results / "figures").iterdir()}
    assert made == {f"{name}.paper.{kind}" for name in WITH_FIGURE for kind in ("csv", "pdf", "png")}
    assert all((results / "figures" / name).stat().st_size > 500 for name in made if "csv" not in name)
    assert all(rows(results / "figures" / name) for name in made if "csv" in name)


def test_the_report_speaks_of_every_experiment_and_compiles(results: Path, tmp_path: Path) -> None:
    text = (results / "report.md").read_text()
    assert all(f"## {name}:" in text for name in GROUPS["experiment"])
    assert {row["experiment"] for row in rows(results / "tables" / "summary.csv")} >= set(
        GROUPS["experiment"]
    )
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex: the report is not compiled")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", f"-output-directory={tmp_path}"]
    for _ in range(2):
        done = subprocess.run(
            [*command, "report.tex"], cwd=results, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout[-2000:]
    assert "multiply defined" not in done.stdout
    assert (tmp_path / "report.pdf").stat().st_size > 50_000


def test_the_same_command_finds_everything_stored(results: Path, mirror: Path, capsys) -> None:
    before = {path: path.read_bytes() for path in (results / "tables").iterdir()}
    words = ["-m", "experiment=glob(*)", "budget=smoke", "executor=processes", f"data.mirror={mirror}"]
    assert main([*words, f"results_dir={results}"]) == 0
    assert "nothing to compute" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in (results / "tables").iterdir()}
