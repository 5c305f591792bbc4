"""TCK: the kernel alone as a classifier, by the nearest training series of `similarity`.

A kernel has no code of its own (it would be the posteriors of all mixtures side by side, thousands of
numbers); for a code see `tck_kpca`.
"""

from __future__ import annotations

from tkae.kernels.tck import TCK

__all__ = ["TCK"]
