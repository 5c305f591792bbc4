"""Doors for guests: what is wrong with a class or file of the user's is one line, and says what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.errors import UserError
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, forget_folders, lookup, named_folders, use_folders

MODULE = """
from dataclasses import dataclass
from typing import ClassVar

from tkae.models.base import Model
from tkae.models.mean import MeanFill


class Plain(MeanFill):
    name: ClassVar[str] = "plain"


@dataclass
class Nothing:
    value: float = 0.0


@dataclass
class Idle(Model):
    name: ClassVar[str] = "idle"


@dataclass
class Whole(MeanFill):
    name: ClassVar[str] = "mine"
    title: ClassVar[str] = "Mine"
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """A user's folder with a module of good and bad models."""
    folder = tmp_path / "own"
    (folder / "model").mkdir(parents=True)
    (folder / "guest_models.py").write_text(MODULE)
    yield folder
    forget_folders()
    sys.modules.pop("guest_models", None)


def offer(own: Path, target: str, name: str = "mine", group: str = "model") -> None:
    (own / group).mkdir(exist_ok=True)
    (own / group / f"{name}.yaml").write_text(f"# @package {group}.{name}\n_target_: {target}\n")


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("absent_module.Mine", "cannot import absent_module of _target_: absent_module.Mine (ModuleNotFound"),
        ("guest_models.Absent", "guest_models has no Absent"),
        ("guest_models.Nothing", "is not a model: derive it from tkae.models.base.Model"),
        ("guest_models.Plain", "is not a dataclass: write @dataclass above it"),
        ("guest_models.Idle", "is not complete: it has to define learn"),
        ("tkae.models.base.Model", "is not complete: it has to define learn"),
        ("tkae.data.missingness.Pattern", "is not a model"),
    ],
)
def test_a_class_that_cannot_be_taken(own: Path, target: str, told: str, capsys) -> None:
    offer(own, target)
    words = [
        "--config-dir",
        str(own),
        "experiment=imputation",
        "dataset=libras",
        "model=mine",
        "dry_run=true",
    ]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tkae-run: model=mine: ") and told in line


