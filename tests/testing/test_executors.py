"""Every registered executor keeps the contract, and the check finds each way to break it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.runs.fake_slurm import play_slurm
from tkae.runs.executors import Serial, Work
from tkae.settings.registry import GROUPS, lookup, settings_of
from tkae.signals import Stop
from tkae.testing import check_executor


@pytest.mark.parametrize("name", GROUPS["executor"])
def test_a_registered_executor_keeps_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_slurm(tmp_path, monkeypatch)
    here = {"jobs": 2, "interface": "lo", "memory": "1GB"}  # as far as it has such settings
    known = settings_of("executor", name)
    check_executor(lookup("executor", name)(**{key: here[key] for key in known if key in here}))


class Losing(Serial):
    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        return map(work, groups[1:])


class Repeating(Serial):
    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        return map(work, [*groups, *groups[:1]])


class Wrong(Serial):
    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        return ([(seed, b"", process) for seed, _, process in work(group)] for group in groups)


class Idle(Serial):
    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        yield from map(work, groups)
        yield []


BROKEN = {
    Losing: "what its workers write is not there|not every group comes back",
    Repeating: "not every group comes back, once",
    Wrong: "its numbers differ from those of executor=serial",
    Idle: "without groups it yields something",
}


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
def test_a_broken_executor_is_told_what_is_wrong(cls: type[Serial]) -> None:
    with pytest.raises(AssertionError, match=BROKEN[cls]):
        check_executor(cls())
