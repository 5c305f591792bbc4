"""Named random streams: each use of chance has its own, derived from a seed and the use's name.

Adding a stream never moves another, and no stream depends on the order in which they are made.
"""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """The generator of the stream called `names` (say `"mask", "libras", "train"`) under `seed`."""
    text = "\x1f".join([str(int(seed)), *(str(name) for name in names)])
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))
