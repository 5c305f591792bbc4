"""tkae: the Temporal Kernelized Autoencoder paper (Bianchi et al. 2019), re-measured and usable.

    from tkae import TKAE

    model = TKAE(epochs=100).fit(series)  # a list of arrays (T_i, V), NaN where a value is missing
    model.impute(series)

What is named here is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tkae.models import HOME
from tkae.version import __version__ as __version__

if TYPE_CHECKING:
    from tkae.data.collection import Collection as Collection
    from tkae.models.ae import AE as AE
    from tkae.models.ae import DAE as DAE
    from tkae.models.encdec_ad import EncDecAD as EncDecAD
    from tkae.models.files import load as load
    from tkae.models.iforest import IsolationForest as IsolationForest
    from tkae.models.locf import LOCF as LOCF
    from tkae.models.mean import MeanFill as MeanFill
    from tkae.models.ocsvm import OCSVM as OCSVM
    from tkae.models.pca import PCA as PCA
    from tkae.models.tae import TAE as TAE
    from tkae.models.tck import TCK as TCK
    from tkae.models.tck_kpca import TCKKernelPCA as TCKKernelPCA
    from tkae.models.tkae import TKAE as TKAE
    from tkae.runs.frame import results as results

_PLACES = {
    "Collection": "tkae.data.collection",
    "load": "tkae.models.files",
    "results": "tkae.runs.frame",
}

__all__ = [  # noqa: RUF022 (in the order of the paper)
    "TKAE", "TAE", "EncDecAD", "AE", "DAE", "TCK", "TCKKernelPCA", "PCA", "LOCF", "MeanFill", "OCSVM",
    "IsolationForest", "Collection", "load", "results",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name) or HOME.get(name)
    if place is None or name not in __all__:
        raise AttributeError(f"module 'tkae' has no attribute '{name}'")
    return getattr(import_module(place), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
