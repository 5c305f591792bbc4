"""Japanese Vowels as embedded: the facts that the paper states, the source, and the authors' files."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.readers.ts import read_ts
from tkae.data.scaling import Standardiser
from tkae.data.sets import japanese_vowels
from tkae.data.sets.japanese_vowels import EMBEDDED, JapaneseVowels
from tkae.errors import DataError

WHEELS = sorted(Path(os.environ.get("TKAE_WHEELS", "no wheels")).glob("aeon-*.whl"))


@pytest.fixture(scope="module")
def loaded() -> Splits:
    return JapaneseVowels().load(Files(), 0)


def test_it_is_as_the_papers_table_says(loaded: Splits) -> None:
    assert loaded.train.shape == (270, 29, 12) and loaded.test.shape == (370, 29, 12)
    lengths = np.concatenate([loaded.train.lengths, loaded.test.lengths])
    assert lengths.min() == 7 and lengths.max() == 29
    for split in (loaded.train, loaded.test):
        assert split.labels is not None and set(split.labels) == set(range(9)) and not split.missing.any()
    assert loaded.train.labels is not None and (np.bincount(loaded.train.labels) == 30).all()
    assert len(loaded.classes) == 9 and loaded.positive is None


def test_the_seed_plays_no_part(loaded: Splits) -> None:
    again = JapaneseVowels().load(Files(), 5)
    assert again.train.fingerprint == loaded.train.fingerprint
    assert again.test.fingerprint == loaded.test.fingerprint


def test_damage_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(EMBEDDED.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / "japanese_vowels.npz"
    damaged.write_bytes(content)
    monkeypatch.setattr(japanese_vowels, "EMBEDDED", damaged)
    with pytest.raises(DataError, match=r"japanese_vowels\.npz is damaged .* install tkae again"):
        JapaneseVowels().load(Files(), 0)


@pytest.mark.skipif(not WHEELS, reason="TKAE_WHEELS names no folder with the aeon wheel")
@pytest.mark.parametrize("split", ["TRAIN", "TEST"])
def test_values_are_those_of_the_source(loaded: Splits, tmp_path: Path, split: str) -> None:
    with zipfile.ZipFile(WHEELS[-1]) as archive:
        suffix = f"/JapaneseVowels/JapaneseVowels_{split}.ts"
        (member,) = [name for name in archive.namelist() if name.endswith(suffix)]
        (tmp_path / "one.ts").write_bytes(archive.read(member))
    series, labels = read_ts(tmp_path / "one.ts")
    ours = loaded.train if split == "TRAIN" else loaded.test
    assert len(series) == len(ours) and ours.labels is not None
    assert [int(label) - 1 for label in labels] == list(ours.labels)
    assert all(np.array_equal(ours.series(i), one) for i, one in enumerate(series))


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_stretched_and_standardised_it_is_the_authors_file(mirror: Path, rate: float) -> None:
    path = Files(mirror).find(JapaneseVowels.published[rate])
    assert path is not None
    theirs = loadmat(path)
    stretched = JapaneseVowels(stretch=True).load(Files(), 0)
    for ours, values, labels in ((stretched.train, "X", "Y"), (stretched.test, "Xte", "Yte")):
        scaled = Standardiser.of(ours).scale(ours).values
        observed = ~np.isnan(theirs[values])
        np.testing.assert_allclose(scaled[observed], theirs[values][observed], rtol=0, atol=1e-12)
        assert np.array_equal(theirs[labels].ravel() - 1, ours.labels)  # type: ignore[arg-type]


def test_variable_length_is_the_authors_other_file(mirror: Path, loaded: Splits) -> None:
    """JAP_full.mat holds the series at their own lengths, standardised split by split.

    One entry of theirs (training series 100, step 4, variate 2) has another value, which moves the
    statistics of that variate.
    """
    folder = mirror / "raw.githubusercontent.com" / "FilippoMB"
    (path,) = folder.rglob("JAP_full.mat")
    theirs = loadmat(path)
    for ours, values in ((loaded.train, "X"), (loaded.test, "Xte")):
        assert np.array_equal(theirs[f"{values}_len"].ravel(), ours.lengths)
        scaled = Standardiser.of(ours).scale(ours).values
        off = np.abs(scaled - theirs[values]) > 1e-12
        assert set(np.flatnonzero(off.any(axis=(0, 1)))) <= ({2} if values == "X" else set())
        assert set(map(tuple, np.argwhere(np.abs(scaled - theirs[values]) > 1e-3))) <= {(100, 4, 2)}
