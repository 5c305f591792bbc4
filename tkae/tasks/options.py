"""The words of a `tkae-apply` command as checked values; the settings of its model are apart."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tkae.errors import UserError, unknown
from tkae.fields import setting
from tkae.settings.plain import plain
from tkae.settings.schema import build

MODEL = "model."


@dataclass
class Options:
    """What every task takes."""

    path: str = ""  # the series
    output: str = ""  # what is written, a table
    model: str | None = None  # null: tkae, or what the file to load holds
    budget: str = setting("auto", one_of=("auto", "smoke", "quick", "paper"))  # auto: by the number of series
    save: str | None = None  # keep the fitted model in this file
    load: str | None = None  # apply the model of this file, and fit none
    picture: str | None = ""  # where the picture goes; null: none; else beside the output
    imputed: str | None = None  # of impute: a second table of all values that were filled in
    seed: int = setting(0, at_least=0)
    n_seeds: int = setting(
        1, at_least=1, at_most=1000
    )  # networks that are trained side by side: mean, and spread
    device: str = setting("cpu", one_of=("cpu", "cuda", "mps"))  # of the recurrent models
    series_column: str = "series"
    time_column: str = "time"
    label_column: str = "label"
    split_column: str = "split"
    elapsed: bool = False  # the time since the step before as a further variate

    def __post_init__(self) -> None:
        for key in ("path", "output"):
            if not getattr(self, key):
                raise UserError(f"{key}=FILE is missing; tkae-apply --help shows a whole command")
        if self.load and (self.model or self.save):
            raise UserError("load=FILE brings a fitted model: leave out model= and save=")
        if self.picture == "":
            self.picture = str(_without_endings(Path(self.output)).with_suffix(".png"))
        self._refuse_to_overwrite()

    def _refuse_to_overwrite(self) -> None:
        """What is written is neither read nor written twice."""
        read = {os.path.realpath(name): key for key in ("path", "load") if (name := getattr(self, key))}
        for key in ("output", "save", "picture", "imputed"):
            name = getattr(self, key)
            if not name:
                continue
            place = os.path.realpath(name)
            if place in read:
                raise UserError(f"{key}={name} is the file of {read[place]}=: choose another name")
            read[place] = key


def parsed(words: Sequence[str]) -> tuple[Options, dict[str, Any]]:
    """The options, and the settings of the model by name."""
    given: dict[str, Any] = {}
    kinds = [spec.name for spec in fields(Options)]
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UserError(f"'{word}' is not KEY=VALUE; tkae-apply --help lists the keys")
        if key in given:
            raise UserError(f"{key}= is said twice")
        if key not in kinds and not key.startswith(MODEL):
            raise unknown("key", key, [*kinds, f"{MODEL}SETTING"])
        given[key] = plain(Options, key, value)
    settings = {key.removeprefix(MODEL): given.pop(key) for key in [*given] if key.startswith(MODEL)}
    return build(Options, given, ""), settings


def _without_endings(path: Path) -> Path:
    """`codes` of codes.csv.gz."""
    return path.with_suffix("") if path.suffix != ".gz" else path.with_suffix("").with_suffix("")
