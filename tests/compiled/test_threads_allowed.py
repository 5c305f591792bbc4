"""NUMBA_NUM_THREADS is looked at before Numba does, which tells a mistake in it by a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tkae.compiled import THREADS, threads_allowed
from tkae.errors import UserError


@pytest.mark.parametrize("said", ["abc", "1.5", "0", "-1", "٣", "1" * 5000])
def test_what_is_no_number_of_threads_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, said)
    with pytest.raises(UserError, match="takes a whole number from 1"):
        threads_allowed()


@pytest.mark.parametrize(("said", "number"), [("", None), ("3", 3)])
def test_what_is_one_counts(said: str, number: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, said)
    assert threads_allowed() == number


def test_a_command_refuses_it_in_a_line() -> None:
    words = ["experiment=classification", "dataset=japanese_vowels", "model=tae", "dry_run=true"]
    command = [sys.executable, "-m", "tkae.commands.run", *words]
    done = subprocess.run(
        command, env={**os.environ, THREADS: "abc"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"tkae-run: {THREADS}=abc is not allowed: it takes a whole number from 1 to 9999\n"
