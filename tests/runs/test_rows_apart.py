"""Two cells share a row of a table only if they differ in nothing but the seed: over all settings."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.report.made_up import rows_of
from tkae.commands.run import main
from tkae.fields import allowed, identity, settings
from tkae.report.summary import summarise
from tkae.report.tables import experiment_table, setting_text
from tkae.runs.cell import Cell
from tkae.runs.entry import Entry
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, lookup

PARTS = ("experiment", "dataset", "missingness", "model", "protocol")


@pytest.fixture(scope="module")
def cell() -> Cell:
    words = ["experiment=imputation", "dataset=japanese_vowels", "model=tkae", "seeds=1"]
    (made,) = plan(compose(words, sweep=False))
    return made


def another(spec: dataclasses.Field[Any], value: Any) -> Any:
    """A value that the setting may take and does not have."""
    tries: list[Any] = [*spec.metadata.get("one_of", ())]
    if isinstance(value, bool):
        tries.append(not value)
    elif isinstance(value, (int, float)):
        tries += [value + 1, value * (1 + 1e-9), value / 2, value - 1]  # and one that looks much the same
    else:
        tries += [3, 40] if "at_least" in spec.metadata else ["x"]
    return next((new for new in tries if new != value and allowed(spec, new)), None)


def having(cell: Cell, part: str, member: Any) -> Cell:
    """The cell with this in the place of what it has, and the settings that follow from that."""
    other = {key: value for key, value in cell.settings.items() if not key.startswith(f"{part}.")}
    own = {f"{part}.{key}": value for key, value in identity(member).items()}
    return dataclasses.replace(cell, **{part: member}, settings={**other, **own})


def variants(cell: Cell) -> list[Cell]:
    """For each member of each group, and each of its settings, a cell that differs just there.

    They look as a careless command would make them: with titles, axes and changes that tell nothing.
    """
    made = [cell]
    for part in PARTS:
        for name in GROUPS[part]:
            try:
                member = lookup(part, name)()
            except Exception:  # one that has to be told something: a path
                continue
            if part == "protocol":
                member = dataclasses.replace(member, name=name)
            if part == "experiment" and name != cell.experiment.name:
                continue  # they have tables of their own
            for spec in settings(member):
                if not spec.metadata.get("identity", True) or spec.name == "name":
                    continue
                new = {spec.name: another(spec, getattr(member, spec.name))}
                try:
                    made.append(having(cell, part, dataclasses.replace(member, **new)))
                except Exception:  # two settings that do not go together
                    continue
            made.append(having(cell, part, member))
    made += [dataclasses.replace(cell, data={**cell.data, "source": text}) for text in ("a", "b")]
    made += [dataclasses.replace(cell, data={**cell.data, "masks": text}) for text in ("a", "b")]
    made += [dataclasses.replace(cell, holes=text) for text in ("a", "b")]
    made += [dataclasses.replace(cell, series=n, shortened=True) for n in (40, 41)]
    return made


def test_cells_that_differ_in_anything_but_the_seed_never_share_a_row(cell: Cell) -> None:
    by_key = {one.key + one.holes: one for one in variants(cell)}
    assert len(by_key) > 150
    both = [dataclasses.replace(one, seed=seed) for one in by_key.values() for seed in (0, 1)]
    protocols = {one.protocol.name for one in both}
    for protocol in protocols:
        own = [one for one in both if one.protocol.name == protocol]
        done = {"status": "done", "environment": {}, "masks": "drawn here"}
        metrics = {metric.name: 0.5 for metric in cell.experiment.metrics}
        entries = [one.entry({**done, "metrics": metrics}) for one in own]
        rows = [row for row in summarise(entries) if row.metric.name == "mse"]
        assert len(rows) == len(own) / 2 and {row.n for row in rows} == {2}
        # and they can be told apart: in the table for people, and in the CSV file
        table = experiment_table(summarise(entries), cell.experiment, "")
        looks = [tuple(figure.text for figure in line) for block in table.blocks for line in block]
        assert len(looks) == len(rows) == len(set(looks))
        keys = [key for key in table.long[0] if key not in ("mean", "std", "n", "metric")]
        long = [tuple(str(row[key]) for key in keys) for row in table.long if row["metric"] == "mse"]
        assert len(long) == len(set(long))


def test_values_that_differ_never_look_the_same() -> None:
    rng = np.random.default_rng(3)
    values = [*rng.random(200), *(rng.random(200) * 10.0 ** rng.integers(-12, 12, 200)), 0.1, 0.1 + 1e-16]
    values += [np.nextafter(value, 2) for value in values]
    different = {float(value) for value in values}
    assert len({setting_text(value) for value in different}) == len(different)


def test_cells_that_differ_in_the_seed_alone_share_one() -> None:
    words = ["experiment=variable_length", "model=[pca,ae]", "seeds=4"]  # each seed draws its own data
    rows = rows_of(plan(compose(words, sweep=False)))
    assert [row.seeds for row in rows if row.metric.name == "mse"] == [4] * 4


def write(path: Path, level: float) -> Path:
    rng = np.random.default_rng(int(level))
    values = rng.normal(size=(24, 6, 2)) + level * (np.arange(24) % 2)[:, None, None]
    np.savez(path, values=values, labels=[["well", "ill"][i % 2] for i in range(24)])
    return path


def test_two_files_are_two_rows_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = write(tmp_path / "a.npz", 0.1), write(tmp_path / "b.npz", 3.0)
    words = ["-m", "experiment=classification", "dataset=file", f"dataset.path={one},{two}", "model=pca"]
    assert main([*words, "seeds=2", f"results_dir={tmp_path / 'results'}"]) == 0
    said = capsys.readouterr().out
    table = (tmp_path / "results" / "tables" / "classification.paper.csv").read_text()
    for name in ("a.npz", "b.npz"):
        assert sum(name in line for line in said.splitlines()) == 1
        assert sum(line.startswith(f"{name},pca,") for line in table.splitlines()) == 3
    assert "of 4 seeds" not in said


def test_two_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for folder, level in (("x", 0.1), ("y", 3.0)):
        (tmp_path / folder).mkdir()
        paths.append(str(write(tmp_path / folder / "own.npz", level)))
    words = [
        "-m",
        "experiment=classification",
        "dataset=file",
        f"dataset.path={','.join(paths)}",
        "model=pca",
    ]
    assert main([*words, "seeds=2", f"results_dir={tmp_path / 'results'}"]) == 0
    header, *lines = (tmp_path / "results" / "tables" / "classification.paper.csv").read_text().splitlines()
    assert "data.source" in header.split(",")
    assert sum(line.startswith("own.npz,pca,accuracy,") for line in lines) == 2


def test_a_narrower_command_leaves_the_fuller_table(tmp_path: Path) -> None:
    words = ["experiment=imputation", "dataset=japanese_vowels", "seeds=2", f"results_dir={tmp_path}"]
    assert main([*words, "model=[mean,locf,pca]"]) == 0
    full = (tmp_path / "tables" / "imputation.paper.csv").read_bytes()
    assert main([*words, "model=locf", "seeds=1"]) == 0
    assert (tmp_path / "tables" / "imputation.paper.csv").read_bytes() == full
    assert b"locf,mse" in full and b"dae,mse,,,,,0,10," in full  # what the paper prints and nobody ran


def test_a_record_tells_what_its_cell_is_now(tmp_path: Path) -> None:
    """What a user tried becomes a row of ours, as settings become an experiment's own: it is told as such."""
    words = ["experiment=classification", "dataset=japanese_vowels", "seeds=1", f"results_dir={tmp_path}"]
    by_hand = [*words, "model=pca", "model.fill=locf"]

    def told() -> list[tuple[str, list[str]]]:
        return [(entry.story["method"], entry.story["changed"]) for entry in Store(tmp_path).entries()]

    assert main(by_hand) == 0 and told() == [("pca", ["model.fill"])]
    before = next(Store(tmp_path).entries()).record
    assert main([*words, "collect=true"]) == 0 and told() == [("pca_locf", [])]
    assert main(by_hand) == 0 and told() == [("pca_locf", [])]  # of ours it stays
    after = next(Store(tmp_path).entries()).record
    assert before is not None and after is not None and before["metrics"] == after["metrics"]


def test_the_same_seed_twice_in_a_row_is_no_mean(cell: Cell) -> None:
    """Mask files that are called alike and differ: nobody can say which belongs to which run."""
    done = {"status": "done", "environment": {}, "masks": "from a file"}
    twice = [dataclasses.replace(cell, holes="masks/x", data={**cell.data, "masks": m}) for m in ("a", "b")]
    entries: list[Entry] = [
        one.entry({**done, "metrics": {"mse": value}}) for one, value in zip(twice, (0.1, 0.9), strict=True)
    ]
    rows = [row for row in summarise(entries) if row.metric.name == "mse"]
    assert [(row.mean, row.n) for row in rows] == [(0.1, 1), (0.9, 1)]
