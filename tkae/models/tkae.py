"""TKAE: the TAE whose codes' inner products are aligned to a kernel, the TCK if no other is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection
from tkae.data.dataset import Extent
from tkae.errors import UserError
from tkae.fields import parameter, setting, values
from tkae.kernels.sizes import held_bytes, whole_bytes
from tkae.memory import available, refuse_beyond
from tkae.models.tae import TAE

if TYPE_CHECKING:
    from tkae.engine.replicas import Blocks
    from tkae.engine.trainer import Replica
    from tkae.models.tck import TCK

SMALL = 2048  # series: their kernel takes 17 MB


@dataclass
class TKAE(TAE):
    """The temporal kernelized autoencoder: a TAE whose codes' inner products are aligned to a kernel.

    The kernel is prior knowledge about the training series: one for all runs on the same series.

    Parameters
    ----------
    alpha : float
        The weight of the alignment in the loss (L_k).
    G : int
        Mixtures of each size in the cluster kernel (Q in Alg. 1): see `TCK`.
    C : int, optional
        The most components of a mixture; 40 by default, or 10 below 100 series.
    kernel_seed : int
        The seed of the cluster kernel.
    kernel_lengths : {"padded", "stretched"}
        How series of different lengths are brought to one for the kernel: see `TCK`.
    kernel : "tck", array (N, N), or callable
        What codes are aligned to: the cluster kernel; a matrix of your own, whose rows are the training
        series in their order; or a function that makes one of the (scaled) training Collection. A kernel
        that the Collection carries itself comes before these.

    The others are those of `TAE`, `Autoencoder` and `Estimator`.
    """

    name: ClassVar[str] = "tkae"
    title: ClassVar[str] = "TKAE"
    aligned: ClassVar[bool] = True

    alpha: float = setting(0.1, at_least=0)
    G: int = setting(30, at_least=1, at_most=10_000)
    C: int | None = setting(None, at_least=2, at_most=1000)
    kernel_seed: int = setting(0, at_least=0)
    kernel_lengths: str = setting("padded", one_of=("padded", "stretched"))
    kernel: str | npt.NDArray[Any] | Callable[..., Any] = parameter("tck")

    def prior(self, train: Collection, others: Collection | None = None) -> npt.NDArray[Any]:
        """The kernel that the training series carry (N, N), or else `kernel`: their TCK is kept in the cache.

        Of `others` likewise: the one that they carry, or else the TCK by the mixtures of the training series.
        """
        asked = train if others is None else others
        if asked.kernel is not None:
            return asked.kernel
        if not isinstance(self.kernel, str):
            own = self.kernel(asked) if callable(self.kernel) else self.kernel
            return np.asarray(asked.with_kernel(own).kernel)
        from tkae.data.files import Files
        from tkae.kernels.cache import cached_kernel

        n = len(asked)
        refuse_beyond(whole_bytes(n), f"the kernel of {n} series", f"{self.leaner}, or set select_every to 0")
        return cached_kernel(self._tck(), train, Files().folder / "kernels", X=others, seed=self.kernel_seed)

    def prior_blocks(self, train: Collection, replicas: int) -> Blocks | None:
        """Of the TCK; the blocks have the bits of the whole, so that either way leads to the same model."""
        own = train.kernel is not None or not isinstance(self.kernel, str)
        if own or not self._in_blocks(len(train), replicas):
            return None
        from tkae.data.files import Files
        from tkae.kernels.cache import cached_blocks

        return cached_blocks(self._tck(), train, Files().folder / "kernels", seed=self.kernel_seed)

    def _in_blocks(self, n: int, replicas: int = 1) -> bool:
        """Whether the trainings see less of the kernel than there is, or it would take too much memory.

        Small ones are made whole and kept on disk, where others look for them; and a selection of weights
        needs the whole.
        """
        if n <= SMALL or self.select_every:
            return False
        return self.epochs * self.batch * replicas < n or whole_bytes(n) > available() // 4

    def footprint(self, extent: Extent) -> int:
        n = extent.train
        kernel = held_bytes(n) if self._in_blocks(n) else whole_bytes(n)
        return super().footprint(extent) + 9 * extent.entries + kernel  # the mixtures have the series, too

    def shared(self, sample: Collection, extent: Extent, seed: int) -> dict[str, float]:
        """The mixtures, and their kernel: of one seed for all runs on the same series."""
        if not self.alpha:
            return {}
        tck = self._tck()
        seconds, n = tck.seconds(sample, extent), extent.train
        if self._in_blocks(n):  # of the kernel only as much is made as is looked at
            seconds *= min(1.0, self.epochs * self.batch / n)
        kernel = {f"kernel {values(tck)} {self.kernel_seed}": seconds}
        return tck.shared(sample, extent, self.kernel_seed) | kernel

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """That of the TAE with an alignment."""
        return super().seconds(sample.with_kernel(np.eye(len(sample))), extent, replicas)

    def idle(self, kernel: bool) -> frozenset[str]:
        unused = {"G", "C", "kernel_seed", "kernel_lengths"} if kernel or not self.alpha else frozenset[str]()
        return super().idle(kernel) | unused

    def check(self) -> None:
        super().check()
        if isinstance(self.kernel, str) and self.kernel != "tck":
            raise UserError(
                f"{self.name}: kernel={self.kernel} is not allowed: it takes tck, a matrix, or a function"
            )

    def other_versions(self) -> dict[str, int]:
        from tkae.models.tck import TCK

        return {"tck": TCK.version}

    def _tck(self) -> TCK:
        from tkae.models.tck import TCK

        return TCK(G=self.G, C=self.C, lengths=self.kernel_lengths, dtype="float32")

    def replica(self, seed: int, set_of: int, n: int) -> Replica:
        return replace(super().replica(seed, set_of, n), alpha=self.alpha)
