"""What every executor keeps to, wherever its workers are: `check_executor`."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path

from tkae.models.ae import AE
from tkae.runs.executors import Executor, Serial, Work
from tkae.signals import Stop
from tkae.testing.series import awkward

GROUPS = ((0, 1), (2,), (3, 4, 5))  # seeds

Found = list[tuple[int, bytes, int]]  # the seed, the codes' bytes, the process


def check_executor(executor: Executor) -> None:
    """Raise an AssertionError that says in which way an executor breaks the contract, if it does."""
    name = getattr(executor, "name", "")
    assert name, f"{type(executor).__name__} has no name: set the class variable `name`"
    assert executor.workers >= 1, f"{name}: it has {executor.workers} workers"
    assert executor.cores >= 1, f"{name}: it has {executor.cores} cores"
    assert not list(executor.run(_codes, [], Stop())), f"{name}: without groups it yields something"
    with tempfile.TemporaryDirectory() as folder:
        work = partial(_codes, folder=folder if executor.stores else "")
        found = _run(executor, work)
        if executor.stores:
            stored = sorted(int(path.name) for path in Path(folder).iterdir())
            wanted = sorted(seed for group in GROUPS for seed in group)
            assert stored == wanted, f"{name}: what its workers write is not there: set `stores = False`"
    expected = _run(Serial(), _codes)
    told = sorted(seed for seed, _, _ in found)
    assert told == sorted(seed for seed, _, _ in expected), f"{name}: not every group comes back, once"
    same = [row[:2] for row in found] == [row[:2] for row in expected]
    assert same, f"{name}: its numbers differ from those of executor=serial"
    if executor.here:
        here = {process for _, _, process in found} == {os.getpid()}
        assert here, f"{name}: `here` is true, but it works in another process"


def _run(executor: Executor, work: Work) -> Found:
    """What came of each seed, by seed: groups may end in any order."""
    return sorted(row for group in executor.run(work, list(GROUPS), Stop()) for row in group)


def _codes(seeds: tuple[int, ...], folder: str = "") -> Found:
    """Train a small network with each seed."""
    x = awkward()["half_missing"]
    found = []
    for seed in seeds:
        codes = AE(code_size=2, epochs=2).learn(x, seed=seed).encode(x)
        if folder:
            (Path(folder) / str(seed)).touch()
        found.append((seed, codes.tobytes(), os.getpid()))
    return found
