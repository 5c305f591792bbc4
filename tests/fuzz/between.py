"""What commands leave for each other in a results folder: an index of records, claims, news of groups."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.fuzz.mutations import Chance, spoiled_bytes, spoiled_json
from tests.fuzz.results import record_files
from tkae.owners import me
from tkae.runs.claims import Claims
from tkae.runs.display import drawn, line
from tkae.runs.frame import results as results_frame
from tkae.runs.index import NAME, Stamp
from tkae.runs.news import Board, clear_boards
from tkae.runs.progress import Group, Progress
from tkae.runs.store import Store
from tkae.terminal import console

KEY = "0" * 24


def read_index(path: Path) -> object:
    """What is read of records of which this is the index; what tables tell of these is another target."""
    results = path.parent / "results"
    _write_records(results)
    (results / "records" / NAME).write_bytes(path.read_bytes())
    with patch("tkae.runs.store.stamp", _stamp):
        store = Store(results)
        found = [(entry.row, entry.runs_of, entry.facts) for entry in store.entries()]
        with patch("tkae.runs.store.WORTH", 0):
            store.remember()
    return found, results_frame(results)


@cache
def indexes() -> list[bytes]:
    with TemporaryDirectory() as folder, patch("tkae.runs.store.stamp", _stamp):
        results = Path(folder)
        _write_records(results)
        store = Store(results)
        list(store.entries())
        with patch("tkae.runs.store.WORTH", 0):
            store.remember()
        return [(results / "records" / NAME).read_bytes()]


def spoiled_index(content: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """Mostly under a checksum that is right."""
    if chance.random() < 0.2:
        return spoiled_bytes(content, others, chance)
    body = json.dumps(spoiled_json(json.loads(content.splitlines()[1]), chance))
    head = {"format": 1, "sha256": hashlib.sha256(body.encode()).hexdigest()}
    return f"{json.dumps(head)}\n{body}\n".encode()


def _write_records(results: Path) -> None:
    for content in record_files()[:4]:
        place = results / "records" / "classification" / "ehr" / "tkae" / f"{json.loads(content)['key']}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def _stamp(about: os.stat_result) -> Stamp:
    """The same wherever and whenever a record is written."""
    return 1, about.st_size, 1


def claims() -> list[bytes]:
    return [me().encode(), b"elsewhere-1", f"{me().rpartition('-')[0]}-999999999".encode()]


def read_claim(path: Path) -> object:
    """A command that wants the cell, one that waits for it, and one that clears away."""
    results = path.parent / "results"
    (results / "claims").mkdir(parents=True)
    (results / "claims" / KEY).write_bytes(path.read_bytes())
    claims = Claims(results)
    found = claims.of_others([KEY])
    with claims.held([KEY]) as mine:
        assert mine | found == {KEY}
    claims.clear()
    return found


def news() -> list[bytes]:
    return [json.dumps({"text": "epoch 3/100, loss 0.2", "share": 0.03, "owner": me()}).encode()]


def read_news(path: Path) -> object:
    """What a display shows of a group that tells this, and the same as its notes."""
    board = Board(path.parent / "progress" / f"ticket.{me()}")
    board.folder.mkdir(parents=True)
    for ending in ("json", "txt"):
        (board.folder / f"{KEY}.{ending}").write_bytes(path.read_bytes())
    progress = Progress([Group(KEY, "a row", {KEY: 1.0})], board)
    progress.look()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        there = console(nowhere)
        there.print(drawn(progress, 80, 5))
        for message in [*progress.new(), line(progress)]:
            there.print(message)
            assert message.isprintable(), repr(message)
    clear_boards(path.parent)
    return progress.left


def spoiled_news(content: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    if chance.random() < 0.3:
        return spoiled_bytes(content, others, chance)
    return json.dumps(spoiled_json(json.loads(content), chance)).encode()
