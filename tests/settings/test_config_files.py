"""Every config file belongs to a registered member, carries its run command, and that command composes."""

from __future__ import annotations

import shlex
from dataclasses import MISSING, Field
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from tkae.fields import settings
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, config_folder, lookup

# On standardised series the mean is 0; who calls the class has series of any kind.
OWN_VALUES = {"mean": {"value": 0.0}, "locf": {"value": 0.0}}
FILES = sorted(path for path in config_folder().rglob("*.yaml") if path.parent != config_folder())


def test_config_files_and_registry_agree() -> None:
    found = {group: {path.stem for path in (config_folder() / group).glob("*.yaml")} for group in GROUPS}
    assert found == {group: set(members) for group, members in GROUPS.items()}
    assert {path.parent.name for path in FILES} == set(GROUPS)


@pytest.mark.parametrize("group", GROUPS)
def test_every_member_is_what_it_is_called(group: str) -> None:
    for name in GROUPS[group]:
        cls = lookup(group, name)
        if group not in ("budget", "protocol"):  # those are values of one class
            assert cls.name == name


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_command_in_a_config_file_composes(path: Path) -> None:
    head = path.read_text(encoding="utf-8").splitlines()[:4]
    commands = [line.lstrip("# ") for line in head if "tkae-run" in line]
    assert len(commands) == 1, f"{path} carries its run command in its first lines"
    words = shlex.split(commands[0].split("tkae-run", 1)[1])
    sweep = "-m" in words
    calls = compose([word for word in words if word not in ("-m",)], sweep=sweep)
    assert calls and all(list(call.pairs()) for call in calls)
    assert any(word == f"{path.parent.name}={path.stem}" for word in words)


def test_protocols_differ_only_in_values() -> None:
    made = {
        name: compose(["experiment=imputation", f"protocol={name}"], False)[0] for name in GROUPS["protocol"]
    }
    assert made["paper"].protocol.scaling == made["clean"].protocol.scaling == "train"
    assert made["authors"].protocol.scaling == "own"
    assert made["authors"].protocol.imputation_split == "train"
    assert made["authors"].dataset("japanese_vowels").stretch is True  # type: ignore[attr-defined]
    assert made["paper"].dataset("japanese_vowels").stretch is False  # type: ignore[attr-defined]
    assert made["clean"].protocol.imputation_entries == "removed"


def default_of(spec: Field[Any]) -> Any:
    return spec.default if spec.default_factory is MISSING else spec.default_factory()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_config_file_describes_every_setting(path: Path) -> None:
    """Whoever opens a file sees all settings, each with a comment, and the values that hold by themselves."""
    group, name = path.parent.name, path.stem
    if group == "experiment":  # reads like the paper's table
        return
    given = OmegaConf.to_container(OmegaConf.load(path))
    assert isinstance(given, dict)
    cls = lookup(group, name)
    said = {key: value for key, value in given.items() if key not in ("_target_", "title")}
    specs = {spec.name for spec in settings(cls)}
    assert set(said) - ({"name"} - specs) == specs
    if group not in ("budget", "protocol"):  # those are values of one class, whose defaults are `paper`
        default = {spec.name: default_of(spec) for spec in settings(cls)}
        assert default | OWN_VALUES.get(name, {}) == {key: said[key] for key in specs}
    elif name == "paper":
        assert cls(**said) == cls()
    for line in path.read_text(encoding="utf-8").splitlines():
        key = line.partition(":")[0]
        if key in specs - {"name", "overrides"}:
            assert " # " in line, f"{path.name}: {key} has no comment"
