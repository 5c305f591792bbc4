"""Ways to spoil an input: bytes, JSON values and arrays, each drawn from a seeded generator."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from tkae.storage import DIGITS, MARK

Chance = np.random.Generator

# What parsers stumble over: numbers at their limits, signs that mean something, texts that are none.
AWKWARD = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b",", b";", b"\t", b":", b"?", b"@",
    b'"', b"'", b"-1", b"0", b"1e999", b"nan", b"inf", b"99999999999999999999", b"0x7f",
    b"\xff\xff\xff\xff", b"\x80",
    b"${oc.env:HOME}", b"???", b"=cmd()", b"\\input{x}", b"<script>", b"../../x", b"[" * 2000,
    b"\xed\xa0\x80", b"9" * 5000, b"{a: " * 800, b"\ndefaults: 5\n", b"\ndefaults: [own, [1]]\n",
    b"${.a}" * 40,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 10**30, 10**400, 1.5, 1e308, float("inf"), float("nan"), "", "x" * 300,
    "../../x", "\ud800", "\x1b[2J", "$\\frac{", "=cmd()", "\\input{x}", "<script>", "a\nb", [], [[1]], {},
    {"a": 1}, "${oc.env:HOME}",
)  # fmt: skip
DTYPES = ("float64", "float32", "int64", "uint8", "bool", "int8")


def spoiled_bytes(content: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """One to four changes of the bytes; `others` are inputs that a part may come from."""
    for _ in range(chance.integers(1, 5)):
        at, to = sorted(chance.integers(0, len(content) + 1, 2))
        change = chance.integers(0, 7)
        if change == 0:
            content = content[:at]
        elif change == 1:
            content = content[:at] + content[to:]
        elif change == 2:
            content = content[:to] + content[at:to][:100_000] + content[to:]
        elif change == 3:
            content = content[:at] + _pick(AWKWARD, chance) + content[at:]
        elif change == 4 and content:
            flipped = bytearray(content)
            for place in chance.integers(0, len(content), 4):
                flipped[place] ^= 1 << int(chance.integers(0, 8))
            content = bytes(flipped)
        elif change == 5:
            content = (
                content[:at] + bytes(chance.integers(0, 256, to - at, dtype=np.uint8)[:50]) + content[to:]
            )
        else:
            other = _pick(others, chance)
            content = content[:at] + other[int(chance.integers(0, len(other) + 1)) :]
    return content


def spoiled_json(value: Any, chance: Chance) -> Any:
    """One or two places of a JSON value taken out, or with another value."""
    value = copy.deepcopy(value)
    for _ in range(chance.integers(1, 3)):
        holders = [one for one in _holders(value) if one]
        if not holders:
            return value
        holder = _pick(holders, chance)
        key = _pick(list(holder) if isinstance(holder, dict) else range(len(holder)), chance)
        if chance.random() < 0.2:
            del holder[key]
        elif chance.random() < 0.1 and isinstance(holder, dict):
            holder[str(_pick(VALUES, chance))] = holder.pop(key)
        else:
            holder[key] = copy.deepcopy(_pick(VALUES, chance))
    return value


def spoiled_arrays(content: bytes, chance: Chance) -> bytes:
    """A stored file with other arrays or another description, under a checksum that is right."""
    arrays, header = dict(load(content)), _header(content)
    told = json.loads(header["tkae"][DIGITS:])
    if chance.random() < 0.5:
        told = spoiled_json(told, chance)
    else:
        name = _pick(sorted(arrays), chance)
        array = arrays[name]
        change = chance.integers(0, 5)
        if change == 0:
            del arrays[name]
        elif change == 1:
            arrays[name] = array.ravel()[: int(chance.integers(0, array.size + 1))]
        elif change == 2:
            with np.errstate(invalid="ignore"):
                arrays[name] = array.astype(_pick(DTYPES, chance))
        elif change == 3:
            arrays[name] = array[None]
        else:
            arrays[name] = np.full_like(array, _pick((0, 1, 100), chance))
    if not arrays:
        return content
    return sealed(save(arrays, metadata={"tkae": "0" * DIGITS + json.dumps(told)}))


def sealed(content: bytes) -> bytes:
    """A stored file with the checksum that its bytes have."""
    if MARK not in content:
        return content
    start = content.index(MARK) + len(MARK)
    before, after = content[:start], content[start + DIGITS :]
    return before + hashlib.sha256(before + after).hexdigest().encode() + after


def _header(content: bytes) -> dict[str, str]:
    size = int.from_bytes(content[:8], "little")
    found: dict[str, str] = json.loads(content[8 : 8 + size])["__metadata__"]
    return found


def _holders(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, (dict, list)) else []
    return [*own, *(one for part in inner for one in _holders(part))]


def _pick(options: Sequence[Any], chance: Chance) -> Any:
    return options[int(chance.integers(0, len(options)))]


Spoil = Callable[[bytes, Sequence[bytes], Chance], bytes]


def spoiled_file(content: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """A stored file: mostly under a checksum that is right, since what is wrong with it is seen at once."""
    how = chance.random()
    if how < 0.6:
        return spoiled_arrays(content, chance)
    spoiled = spoiled_bytes(content, others, chance)
    return sealed(spoiled) if how < 0.9 else spoiled


def spoiled_record(content: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """Lines of records: mostly with checksum and key that are right."""
    if chance.random() < 0.2:
        return spoiled_bytes(content, others, chance)
    lines = []
    for line in content.splitlines():
        stored = json.loads(line)
        record = spoiled_json(stored["record"], chance)
        stored = {**stored, "record": record, "sha256": _hash(record)}
        if isinstance(record, dict) and "identity" in record:
            stored["key"] = _hash(record["identity"])[:24]
        lines.append(json.dumps(stored, sort_keys=True))
    return "\n".join(lines).encode()


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
