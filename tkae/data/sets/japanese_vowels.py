"""Japanese Vowels: nine speakers, 12 cepstral coefficients, lengths 7 to 29; embedded in the package.

Kudo, M., Toyama, J., Shimbo, M. (1999). Japanese Vowels. UCI Machine Learning Repository,
https://doi.org/10.24432/C5NS47, CC BY 4.0. Built by scripts/build_japanese_vowels.py; values unchanged.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Kernels, PaperRow, Splits
from tkae.data.files import Files, Remote
from tkae.data.stretch import stretch
from tkae.errors import DataError

EMBEDDED = Path(__file__).with_name("japanese_vowels.npz")
SHA256 = "40623636da94deec5cc7cca5afde898489059eb5351ab3762d662a3c3426aef5"
AUTHORS = (
    "https://raw.githubusercontent.com/FilippoMB/Learning-representations-for-multivariate-time-series-"
    "with-missing-data/master/dataset/JapaneseVowels/"
)
STEPS = 29  # of the longest series


@dataclass
class JapaneseVowels(Dataset):
    """270 training and 370 test series of 12 variates; the class is the speaker."""

    name: ClassVar[str] = "japanese_vowels"
    title: ClassVar[str] = "Jp. Vow."
    licence: ClassVar[str] = "CC BY 4.0"
    citation: ClassVar[str] = "Kudo et al. 1999, Japanese Vowels, UCI"
    paper_row: ClassVar[PaperRow | None] = PaperRow(12, 270, 370, 9, 7, 29, "UCI")
    published: ClassVar[dict[float, Remote]] = {
        0.5: Remote(
            AUTHORS + "TCK_data_0.5.mat", "27423c1256b0eacf83e2eec94ce733c6be2b31ea2ca042fec151faa2eec91ab6"
        ),
        0.8: Remote(
            AUTHORS + "TCK_data_0.8.mat", "10b53be62591d7e09b2a9ea510b118b7661426c09f47b3c03d5011154ae69919"
        ),
    }

    stretch: bool = False  # to 29 steps by linear interpolation, as the authors' files are

    def kernels(self, rate: float | None) -> Kernels | None:
        return super().kernels(rate) if self.stretch else None  # the authors' are of stretched series

    def fingerprint(self, files: Files) -> str:
        return SHA256

    def load(self, files: Files, seed: int) -> Splits:
        content = EMBEDDED.read_bytes()
        if hashlib.sha256(content).hexdigest() != SHA256:
            raise DataError(f"{EMBEDDED} is damaged (wrong sha256): install tkae again")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            splits = [
                _collection(arrays[f"{split}_steps"], arrays[f"{split}_lengths"], arrays[f"{split}_labels"])
                for split in ("train", "test")
            ]
        if self.stretch:
            splits = [stretch(x, STEPS) for x in splits]
        return Splits(splits[0], splits[1], classes=tuple(f"speaker {i}" for i in range(1, 10)))


def _collection(steps: np.ndarray, lengths: np.ndarray, labels: np.ndarray) -> Collection:
    """Undo the packing: `steps` (V, all steps) are differences of millionths."""
    values = np.cumsum(steps, axis=1, dtype=np.int64).T / 1e6
    series = np.split(values, np.cumsum(lengths, dtype=np.int64)[:-1])
    return Collection.from_series(series, labels.astype(np.int64) - 1, steps=STEPS)
