"""Config files that somebody wrote: what is refused before one is taken apart, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tkae.errors import UserError

BYTES = 100_000  # of a file: ten times as many as our largest has
SIGNS = 10**7  # that a file may have when its `${...}` are written out


def text_of(path: Path, ours: bool) -> str:
    """The text of a config file; of one that is not ours, references stand for no more than memory holds."""
    if path.stat().st_size > BYTES:
        raise UserError(f"{path}: too large for a config file: it takes at most {BYTES} bytes")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no text in UTF-8 ({error.reason})") from None
    if not ours and (("&" in text and "*" in text) or "${" in text):  # a look of ours would cost each command
        _refuse_endless(path, text)
    return text


def _refuse_endless(path: Path, text: str) -> None:
    """References, of YAML (`*a`) and of Hydra (`${a}`), may stand for more than any memory holds."""
    from yaml import YAMLError, safe_load

    from tkae.settings.plain import LARGEST, unfolded, written_out

    values = signs = 0.0
    with suppress(YAMLError, RecursionError, ValueError):  # which are told when it is composed
        values = unfolded(text)
        signs = written_out(safe_load(text)) if values <= LARGEST else 0.0
    if values > LARGEST:
        raise UserError(f"{path}: its references stand for more than {LARGEST} values: write them out")
    if signs > SIGNS:
        raise UserError(f"{path}: its references ${{...}} stand for more than {SIGNS} signs: write them out")


def loaded(path: Path) -> Any:
    """What a config file holds, nothing looked up; or the sentence why it cannot be read."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    try:
        return OmegaConf.to_container(OmegaConf.load(path))
    except YAMLError as error:
        raise UserError(f"a config file is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise UserError(f"{path}: nested too deeply: write lists and mappings of values") from None
    except (OmegaConfBaseException, ValueError, OSError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: cannot be read as a config file ({reason})") from None


def fault(path: Path) -> str:
    """What is wrong with a config file, as far as it tells by itself; nothing if it is right."""
    try:
        held = loaded(path)
    except UserError as error:
        return str(error)
    given = held.get("defaults") if isinstance(held, Mapping) else None
    if given is None:
        return ""
    if not isinstance(given, list) or not all(map(_is_default, given)):
        return f"{path}: its defaults take a list of names, such as '- override /dataset: [libras]'"
    if {path.stem, f"/{path.parent.name}/{path.stem}"} & {_named(entry) for entry in given}:
        return f"{path}: stands in its own defaults: take it out"
    overrides = [_is_override(entry) for entry in given if entry != "_self_"]
    if overrides != sorted(overrides):
        return f"{path}: in its defaults all '- override /group: ...' have to stand last"
    return ""


def _is_default(entry: Any) -> bool:
    if not isinstance(entry, Mapping):
        return isinstance(entry, str)
    if len(entry) != 1 or not isinstance(next(iter(entry)), str):
        return False
    value = next(iter(entry.values()))
    several = value if isinstance(value, list) else [value]
    return all(one is None or isinstance(one, str) for one in several)


def _named(entry: str | Mapping[str, Any]) -> str:
    """The file of an entry, as an entry of one word has it."""
    if isinstance(entry, str):
        return entry.partition("@")[0]
    group, value = next(iter(entry.items()))
    return f"{group.partition('@')[0]}/{value}"


def _is_override(entry: str | Mapping[str, Any]) -> bool:
    return not isinstance(entry, str) and "override" in next(iter(entry)).split()[:-1]
