"""Completion by Tab: what comes next is read from the text of the config files; real shells put it in."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tkae.commands.completion import completions
from tkae.commands.run import main
from tkae.settings.registry import GROUPS, forget_folders, settings_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tkae-run experiment=imp", ["experiment=imputation"]),
        ("tkae-run experiment=search_i", ["experiment=search_imputation"]),
        ("tkae-run protocol=", ["protocol=paper", "protocol=authors", "protocol=clean"]),
        ("tkae-run -m model=pca,lo", ["model=pca,locf"]),
        ("tkae-run model=[pca,locf,tka", ["model=[pca,locf,tkae"]),
        ("tkae-run model=[pca,pc", []),  # it is there already
        ("tkae-run +protocol=cl", ["+protocol=clean"]),
        ("tkae-run model=pca model.", ["model.code_size=", "model.fill=", "model.pca."]),
        ("tkae-run model=[pca,mean] model.mean.", ["model.mean.value="]),
        ("tkae-run experiment=imputation model.mea", ["model.mean."]),  # one of its own models
        ("tkae-run experiment=imputation model.ocs", []),  # none of them
        ("tkae-run model=pca ++model.f", ["++model.fill="]),
        ("tkae-run missingness=block missingness.l", ["missingness.length="]),
        ("tkae-run dry_run=", ["dry_run=true", "dry_run=false"]),
        ("tkae-run device=c", ["device=cpu", "device=cuda"]),
        ("tkae-run model=tae model.end_step=", ["model.end_step=true", "model.end_step=false"]),
        ("tkae-run --conf", ["--config-dir"]),
        ("tkae-run --cfg j", ["job"]),
        ("tkae-run --info sear", ["searchpath"]),
        ("tkae-run --cfg job -p mod", ["model"]),
        ("tkae-run -sc install=z", ["install=zsh"]),
        ("tkae-run rubbish=", []),
    ],
)  # fmt: skip
def test_what_can_come_next(line: str, found: list[str]) -> None:
    assert completions(line) == found


@pytest.mark.parametrize("group", ["dataset", "model", "missingness", "budget", "executor", "protocol"])
def test_every_setting_of_every_member_is_offered(group: str) -> None:
    for name in GROUPS[group]:
        wanted = {f"{group}.{key}=" for key in settings_of(group, name) if key != "name"}
        assert wanted == {
            word for word in completions(f"tkae-run {group}={name} {group}.") if word.endswith("=")
        }


def test_a_users_folder_is_known(tmp_path: Path) -> None:
    (tmp_path / "own" / "model").mkdir(parents=True)
    text = "# @package model.mine\n_target_: nowhere.Mine\nwidth: 3\n"
    (tmp_path / "own" / "model" / "mine.yaml").write_text(text)
    try:
        assert completions(f"tkae-run --config-dir {tmp_path}/own model=mi") == ["model=mine"]
        line = f"tkae-run hydra.searchpath=[{tmp_path}/own] model=mine model.w"
        assert completions(line) == ["model.width="]
    finally:
        forget_folders()
    assert completions(f"tkae-run -cd {tmp_path}/o") == [f"{tmp_path}/own/"]
    assert completions(f"tkae-run -cd {tmp_path}/absent dry_run=t") == ["dry_run=true"]


def test_it_is_asked_without_heavy_imports() -> None:
    heavy = ("torch", "sklearn", "pandas", "numpy", "scipy", "hydra", "omegaconf", "numba", "rich", "yaml")
    code = (
        "import sys; from tkae.commands.run import main; main(['-sc', 'query=bash']);"
        f"print('LOADED', [name for name in {heavy!r} if name in sys.modules])"
    )
    environment = {**os.environ, "COMP_LINE": "tkae-run experiment=imputation model."}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "model.tkae." in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize("request_", ["install=tcsh", "install", "bash", "remove=bash"])
def test_another_request_is_refused(request_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-sc", request_]) == 2
    assert "install=SHELL" in capsys.readouterr().err


# What a user types, with Tab for \t, and the line that it becomes.
TYPED = {
    "tkae-run experi\timp\t": "tkae-run experiment=imputation",
    "tkae-run experiment=imputation --cf\tj\t": "tkae-run experiment=imputation --cfg job",
    "tkae-run model=pca model.pca.f\tzero": "tkae-run model=pca model.pca.fill=zero",
    "tkae-run 'model=mean' model.mean.v\t3": "tkae-run model=mean model.mean.value=3",
}
SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], 'eval "$(tkae-run -sc install=bash)"'),
    "zsh": (["-f", "-i"], 'autoload -Uz compinit && compinit -u -D; eval "$(tkae-run -sc install=zsh)"'),
    "fish": (["--no-config", "-i"], "tkae-run -sc install=fish | source"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    options, install = SHELLS[shell]
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "tkae-run"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tkae.commands.run "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "INPUTRC": os.devnull,
    }
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [program, *options], env=environment, pass_fds=[slave], preexec_fn=lambda: os.login_tty(slave)
    )
    os.close(slave)
    try:
        type_into(master, f"{install}; echo rea''dy\n", "ready")
        for typed, wanted in TYPED.items():
            # Then to the start of the line: what was made of it is printed, not run.
            type_into(master, f"{typed}\x01echo made: \x05\n", f"made: {wanted}")
    finally:
        process.kill()
        process.wait()
        os.close(master)


def type_into(master: int, text: str, wanted: str) -> None:
    """Type, and wait until the shell has printed that."""
    os.write(master, text.encode())
    seen, until = "", time.monotonic() + 60
    while wanted not in seen:
        assert time.monotonic() < until, seen
        if select.select([master], [], [], 1.0)[0]:
            seen += os.read(master, 4096).decode(errors="replace")