def test_a_module_that_ends_itself_is_told_of(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "guest_models.py").write_text("import sys\nsys.exit(3)\n")
    offer(own, "guest_models.Mine")
    assert main(["--config-dir", str(own), "experiment=imputation", "dataset=libras", "model=mine"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot import guest_models" in line and "SystemExit: 3" in line


def test_references_that_stand_for_more_than_memory_holds(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["a0: &a0 [1, 1]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12))]
    offer(own, "guest_models.Mine")
    with (own / "model" / "mine.yaml").open("a") as file:
        file.write("\n".join(lines))
    assert main(["--config-dir", str(own), "experiment=imputation", "dataset=libras", "model=mine"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "mine.yaml: its references stand for more than 100000 values" in line


@pytest.mark.parametrize("group", ["dataset", "missingness", "experiment", "executor"])
def test_a_base_class_is_no_member(own: Path, group: str) -> None:
    bases = {
        "dataset": "tkae.data.sets.generated.Generated",
        "missingness": "tkae.data.missingness.Pattern",
        "experiment": "tkae.experiments.base.Experiment",
        "executor": "tkae.runs.executors.Several",
    }
    offer(own, bases[group], group=group)
    if group == "experiment":
        (own / group / "mine.yaml").write_text(
            f"# @package _global_\nexperiment:\n  _target_: {bases[group]}\n"
        )
    use_folders([str(own)])
    with pytest.raises(UserError, match=f"{group}=mine: .* is not complete: it has to define "):
        lookup(group, "mine")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("_target_: guest_models.Whole\n", "must begin with the line: # @package model.mine"),
        ("# @package model.mine\nvalue: 1\n", "its first key is _target_: MODULE.CLASS"),
        ("# @package model.mine\n_target_: Whole\n", "its first key is _target_: MODULE.CLASS"),
        ("# @package model.mine\n_target_: guest_models.Whole\n value: [\n", "not YAML"),
        ("# @package model.mine\n_target_: guest_models.Whole\nvalu: 1\n", "did you mean 'value'"),
        ("# @package model.mine\n_target_: guest_models.Whole\nvalue: x\n", "it takes a number"),
    ],
)
def test_a_file_that_cannot_be_taken(own: Path, text: str, told: str, capsys) -> None:
    (own / "model" / "mine.yaml").write_text(text)
    words = [
        "--config-dir",
        str(own),
        "experiment=imputation",
        "dataset=libras",
        "model=mine",
        "dry_run=true",
    ]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tkae-run: ") and told in line


def test_a_name_that_is_taken_is_refused(own: Path) -> None:
    offer(own, "guest_models.Whole", name="pca")
    with pytest.raises(UserError, match=r"pca\.yaml: there is a model 'pca' already; rename yours"):
        use_folders([str(own)])


def test_two_folders_may_not_offer_the_same_name(own: Path, tmp_path: Path) -> None:
    offer(own, "guest_models.Whole")
    (tmp_path / "other").mkdir()
    offer(tmp_path / "other", "guest_models.Whole")
    with pytest.raises(UserError, match="there is a model 'mine' already"):
        use_folders([str(own), str(tmp_path / "other")])


@pytest.mark.parametrize("form", ["{}", "file://{}", "pkg://guest_package.conf"])
def test_the_search_path_is_hydras(
    form: str, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder, or a package that is installed with configs in it; its modules are importable anyway."""
    package = tmp_path / "guest_package"
    own.rename(package)
    (package / "conf").mkdir()
    (package / "model").rename(package / "conf" / "model")
    for folder in (package, package / "conf"):
        (folder / "__init__.py").touch()
    offer(package / "conf", "guest_package.guest_models.Whole")
    monkeypatch.syspath_prepend(str(tmp_path))
    place = form.format(package / "conf")
    folders, rest = named_folders(["experiment=imputation", f"hydra.searchpath=[{place}]"])
    assert rest == ["experiment=imputation"]
    use_folders(folders)
    assert list(GROUPS["model"])[-1] == "mine" and lookup("model", "mine").title == "Mine"
    command = compose(["experiment=imputation", "dataset=libras", "model=mine", "model.value=2"], sweep=False)
    assert command[0].setups[0].model.value == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("pkg://absent_package.conf", "there is no such package"),
        ("pkg://tkae.version", "there is no such package"),
        ("https://example.org/conf", "it takes folders"),
        ("/nowhere", "there is no such folder"),
    ],
)
def test_a_place_that_cannot_be_searched(place: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        use_folders(named_folders([f"hydra.searchpath=[{place}]"])[0])


def test_a_users_config_cannot_name_further_folders(own: Path, tmp_path: Path) -> None:
    """Code is loaded from what the command names, and from nowhere else."""
    offer(own, "guest_models.Whole")
    text = "# @package _global_\ndefaults:\n  - override /dataset: [libras]\nhydra:\n  searchpath: [file://OWN]\n"
    text += "experiment:\n  _target_: tkae.experiments.imputation.Imputation\n  name: sly\n"
    (own / "experiment").mkdir()
    (own / "experiment" / "sly.yaml").write_text(text)
    use_folders([str(own)])
    with pytest.raises(UserError) as caught:
        compose(["experiment=sly", "model=mine"], sweep=False)
    assert "searchpath" in str(caught.value) and "\n" not in str(caught.value)


WHOLE = "# @package model.mine\n_target_: guest_models.Whole\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{WHOLE}value: {'[' * 5000}{']' * 5000}\n", "mine.yaml: nested too deeply"),
        (f"{WHOLE}value: {'{a: ' * 800}1{'}' * 800}\n", "mine.yaml: nested too deeply"),
        (f"{WHOLE}value: {'[' * 150}{']' * 150}\n", "nested too deeply"),
        (f"defaults: [mine]\n{WHOLE}", "mine.yaml: stands in its own defaults"),
        (f"defaults: [/model: mine]\n{WHOLE}", "mine.yaml: stands in its own defaults"),
        (f"defaults: 5\n{WHOLE}", "mine.yaml: its defaults take a list of names"),
        (f"defaults: [[1]]\n{WHOLE}", "mine.yaml: its defaults take a list of names"),
        (f"defaults: [{{a: 1, b: 2}}]\n{WHOLE}", "mine.yaml: its defaults take a list of names"),
        (f"defaults: [5: x]\n{WHOLE}", "mine.yaml: its defaults take a list of names"),
        (f"{WHOLE}value: {'9' * 5000}\n", "mine.yaml: cannot be read as a config file (Exceeds the limit"),
        (f"{WHOLE}value: ${{\n", "mine.yaml: cannot be read as a config file"),
        (f"{WHOLE}{'# x' * 40_000}\n", "mine.yaml: too large for a config file: it takes at most 100000"),
    ],
    ids=lambda value: value[:60],
)
def test_a_file_that_hydra_stumbles_over(own: Path, text: str, told: str) -> None:
    """A file that nobody chose is not to blame, and one that is told of is told of in a line."""
    (own / "model" / "also.yaml").write_text(WHOLE.replace("mine", "also"))
    first = "# @package model.mine\n"
    (own / "model" / "mine.yaml").write_text(first + text.replace(first, ""))
    with pytest.raises(UserError) as caught:
        use_folders([str(own)])
        compose(["experiment=imputation", "dataset=libras", "model=mine"], sweep=False)
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_stand_in_the_defaults_of_each_other(own: Path) -> None:
    for name, other in (("mine", "other"), ("other", "mine")):
        text = WHOLE.replace("mine", name)
        (own / "model" / f"{name}.yaml").write_text(f"{text}defaults: [{other}]\n")
    use_folders([str(own)])
    with pytest.raises(UserError, match=r"config file in .*own is nested too deeply, or its defaults lead"):
        compose(["experiment=imputation", "dataset=libras", "model=mine"], sweep=False)


@pytest.mark.parametrize("links", [1, 3, 9, 40])
def test_references_that_refer_to_references(links: int, own: Path) -> None:
    """Few are looked up; those that stand for more than any memory holds are met before they do harm."""
    keys = [f'k{i}: "{f"${{.k{i - 1}}}" * (10 if links > 3 else 2)}"\n' for i in range(1, links + 1)]
    (own / "model" / "mine.yaml").write_text(f"{WHOLE}k0: x\n{''.join(keys)}")
    told = (
        "unknown key 'model.mine.k0'" if links <= 3 else r"mine.yaml: its references \$\{\.\.\.\} stand for"
    )
    with pytest.raises(UserError, match=told):
        use_folders([str(own)])
        compose(["experiment=imputation", "dataset=libras", "model=mine"], sweep=False)


def test_many_references_that_lead_to_little_are_no_harm(own: Path) -> None:
    keys = [f'k{i}: "${{.k0}} ${{model.mine.k0}} ${{oc.select:model.mine.k0}}"\n' for i in range(1, 200)]
    (own / "model" / "mine.yaml").write_text(f"{WHOLE}k0: x\n{''.join(keys)}")
    with pytest.raises(UserError, match=r"unknown key 'model\.mine\.k0'"):
        use_folders([str(own)])
        compose(["experiment=imputation", "dataset=libras", "model=mine"], sweep=False)


def test_a_value_may_be_looked_up(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_MINE", "2")
    (own / "model" / "mine.yaml").write_text(f"{WHOLE}value: ${{oc.decode:${{oc.env:OF_MINE}}}}\n")
    use_folders([str(own)])
    command = compose(["experiment=imputation", "dataset=libras", "model=mine"], sweep=False)
    assert command[0].setups[0].model.value == 2  # type: ignore[attr-defined]


def test_an_override_that_is_not_the_last_of_the_defaults_is_one_line(own: Path) -> None:
    (own / "experiment").mkdir()
    text = "# @package _global_\ndefaults:\n  - override /dataset: [libras, ehr]\n  - after\n"
    text += "experiment:\n  _target_: tkae.experiments.imputation.Imputation\n  name: odd\n"
    (own / "experiment" / "odd.yaml").write_text(text)
    use_folders([str(own)])
    with pytest.raises(UserError, match=r"odd\.yaml: in its defaults all .* have to stand last"):
        compose(["experiment=odd", "dataset=libras", "model=pca"], sweep=False)
