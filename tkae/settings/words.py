"""The words of a command: read by Hydra's grammar, sweeps multiplied out, every key checked.

A word chooses a member (`model=pca`) or sets a value (`missingness.rate=0.3`). What Hydra has and
this suite has not is refused with the sentence that says what does the same here.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from tkae.errors import UserError, nearest, unknown
from tkae.settings.registry import GROUPS, SUITES, lookup, settings_of
from tkae.settings.values import MOST_CALLS, Options

SECTIONS = ("data", *GROUPS)
OPTIONS = tuple(spec.name for spec in fields(Options))
# What holds for a whole command, swept or not.
FIXED = ("executor", "data", *(key for key in OPTIONS if key != "seeds"))
LONGEST = 20_000  # characters of a word: parsing takes a second for so many

# Settings of Hydra's own, by the start of their keys (a group's `/` is written as a dot).
INSTEAD = {
    "hydra.launcher": "executor=processes executor.jobs=N, executor=dask or executor=slurm has many workers",
    "hydra.sweeper": "-m sweeps every combination, and experiment.grid is a sweep of an experiment's own",
    "hydra.run": "results_dir=DIR says where records and tables go",
    "hydra.sweep": "results_dir=DIR says where records and tables go",
    "hydra.output_subdir": "each record keeps its settings, and --cfg job prints them",
    "hydra.verbose": "progress is written to stderr, and dry_run=true prints the plan",
    "hydra.job_logging": "progress is written to stderr: add 2>FILE to keep it",
    "hydra.hydra_logging": "progress is written to stderr: add 2>FILE to keep it",
    "hydra.job": "a command runs in the folder where it is called, and results_dir=DIR says where results go",
    "hydra.mode": "-m sweeps, and a command without it is one run",
    "hydra.callbacks": "a class of your own can do it: docs/extending.md",
    "hydra.help": "tkae-run --help is all there is",
}


@dataclass(frozen=True)
class Word:
    """One override of the command line: a group's choice, or a key and its value."""

    key: str
    value: Any
    text: str

    @property
    def chooses(self) -> bool:
        return self.key in GROUPS


def jobs(words: Sequence[str], sweep: bool) -> list[list[Word]]:
    """Every combination of the values that are swept; one, if none are."""
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parser = OverridesParser.create()
    overrides = [_read(parser, words, place) for place in range(len(words))]
    given = {str(override.key_or_group) for override in overrides}
    experiments = [word.rpartition("=")[2] for word in words if word.lstrip("+").startswith("experiment=")]
    chosen = [name for name in experiments if name in GROUPS["experiment"]]
    sweeps: list[list[Word]] = []
    for text, override in zip(words, overrides, strict=True):
        key = str(override.key_or_group)
        if override.is_delete():
            raise UserError(f"'{text}': a key cannot be deleted; set it to null where null is allowed")
        if override.package is not None:
            value = text.partition("=")[2]
            raise UserError(f"'{text}': a group has no package here; write {key}={value}")
        if override.is_sweep_override():
            _check_sweep(override, key, text, sweep)
            values = list(
                _swept(parser, override, key, text, partial(_fits, experiments=chosen, given=given))
            )
        else:
            values = [override.value()]
        for value in values:
            _refuse_references(value, text)
        if key == "experiment":
            values = [part for value in values for part in SUITES.get(str(value), (value,))]
        sweeps.append([Word(key, value, text) for value in values])
    many = math.prod(map(len, sweeps))
    if many > MOST_CALLS:
        raise UserError(f"this sweep has {many} combinations; a command takes at most {MOST_CALLS}")
    for word in itertools.chain(*sweeps):
        _check_key(word)
    return [list(job) for job in itertools.product(*sweeps)]


def _read(parser: Any, words: Sequence[str], place: int) -> Any:
    """One word as Hydra reads it; `~/` at the start of a value is the home folder."""
    from hydra.errors import HydraException

    text = words[place]
    if len(text) > LONGEST:
        raise UserError(f"'{text[:40]}...' has {len(text)} characters; a word has at most {LONGEST}")
    key, equals, value = text.partition("=")
    if value.startswith("~/"):
        value = os.path.expanduser(value)
    try:
        (override,) = parser.parse_overrides([f"{key}{equals}{value}"])
    except HydraException:
        raise UserError(f"'{text}' cannot be read: {_quoting(words, place)}") from None
    except RecursionError:
        raise UserError(f"'{text[:40]}...' is nested too deeply") from None
    return override


def _quoting(words: Sequence[str], place: int) -> str:
    """How to write a word so that the shell and Hydra's grammar leave it whole."""
    key, equals, value = words[place].partition("=")
    if equals and value:
        marks = value.replace("'", "\\'")
        return (
            "a value with = ~ ' \" , ( ) [ ] { } # or a letter beyond a to z takes two pairs of quotes: "
            f"\"{key}='{marks}'\""
        )
    before = words[place - 1] if place else ""
    if not equals and "=" in before:
        return f"it takes key=value; if it belongs to the word before it, quote both: '{before} {key}'"
    return "it takes key=value"


