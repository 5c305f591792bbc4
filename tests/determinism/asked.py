"""What is computed in all surroundings: experiments, and the commands that compute them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.experiments.without_mirror import GENERATED, ON_OWN_FILE, ON_VOWELS, own_file
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS

Words = list[str]
VOWELS = ("dataset=japanese_vowels", "data.offline=true")
ABLATIONS = ("dataset=[japanese_vowels,sinusoids]", "model=[pca,dae,tck]", "data.offline=true")
OWN_FILE = ("dataset=file", "dataset.path=own.csv", "dataset.positive=ill")  # where the command runs


@dataclass(frozen=True)
class Asked:
    """Some experiments, and the words that all their commands share."""

    experiments: tuple[str, ...]
    words: tuple[str, ...] = ()

    def only(self, names: Sequence[str]) -> Asked:
        return replace(self, experiments=tuple(name for name in self.experiments if name in names))


def of_the_paper(mirror: Path | None, *words: str) -> list[Asked]:
    """Every experiment: on the paper's data where there are any, else on what needs none."""
    if mirror is not None:
        return [Asked(tuple(GROUPS["experiment"]), (*words, f"data.mirror={mirror}"))]
    return [
        Asked(ON_VOWELS, (*words, *VOWELS)),
        Asked(("ablations",), (*words, *ABLATIONS)),
        Asked(GENERATED, (*words, "data.offline=true")),
        Asked(ON_OWN_FILE, (*words, *OWN_FILE)),
    ]


def lend_own_file(folder: Path) -> None:
    """What `OWN_FILE` names, for commands that run in this folder."""
    own_file(folder)


def whole(asked: Asked) -> list[Words]:
    """All experiments in one command."""
    return [["-m", f"experiment={','.join(asked.experiments)}", *asked.words]]


def reversed_words(asked: Asked) -> list[Words]:
    """The experiments, and all words, from the last to the first."""
    return [["-m", *asked.words[::-1], f"experiment={','.join(asked.experiments[::-1])}"]]


def named_in_reverse(asked: Asked) -> list[Words]:
    """A command for each experiment, with its datasets and models named from the last to the first.

    Extra rows come only where no model is named: the whole command adds them, and the report.
    """
    commands = []
    for experiment in asked.experiments[::-1]:
        own = [f"experiment={experiment}", *asked.words]
        calls = [call for call in compose(own, sweep=True) if call.control is None]
        datasets = [name for call in calls for name in call.datasets]
        models = [name for call in calls for name in call.models]
        rest = [word for word in own if not word.startswith(("dataset=", "model="))]
        commands.append(["-m", *rest, _reversed("dataset", datasets), _reversed("model", models)])
    return [*commands, *whole(asked)]


def _reversed(group: str, names: Sequence[str]) -> str:
    """Each name once."""
    return f"{group}=[{','.join([*dict.fromkeys(names)][::-1])}]"
