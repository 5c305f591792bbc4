"""The flags of tkae-run: Hydra's, where they mean something here, else the sentence that says what does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tkae.errors import UserError, nearest

# Flags and their short forms; those of the second table take a word.
PLAIN = {"-m": "--multirun", "-r": "--resolve", "-h": "--help", "--version": "--version"}
WITH_WORD = {"-cd": "--config-dir", "-p": "--package", "-sc": "--shell-completion"}
MAY_HAVE_WORD = {"-c": "--cfg", "-i": "--info"}
WORDS = {"--cfg": ("job",), "--info": ("all", "defaults", "searchpath")}
INSTEAD = {
    "--cfg hydra": "none of Hydra's own settings counts; --cfg job prints those that do",
    "--cfg all": "--cfg job prints all that there is",
    "--info config": "--cfg job prints the settings of a command",
    "--info defaults-tree": "--info defaults lists what a command is composed of",
    "--info plugins": "there are none: executors take the place of launchers, and --info lists them",
}
REFUSED = {
    "--hydra-help": "docs/hydra.md says what of Hydra works here; tkae-run --help has all flags",
    "-cp": "add a folder of your own with --config-dir DIR",
    "-cn": "there is one top config; add a folder of your own with --config-dir DIR",
    "--config-path": "add a folder of your own with --config-dir DIR",
    "--config-name": "there is one top config; add a folder of your own with --config-dir DIR",
    "--experimental-rerun": "the same command goes on where it stopped",
    "--run": "leave it out: a run is what a command is without -m",
}
LONG = {**PLAIN, **WITH_WORD, **MAY_HAVE_WORD}


@dataclass
class Flags:
    """What the flags of a command ask for, and its other words."""

    given: dict[str, str] = field(default_factory=dict)  # the long name -> its word, or nothing
    folders: list[str] = field(default_factory=list)  # of --config-dir
    words: list[str] = field(default_factory=list)

    def __contains__(self, flag: str) -> bool:
        return flag in self.given


def parse(arguments: Sequence[str]) -> Flags:
    """Flags apart from overrides, wherever they stand."""
    flags, rest = Flags(), list(arguments)
    while rest:
        text = rest.pop(0)
        if not text.startswith("-"):
            flags.words.append(text)
            continue
        head, equals, word = text.partition("=")
        flag = LONG.get(head, head)
        if flag in REFUSED:
            raise UserError(f"{flag} means nothing here: {REFUSED[flag]}")
        if flag not in LONG.values():
            raise UserError(f"unknown flag '{head}'{nearest(head, LONG.values())}; see tkae-run --help")
        if equals and flag in PLAIN.values():
            raise UserError(f"{flag} takes no value")
        if flag in WITH_WORD.values() and not equals:
            if not rest:
                raise UserError(f"{flag} takes a word; see tkae-run --help")
            word = rest.pop(0)
        elif flag in WORDS:
            if not equals and rest and "=" not in rest[0] and not rest[0].startswith("-"):
                word = rest.pop(0)
            if word and word not in WORDS[flag]:
                instead = INSTEAD.get(f"{flag} {word}", f"it takes {' or '.join(WORDS[flag])}")
                raise UserError(f"{flag} {word} means nothing here: {instead}")
        if flag == "--config-dir":
            flags.folders.append(word)
        flags.given[flag] = word
    if "--package" in flags and "--cfg" not in flags:
        raise UserError("--package narrows what --cfg prints: add --cfg job")
    if "--resolve" in flags and "--cfg" not in flags:
        raise UserError(
            "--resolve is of --cfg, which prints resolved values with or without it: add --cfg job"
        )
    return flags
