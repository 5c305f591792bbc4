"""The paper's experiments by the commands of the README: no cell fails and no table has a gap.

All of them on the real data in one command where there is a mirror; without it, on what needs none: Japanese
Vowels, generated series, a file of one's own.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.experiments.without_mirror import GENERATED, ON_OWN_FILE, ON_VOWELS, own_file
from tkae.commands.run import main
from tkae.data.heartbeats import DETECTORS
from tkae.settings.registry import GROUPS, lookup

WITH_FIGURE = {
    "missingness",
    "alignment_weight",
    "l2_weight",
    "kernel_matrices",
    "ehr_density",
    "sinusoids",
    "long_series",
    "ablations",
}


@dataclass(frozen=True)
class Run:
    """A command that has been run, and where its results are."""

    kind: str
    experiments: tuple[str, ...]
    words: list[str]
    results: Path


def source(kind: str, request: pytest.FixtureRequest, folder: Path) -> list[str]:
    """Where the data of a kind of run come from."""
    mirror = request.getfixturevalue("mirror") if kind == "whole" else None
    return {
        "whole": [f"data.mirror={mirror}"],
        "vowels": ["dataset=japanese_vowels", "data.offline=true"],
        "generated": ["data.offline=true"],
        "own_file": ["dataset=file", f"dataset.path={own_file(folder)}", "dataset.positive=ill"],
    }[kind]


EXPERIMENTS = {
    "whole": tuple(GROUPS["experiment"]),
    "vowels": ON_VOWELS,
    "generated": GENERATED,
    "own_file": ON_OWN_FILE,
}


# One worker runs a command for all of its tests.
@pytest.fixture(
    scope="module", params=[pytest.param(k, marks=pytest.mark.xdist_group(k)) for k in EXPERIMENTS]
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp(request.param)
    experiments = EXPERIMENTS[request.param]
    words = ["-m", f"experiment={','.join(experiments)}", "budget=smoke", "executor=processes"]
    words += [*source(request.param, request, folder), f"results_dir={folder / 'results'}"]
    with pytest.MonkeyPatch.context() as patch:  # gqrs takes minutes for all of Physionet, sleepecg seconds
        patch.setitem(DETECTORS, "gqrs", replace(DETECTORS["gqrs"], find=DETECTORS["sleepecg"].find))
        assert main(words) == 0
    return Run(request.param, experiments, words, folder / "results")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cannot_be(method: str, metric: str) -> bool:
    """Whether there is no such figure of a smoke run, for a reason."""
    return (
        (metric == "parameters" and method == "pca")  # it trains none
        or (metric == "code_size" and method in GROUPS["model"] and not lookup("model", method).can("encode"))
        or metric == "late_fall"  # two epochs are no curve
    )


def test_every_cell_of_every_table_is_filled(run: Run) -> None:
    for experiment in run.experiments:
        # What the paper has on other datasets is not run.
        asked = {"vowels": {"japanese_vowels"}, "own_file": {"own.csv"}}.get(run.kind)
        table = rows(run.results / "tables" / f"{experiment}.paper.csv")
        table = [row for row in table if asked is None or row["dataset"] in asked]
        assert table and all(row["failed"] == "0" for row in table), experiment
        empty = {(row["method"], row["metric"]) for row in table if row["n"] != row["seeds"]}
        assert all(cannot_be(*figure) for figure in empty), (experiment, empty)


def test_figures_are_there_as_numbers_and_drawn(run: Run) -> None:
    made = {path.name for path in run.results.glob("figures/*")}
    stems = {name.rpartition(".")[0] for name in made}
    assert made == {f"{stem}.{kind}" for stem in stems for kind in ("csv", "pdf", "png")}
    curves = {stem for stem in stems if "_curves." in stem}
    assert stems - curves == {f"{name}.paper" for name in WITH_FIGURE & set(run.experiments)}
    trained = {
        name for name in run.experiments if list(run.results.glob(f"records/{name}/*/tae/*.safetensors"))
    }
    assert curves >= {f"{name}_curves.paper" for name in trained - {"search_classification"}}
    assert all((run.results / "figures" / name).stat().st_size > 500 for name in made if "csv" not in name)
    assert all(rows(run.results / "figures" / name) for name in made if "csv" in name)


def test_the_report_speaks_of_every_experiment_and_compiles(run: Run, tmp_path: Path) -> None:
    text = (run.results / "report.md").read_text()
    assert all(f"## {name}:" in text for name in run.experiments)
    summary = rows(run.results / "tables" / "summary.csv")
    assert {row["experiment"] for row in summary} >= set(run.experiments) - {"ablations"}
    if shutil.which("pdflatex") is None:
        pytest.skip("no LaTeX on this machine")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", f"-output-directory={tmp_path}"]
    for _ in range(2):
        done = subprocess.run(
            [*command, "report.tex"], cwd=run.results, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout[-2000:]
    assert "multiply defined" not in done.stdout
    assert (tmp_path / "report.pdf").stat().st_size > 20_000


def test_the_same_command_finds_everything_stored(run: Run, capsys) -> None:
    before = {path: path.read_bytes() for path in (run.results / "tables").iterdir()}
    assert main(run.words) == 0
    assert "nothing to compute" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in (run.results / "tables").iterdir()}


def test_every_experiment_of_the_paper_has_a_run_that_needs_no_mirror() -> None:
    elsewhere = {"ablations"}  # tests/experiments/test_ablations.py
    assert {*ON_VOWELS, *GENERATED, *ON_OWN_FILE, *elsewhere} == set(GROUPS["experiment"])
