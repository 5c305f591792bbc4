"""Archives: read without trust in names, links or sizes, and blind to how they were packed."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from tkae.data import archives
from tkae.data.archives import BrokenArchive, digest, members

ANY_TEXT = r"(?:.*/)?([^/]+\.txt)"


def make_zip(path: Path, content: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def make_tar(path: Path, content: dict[str, bytes], *links: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for link in links:
            archive.addfile(link)
    return path


def test_the_digest_is_of_the_members_not_of_the_packing(tmp_path: Path) -> None:
    content = {"a.txt": b"one", "b.txt": b"two" * 1000}
    packed = [
        make_zip(tmp_path / "1.zip", content),
        make_zip(tmp_path / "2.zip", dict(reversed(content.items())), zipfile.ZIP_STORED),
        make_zip(
            tmp_path / "3.zip", {f"top/{name}": data for name, data in content.items()} | {"c.pdf": b""}
        ),
        make_tar(tmp_path / "4.tar.gz", content),
    ]
    assert len({digest(path, ANY_TEXT) for path in packed}) == 1
    other = make_zip(tmp_path / "5.zip", content | {"a.txt": b"One"})
    renamed = make_zip(tmp_path / "6.zip", {"a.txt": b"one", "d.txt": b"two" * 1000})
    assert len({digest(path, ANY_TEXT) for path in (packed[0], other, renamed)}) == 3


def test_names_that_lead_out_stay_names(tmp_path: Path) -> None:
    for path in (
        make_zip(tmp_path / "evil.zip", {"../../escaped.txt": b"x"}),
        make_tar(tmp_path / "evil.tar.gz", {"/escaped.txt": b"x"}),
    ):
        assert dict(members(path, ANY_TEXT)) == {"escaped.txt": b"x"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.tar.gz", "evil.zip"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = kind, str(secret)
        path = make_tar(tmp_path / "links.tar.gz", {"a.txt": b"one"}, link)
        assert dict(members(path, ANY_TEXT)) == {"a.txt": b"one"}
    info = zipfile.ZipInfo("link.txt")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "links.zip", "w") as archive:
        archive.writestr(info, str(secret))
        archive.writestr("a.txt", b"one")
    assert dict(members(tmp_path / "links.zip", ANY_TEXT)) == {"a.txt": b"one"}


def test_sizes_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = make_zip(tmp_path / "bomb.zip", {"a.txt": bytes(200_000), "b.txt": bytes(200_000)})
    monkeypatch.setattr(archives, "MEMBER_LIMIT", 100_000)
    with pytest.raises(BrokenArchive, match="more than can be right"):
        list(members(bomb, ANY_TEXT))
    monkeypatch.setattr(archives, "MEMBER_LIMIT", 300_000)
    monkeypatch.setattr(archives, "TOTAL_LIMIT", 300_000)
    with pytest.raises(BrokenArchive, match="more than can be right"):
        list(members(bomb, ANY_TEXT))


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenArchive, match=r"a\.txt twice"):
        list(members(make_zip(tmp_path / "twice.zip", {"a.txt": b"1", "top/a.txt": b"2"}), ANY_TEXT))


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_truncated_or_empty_archives_are_refused(tmp_path: Path, name: str) -> None:
    make = make_zip if name.endswith("zip") else make_tar
    path = make(tmp_path / name, {"a.txt": bytes(range(256)) * 300, "b.txt": bytes(range(256)) * 300})
    whole = path.read_bytes()
    for cut in (0, 1, 20, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:cut])
        with pytest.raises(BrokenArchive, match="is not a complete"):
            list(members(path, ANY_TEXT))
    with pytest.raises(BrokenArchive, match="none of the wanted"):
        list(members(make(tmp_path / name, {"a.pdf": b""}), ANY_TEXT))


def test_a_header_or_a_member_that_unpacks_to_gigabytes_is_refused_at_once(tmp_path: Path) -> None:
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 6 * 2**30
    beside = tarfile.TarInfo("beside.bin")
    beside.size = 6 * 2**30
    for i, info in enumerate((name, beside)):
        path = tmp_path / f"{i}.tar.gz"
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(info.tobuf())
            file.write(bytes(2**20))  # the rest is not even there
        with pytest.raises(BrokenArchive, match=r"a header of|more than"):
            list(members(path, ANY_TEXT))


def test_the_number_of_members_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_tar(tmp_path / "many.tar.gz", {f"{i}.pdf": b"" for i in range(9)} | {"a.txt": b"x"})
    monkeypatch.setattr(archives, "COUNT_LIMIT", 10)
    assert dict(members(path, ANY_TEXT)) == {"a.txt": b"x"}
    monkeypatch.setattr(archives, "COUNT_LIMIT", 9)
    with pytest.raises(BrokenArchive, match="more than 9 members"):
        list(members(path, ANY_TEXT))


def test_encrypted_and_foreign_bytes_are_refused(tmp_path: Path) -> None:
    encrypted = make_zip(tmp_path / "encrypted.zip", {"a.txt": b"x"}, zipfile.ZIP_STORED)
    content = bytearray(encrypted.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    encrypted.write_bytes(content)
    packed = make_zip(tmp_path / "lzma.zip", {"a.txt": b"x" * 1000}, zipfile.ZIP_LZMA)
    body = packed.read_bytes()
    start = body.index(b"a.txt") + 5
    packed.write_bytes(body[: start + 9] + b"\xff" * 8 + body[start + 17 :])
    named = make_tar(tmp_path / "named.tar.gz", {"a\udcff.txt": b"x"})  # a byte that is no UTF-8
    (tmp_path / "xz.tar").write_bytes(b"\xfd7zXZ\x00" + b"garbage" * 20)
    for path in (encrypted, packed, named, tmp_path / "xz.tar"):
        with pytest.raises(BrokenArchive):
            list(members(path, ANY_TEXT))
