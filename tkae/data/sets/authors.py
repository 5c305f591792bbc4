"""Where the paper's authors published their prepared files."""

from __future__ import annotations

from tkae.data.files import Remote

_REPOSITORY = (
    "https://raw.githubusercontent.com/FilippoMB/"
    "Learning-representations-for-multivariate-time-series-with-missing-data/master/dataset/"
)
CITATION = "Bianchi et al. 2019, Learning representations for multivariate time series with missing data"


def published(path: str, sha256: str, size: int) -> Remote:
    """A file of the authors' repository."""
    return Remote(_REPOSITORY + path, sha256, size=size)
