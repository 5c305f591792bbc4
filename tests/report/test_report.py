"""Summary, claims and report of a command, from records that are made up to give known verdicts."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.report.made_up import ENVIRONMENT, record, run_of, sections_of, write_stored
from tkae.report.claims import load_claims
from tkae.report.document import provenance
from tkae.report.latex import escaped
from tkae.report.overview import judge, summary


def sections(words: list[str], folder: Path, without: str = ""):
    return sections_of(run_of(words, folder, without))


# The protocols beside each other come first of what an experiment has.
IN_ORDER = ("summary", "claims", "imputation", "imputation.paper", "imputation.authors")
IMPUTATION = ["experiment=imputation", "protocol=paper,authors"]
ON_IMPUTATION = (
    "tkae-best-on-four-of-five",
    "followed-by-dae",
    "locf-best-on-japanese-vowels",
    "tkae-second-on-japanese-vowels",
    "competitive-imputation",
    "outperforms-competing-approaches",
)


def verdicts(made) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for result in judge(made):
        found.setdefault(result.claim.id, set()).add(result.verdict)
    return found


def test_claims_are_judged_under_every_protocol(tmp_path: Path) -> None:
    """ECG2 stands for ECG5000 in the authors' protocol, and the claim is found there as well."""
    found = verdicts(sections(IMPUTATION, tmp_path))
    assert {name: found[name] for name in ON_IMPUTATION} == {
        "tkae-best-on-four-of-five": {"holds"},
        "followed-by-dae": {"holds"},
        "locf-best-on-japanese-vowels": {"holds"},
        "tkae-second-on-japanese-vowels": {"holds"},
        "competitive-imputation": {"holds"},
        "outperforms-competing-approaches": {"not run"},  # one_class is part of it
    }


def test_what_is_missing_or_changed_is_no_evidence(tmp_path: Path) -> None:
    missing = verdicts(sections(IMPUTATION, tmp_path, without="dae"))
    assert set(missing) > set(ON_IMPUTATION)  # every claim of the paper is named
    assert set().union(*missing.values()) == {"not run"}
    run = run_of(IMPUTATION, tmp_path)
    run.records = {
        cell.key: record(cell) for cell in run.cells if cell.seed < 9
    }  # one seed of each is missing
    assert set().union(*verdicts(sections_of(run)).values()) == {"not run"}
    changed = verdicts(sections([*IMPUTATION, "model.tkae.code_size=3"], tmp_path))
    assert changed["tkae-second-on-japanese-vowels"] == {"not run"}
    assert changed["followed-by-dae"] == {"holds"}  # it does not concern the TKAE


def test_the_summary_counts_every_figure_and_claim_once(tmp_path: Path) -> None:
    made = sections(IMPUTATION, tmp_path, without="dae")
    results = judge(made)
    lines = {(line["experiment"], line["protocol"]): line for line in summary(made, results).long}
    assert set(lines) == {(e, p) for e in ("imputation", "all") for p in ("paper", "authors")}
    for one in made:
        line = lines["imputation", one.protocol]
        kinds = ("reproduced", "better", "worse", "differs", "inconclusive", "not run", "no verdict")
        assert line["results"] == len(one.rows) == sum(line[kind] for kind in kinds) and line["facts"] == 0
        assert line["not run"] == sum(r.entries[0].story["model"] == "dae" for r in one.rows) > 0
        for kind in ("better", "worse", "differs"):
            assert line[kind] == sum(row.verdict == kind for row in one.rows)
        assert line["worse"] + line["differs"] > 0
        assert line["claims"] == line["claim not run"] == len(ON_IMPUTATION)
        every = {**lines["all", one.protocol], "experiment": "imputation"}
        own = {"claims": len(ON_IMPUTATION), "claim not run": len(ON_IMPUTATION)}
        assert line == {**every, **own} and every["claims"] == len(load_claims())


def test_a_budget_with_less_work_is_counted_apart(tmp_path: Path) -> None:
    made = sections([*IMPUTATION, "budget=smoke", "dataset=japanese_vowels"], tmp_path)
    line = summary(made, []).long[0]
    judged = [row for row in made[0].rows if row.verdict]
    assert line["no verdict"] == len(made[0].rows) - len(judged) and "smoke" in summary(made, []).caption


def test_provenance_lists_every_value_once() -> None:
    run = run_of(["experiment=imputation", "dataset=japanese_vowels", "model=mean"], Path("nowhere"))
    for cell in run.cells[:3]:
        run.records[cell.key] = {**record(cell), "environment": {**ENVIRONMENT, "commit": "def"}}
    said = provenance(sections_of(run))
    assert sorted(said["commit"]) == ["abc", "def"] and said["packages"] == ["numpy 2.0"]
    assert said["seeds"] == [str(seed) for seed in range(10)] and "5000 epochs" in said["budget"][0]


def test_one_experiment_under_one_protocol_has_no_report(tmp_path: Path) -> None:
    write_stored(run_of(["experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]"], tmp_path))
    assert {path.name for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".json"} == {
        f"imputation.paper.{ending}" for ending in ("csv", "tex", "md")
    }


def test_the_report_holds_tables_claims_and_how_it_was_made(tmp_path: Path) -> None:
    run = run_of(IMPUTATION, tmp_path)
    write_stored(run)
    text = (tmp_path / "report.md").read_text()
    parts = [(tmp_path / "tables" / f"{name}.md").read_text() for name in IN_ORDER]
    assert all(part in text for part in parts) and parts == sorted(parts, key=text.index)
    tex = (tmp_path / "report.tex").read_text()
    inputs = [rf"\input{{tables/{name}.tex}}" for name in IN_ORDER]
    assert all(one in tex for one in inputs) and inputs == sorted(inputs, key=tex.index)
    weakest = "japanese_vowels locf mse against method=tkae"  # of the evidence alone
    assert weakest in text and escaped(weakest) in tex
    assert "holds (24/24)" in text and "commit: abc" in text
    with (tmp_path / "tables" / "claims.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["claim"] == "tkae-best-on-four-of-five"]
    assert len(rows) == 2 * 24 and {row["part_verdict"] for row in rows} == {"holds"}
    mean = next(row for row in rows if row["part"] == "libras tkae mse against method=mean")
    assert float(mean["median"]) == pytest.approx(-0.8) and float(mean["effect"]) == 1
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    write_stored(run)
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_the_report_compiles_with_tables_and_figures(tmp_path: Path) -> None:
    from tkae.report.drawing import Drawing

    def drawing(experiment, rows, arrays, about):
        return Drawing(f"50 % of a_b. {about}", [{"x": 1}], lambda figure: figure.subplots().plot([1, 2]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tkae.report.section.figure_of", drawing)
        write_stored(run_of(IMPUTATION, tmp_path))
    assert "figures/imputation.paper.png" in (tmp_path / "report.md").read_text()
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    for _ in range(2):  # LaTeX knows of labels that are used twice when it comes again
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "multiply" not in done.stdout and "undefined" not in done.stdout
    for name in ("figures/imputation.authors.pdf", "tables/claims.tex", "tables/summary.tex"):
        assert name in done.stdout.replace("\n", "")
