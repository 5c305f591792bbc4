"""Tables: what stands in the CSV, the Markdown and the LaTeX, and that the LaTeX compiles."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.made_up import a_row
from tkae.commands.run import main
from tkae.experiments.base import Metric
from tkae.experiments.imputation import Imputation
from tkae.report.latex import escaped, latex
from tkae.report.paper import printed
from tkae.report.summary import Row
from tkae.report.tables import as_csv, experiment_table, markdown, measured_text

MSE, CORR = Imputation.metrics[:2]


def row(
    method: str, metric=MSE, values=(0.1, 0.3), seeds: int = 2, done: int | None = None, failed: int = 0
) -> Row:
    paper = printed("imputation", "libras", method, metric.name)
    count = len(values) if done is None else done
    figures = dict(enumerate(values))
    return a_row("libras", method, metric, figures, seeds, count, failed=failed, paper=paper)


def lines(rows: list[Row]):
    every = [*rows]
    for one in rows:
        have = {r.metric.name for r in rows if r.method == one.method}
        every += [row(one.method, m, (0.5, 0.5)) for m in Imputation.metrics if m.name not in have]
    return experiment_table(every, Imputation(), "Protocol paper.")


def test_a_figure_says_mean_spread_and_what_is_missing() -> None:
    assert measured_text(row("mean")) == "0.200 ± 0.141"
    assert measured_text(row("mean", values=(0.1,), seeds=1)) == "0.100"
    assert measured_text(row("mean", seeds=10)) == "0.200 ± 0.141 (2 of 10 seeds)"
    assert measured_text(row("mean", values=(), seeds=3, done=0)) == "missing"
    assert measured_text(row("mean", values=(), seeds=3, done=2, failed=1)) == "failed"
    assert measured_text(row("mean", values=(), seeds=3, done=3)) == "undefined"


def test_a_fact_has_no_spread_of_zero_and_a_verdict_whatever_the_budget() -> None:
    fact = Metric("variates", "V", higher_is_better=None, decimals=0)
    assert measured_text(row("mean", fact, (6130, 6130))) == "6130"
    assert measured_text(row("mean", fact, (6130, 6140))) == "6135 ± 7"
    assert measured_text(row("mean", fact, (), seeds=2, done=2)) == "–"
    assert measured_text(row("mean", MSE, (0.5, 0.5))) == "0.500 ± 0.000"
    paper = printed("many_variates", "ode5", "tae", "parameters")
    short = replace(row("tae", fact, (6130,), seeds=1), paper=paper, shortened=True)
    assert short.verdict == "reproduced" and replace(short, metric=MSE).verdict == ""


def test_the_best_of_a_dataset_is_bold_in_the_right_direction() -> None:
    made = lines([row("mean", MSE, (0.2, 0.2)), row("locf", MSE, (0.1, 0.1)), row("dae", MSE, (0.1, 0.1001))])
    best = {line[1].text for block in made.blocks for line in block if line[2].best}
    assert best == {"LOCF", "DAE"}  # equal as printed
    made = lines([row("mean", MSE, (0.2, 0.2)), row("locf", MSE, (0.1,)), row("dae", MSE, (0.3, 0.3))])
    best = {line[1].text for block in made.blocks for line in block if line[2].best}
    assert best == {"MEAN"}  # a seed of LOCF is missing
    made = lines([row("mean", CORR, (0.2, 0.2)), row("locf", CORR, (0.1, 0.1))])
    column = made.header.index("CORR")
    assert {line[1].text for block in made.blocks for line in block if line[column].best} == {"MEAN"}


def test_the_paper_and_its_verdict_stand_beside_ours() -> None:
    ten = [row("mean", MSE, (0.505,) * 10, 10), row("tkae", MSE, (0.2,) * 10, 10), row("dae", MSE, (), 10, 0)]
    made = lines([*ten, row("locf", MSE, (0.08, 0.09) * 5, 10)])
    text = markdown(made)
    assert "0.505 (reproduced)" in text and "0.029 ± 0.002 (worse)" in text
    assert "0.050 ± 0.001 (not run)" in text and "0.085 (reproduced)" in text
    tex = latex(made)
    assert r"0.505 $=$" in tex and r"0.029 $\pm$ 0.002 $\downarrow$" in tex
    assert r"0.050 $\pm$ 0.001 $\circ$" in tex


def test_latex_escapes_what_latex_would_misread() -> None:
    assert escaped("a_b & 50% #1 {x} ± –") == r"a\_b \& 50\% \#1 \{x\} $\pm$ --"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_latex_compiles_as_it_is_and_in_a_document(tmp_path: Path) -> None:
    sweep = (
        "-m",
        "experiment=imputation",
        "dataset=japanese_vowels",
        "model=[mean,locf,pca]",
        "missingness.rate=0.1,0.5",
        "seeds=2",
        f"results_dir={tmp_path}",
    )
    assert main([*sweep]) == 0
    assert (
        main(
            [
                "experiment=classification",
                "dataset=japanese_vowels",
                "model=pca",
                "seeds=2",
                f"results_dir={tmp_path}",
            ]
        )
        == 0
    )
    tables = tmp_path / "tables"
    inputs = "".join(rf"\input{{{path.name}}}" + "\n" for path in sorted(tables.glob("*.tex")))
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n"
        + inputs
        + "\\end{document}\n"
    )
    (tables / "all.tex").write_text(document)
    for path in sorted(tables.glob("*.tex")):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
        done = subprocess.run(command, cwd=tables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert path.with_suffix(".pdf").exists()


def test_a_misprint_and_a_figure_that_there_cannot_be_have_no_verdict() -> None:
    paper = printed("many_variates", "ode5", "ae", "mse")
    assert paper is not None and paper.misprint
    made = a_row("ode5", "ae", MSE, {0: 0.003, 1: 0.003}, paper=paper)
    assert made.verdict == ""
    undefined = a_row("libras", "mean", CORR, {}, 2, 2, paper=row("mean", CORR).paper)
    assert undefined.verdict == "" and row("mean", CORR, (), 2, 0).verdict == "not run"


def test_a_csv_file_has_every_column_of_every_row() -> None:
    """Only an experiment that sweeps has columns for its axes."""
    text = as_csv([{"dataset": "a", "mean": 1.0}, {"dataset": "b", "missingness.rate": 0.5, "mean": 2.0}])
    assert text == "dataset,mean,missingness.rate\na,1.0,\nb,2.0,0.5\n"
