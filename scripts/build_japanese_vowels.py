"""Builds the embedded Japanese Vowels file from the `.ts` files that the aeon (or sktime) wheel carries.

    pip download --no-deps --dest wheels aeon==1.6.0
    python scripts/build_japanese_vowels.py wheels/aeon-1.6.0-py3-none-any.whl

Prints the sha256 to put into tkae/data/sets/japanese_vowels.py. The source has six decimals, so values
are kept as whole millionths: exact, and half the size of floating point numbers.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from tkae.data.readers.ts import read_ts
from tkae.storage import write_atomically

TARGET = Path(__file__).parent.parent / "tkae" / "data" / "sets" / "japanese_vowels.npz"
SOURCES = {  # sha256 of the members, the same in aeon 1.6.0 and sktime 1.2.0
    "TRAIN": "68a430eabd919cc77f40b1f5f3bc0dcafacc1486bca9260785aeb7d262cc78cd",
    "TEST": "b3d41d6a0ca3bcad3afb9ca7d4365382aa51341e2e58bae2a574babdda5b9462",
}


def main(wheel: Path) -> None:
    arrays = {}
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        for split, sha256 in SOURCES.items():
            suffix = f"/JapaneseVowels/JapaneseVowels_{split}.ts"
            member = next(name for name in archive.namelist() if name.endswith(suffix))
            text = archive.read(member)
            if hashlib.sha256(text).hexdigest() != sha256:
                raise SystemExit(f"{member}: not the file this script was written for")
            path = Path(folder) / "one.ts"
            path.write_bytes(text)
            series, labels = read_ts(path)
            stacked = np.concatenate(series)  # (all steps of all series, V)
            millionths = np.rint(stacked * 1e6).astype(np.int32)
            if not np.array_equal(millionths / 1e6, stacked):
                raise SystemExit(f"{member}: a value has more than six decimals")
            key = split.lower()
            # Variate by variate and differenced in time: neighbours are alike, which compresses better.
            arrays[f"{key}_steps"] = np.diff(millionths.T, axis=1, prepend=0).astype(np.int32)
            arrays[f"{key}_lengths"] = np.array([len(one) for one in series], dtype=np.uint8)
            arrays[f"{key}_labels"] = np.array(labels, dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(TARGET, buffer.getvalue())
    print(f"{TARGET}: {len(buffer.getvalue())} bytes, sha256 {hashlib.sha256(buffer.getvalue()).hexdigest()}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
