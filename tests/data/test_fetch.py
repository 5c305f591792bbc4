"""Fetching: from a server that cuts, refuses, lies and dawdles, by processes that are killed or not alone."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from faulty_server import Faults, serving

from tkae.data import fetch
from tkae.data.archives import digest
from tkae.data.files import Files, Remote
from tkae.errors import DataError

CONTENT = os.urandom(300_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "PAUSE", 0.0)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_a_file_is_fetched_once_and_then_found(tmp_path: Path) -> None:
    faults = Faults(CONTENT)
    with serving(faults) as url:
        files, remote = Files(cache=tmp_path), Remote(url, SHA256)
        assert files.find(remote) is None
        assert files.get(remote).read_bytes() == CONTENT
        assert files.get(remote) == files.find(remote) == files.cached(remote)
    assert faults.seen == [0]
    assert leftovers(tmp_path) == ["archive.zip"]


def test_a_cut_connection_is_continued_where_it_broke(tmp_path: Path) -> None:
    faults = Faults(CONTENT, cuts=2)
    with serving(faults) as url:
        assert Files(cache=tmp_path).get(Remote(url, SHA256)).read_bytes() == CONTENT
    assert faults.seen == [0, 150_000, 225_000]


def test_a_server_without_ranges_starts_over(tmp_path: Path) -> None:
    faults = Faults(CONTENT, cuts=1, ranges=False)
    with serving(faults) as url:
        assert Files(cache=tmp_path).get(Remote(url, SHA256)).read_bytes() == CONTENT
    assert faults.seen == [0, 0]


def test_a_busy_server_is_asked_again_but_not_for_ever(tmp_path: Path) -> None:
    with serving(Faults(CONTENT, status=503, failures=2)) as url:
        assert Files(cache=tmp_path / "a").get(Remote(url, SHA256)).read_bytes() == CONTENT
    faults = Faults(CONTENT, status=503, failures=-1)
    with serving(faults) as url, pytest.raises(DataError, match=r"503.*4 attempts.*mirror"):
        Files(cache=tmp_path / "b").get(Remote(url, SHA256))
    assert len(faults.seen) == fetch.ATTEMPTS
    assert leftovers(tmp_path / "b") == []


def test_always_cut_ends_with_a_sentence_and_nothing_left(tmp_path: Path) -> None:
    with serving(Faults(CONTENT, cuts=99)) as url, pytest.raises(DataError, match="connection was cut"):
        Files(cache=tmp_path).get(Remote(url, SHA256))
    assert leftovers(tmp_path) == []


def test_not_found_is_said_at_once(tmp_path: Path) -> None:
    faults = Faults(CONTENT, status=404, failures=-1)
    with serving(faults) as url, pytest.raises(DataError, match=r"404.*mirror"):
        Files(cache=tmp_path).get(Remote(url, SHA256))
    assert faults.seen == [0]


def test_wrong_bytes_are_not_kept(tmp_path: Path) -> None:
    with serving(Faults(CONTENT[:-1] + b"x")) as url, pytest.raises(DataError, match="checksum is wrong"):
        Files(cache=tmp_path).get(Remote(url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_web_page_is_named_as_such(tmp_path: Path) -> None:
    page = b"\n<!DOCTYPE html><html><body>Please log in</body></html>"
    with serving(Faults(page)) as url, pytest.raises(DataError, match="is a web page, not the file"):
        Files(cache=tmp_path).get(Remote(url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_truncated_zip_is_named_as_such(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/a.txt", CONTENT)
    whole = tmp_path / "whole.zip"
    whole.write_bytes(packed.getvalue())
    pattern = r"(?:.*/)?(a\.txt)"
    remote_sha = digest(whole, pattern)
    with serving(Faults(packed.getvalue())) as url:
        assert Files(cache=tmp_path / "a").get(Remote(url, remote_sha, pattern)).is_file()
    with (
        serving(Faults(packed.getvalue()[:-3000])) as url,
        pytest.raises(DataError, match="is not a complete zip file"),
    ):
        Files(cache=tmp_path / "b").get(Remote(url, remote_sha, pattern))
    assert leftovers(tmp_path / "b") == []


def test_no_network_is_said_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(DataError, match=r"no connection.*check the network.*TKAE_MIRROR"):
        Files(cache=tmp_path).get(Remote(f"http://127.0.0.1:{port}/x.zip", SHA256))


def test_offline_never_asks(tmp_path: Path) -> None:
    faults = Faults(CONTENT)
    with serving(faults) as url, pytest.raises(DataError, match=r"offline.*tkae-data fetch.*data\.mirror"):
        Files(cache=tmp_path, offline=True).get(Remote(url, SHA256))
    assert faults.seen == []


def test_a_full_disk_is_seen_before_and_during(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    with serving(Faults(CONTENT)) as url:
        monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage._replace(free=1000))
        with pytest.raises(DataError, match=r"no disk space left.*TKAE_CACHE"):
            Files(cache=tmp_path).get(Remote(url, SHA256))
        monkeypatch.undo()

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(fetch.os, "fsync", full)
        with pytest.raises(DataError, match=r"no disk space left.*TKAE_CACHE"):
            Files(cache=tmp_path).get(Remote(url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_silent_server_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT", 0.2)
    with serving(Faults(CONTENT, pause=5.0)) as url, pytest.raises(DataError, match="timed out"):
        Files(cache=tmp_path).get(Remote(url, SHA256))
    assert leftovers(tmp_path) == []


CHILD = "import sys; from pathlib import Path; from tkae.data.files import Files, Remote; "
CHILD += "Files(cache=Path(sys.argv[1])).get(Remote(sys.argv[2], sys.argv[3]))"


def child(cache: Path, url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, str(cache), url, SHA256])


def test_a_killed_fetch_is_continued(tmp_path: Path) -> None:
    faults = Faults(CONTENT, pause=0.05)
    with serving(faults) as url:
        remote = Remote(url, SHA256)
        part = Files(cache=tmp_path).cached(remote).with_name(".archive.zip.part")
        process = child(tmp_path, url)
        end = time.monotonic() + 30
        while not (part.exists() and part.stat().st_size) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert 0 < part.stat().st_size < len(CONTENT)
        assert Files(cache=tmp_path).find(remote) is None
        faults.pause = 0.0
        assert Files(cache=tmp_path).get(remote).read_bytes() == CONTENT
    assert faults.seen[0] == 0 and 0 < faults.seen[1] < len(CONTENT)
    assert leftovers(tmp_path) == ["archive.zip"]


def test_killed_after_the_last_byte(tmp_path: Path) -> None:
    faults = Faults(CONTENT)
    with serving(faults) as url:
        files, remote = Files(cache=tmp_path), Remote(url, SHA256)
        part = files.cached(remote).with_name(".archive.zip.part")
        part.parent.mkdir(parents=True)
        part.write_bytes(CONTENT)
        assert files.get(remote).read_bytes() == CONTENT
    assert faults.seen == [len(CONTENT)]


def test_a_part_of_another_file_is_replaced(tmp_path: Path) -> None:
    with serving(Faults(CONTENT)) as url:
        files, remote = Files(cache=tmp_path), Remote(url, SHA256)
        part = files.cached(remote).with_name(".archive.zip.part")
        part.parent.mkdir(parents=True)
        part.write_bytes(b"x" * 1000)
        assert files.get(remote).read_bytes() == CONTENT


def test_two_processes_fetch_once(tmp_path: Path) -> None:
    faults = Faults(CONTENT, pause=0.1)
    with serving(faults) as url:
        both = [child(tmp_path, url), child(tmp_path, url)]
        assert [process.wait(timeout=60) for process in both] == [0, 0]
        assert Files(cache=tmp_path).find(Remote(url, SHA256))
    assert faults.seen == [0]


def test_a_damaged_cache_heals_and_a_damaged_mirror_is_named(tmp_path: Path) -> None:
    with serving(Faults(CONTENT)) as url:
        files, remote = Files(cache=tmp_path / "cache"), Remote(url, SHA256)
        files.get(remote).write_bytes(b"rot")
        assert files.get(remote).read_bytes() == CONTENT
        mirror = tmp_path / "mirror"
        (mirror / remote.place).parent.mkdir(parents=True)
        (mirror / remote.place).write_bytes(b"rot")
        with pytest.raises(DataError, match=r"archive\.zip.*copy it again"):
            Files(mirror=mirror, cache=tmp_path / "other").get(remote)


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TKAE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Files().folder == tmp_path / "xdg" / "tkae"
    monkeypatch.setenv("TKAE_CACHE", str(tmp_path / "own"))
    assert Files().folder == tmp_path / "own"
    assert Files(cache=tmp_path).folder == tmp_path


def test_the_mirror_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TKAE_MIRROR", raising=False)
    assert Files.standard().mirror is None
    monkeypatch.setenv("TKAE_MIRROR", str(tmp_path))
    assert Files.standard().mirror == tmp_path
    with pytest.raises(DataError, match="not a folder"):
        Files.standard(tmp_path / "absent")
