"""Dask's workers give the bits of `serial`, and the driver stores what they send."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest
from distributed import Client, LocalCluster

from tests.runs.stored import numbers
from tkae.commands.run import main
from tkae.errors import UserError
from tkae.runs import dask
from tkae.runs.dask import Dask
from tkae.runs.lots import DEATHS
from tkae.runs.worker import Place
from tkae.signals import Stop

WORDS = [
    "experiment=classification",
    "dataset=japanese_vowels",
    "model=[pca,tae]",
    "budget.epochs=2",
    "seeds=3",
]


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("serial")
    assert main([*WORDS, f"results_dir={results}"]) == 0
    return results


def test_workers_of_our_own_scheduler(serial: Path, tmp_path: Path) -> None:
    assert main([*WORDS, f"results_dir={tmp_path}", "executor=dask", "executor.jobs=2"]) == 0
    assert len(numbers(serial)) == 6 and numbers(tmp_path) == numbers(serial)


def test_a_scheduler_that_runs_already(serial: Path, tmp_path: Path) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        address = f"executor.address={cluster.scheduler_address}"
        assert main([*WORDS, f"results_dir={tmp_path}", "executor=dask", address]) == 0
        with Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2  # they are not ours to end
    assert numbers(tmp_path) == numbers(serial)


def test_a_worker_of_our_own_keeps_to_one_thread() -> None:
    def threads(_: int) -> tuple[int, int]:
        import numba

        from tkae.engine.threads import processors

        return processors(), numba.config.NUMBA_NUM_THREADS

    assert list(Dask(jobs=2).run(threads, [0, 1, 2], Stop())) == [(1, 1)] * 3


def test_workers_that_die_while_they_start_are_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `distributed` tells of it; the chaos trials kill real ones."""
    starts: list[None] = []

    class Dying(LocalCluster):
        def __init__(self, **words: Any) -> None:
            starts.append(None)
            if len(starts) < died:
                raise RuntimeError("Nanny failed to start.")
            super().__init__(**words)

    monkeypatch.setattr(distributed, "LocalCluster", Dying)
    died = DEATHS
    assert list(Dask(jobs=1).run(list, ["ab"], Stop())) == [["a", "b"]] and len(starts) == DEATHS
    died = 3 * DEATHS
    with pytest.raises(UserError, match="died while they started, 3 times"):
        list(Dask(jobs=1).run(list, ["ab"], Stop()))


def test_a_worker_in_place_of_one_that_died_leaves_signals_to_the_command(tmp_path: Path) -> None:
    def die_once(marks: list[Path]) -> list[bool]:
        if not marks[0].exists():
            marks[0].touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [signal.getsignal(number) == signal.SIG_IGN for number in (signal.SIGINT, signal.SIGTERM)]

    assert list(Dask(jobs=1).run(die_once, [[tmp_path / "mark"]], Stop())) == [[True, True]]


def test_a_worker_of_our_own_waits_for_no_memory() -> None:
    """One that has more than its share would be paused, and all of them for ever."""

    def limit(_: int) -> object:
        from distributed import get_worker

        return get_worker().memory_manager.memory_limit

    assert list(Dask(jobs=1).run(limit, [0], Stop())) == [None]


def test_the_scheduler_holds_a_part_of_very_many_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    class Taken(list[int]):
        count = 0

        def __iter__(self) -> Iterator[int]:
            for one in super().__iter__():
                self.count += 1
                yield one

    monkeypatch.setattr(dask, "AHEAD", 3)
    groups, found = Taken(range(20)), []
    for i, one in enumerate(Dask(jobs=1).run(abs, groups, Stop())):
        assert groups.count <= i + 3
        found.append(one)
    assert sorted(found) == list(range(20))


def test_a_worker_without_the_results_folder_keeps_no_checkpoint(tmp_path: Path) -> None:
    there, elsewhere = (
        Place(folder, None, "", stores=False, keep_models=False)  # type: ignore[arg-type]
        for folder in (tmp_path, tmp_path / "absent")
    )
    assert there.checkpoints == tmp_path / "checkpoints" and elsewhere.checkpoints is None


def test_without_the_extra_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*WORDS, f"results_dir={tmp_path}", "executor=dask"]) == 2
    assert "pip install 'tkae[dask]'" in capsys.readouterr().err


def test_an_address_where_nobody_answers_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, f"results_dir={tmp_path}", "executor=dask", "executor.address=nonsense://x"]
    assert main(words) == 2
    assert "no scheduler answers there" in capsys.readouterr().err
