"""Models: one module each, one contract (see base)."""

from __future__ import annotations

# Where each class stands. Only these, and those that a user names, are made from a stored model.
HOME = {
    "AE": "tkae.models.ae",
    "CountLogistic": "tkae.models.mask",
    "DAE": "tkae.models.ae",
    "EncDecAD": "tkae.models.encdec_ad",
    "IsolationForest": "tkae.models.iforest",
    "LOCF": "tkae.models.locf",
    "Mask": "tkae.models.mask",
    "MaskLogistic": "tkae.models.mask",
    "MeanFill": "tkae.models.mean",
    "NoModel": "tkae.models.no_model",
    "OCSVM": "tkae.models.ocsvm",
    "PCA": "tkae.models.pca",
    "TAE": "tkae.models.tae",
    "TCK": "tkae.models.tck",
    "TCKKernelPCA": "tkae.models.tck_kpca",
    "TKAE": "tkae.models.tkae",
}
