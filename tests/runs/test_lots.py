"""A cell may kill three processes, and takes no other with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tkae.runs.dask import Dask
from tkae.runs.executors import Executor, Processes
from tkae.runs.lots import DEATHS, Lot
from tkae.signals import Stop

DEADLY = -1
GROUPS = [[1, 2], [3, DEADLY, 4], [5], [6]]


def test_a_group_has_a_second_try_and_then_goes_on_cell_by_cell() -> None:
    (again,) = Lot([1, 2, 3]).after()
    assert again.group == [1, 2, 3]
    alone = again.after()
    assert [lot.group for lot in alone] == [[1], [2], [3]]
    assert alone[0].after() == []


@pytest.mark.parametrize("at_a_time", [1, 2, 4])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_cell_has_a_try_alone_and_none_has_more_than_its_chances(size: int, at_a_time: int) -> None:
    tried: list[Sequence[int]] = []
    waiting = [Lot(list(range(size)))]
    while waiting:
        lot = waiting.pop()
        tried.append(lot.group)
        waiting += lot.after(at_a_time)
    for cell in range(size):
        assert [cell] in tried
        assert sum(cell in group for group in tried) <= DEATHS


def work(group: Sequence[int], folder: Path) -> list[int]:
    """What is deadly ends its process, without a chance to say so; the tries are noted."""
    if DEADLY in group:
        with (folder / "tries").open("a") as file:
            file.write(f"{list(group)}\n")
        os._exit(9)
    return list(group)


@pytest.mark.parametrize("executor", [Processes(jobs=2), Dask(jobs=2)], ids=lambda executor: executor.name)
def test_what_kills_its_process_takes_no_other_cell_with_it(executor: Executor, tmp_path: Path) -> None:
    found = [cell for group in executor.run(partial(work, folder=tmp_path), GROUPS, Stop()) for cell in group]
    assert sorted(found) == [1, 2, 3, 4, 5, 6]
    assert len((tmp_path / "tries").read_text().splitlines()) == DEATHS
