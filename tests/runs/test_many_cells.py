"""What very many cells cost: made, read and compared once where they are alike, with the same results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.runs import ready
from tkae.runs import record as record_module
from tkae.runs import store as store_module
from tkae.runs.entry import Entry, in_groups
from tkae.runs.held import Held
from tkae.runs.plan import plan
from tkae.runs.record import parsed, written
from tkae.runs.store import Store
from tkae.settings import compose as compose_module
from tkae.settings.compose import compose

WORDS = ["experiment=imputation", "dataset=[japanese_vowels,libras]", "model=[mean,pca,tkae]", "seeds=3"]
AWKWARD = ['a,\n"b"', ',\n  {"record": 1}', '", "sha256": "', "é\u2028\t\\n", "\n \n"]


def entries() -> list[Entry]:
    """Of finished cells, as `Store.write` completes them."""
    made = []
    for cell in plan(compose(WORDS, sweep=False)):
        told = {"identity": cell.identity, "story": cell.story, "environment": {"packages": {}}, "arrays": []}
        made.append(cell.entry({"status": "done", "metrics": {"mse": 0.1 * cell.seed}, **told}))
    return made


def counting(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """What a function of a module is called with from now on."""
    calls: list[Any] = []
    function = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given: (calls.append(given), function(*given))[1])
    return calls


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("text", AWKWARD)
def test_the_checksum_is_found_in_the_text_whatever_that_tells(
    indent: int | None, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = entries()[0]
    told = replace(one, record={**(one.record or {}), "error": text, "more": {text: [text, {}, []]}})
    page = written(told, indent)
    monkeypatch.setattr(record_module, "digest", None)  # nothing is written again to compare it
    found = parsed(page, one.key)
    assert isinstance(found, Entry) and found.record == told.record


def test_a_change_of_any_character_is_seen() -> None:
    page = written(entries()[0], indent=1)
    for place in np.random.default_rng(0).integers(0, len(page) - 1, 300).tolist():
        changed = page[:place] + chr(ord(page[place]) ^ 1) + page[place + 1 :]
        assert isinstance(parsed(changed), str), changed


def test_what_records_have_alike_is_held_once() -> None:
    made, held = entries(), Held()
    alone = [parsed(written(one)) for one in made]
    shared = [parsed(written(one), held=held) for one in made]
    assert [one.record for one in shared] == [one.record for one in alone] == [one.record for one in made]
    for part in ("story", "environment"):
        distinct = {str(one.record[part]) for one in made}
        assert len({id(one.record[part]) for one in shared}) == len(distinct) < len(made)


def test_a_record_is_read_once_and_again_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, cells = Store(tmp_path), plan(compose(WORDS, sweep=False))
    for entry in entries():
        store.write(entry, {})
    calls = counting(monkeypatch, store_module, "parsed")
    first = [store.read(cell) for cell in cells]
    by_key = {entry.key: entry.record for entry in store.entries()}
    assert [by_key[cell.key] for cell in cells] == first and len(calls) == len(cells)
    changed = replace(entries()[3], record={**(entries()[3].record or {}), "metrics": {"mse": 9.0}})
    store.write(changed, {})
    assert store.read(cells[3]) == changed.record and len(calls) == len(cells) + 1
    store.path(changed).unlink()
    assert store.read(cells[3]) is None


def test_rows_are_the_same_whether_parts_are_shared_or_not() -> None:
    planned, held = entries(), Held()
    read = [parsed(written(one), held=held) for one in planned]
    for some in (planned, read, [*planned, *read]):
        by_text: dict[str, list[Entry]] = {}
        for one in some:
            by_text.setdefault(one.runs_of, []).append(one)
        assert in_groups(some, lambda one: one.runs_of) == by_text
        assert list(in_groups(some, lambda one: one.runs_of)) == list(by_text)


def test_a_sweep_resolves_once_what_its_calls_have_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["experiment=imputation", "dataset=libras", "model=[pca,tkae]", "seeds=2"]
    alone = [
        cell.key
        for size in (1, 2, 3, 4)
        for cell in plan(compose([*words, f"model.code_size={size}"], sweep=False))
    ]
    calls = counting(monkeypatch, compose_module, "_call_of")
    swept = plan(compose([*words, "model.code_size=1,2,3,4"], sweep=True))
    assert [cell.key for cell in swept] == alone
    assert len(calls) == 2  # with the number of seeds, and as the paper has it


def test_a_copy_of_a_cell_knows_nothing_of_the_others() -> None:
    cell, *_, last = plan(compose(WORDS, sweep=False))
    before = cell.key, cell.story["dataset_title"]
    other = replace(cell, dataset=last.dataset)
    assert other.key != before[0] and other.story["dataset_title"] != before[1]


def test_of_a_sweep_over_what_is_removed_some_tasks_are_prepared_beforehand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    swept = ["missingness.rate=range(0.1,0.9,0.002)", "dataset=japanese_vowels", "model=[mean,pca]"]
    command = compose(["experiment=imputation", "seeds=1", *swept], sweep=True)
    cells, looked_at = plan(command), list[Any]()
    assert len(cells) > 5 * ready.LOOKED_AT
    monkeypatch.setattr(ready, "_prepared", lambda cell, files: looked_at.append(cell))
    ready.refuse(cells, command.files, here=True)
    rates = [cell.missingness.rate for cell in looked_at]
    assert len(rates) <= ready.LOOKED_AT + 1
    assert {0.1, max(cell.missingness.rate for cell in cells)} <= set(rates)
