"""Which class stands behind each member of each config group: the `_target_` of its config file.

The groups are the folders of conf/, and of the folders that the user names (`--config-dir`), which lie on the
import path as well. A class is imported only when it is used, and only from what these files name.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tkae.errors import UserError, unknown
from tkae.fields import settings
from tkae.settings.files import loaded, text_of
from tkae.settings.presets import preset

# What a member is a kind of; budgets and protocols are values of one class.
BASES = {
    "experiment": "tkae.experiments.base.Experiment",
    "dataset": "tkae.data.dataset.Dataset",
    "missingness": "tkae.data.missingness.Missingness",
    "model": "tkae.models.base.Model",
    "budget": "tkae.settings.values.Budget",
    "executor": "tkae.runs.executors.Executor",
    "protocol": "tkae.protocol.Protocol",
}
VALUES = ("budget", "protocol")

# The order of lists and of table rows that the paper does not have; other members come after, by name.
ORDER = {
    "experiment": "imputation classification missingness alignment_weight l2_weight kernel_matrices "
    "ehr_density one_class datasets sinusoids variable_length many_variates long_series ablations "
    "search_classification search_imputation",
    "dataset": "japanese_vowels ecg5000 ecg2 libras wafer arabic_digits auslan ehr physionet sinusoids ode "
    "ode_fix ode_var ode5 ode10 ode15 ode20 file",
    "missingness": "none uniform block mar file",
    "model": "mean locf pca tck tck_kpca ae ae_tied dae encdec_ad tae tkae ocsvm iforest mask mask_logistic "
    "count_logistic none",
    "budget": "paper quick smoke search",
    "executor": "serial processes dask slurm",
    "protocol": "paper authors clean",
}

# One word for several experiments: `experiment=search` runs both.
SUITES: dict[str, tuple[str, ...]] = {"search": ("search_classification", "search_imputation")}

# Where Hydra puts what a file says: several models and datasets stand side by side.
_PACKAGES = {"experiment": "_global_", "dataset": "dataset.{name}", "model": "model.{name}"}
_TARGET = re.compile(r"""^ *_target_: *["']?([\w.]+)["']? *(?:#.*)?$""", re.MULTILINE)
_added: list[Path] = []  # the user's folders


def config_folder() -> Path:
    """conf/: inside the package in an installed wheel, beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "conf"
    return inside if inside.is_dir() else package.parent / "conf"


def added_folders() -> tuple[Path, ...]:
    """The folders that the user named, in their order."""
    return tuple(_added)


def named_folders(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The folders of `hydra.searchpath=[DIR]`, and the other words."""
    folders, rest = [], []
    for word in words:
        key, _, value = word.lstrip("+").partition("=")
        if key == "hydra.searchpath":
            folders += [_place(place.strip(" \"'")) for place in value.strip("[]").split(",")]
        else:
            rest.append(word)
    return folders, rest


def _place(written: str) -> str:
    """The folder of a path, of `file://PATH`, or of `pkg://PACKAGE`, a package that is installed."""
    kind, url, place = written.rpartition("://")
    if not url or kind == "file":
        return place
    if kind != "pkg":
        raise UserError(f"hydra.searchpath={written}: it takes folders, file://PATH and pkg://PACKAGE")
    try:
        found = find_spec(place)
    except ImportError:
        found = None
    if found is None or not found.submodule_search_locations:
        raise UserError(f"hydra.searchpath={written}: there is no such package")
    return next(iter(found.submodule_search_locations))


def use_folders(folders: Sequence[str]) -> None:
    """Look for members in these folders, too, and for their modules: here and in worker processes."""
    for text in folders:
        folder = Path(os.path.realpath(os.path.expanduser(text)))
        if not folder.is_dir():
            raise UserError(f"--config-dir {text}: there is no such folder")
        if not any((folder / group).is_dir() for group in BASES):
            raise UserError(
                f"--config-dir {text} holds no configs: it takes a folder laid out as conf/, with "
                f"{', '.join(f'{group}/' for group in BASES)} (some of them)"
            )
        if folder in _added:
            continue
        _added.append(folder)
        sys.path.append(str(folder))  # last: a module there cannot take the place of another
        paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join([*paths, str(folder)])
        importlib.invalidate_caches()
    _members.cache_clear()
    for group in BASES:
        _members(group)


def forget_folders() -> None:
    """Only the built-in members again: a command that comes after in the same process has its own folders."""
    for folder in _added:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path != str(folder))
    _added.clear()
    _members.cache_clear()
    lookup.cache_clear()
    settings_of.cache_clear()
    shown_file.cache_clear()


