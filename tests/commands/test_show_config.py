"""--info and --cfg: what can be chosen, and every setting of a command with its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.settings.registry import GROUPS, config_folder

FEW = ("experiment=imputation", "dataset=libras", "model=[pca,mean]")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert not captured.out and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize("flag", [["--info"], ["-i", "all"], ["--info=all"]])
def test_info_lists_the_members_of_every_group(flag: list[str], capsys) -> None:
    assert printed(capsys, *flag) == [f"{group}: {', '.join(GROUPS[group])}" for group in GROUPS]


def test_info_tells_the_folders_and_what_is_composed(capsys, tmp_path: Path) -> None:
    (tmp_path / "budget").mkdir()
    (tmp_path / "budget" / "tiny.yaml").write_text("_target_: tkae.settings.values.Budget\nname: tiny\n")
    folder = ("--config-dir", str(tmp_path))
    assert printed(capsys, *folder, "--info", "searchpath") == [str(config_folder()), str(tmp_path)]
    lines = printed(capsys, *folder, "--info", "defaults", *FEW, "budget=tiny")
    assert lines[0] == "# experiment=imputation protocol=paper budget=tiny"
    assert "protocol: paper # conf/protocol/paper.yaml" in lines
    assert [line for line in lines if line.startswith("model")] == [
        "model: pca # conf/model/pca.yaml",
        "model: mean # conf/model/mean.yaml",
    ]
    assert f"budget: tiny # {tmp_path / 'budget' / 'tiny.yaml'}" in lines


def test_cfg_tells_where_each_value_comes_from(capsys) -> None:
    lines = printed(
        capsys, "--cfg", "job", *FEW, "model.pca.code_size=3", "protocol.scaling=own", "--resolve"
    )
    assert "  model.code_size: 3 # command line" in lines
    assert "  model.fill: zero # conf/model/pca.yaml" in lines
    assert "  protocol.scaling: own # command line" in lines
    assert any(line.startswith("  missingness: uniform # conf/experiment/imputation.yaml") for line in lines)
    assert "  missingness.rate: 0.5 # experiment=imputation override 1" in lines
    assert "budget.epochs: 5000" in lines and "executor.jobs: null" not in lines
    assert not [
        line for line in lines if line.startswith("  ") and " # " not in line and "model:" not in line
    ]


def test_cfg_tells_what_a_grid_a_control_and_a_protocol_set(capsys) -> None:
    lines = printed(capsys, "--cfg", "job", "-p", "missingness", "experiment=missingness", "model=tae")
    assert "  missingness.rate: 0.1 # experiment=missingness grid" in lines
    words = ("experiment=classification", "dataset=ehr", "-p", "model.pca.fill", "--cfg")
    assert "  model.fill: locf # control pca_locf" in printed(capsys, *words)
    words = (
        "experiment=classification",
        "protocol=authors",
        "dataset=ehr",
        "model=pca",
        "--cfg",
        "job",
        "-p",
    )
    assert any(" # protocol=authors override" in line for line in printed(capsys, *words, "dataset"))


@pytest.mark.parametrize(
    ("package", "found"),
    [
        ("model.pca", {"model.code_size", "model.fill"}),
        ("model.pca.fill", {"model.fill"}),
        ("model.value", {"model.value"}),
        ("missingness.rate", {"missingness.rate"}),
        ("executor", {"executor.jobs"}),
    ],
)
def test_a_package_narrows_it(package: str, found: set[str], capsys) -> None:
    lines = printed(capsys, "--cfg", "job", "-p", package, *FEW, "executor=processes")
    keys = {line.strip().partition(":")[0] for line in lines if not line.startswith("# ")}
    assert keys - {"- dataset", "model"} == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cfg", "hydra"], "--cfg job prints"),
        (["--cfg", "all"], "--cfg job prints"),
        (["--cfg", "job"], "which experiment?"),
        (["--cfg", "job", "-p", "modl", *FEW], "did you mean 'model'"),
        (["--cfg", "job", "-p", "model.locf", *FEW], "this command has nothing of that name"),
        (["-p", "model", *FEW], "add --cfg job"),
        (["--resolve", *FEW], "add --cfg job"),
        (["--info", "plugins"], "executors take the place of launchers"),
        (["--info", "config"], "--cfg job prints"),
        (["--info", "defaults-tree"], "--info defaults"),
        (["--info", "defaults"], "which experiment?"),
        (["--hydra-help"], "docs/hydra.md"),
        (["--experimental-rerun", "x"], "goes on where it stopped"),
        (["-cn", "x"], "--config-dir"),
        (["--config-dir", "/nowhere"], "no such folder"),
        (["hydra.searchpath=[/nowhere]"], "no such folder"),
    ],
)
def test_what_means_nothing_here_says_what_does(words: list[str], told: str, capsys) -> None:
    assert told in refused(capsys, *words)
