"""Spoiled files are read, or refused with a sentence; the short version of `make fuzz`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.guard import guarded
from tests.fuzz.targets import TARGETS
from tests.fuzz.trial import fault, spoiled, warm

INPUTS = 12  # of each kind; make fuzz has hundreds
MODELS = ("model pca", "model mean")  # of the others that compile or take long, make fuzz has enough
KINDS = [
    kind for kind in TARGETS
    if kind in MODELS or not kind.startswith(("config", "model", "checkpoint"))
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoiled_file_is_read_or_refused(tmp_path: Path, kind: str) -> None:
    target = TARGETS[kind]
    warm(target, tmp_path / "right")
    faults = {
        number: reason
        for number in range(INPUTS)
        if (reason := fault(target, spoiled(target, number), tmp_path / "deep" / "in" / "it"))
    }
    assert not faults


def test_the_guard_sees_what_data_must_not_do(tmp_path: Path) -> None:
    import pickle
    import subprocess
    import sys

    own = tmp_path / "own"
    own.mkdir()
    with guarded(own) as seen:
        (own / "fine").write_text("x")
        (tmp_path / "outside").write_text("x")
        pickle.loads(b"cbuiltins\nlen\n.")
        subprocess.run([sys.executable, "--version"], capture_output=True, check=True)
    assert [line.split()[0] for line in seen[:3]] == ["open", "pickle.find_class", "subprocess.Popen"]
    assert len({line for line in seen if "fine" in line}) == 0