class Groups(Mapping[str, Mapping[str, str]]):
    """Group -> member -> the dotted path of its class, as the config files have them now."""

    def __getitem__(self, group: str) -> Mapping[str, str]:
        if group not in BASES:
            raise KeyError(group)
        return _members(group)

    def __iter__(self) -> Iterator[str]:
        return iter(BASES)

    def __len__(self) -> int:
        return len(BASES)


GROUPS = Groups()


@cache
def _members(group: str) -> Mapping[str, str]:
    order = ORDER[group].split()
    own = _read(config_folder() / group)
    members = {name: own[name] for name in [*order, *sorted(own)] if name in own}
    for folder in _added:
        for name, target in _read(folder / group).items():
            if name in members:
                raise UserError(
                    f"{folder / group / name}.yaml: there is a {group} '{name}' already; rename yours"
                )
            members[name] = target
    return members


def _read(folder: Path) -> dict[str, str]:
    """The members of a folder; a look at the text is enough, and much quicker than a parser."""
    found = {}
    for path in sorted(path for path in folder.glob("*.yaml") if path.is_file()):
        text = text_of(path, ours=folder not in [added / folder.name for added in _added])
        package = _PACKAGES.get(folder.name, "").format(name=path.stem)
        if package and not text.startswith(f"# @package {package}\n"):
            raise UserError(f"{path} must begin with the line: # @package {package}")
        match = _TARGET.search(text)
        if match is None or "." not in match[1]:
            raise UserError(
                f"{path} does not say what it configures: its first key is _target_: MODULE.CLASS, "
                f"such as _target_: {BASES[folder.name]}"
            )
        found[path.stem] = match[1]
    return found


@cache
def lookup(group: str, name: str) -> Any:
    """The class of a member, or the sentence that names those there are, or says why it is none."""
    members = GROUPS[group]
    if name not in members:
        raise unknown(group, name, members)
    target = members[name]
    cls = _imported(target, f"{group}={name}")
    base = _imported(BASES[group], group)
    if not (isinstance(cls, type) and issubclass(cls, base)):
        raise UserError(f"{group}={name}: {target} is not a {group}: derive it from {BASES[group]}")
    lacking = sorted(getattr(cls, "__abstractmethods__", ()))
    if lacking:
        raise UserError(f"{group}={name}: {target} is not complete: it has to define {', '.join(lacking)}")
    if not is_dataclass(cls) or "__dataclass_fields__" not in vars(cls):
        raise UserError(f"{group}={name}: {target} is not a dataclass: write @dataclass above it")
    return cls if group in VALUES or _called(cls) == name else _preset(group, name, cls)


def _called(cls: type) -> str:
    """The name that a class has by itself, if it has one."""
    return str(getattr(cls, "name", ""))


def _preset(group: str, name: str, cls: type) -> type:
    """The class under the name of its config file, with the values that the file has."""
    given = loaded(config_file(group, name))
    if group == "experiment":  # whose values stand under its key, and are laid over it when it is composed
        return preset(cls, name, str(given[group].get("title", name)), {}, group)
    title = str(given.get("title", name))
    values = {key: value for key, value in given.items() if key not in ("_target_", "name", "title")}
    return preset(cls, name, title, values, f"{group}.{name}")


def config_file(group: str, name: str) -> Path:
    """The file of a member, in conf/ or in a folder of the user's."""
    files = (folder / group / f"{name}.yaml" for folder in (config_folder(), *_added))
    return next(file for file in files if file.is_file())


@cache
def shown_file(group: str, name: str) -> str:
    """The same for people: `conf/model/pca.yaml`, or the whole path of a user's file."""
    file = config_file(group, name)
    return f"conf/{group}/{name}.yaml" if file.is_relative_to(config_folder()) else str(file)


def _imported(target: str, whose: str) -> Any:
    module, _, attribute = target.rpartition(".")
    try:
        found = import_module(module)
    except UserError:  # which says what to do
        raise
    except (Exception, SystemExit) as error:  # whatever a user's module raises: a script ends itself
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(f"{whose}: cannot import {module} of _target_: {target} ({reason})") from error
    try:
        return getattr(found, attribute)
    except Exception as error:  # a module may have a __getattr__ of its own
        reason = "" if isinstance(error, AttributeError) else f" ({type(error).__name__}: {error})"
        reason = " ".join(f"{attribute}, which _target_: {target} names{reason}".split())
        raise UserError(f"{whose}: {module} has no {reason}") from error


@cache
def settings_of(group: str, name: str) -> list[str]:
    """The names of a member's settings."""
    return [spec.name for spec in settings(lookup(group, name))]
