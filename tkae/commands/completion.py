"""Completion by the Tab key in bash, zsh and fish: flags, groups, members, keys and some values.

    eval "$(tkae-run -sc install=bash)" # or zsh; in fish: tkae-run -sc install=fish | source

The shell calls `tkae-run -sc query=bash` with what was typed so far in COMP_LINE. The answer is read from the
text of the config files alone, so that it is there at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields
from itertools import pairwise

from tkae.commands.flags import LONG, WORDS
from tkae.errors import UserError
from tkae.settings.registry import GROUPS, SUITES, config_file, named_folders, use_folders
from tkae.settings.values import Options, Sources

INSTALL = {
    "bash": r"""
_tkae_run() {
  local line="${COMP_LINE:0:COMP_POINT}" whole found
  whole="${line##*[[:blank:]]}"
  COMPREPLY=()
  while IFS= read -r found; do
    # Where = parts words, bash replaces only what comes after the last one.
    [[ $COMP_WORDBREAKS == *=* ]] && found="${found#"${whole%"${whole##*=}"}"}"
    COMPREPLY+=("$found")
  done < <(COMP_LINE="$line" tkae-run -sc query=bash)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} =~ [=./]$|\[ ]] && compopt -o nospace
}
complete -F _tkae_run tkae-run
""",
    "zsh": r"""
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_tkae_run() {
  local -a found
  found=("${(@f)$(COMP_LINE="${(Q)${(j: :)words[1,CURRENT]}}" tkae-run -sc query=zsh)}")
  compadd -S '' -- ${(M)found:#(*[=./]|*\[*)}
  compadd -- ${found:#(*[=./]|*\[*)}
}
compdef _tkae_run tkae-run
""",
    "fish": r"""
complete -c tkae-run -f -a '(COMP_LINE=(commandline -cp | string collect) tkae-run -sc query=fish)'
""",
}
UNINSTALL = {
    "bash": "complete -r tkae-run; unset -f _tkae_run\n",
    "zsh": "compdef -d tkae-run; unset -f _tkae_run\n",
    "fish": "complete -c tkae-run -e\n",
}
SWITCH = ("true", "false")


def answer(request: str) -> str:
    """What `-sc` prints: a shell's script, or what could come next."""
    what, _, shell = request.partition("=")
    if shell not in INSTALL or what not in ("install", "uninstall", "query"):
        shells = ", ".join(INSTALL)
        raise UserError(f"--shell-completion {request}: it takes install=SHELL or uninstall=SHELL ({shells})")
    if what == "query":
        return "".join(f"{found}\n" for found in completions(os.environ.get("COMP_LINE", "")))
    return (INSTALL if what == "install" else UNINSTALL)[shell].lstrip()


def completions(line: str) -> list[str]:
    """The words that the last word of a command can become."""
    _, *before, word = re.split(r"\s+", f"tkae-run {line.partition(' ')[2]}")
    folders = [folder for flag, folder in pairwise(before) if flag in ("-cd", "--config-dir")]
    # What is wrong with a folder is said when the command is called.
    with suppress(UserError):
        use_folders([*folders, *named_folders(before)[0]])
    found = dict.fromkeys(_candidates(before, word))
    return [text for text in found if text.startswith(word) and text != word]


def _candidates(before: list[str], word: str) -> Iterable[str]:
    flag = LONG.get(before[-1], before[-1]) if before else ""
    if flag == "--config-dir":
        return _files(word)
    if flag == "--shell-completion":
        return [f"{what}={shell}" for what in ("install", "uninstall") for shell in INSTALL]
    if flag == "--package":
        return [key.rstrip("=.") for key in _keys(before, word)]
    if word.startswith("-"):
        return [*LONG, *LONG.values()]
    key, equals, value = word.lstrip("+").partition("=")
    if equals:
        return [f"{word[: len(word) - len(value)]}{found}" for found in _values(before, key, value)]
    plus = word[: len(word) - len(word.lstrip("+"))]
    return [*WORDS.get(flag, ()), *(plus + key for key in _keys(before, word))]


def _values(before: list[str], key: str, value: str) -> Iterable[str]:
    """What can stand after `key=`: members (in a list the next one), a switch, files."""
    options = {spec.name: spec for spec in fields(Options)}
    if key in GROUPS:
        listed = value[: max(value.rfind(","), value.rfind("["), value.rfind("(")) + 1]
        had = re.split(r"[\[(,]", listed)
        more = SUITES if key == "experiment" else ()
        return [listed + name for name in (*GROUPS[key], *more) if name not in had]
    if key.endswith(("path", "_dir", "mirror")):
        return _files(value)
    if key in options:
        return SWITCH if options[key].type == "bool" else options[key].metadata.get("one_of") or ()
    head, _, name = key.partition(".")
    found = {_settings(head, member).get(name) for member in _chosen(before, head)}
    return SWITCH if found & {*SWITCH} else ()


def _keys(before: list[str], word: str) -> list[str]:
    """Groups and options; within a section, the keys of its chosen members."""
    head, dot, rest = word.lstrip("+").partition(".")
    if not dot:
        given = {text.lstrip("+").partition("=")[0] for text in before}
        choices = [f"{group}=" for group in GROUPS if group not in given]
        sections = [f"{group}." for group in GROUPS if given & {group, "experiment"}]  # there is a member
        return [*choices, *sections, *(f"{spec.name}=" for spec in fields(Options)), "data."]
    if head == "data":
        return [f"data.{spec.name}=" for spec in fields(Sources)]
    members = _chosen(before, head)
    single = rest.partition(".")[0]
    if single in members and "." in rest:
        return [f"{head}.{single}.{key}=" for key in _settings(head, single)]
    keys = dict.fromkeys(f"{head}.{key}=" for member in members for key in _settings(head, member))
    return [*keys, *(f"{head}.{member}." for member in members if head in ("dataset", "model"))]


def _chosen(before: list[str], group: str) -> list[str]:
    """The members that the command names, else the experiment's own, else all."""
    given = [word.partition("=")[2] for word in before if word.lstrip("+").startswith(f"{group}=")]
    experiment = [word.partition("=")[2] for word in before if word.startswith("experiment=")]
    if not given and experiment and experiment[-1] in GROUPS["experiment"]:
        text = config_file("experiment", experiment[-1]).read_text(encoding="utf-8")
        given = re.findall(rf"^ *- override /{group}: *(.*)$", text, flags=re.MULTILINE)
    named = re.findall(r"\w+", given[-1]) if given else []
    members = GROUPS.get(group, {})
    return [name for name in named if name in members] or list(members)


def _settings(group: str, member: str) -> dict[str, str]:
    """The keys that a member's config file lists, each with its value as it stands there."""
    text = config_file(group, member).read_text(encoding="utf-8")
    indent = "  " if group == "experiment" else ""
    lines = re.findall(rf"^{indent}([A-Za-z]\w*): *([^#\n]*)", text, flags=re.MULTILINE)
    return {key: value.strip() for key, value in lines if key not in ("name", "title", "defaults")}


def _files(start: str) -> list[str]:
    """Files and folders whose path begins so; a folder ends in a slash."""
    folder = os.path.dirname(start)
    try:
        found = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda entry: entry.name)
    except OSError:
        return []
    return [os.path.join(folder, entry.name) + "/" * entry.is_dir() for entry in found]
