"""TCK+kPCA: kernel principal components of the TCK as a code, out of sample by the train-test kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Extent
from tkae.fields import setting
from tkae.kernels.gram import MembersDone, silent
from tkae.models.tck import TCK


@dataclass
class TCKKernelPCA(TCK):
    """The code of a series: its coordinates on the leading axes of the centred kernel.

    Parameters
    ----------
    code_size : int
        D_z, the number of axes.

    The others are those of `TCK`.
    """

    name: ClassVar[str] = "tck_kpca"
    title: ClassVar[str] = "TCK+kPCA"
    fitted: ClassVar[tuple[str, ...]] = (*TCK.fitted, "axes_", "means_")
    kernels: ClassVar[int] = 2  # train x train and train x test

    code_size: int = setting(10, at_least=1, at_most=10_000)

    def learn(
        self, train: Collection, seed: int = 0, threads: int | None = None, progress: MembersDone = silent
    ) -> Self:
        """The kernel, then its leading axes; on an axis without variance every series is at 0."""
        from scipy.linalg import eigh
        from threadpoolctl import threadpool_limits

        super().learn(train, seed, threads, progress)
        kernel = self.beside_train(threads=threads, progress=progress).astype(np.float64)
        self.means_ = kernel.mean(axis=0)
        n = len(kernel)
        kernel += self.means_.mean() - self.means_ - self.means_[:, None]
        size = min(self.code_size, n)
        with threadpool_limits(1, "blas"):  # so that the number of threads changes no bit
            variances, axes = eigh(kernel, subset_by_index=(n - size, n - 1))
        variances, axes = variances[::-1], axes[:, ::-1]
        axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(size)] < 0, -1.0, 1.0)
        seen = variances > 1e-10 * n * len(self._learned("sizes_"))
        self.axes_ = np.zeros((n, self.code_size))
        self.axes_[:, :size][:, seen] = axes[:, seen] / np.sqrt(variances[seen])
        return self

    def footprint(self, extent: Extent) -> int:
        return super().footprint(extent) + 4 * 8 * extent.train**2  # the kernel, centred, and LAPACK's room

    def try_learned(self, width: int) -> None:
        super().try_learned(width)
        n = len(self._learned("values_"))
        if self._learned("axes_").shape != (n, self.code_size) or self._learned("means_").shape != (n,):
            raise ValueError("axes of another kernel")

    def features(self, x: Collection, threads: int | None = None) -> Floats:
        return self.encode(x)

    def encode(self, x: Collection) -> Floats:
        """Kernel PCA coordinates (N, D_z)."""
        means = self._learned("means_")
        # the rest of the centring is one number a row, and no axis has a part along a constant
        return np.asarray((self.similarity(x) - means) @ self._learned("axes_"))
