"""Masks as files: written and read back bit for bit, and the authors' own from the mirror."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.data.masks import fitting, read_masks, read_published, write_masks
from tkae.data.missingness import FromFile, Uniform
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.errors import DataError
from tkae.storage import save_arrays


@pytest.fixture
def splits(complete: Collection, ragged: Collection) -> dict[str, Collection]:
    return {"train": complete, "test": ragged.take(range(5))}


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (2, 4, 8), (12, 9, 3)])
def test_round_trip_is_exact(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    masks = {name: np.random.default_rng(i).random(shape) < 0.5 for i, name in enumerate(("train", "test"))}
    write_masks(tmp_path / "m.safetensors", masks, {"dataset": "some"})
    again = read_masks(tmp_path / "m.safetensors")
    assert set(again) == set(masks)
    for split, mask in masks.items():
        assert again[split].dtype == np.bool_ and np.array_equal(again[split], mask)


def test_a_folder_of_masks_gives_every_run_its_own(tmp_path: Path, splits: dict[str, Collection]) -> None:
    written = Uniform(rate=0.3, write_to=str(tmp_path))
    drawn = {
        (name, run): written.masks(name, splits, run) for name in ("libras", "wafer") for run in (0, 1, 11)
    }
    again = FromFile(path=str(tmp_path))
    prints = set()
    for (name, run), masks in drawn.items():
        read = again.masks(name, splits, run)
        assert all(np.array_equal(read[split], masks[split]) for split in splits)
        prints.add(again.fingerprint(name, run))
    assert len(prints) == len(drawn)
    with pytest.raises(DataError, match="one mask file for libras and run 2 was expected, found none"):
        again.masks("libras", splits, 2)
    Uniform(rate=0.4, write_to=str(tmp_path)).masks("libras", splits, 0)
    with pytest.raises(DataError, match=r"found libras\.uniform\.0\.3\.0-0.*, libras\.uniform\.0\.4\.0-0"):
        again.masks("libras", splits, 0)


def test_one_file_serves_all_runs(tmp_path: Path, splits: dict[str, Collection]) -> None:
    masks = Uniform(write_to=str(tmp_path)).masks("libras", splits, 4)
    (file,) = tmp_path.iterdir()
    again = FromFile(path=str(file))
    for run in (0, 7):
        read = again.masks("anything", splits, run)
        assert all(np.array_equal(read[split], masks[split]) for split in splits)
    before = again.fingerprint("libras", 0)
    Uniform(seed=1).masks("libras", splits, 4)
    assert again.fingerprint("libras", 0) == before == again.fingerprint("libras", 9)
    write_masks(file, {split: ~mask for split, mask in masks.items()}, {})
    assert again.fingerprint("libras", 0) != before


def test_writing_does_not_change_the_draw(tmp_path: Path, splits: dict[str, Collection]) -> None:
    aside, alone = Uniform(write_to=str(tmp_path)).masks("a", splits, 0), Uniform().masks("a", splits, 0)
    assert all(np.array_equal(aside[split], alone[split]) for split in splits)


def test_a_mask_must_fit_and_removes_only_what_is_there(tmp_path: Path, half_missing: Collection) -> None:
    everything = {"train": np.ones(half_missing.shape, dtype=bool)}
    assert np.array_equal(
        fitting(everything, "train", half_missing, Path("m")), half_missing.observed
    )  # what the source lacks was not removed
    with pytest.raises(DataError, match=r"m: its train mask \(\(12, 9, 3\)\) does not fit .*\(5, 9, 3\)"):
        fitting(everything, "train", half_missing.take(range(5)), Path("m"))
    with pytest.raises(DataError, match=r"m: its test mask \(none\) does not fit"):
        fitting(everything, "test", half_missing, Path("m"))
    write_masks(tmp_path / "m.safetensors", everything, {})
    with pytest.raises(DataError, match=r"m\.safetensors: its test mask"):
        FromFile(path=str(tmp_path / "m.safetensors")).masks("some", {"test": half_missing}, 0)


def test_other_files_are_refused(tmp_path: Path) -> None:
    other, text = tmp_path / "other.safetensors", tmp_path / "text.safetensors"
    save_arrays(other, {"train": np.zeros(3)}, {}, "something else")
    text.write_text("not at all")
    with pytest.raises(DataError, match=r"other\.safetensors: holds 'something else', not 'masks'"):
        read_masks(other)
    with pytest.raises(DataError, match=r"text\.safetensors: not a file that tkae wrote"):
        read_masks(text)
    for name in ("none.safetensors", "none.mat"):
        with pytest.raises(DataError, match=f"{name}: no such file"):
            read_masks(tmp_path / name)
    with pytest.raises(DataError, match="there is no such mask file"):
        FromFile(path=str(tmp_path / "none.mat")).fingerprint("some", 0)
    with pytest.raises(DataError, match=r"missingness\.path=FILE\|FOLDER"):
        FromFile()


@pytest.mark.parametrize("shape", [[6 * 10**9], [6 * 10**6, 10, 100], [80], [9, 8], [-8, -9], [71.5, 1]])
def test_a_mask_has_as_many_bits_as_it_says(tmp_path: Path, shape: list[float]) -> None:
    """NumPy would fill up with zeros: a file of ten bytes could take 6 GB."""
    for split in ("train", "test"):
        shapes = {"train": [72], "test": [72], split: shape}
        arrays = dict.fromkeys(shapes, np.zeros(9 if shape != [9, 8] else 10, np.uint8))
        save_arrays(tmp_path / "m.safetensors", arrays, {"shapes": shapes}, "masks")
        with pytest.raises(DataError, match=r"m\.safetensors: .*: make it again"):
            read_masks(tmp_path / "m.safetensors")


@pytest.mark.parametrize("name", ["empty.safetensors", "grown.safetensors", "grown.mat"])
def test_gigabytes_of_holes_are_not_read_through(
    tmp_path: Path, splits: dict[str, Collection], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    if name == "grown.safetensors":
        write_masks(path, {split: x.observed for split, x in splits.items()}, {})
    elif name == "grown.mat":
        savemat(path, {"X": splits["train"].values, "Xte": splits["test"].values})
    with path.open("ab") as file:
        file.truncate(6 * 10**9)
    monkeypatch.setattr("hashlib.file_digest", None)  # is not come to
    for read in (lambda: FromFile(path=str(path)).fingerprint("some", 0), lambda: read_masks(path)):
        with pytest.raises(DataError, match=rf"{name}: .*(make it again|not a whole MATLAB file)"):
            read()


@pytest.mark.parametrize("packed", [False, True])
def test_a_fingerprint_is_of_all_bytes(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "m.mat"
    savemat(path, {"X": np.zeros((4, 5, 6)), "Xte": np.zeros((4, 5, 6))}, do_compression=packed)
    wanted = hashlib.sha256(path.read_bytes()).hexdigest()
    assert FromFile(path=str(path)).fingerprint("some", 0) == wanted


def test_a_mat_file_that_cannot_be_unpacked_has_no_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "cut.mat"
    savemat(path, {"X": np.random.default_rng(0).normal(size=(4, 50, 6))}, do_compression=True)
    path.write_bytes(path.read_bytes()[:136] + b"x" * 300)
    with pytest.raises(DataError, match=r"cut\.mat: not a MATLAB file that can be read"):
        FromFile(path=str(path)).fingerprint("some", 0)


@pytest.mark.parametrize("keep", [0, 1, 100, 200, 500])
def test_a_damaged_mat_file_is_said_to_be_so(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.mat"
    savemat(path, {"X": np.zeros((4, 5, 6)), "Xte": np.zeros((4, 5, 6))})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError, match=r"cut\.mat: not a MATLAB file that can be read"):
        read_masks(path)


def test_nans_of_a_mat_file_are_its_holes(tmp_path: Path, splits: dict[str, Collection]) -> None:
    masks = Uniform(rate=0.5).masks("some", splits, 0)
    arrays = {split: np.where(masks[split], np.nan, x.values) for split, x in splits.items()}
    savemat(tmp_path / "own.mat", {"X": arrays["train"], "Xte": arrays["test"]})
    read = FromFile(path=str(tmp_path / "own.mat")).masks("some", splits, 0)
    assert all(np.array_equal(read[split], masks[split]) for split in splits)


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_authors_masks(mirror: Path, rate: float) -> None:
    path = Files(mirror).find(JapaneseVowels.published[rate])
    assert path is not None
    masks = read_published(path)
    assert masks["train"].shape == (270, 29, 12) and masks["test"].shape == (370, 29, 12)
    for mask in masks.values():  # their rate is exact, too
        assert abs(mask.sum() - rate * mask.size) <= 1
    source = JapaneseVowels(stretch=True).load(Files(), 0)
    both = {"train": source.train, "test": source.test}
    read = FromFile(path=str(path)).masks("japanese_vowels", both, 3)
    assert all(np.array_equal(read[split], masks[split]) for split in both)
