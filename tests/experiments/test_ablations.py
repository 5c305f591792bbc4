"""Ablations: cells of other experiments with single changes, beside the unchanged ones."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tkae.commands.run import main
from tkae.errors import UserError
from tkae.runs.cell import Cell
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.settings.ablations import Line
from tkae.settings.compose import compose

HERE = ["experiment=ablations", "dataset=japanese_vowels", "budget=smoke", "seeds=2"]
READINGS = {
    "experiment": "classification",
    "datasets": ["japanese_vowels"],
    "models": ["ae", "tae"],
    "protocols": ["paper"],
}


def cells_of(*words: str, **line: Any) -> list[Cell]:
    """The cells of a line that is made here."""
    base = [f"{group}=[{','.join(READINGS[f'{group}s'])}]" for group in ("dataset", "model")]
    command = compose(["experiment=classification", *base, "budget=smoke", "seeds=1", *words], sweep=False)
    made = Line(name="made", **{**READINGS, **line}).calls(command[0])
    return plan(replace(command, calls=tuple(made)))


def changes(cells: list[Cell]) -> set[tuple[str, ...]]:
    return {(cell.model.name, *(f"{key}={cell.settings[key]}" for key in cell.changed)) for cell in cells}


def test_a_grid_is_all_combinations_of_what_a_model_has_and_its_own_point_once() -> None:
    cells = cells_of(grid={"model": {"memory": ["code", "zero"], "l2": [0.001, 0.5]}})
    assert changes(cells) == {
        ("ae",),
        ("ae", "model.l2=0.5"),
        ("tae",),
        ("tae", "model.l2=0.5"),
        ("tae", "model.memory=zero"),
        ("tae", "model.l2=0.5", "model.memory=zero"),
    }
    assert len(cells) == 6 and {bool(cell.line) for cell in cells if not cell.changed} == {False}


def test_each_is_one_change_at_a_time() -> None:
    cells = cells_of(each={"model": {"l2": [0.5], "tae": {"layers": [1]}}, "protocol": {"scaling": ["own"]}})
    singles = {("l2", "ae"), ("scaling", "ae"), ("l2", "tae"), ("layers", "tae"), ("scaling", "tae")}
    found = {(key.partition(".")[2], cell.model.name) for cell in cells for key in cell.changed}
    assert found == singles and {len(cell.changed) for cell in cells} == {0, 1}


def test_the_cells_are_those_that_a_user_gets_by_the_same_change() -> None:
    (changed,) = [c for c in cells_of(each={"model": {"memory": ["zero"]}}) if c.line]
    words = ["experiment=classification", "dataset=japanese_vowels", "model=tae", "budget=smoke", "seeds=1"]
    (by_hand,) = plan(compose([*words, "model.memory=zero"], sweep=False))
    assert changed.key == by_hand.key and changed.entry().table == "ablations"
    assert by_hand.entry().table == "classification"


def test_a_row_that_an_experiment_has_by_itself_stays_there() -> None:
    """Controls of the experiment may have the settings of a change: they win, in whatever order."""
    words = ["protocol=authors", "budget=smoke", "seeds=1", "dataset=japanese_vowels"]
    control = compose(["experiment=classification", *words], sweep=False)
    (call,) = compose(["experiment=classification", "model=[ae]", *words], sweep=False)
    line = Line(name="made", **{**READINGS, "models": ["ae"]}, each={"model": {"code_size": [40]}})
    for calls in ((*control, *line.calls(call)), (*line.calls(call), *control)):
        cells = plan(replace(control, calls=calls))
        (one,) = [cell for cell in cells if cell.model.name == "ae" and cell.model.code_size == 40]  # type: ignore[attr-defined]
        assert one.control and one.control.name == "ae_40" and not one.line


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"models": ["tea"]}, "unknown model 'tea'"),
        ({"protocols": ["papr"]}, "unknown protocol 'papr'"),
        ({"experiment": "classify"}, "unknown experiment 'classify'"),
        ({"each": {}}, "changes nothing"),
        ({"each": {"modle": {"l2": [1]}}}, "unknown section 'modle'"),
        ({"each": {"model": {"l3": [1]}}}, r"unknown key 'experiment\.grid\.model\.l3'"),
        ({"datsets": []}, r"unknown key 'experiment\.lines\.a\.datsets'"),
    ],
)
def test_a_slip_in_a_line_is_told(change: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import tkae.settings.compose as composing

    given = {"a": {**READINGS, "each": {"model": {"l2": [0.5]}}, **change}}
    monkeypatch.setattr(composing, "lines", lambda _, protocol: made(given, protocol))
    from tkae.settings.ablations import lines as made

    with pytest.raises(UserError, match=said):
        compose(HERE, sweep=False)


def test_a_choice_that_no_line_concerns_is_told() -> None:
    with pytest.raises(UserError, match=r"nothing to run for .*dataset=arabic_digits"):
        compose(["experiment=ablations", "dataset=arabic_digits"], sweep=False)


def test_a_sweep_passes_over_protocols_that_no_line_concerns() -> None:
    """`make reproduce-all` is such a sweep: nothing is changed under `clean`."""
    words = ["experiment=ablations,classification", "protocol=paper,clean", "model=pca", "seeds=1"]
    calls = compose(words, sweep=True)
    assert {(call.protocol.name, call.line is not None) for call in calls} == {
        ("paper", True),
        ("paper", False),
        ("clean", False),
    }
    with pytest.raises(UserError, match=r"nothing to run for .*protocol=clean"):
        compose(["experiment=ablations", "protocol=clean"], sweep=False)


def test_epochs_of_a_config_file_shrink_with_the_budget_and_those_of_a_user_do_not() -> None:
    words = ["experiment=sinusoids", "protocol=authors", "model=tae"]
    epochs = []
    for more in ([], ["budget=quick"], ["budget=smoke"], ["budget=smoke", "model.epochs=30000"]):
        (call,) = compose([*words, *more], sweep=False)
        epochs.append(call.model("sinusoids", "tae").epochs)  # type: ignore[attr-defined]
    assert epochs == [30000, 600, 12, 30000]


def test_the_table_has_the_effect_of_each_change_with_its_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a real run: effects are paired by seed, and a change stands in this table alone."""
    words = ["experiment=ablations", "dataset=sinusoids", "model=pca", "budget=smoke", "seeds=4"]
    assert main([*words, f"results_dir={tmp_path}"]) == 0
    shown = capsys.readouterr().out
    assert "coefficients=uniform" in shown and "gains or loses" in shown
    with (tmp_path / "tables" / "ablations.paper.csv").open() as file:
        rows = {row["change"]: row for row in csv.DictReader(file) if row["metric"] == "mse"}
    entries = list(Store(tmp_path).entries("sinusoids"))
    figures: dict[str, dict[int, float]] = {}
    for entry in entries:
        name = ", ".join(
            f"{k.partition('.')[2]}={entry.story['settings'][k]}" for k in entry.story["changed"]
        )
        figures.setdefault(name, {})[entry.seed] = entry.record["metrics"]["mse"]  # type: ignore[index]
    assert set(rows) == set(figures) - {""} and len(rows) == 3
    for change, row in rows.items():
        differences = [figures[change][seed] - figures[""][seed] for seed in range(4)]
        half = stats.sem(differences) * stats.t.ppf(0.975, 3)
        mean = sum(differences) / 4
        assert math.isclose(float(row["effect"]), mean)
        assert math.isclose(float(row["low"]), mean - half) and math.isclose(float(row["high"]), mean + half)
        assert (row["pairs"], row["paper"], row["budget"]) == ("4", "0.41", "smoke")
    own = (tmp_path / "tables" / "sinusoids.paper.csv").read_text()
    assert "uniform" not in own and own.count("pca,mse") == 1
    assert (tmp_path / "figures" / "ablations.paper.png").stat().st_size > 1000


def test_a_change_that_was_searched_for_says_among_how_many(tmp_path: Path) -> None:
    """What a search found must not pass for a finding."""
    from tests.report.made_up import ENVIRONMENT
    from tkae.report.section import ablations_section

    cells = plan(compose(["experiment=ablations", "dataset=physionet", "model=pca", "seeds=2"], sweep=False))
    found = {"status": "done", "metrics": {"auc": 0.7}, "environment": ENVIRONMENT}
    entries = [cell.entry(found) for cell in cells]
    made = ablations_section(
        [entry for entry in entries if entry.table == "ablations"],
        [entry for entry in entries if entry.table != "ablations"],
        lambda kind, row: {},
    )
    (table,) = made.tables.values()
    assert {row["searched"] for row in table.long} == {261}
    assert any("261 settings" in note for note in table.notes)
    changed = [line[4].text for block in table.blocks for line in block if line[4].text != "–"]
    assert changed and all(text.endswith("*") for text in changed)