def _check_sweep(override: Any, key: str, text: str, sweep: bool) -> None:
    if override.is_interval_sweep():
        raise UserError(
            f"'{text}': an interval has no single values, and nothing here searches in one; write "
            f"{key}=range(START,STOP,STEP) or {key}=choice(A,B), or see tkae-run experiment=search"
        )
    if not sweep:
        raise UserError(
            f"'{text}' gives several values: add -m to run each, write {key}=[...] for a list, or quote what "
            f"is one value: \"{key}='...'\""
        )
    if key.split(".")[0] in FIXED:
        raise UserError(f"'{text}': {key} cannot be swept, it is one for the whole command")


def _swept(
    parser: Any, override: Any, key: str, text: str, fits: Callable[[str, str], bool]
) -> Iterator[Any]:
    """The values of a sweep; of a glob, the members that it matches and that fit the experiment."""
    from hydra.core.override_parser.types import Glob, RangeSweep

    glob = override.value()
    if isinstance(glob, RangeSweep):
        yield from _range(override, text)
        return
    if not isinstance(glob, Glob):
        written = list(override.sweep_string_iterator())
        if not written:
            raise UserError(f"'{text}' has no values to sweep")
        for single in parser.parse_overrides([f"{key}={value}" for value in written]):
            yield single.value()
        return
    if key not in GROUPS:
        raise UserError(f"'{text}': glob chooses among the members of a group ({', '.join(GROUPS)})")
    matching = glob.filter(list(GROUPS[key]))
    fitting = [name for name in matching if fits(key, name)]
    if matching and not fitting:
        raise UserError(f"'{text}': none of {', '.join(matching)} fits this experiment")
    if not matching:
        raise UserError(f"'{text}' matches none of {', '.join(GROUPS[key])}")
    yield from fitting


def _range(override: Any, text: str) -> list[Any]:
    """The numbers of a range, which are counted before they are made: shuffling makes them all."""
    sweep = override.value()
    many = (sweep.stop - sweep.start) / sweep.step if sweep.step else math.inf
    if not 0 < many <= MOST_CALLS:
        raise UserError(f"'{text}' has {max(many, 0):.0f} values; a sweep takes 1 to {MOST_CALLS}")
    return list(override.sweep_iterator())


def _fits(group: str, name: str, experiments: Sequence[str], given: Container[str]) -> bool:
    """Whether a member can be run: a model does what the experiment needs, and a dataset has what it needs.

    What is read from a file of the user's needs the file's path.
    """
    if "path" in settings_of(group, name) and f"{group}.path" not in given:
        return False
    if len(experiments) != 1:
        return True
    experiment = lookup("experiment", experiments[0])
    if group == "dataset":
        return bool(lookup("dataset", name).labelled or not experiment.labelled)
    if group == "model" and experiment.needs:
        return any(lookup("model", name).can(ability) for ability in experiment.needs)
    return True


def _refuse_references(value: Any, text: str) -> None:
    """`${...}` would be looked up, also in the environment, and `???` would stand for any value."""
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
    for part in parts:
        if isinstance(part, (list, dict)):
            _refuse_references(part, text)
        elif isinstance(part, str) and ("${" in part or part == "???"):
            raise UserError(f"'{text}': a command takes values, no ${{...}} and no ???")


def _check_key(word: Word) -> None:
    """A choice must be a member of its group, and a key must start with a section that there is."""
    head = word.key.split(".")[0]
    if word.chooses:
        for name in word.value if isinstance(word.value, list) else [word.value]:
            if str(name) not in GROUPS[word.key]:
                raise unknown(word.key, str(name), GROUPS[word.key])
        if isinstance(word.value, list) and word.key not in ("dataset", "model"):
            raise UserError(
                f"'{word.text}': a run has one {word.key}; add -m and write {word.key}=a,b to sweep"
            )
        return
    if "." not in word.key and word.key in OPTIONS:
        return
    if head.split("/")[0] == "hydra":
        raise UserError(f"'{word.text}' means nothing here: {_instead(word.key)}; docs/hydra.md says more")
    if word.key.endswith(".name"):
        raise UserError(f"'{word.text}': choose with {head}={word.value}")
    if head not in SECTIONS or "." not in word.key:
        known = [*SECTIONS, *OPTIONS]
        raise UserError(f"unknown key '{word.key}'{nearest(head, known)}; known: {', '.join(known)}")


def _instead(key: str) -> str:
    """What does here what a setting of Hydra's does elsewhere."""
    dotted = f"{key.replace('/', '.')}."
    return next(
        (text for name, text in INSTEAD.items() if dotted.startswith(f"{name}.")), "it is no setting of tkae"
    )
