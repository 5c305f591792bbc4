"""tkae-run as a user calls it: exit codes, one-line errors, narrowing, sweeps, resuming."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tkae.commands.run import main


def run(tmp_path: Path, *words: str) -> int:
    return main([*words, "dataset=japanese_vowels", f"results_dir={tmp_path}"])


FEW = ("experiment=imputation", "model=[mean,locf,pca]")


def table(tmp_path: Path, name: str = "imputation.paper") -> list[dict[str, str]]:
    with (tmp_path / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def computed(tmp_path: Path, name: str = "imputation.paper") -> list[dict[str, str]]:
    """Without the rows that the paper prints and nobody has run."""
    return [row for row in table(tmp_path, name) if row["n"] != "0" or row["failed"] != "0"]


def test_without_arguments_it_lists_every_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    from tkae.settings.registry import GROUPS

    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in GROUPS["experiment"]:
        assert sum(line.split()[0] == name for line in lines[1:]) == 1


def test_help_imports_nothing_heavy() -> None:
    heavy = ("torch", "sklearn", "pandas", "numpy", "scipy", "hydra", "omegaconf", "numba", "rich")
    code = (
        "import sys; from tkae.commands.run import main; main(['--help']);"
        f"print('LOADED', [name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "usage: tkae-run" in done.stdout
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["experiment=imputaton"], ["imputaton", "did you mean 'imputation'", "classification"]),
        (["experiment=imputation", "model=pcaa"], ["pcaa", "did you mean 'pca'", "locf"]),
        (["experiment=imputation", "modle=pca"], ["modle", "did you mean 'model'"]),
        (
            ["experiment=imputation", "missingness.rat=0.1"],
            ["missingness.rat", "did you mean 'rate'", "seed"],
        ),
        (["experiment=imputation", "+missingness.rat=0.1"], ["missingness.rat", "did you mean 'rate'"]),
        (["experiment=imputation", "++foo.bar=1"], ["foo.bar"]),
        (["experiment=imputation", "+sedes=3"], ["sedes", "did you mean 'seeds'"]),
        (["experiment=imputation", "missingness.rate=abc"], ["missingness.rate=abc", "a number from 0 to 1"]),
        (["experiment=imputation", "missingness.rate=1.5"], ["missingness.rate=1.5", "a number from 0 to 1"]),
        (["experiment=imputation", "missingness.rate=nan"], ["missingness.rate", "a number from 0 to 1"]),
        (
            ["experiment=imputation", "model.pca.fill=zeros"],
            ["model.pca.fill", "did you mean 'zero'", "locf"],
        ),
        (["experiment=imputation", "model.code_sze=2"], ["model.code_sze", "did you mean 'code_size'"]),
        (["experiment=imputation", "model=mean", "model.pca.fill=zero"], ["pca is not part of this run"]),
        (["experiment=imputation", "protocol.scaling=test"], ["protocol.scaling", "train, own"]),
        (["experiment=imputation", "budget.epochs=0"], ["budget.epochs=0", "from 1 to"]),
        (["experiment=imputation", "executor=threads"], ["threads", "serial, processes, dask, slurm"]),
        (["experiment=imputation", "seeds=0"], ["seeds=0", "from 1 to"]),
        (["experiment=imputation", "seeds=[2,2]"], ["seeds=[2, 2]", "different"]),
        (["experiment=imputation", "seeds=true"], ["seeds=True"]),
        (["experiment=imputation", "model=pca,locf"], ["add -m", "model=[...]"]),
        (["experiment=imputation", "dry_run=maybe"], ["dry_run=maybe", "true or false"]),
        (["experiment=imputation", "~missingness"], ["cannot be deleted"]),
        (["experiment=imputation", "missingness.name=block"], ["missingness=block"]),
        (["experiment=imputation", "missingness=file"], ["missingness.path"]),
        (["experiment=imputation", "dataset=[]"], ["at least one dataset"]),
        (["experiment=imputation", "dataset=file"], ["dataset.path=FILE"]),
        (
            ["experiment=imputation", "dataset=file", "dataset.path=absent.csv"],
            ["absent.csv", "No such file"],
        ),
        (
            ["experiment=imputation", "missingness=file", "missingness.path=absent"],
            ["absent", "no such mask"],
        ),
        (["experiment=imputation", "dataset=ode", "dataset.shortest=100"], ["shortest=100", "steps=90"]),
        (["experiment=imputation", "dataset=ode", "dataset.duration=0"], ["duration=0", "above 0"]),
        (
            ["experiment=classification", "dataset=ehr", "missingness.rate=0.5"],
            ["no effect", "add missingness=uniform"],
        ),
        (
            ["experiment=imputation", "experiment.overrides=[{when:{dataset:ehrr}}]"],
            ["ehrr", "did you mean 'ehr'"],
        ),
        (
            [
                "experiment=imputation",
                "dataset=libras",
                "experiment.overrides=[{when:{model:pca},set:{model.code_siz:3}}]",
            ],
            ["model.code_siz", "did you mean 'code_size'"],
        ),
        (["experiment=imputation", "protocol.overrides=[{when:{dataset:libra}}]"], ["did you mean 'libras'"]),
        (["experiment=imputation", "data.mirror=/nowhere"], ["/nowhere", "no such folder"]),
        (["experiment=classification", "model=locf"], ["locf cannot encode"]),
        (["experiment=imputation", "hydra.run.dir=x"], ["hydra.run.dir"]),
        (["experiment=imputation", "rubbish"], ["rubbish", "key=value"]),
        (["-m", "experiment=imputation", "executor.jobs=1,2"], ["cannot be swept"]),
        (["missingness.rate=0.1"], ["which experiment"]),
        (["--frobnicate"], ["--frobnicate"]),
    ],
)
def test_a_mistake_is_one_line_before_anything_runs(
    words: list[str], said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("tkae-run: ") and not captured.out
    for part in said:
        assert part in lines[0]
    assert list(tmp_path.iterdir()) == []


def test_narrowing_seeds_and_the_long_table(tmp_path: Path) -> None:
    assert run(tmp_path, "experiment=imputation", "model=[pca,mean]", "seeds=[0,5]") == 0
    rows = computed(tmp_path)
    head = [
        "dataset",
        "method",
        "metric",
        "mean",
        "std",
        "series_low",
        "series_high",
        "n",
        "seeds",
        "failed",
        "ours",
        "paper",
        "paper_std",
        "verdict",
    ]
    assert list(rows[0]) == head
    assert {row["method"] for row in rows} == {"pca", "mean"}
    assert {row["n"] for row in rows} == {"2"}
    records = [json.loads(path.read_text())["record"] for path in tmp_path.rglob("records/**/*.json")]
    seeds = [record["identity"]["seed"] for record in records]
    assert sorted(seeds) == [0, 0, 5, 5]
    printed = {(row["method"], row["metric"]): row for row in rows}
    assert (
        printed["mean", "mse"]["paper"] == "0.502" and printed["mean", "mse"]["verdict"] == "not run"
    )  # 2 of 10
    assert printed["pca", "mse"]["paper"] == "" and printed["pca", "mse"]["verdict"] == ""


def test_the_second_call_only_writes_tables_and_says_so(tmp_path: Path, capsys) -> None:
    words = (*FEW, "seeds=2")
    assert run(tmp_path, *words) == 0
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("records/**/*.json")}
    first = (tmp_path / "tables" / "imputation.paper.csv").read_bytes()
    capsys.readouterr()
    assert run(tmp_path, *words) == 0
    assert (
        "6 of 6 cells are stored: nothing to compute, only the tables are written" in capsys.readouterr().err
    )
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("records/**/*.json")} == stamps
    assert (tmp_path / "tables" / "imputation.paper.csv").read_bytes() == first


def test_force_computes_again_to_the_same_numbers(tmp_path: Path) -> None:
    words = ("experiment=classification", "model=pca", "seeds=2")
    run(tmp_path, *words)
    before = {path: path.read_text() for path in tmp_path.rglob("records/**/*.json")}
    assert run(tmp_path, *words, "force=true") == 0
    for path, text in before.items():
        assert path.read_text() != text  # timings differ
        assert json.loads(path.read_text())["record"]["metrics"] == json.loads(text)["record"]["metrics"]


def test_a_sweep_ends_in_one_table_and_meets_the_cells_of_single_runs(tmp_path: Path, capsys) -> None:
    assert run(tmp_path, "experiment=imputation", "model=locf", "missingness.rate=0.9", "seeds=2") == 0
    capsys.readouterr()
    sweep = ("-m", "experiment=imputation", "model=pca,locf", "missingness.rate=0.1,0.5,0.9", "seeds=2")
    assert run(tmp_path, *sweep) == 0
    assert "12 cells: 2 stored, 10 to compute" in capsys.readouterr().err
    rows = computed(tmp_path)
    assert {(row["method"], row["missingness.rate"]) for row in rows} == {
        (method, rate) for method in ("pca", "locf") for rate in ("0.1", "0.5", "0.9")
    }
    # The paper's number stands only beside the paper's own rate.
    assert {row["missingness.rate"] for row in rows if row["paper"]} == {"0.5"}


def test_collect_shows_what_is_missing_as_missing(tmp_path: Path, capsys) -> None:
    run(tmp_path, "experiment=imputation", "model=mean", "seeds=1")
    assert run(tmp_path, "experiment=imputation", "model=[mean,locf]", "seeds=2", "collect=true") == 0
    here = [row for row in table(tmp_path) if row["dataset"] == "japanese_vowels"]
    rows = {(row["method"], row["metric"]): row for row in here}
    assert (rows["mean", "mse"]["n"], rows["mean", "mse"]["seeds"]) == ("1", "10")  # as the budget has
    assert rows["mean", "mse"]["verdict"] == "not run"
    assert (rows["locf", "mse"]["n"], rows["locf", "mse"]["mean"]) == ("0", "")
    captured = capsys.readouterr()
    assert "missing" in captured.out and "(1 of 2 seeds)" in captured.out
    assert "1 of 4 cells are stored" in captured.err and "failed" not in captured.err


def test_dry_run_prints_counts_and_writes_nothing(tmp_path: Path, capsys) -> None:
    assert run(tmp_path / "new", *FEW, "dry_run=true") == 0
    out = capsys.readouterr().out
    assert "30 cells: 0 stored, 30 to compute" in out and not (tmp_path / "new").exists()
    run(tmp_path, *FEW, "seeds=2")
    capsys.readouterr()
    assert run(tmp_path, *FEW, "seeds=3", "dry_run=true") == 0
    assert "9 cells: 6 stored, 3 to compute; about 0:0" in capsys.readouterr().out


def test_failed_cells_are_listed_shown_and_tried_again(tmp_path: Path, monkeypatch, capsys) -> None:
    from tkae.models.pca import PCA

    def broken(self: PCA, train: object, seed: int = 0) -> PCA:
        if seed == 1:
            raise ValueError("no luck")
        return whole(self, train, seed)  # type: ignore[arg-type]

    whole = PCA.learn
    monkeypatch.setattr(PCA, "learn", broken)
    words = ("experiment=classification", "model=pca", "seeds=3")
    assert run(tmp_path, *words) == 1
    captured = capsys.readouterr()
    assert "failed: classification.paper japanese_vowels pca seed 1: ValueError: no luck" in captured.err
    row = computed(tmp_path, "classification.paper")[0]
    assert (row["n"], row["seeds"], row["failed"], row["verdict"]) == ("2", "10", "1", "not run")
    monkeypatch.setattr(PCA, "learn", whole)
    assert run(tmp_path, *words) == 0
    assert "3 cells: 2 stored, 1 to compute" in capsys.readouterr().err
    assert computed(tmp_path, "classification.paper")[0]["n"] == "3"


def test_no_run_writes_into_the_reference(tmp_path: Path, capsys) -> None:
    (tmp_path / ".reference").touch()
    assert run(tmp_path / "deeper", "experiment=imputation") == 2
    assert "reference" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [".reference"]


def test_values_of_one_member_and_of_all_that_have_them(tmp_path: Path) -> None:
    from tkae.settings.compose import compose

    (call,) = compose(["experiment=imputation", "model.code_size=3", "model.mean.value=1"], sweep=False)
    assert call.model("japanese_vowels", "pca").code_size == 3  # type: ignore[attr-defined]
    assert call.model("japanese_vowels", "mean").value == 1.0  # type: ignore[attr-defined]
    assert call.model("japanese_vowels", "locf").value == 0.0  # type: ignore[attr-defined]
    changed = {(setup.dataset.name, setup.model.name): setup.changed for setup in call.setups}
    assert changed["japanese_vowels", "pca"] == ("model.code_size",)
    assert changed["japanese_vowels", "locf"] == ()


def test_experiment_and_protocol_settings_come_before_the_users() -> None:
    from tkae.settings.compose import compose

    words = ["experiment=classification", "experiment.overrides=[{when:{model:pca},set:{model.code_size:4}}]"]
    call = compose(words, sweep=False)[0]
    assert call.model("japanese_vowels", "pca").code_size == 4  # type: ignore[attr-defined]
    everywhere = "protocol.overrides=[{set:{model.fill:locf}}]"
    model = compose([*words, everywhere], sweep=False)[0].model("japanese_vowels", "pca")
    assert model.fill == "locf" and model.code_size == 4  # type: ignore[attr-defined]
    call = compose([*words, "model.code_size=5"], sweep=False)[0]
    assert call.model("japanese_vowels", "pca").code_size == 5  # type: ignore[attr-defined]


def test_a_results_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys) -> None:
    (tmp_path / "file").write_text("")
    words = ["experiment=imputation", "dataset=japanese_vowels", "model=mean", "seeds=1"]
    assert main([*words, f"results_dir={tmp_path / 'file' / 'below'}"]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("tkae-run: cannot write") and "another folder" in said


def test_a_reason_that_many_cells_share_is_said_once_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tkae.models.pca import PCA

    def broken(*_: object) -> None:
        raise ValueError("no luck")

    monkeypatch.setattr(PCA, "learn", broken)
    assert run(tmp_path, "experiment=classification", "model=pca", "seeds=4") == 1
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("failed:")]
    assert len(said) == 2 and "seed 0:" in said[0] and "seed 0, 1, 2, 3:" in said[1]
