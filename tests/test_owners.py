"""What a killed process was writing is told from what somebody writes now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tkae.owners import OLD, is_gone, me, remove_parts
from tkae.storage import write_atomically

KILLED = """
import os, signal, sys
from pathlib import Path
from tkae import storage
storage.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
storage.write_atomically(Path(sys.argv[1]), "whole")
"""


def test_this_process_is_not_gone_and_of_other_machines_nothing_is_known() -> None:
    assert not is_gone(me())
    assert not is_gone("elsewhere-1") and not is_gone("") and not is_gone("no number")


def test_a_killed_process_is_gone_though_its_parent_has_not_looked_yet() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        owner = f"{me().rpartition('-')[0]}-{process.pid}"
        assert not is_gone(owner)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it ended, and is not reaped
        assert is_gone(owner)


def test_what_a_killed_writer_left_is_removed_and_what_is_written_now_stays(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "deep" / "record")], check=False)
    (left,) = (tmp_path / "deep").iterdir()
    mine = tmp_path / f".{me()}.abc.part"
    mine.write_text("not whole yet")
    remove_parts(tmp_path)
    assert not left.exists() and mine.exists()
    long_ago = mine.stat().st_mtime - OLD - 1
    os.utime(mine, (long_ago, long_ago))
    remove_parts(tmp_path)
    assert not mine.exists()


def test_whole_files_stay(tmp_path: Path) -> None:
    write_atomically(tmp_path / "record", "whole")
    remove_parts(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["record"]
