"""README, running, data and Hydra pages are true: Python runs, commands compose, examples load."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from tests.report.made_up import a_row
from tkae.data.files import Files
from tkae.data.sets.file import File
from tkae.report.paper import printed
from tkae.report.screen import draw
from tkae.report.summary import WITHOUT_LEARNING
from tkae.report.tables import experiment_table
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, lookup

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ("running", "datasets", "hydra")
RUNNING, DATASETS, HYDRA = ((ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in PAGES)


def blocks(page: str) -> list[tuple[str, str]]:
    """The language and the text of every block of code."""
    return re.findall(r"```(\w*)\n(.*?)```", page, flags=re.DOTALL)


BLOCKS = blocks(README)
LINES = [line for _, block in [*BLOCKS, *blocks(RUNNING + DATASETS + HYDRA)] for line in block.splitlines()]
RUNS = sorted({line.split("#")[0].rstrip() for line in LINES if line.startswith("tkae-run ")})


def test_it_is_short_and_tells_of_own_data_before_protocols() -> None:
    assert len(README.splitlines()) < 250
    assert README.index("## Your own data") < README.index("## As a library") < README.index("## Protocols")


def test_the_headline_table_stands_in_the_evidence() -> None:
    table = ROOT / "results" / "reference" / "tables" / "classification.md"
    if not table.is_file():  # a source distribution has none
        pytest.skip("no reference here")
    lines = table.read_text(encoding="utf-8").splitlines()
    split = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:2] == "| "]
    accuracy = {tuple(cells[:2]): cells[3:6] for cells in split if cells[2] == "Accuracy"}
    start = README.index("| Dataset | Method | Printed |")
    rows = [line.strip("|").split("|") for line in README[start:].split("\n\n")[0].splitlines()[2:]]
    assert len(rows) == 8
    for dataset, method, *cells in ([cell.strip() for cell in row] for row in rows):
        assert accuracy[dataset, method] == cells


def test_the_python_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TKAE_CACHE", str(tmp_path / "cache"))
    names: dict[str, object] = {}
    for language, block in BLOCKS:
        if language == "python":
            exec(block, names)
    model, tck, test = names["model"], names["tck"], names["test"]
    assert tck.kernel(None, test).shape == (40, 20) and model.transform(test).shape == (20, 5)  # type: ignore[attr-defined]
    assert (names["same"].transform(test) == model.transform(test)).all()  # type: ignore[attr-defined]
    splits = File(path=str(tmp_path / "own.npz")).load(Files(cache=tmp_path), 0)
    assert (len(splits.train), len(splits.test), splits.classes) == (16, 4, ("ill", "well"))


@pytest.mark.parametrize("line", RUNS)
def test_a_command_composes(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)[1:]
    assert "data.mirror=FOLDER" in words or "FOLDER" not in line
    words = [word.replace("=FOLDER", f"={tmp_path}") for word in words]
    if any(word.startswith("experiment=") for word in words):
        calls = compose([word for word in words if word != "-m"], sweep="-m" in words)
        assert all(list(call.pairs()) for call in calls)


@pytest.mark.parametrize(("ending", "start"), [("csv", "series,time"), ("ts", "@problemName")])
def test_an_example_of_a_file_loads(ending: str, start: str, tmp_path: Path) -> None:
    (text,) = [block for _, block in BLOCKS if block.startswith(start)]
    path = tmp_path / f"own.{ending}"
    path.write_text(text)
    splits = File(path=str(path), test_share=0.5).load(Files(cache=tmp_path), 0)
    assert (len(splits.train), len(splits.test)) == (2, 2) and set(splits.classes) == {"well", "ill"}
    assert splits.train.missing.sum() + splits.test.missing.sum() == 2 and splits.train.shape[2] == 2


def test_the_table_of_datasets_is_complete_and_has_their_licences() -> None:
    rows = [line for line in DATASETS.splitlines() if line.startswith("| `")]
    named = {name: row for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named.keys() >= set(GROUPS["dataset"]) - {"file"}
    for name in set(GROUPS["dataset"]) - {"file", "sinusoids", "ode"}:
        assert lookup("dataset", name).licence.split(" (")[0] in named[name]


IN_PRINT = ("mse", "corr", "accuracy", "f1", "code_size")  # of the quickstart's metrics


def as_a_terminal_shows_it(experiment: str, figures: dict[str, list[str]]) -> list[str]:
    """The table of the quickstart at 80 columns, of methods and their figures (`0.501±0.002`) by metric."""
    cls = lookup("experiment", experiment)
    by_name = {lookup("model", name).title: name for name in GROUPS["model"]}
    rows = []
    for title, values in figures.items():
        name, ours = by_name.get(title.rstrip("*"), "pca"), title.endswith("*")
        for metric in cls.metrics:
            shown = dict(zip((m.name for m in cls.metrics if m.name in IN_PRINT), values, strict=True))
            figure = re.fullmatch(r"([\d.]+)(?: ?± ?([\d.]+))?", shown.get(metric.name, "–"))
            mean, rest = (float(part or 0) for part in figure.groups()) if figure else (0.0, 0.0)
            rest *= (9 / 10) ** 0.5  # so that ten runs have this spread
            row = a_row(
                "japanese_vowels",
                name,
                metric,
                {seed: mean + rest * (-1) ** seed for seed in range(10)} if figure else {},
                10,
                10,
                dataset_title="Jp. Vow.",
                method_title=title.replace("*", " (ours)"),
                paper=None if ours else printed(experiment, "japanese_vowels", name, metric.name),
                shortened=hasattr(lookup("model", name), "epochs"),
                learns=name not in WITHOUT_LEARNING,
            )
            rows.append(row)
    there = Console(file=io.StringIO(), width=80, highlight=False)
    about = "Protocol paper, budget quick. Removed entries: drawn here. Aligned to: TCK."
    draw(experiment_table(rows, cls(), about, cls.notes), there)
    text = there.file.getvalue().partition("\n\n")[2]  # type: ignore[attr-defined]
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize(("experiment", "metric"), [("imputation", "MSE"), ("classification", "Acc.")])
def test_the_quickstarts_tables_are_what_a_terminal_shows(experiment: str, metric: str) -> None:
    """The figures are of a run; how they stand there, the printed ones and the verdicts follow from them."""
    head = rf"Dataset +Method +{re.escape(metric)} "
    (block,) = [block for language, block in BLOCKS if not language and re.match(head, block)]
    table = block.splitlines()
    figures = {}
    for line in table:
        if line.startswith("Jp. Vow."):
            method, *cells = re.split(r"\s{2,}", line.removeprefix("Jp. Vow.").strip())
            figures[method] = cells[::2]
    assert as_a_terminal_shows_it(experiment, figures) == table  # without the caption
