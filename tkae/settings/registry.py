"""Which class stands behind each member of each config group; imported only when it is used."""

from __future__ import annotations

import functools
from dataclasses import fields
from importlib import import_module
from typing import Any

from tkae.errors import unknown

GROUPS: dict[str, dict[str, str]] = {
    "experiment": {
        "imputation": "tkae.experiments.imputation:Imputation",
        "classification": "tkae.experiments.classification:Classification",
        "missingness": "tkae.experiments.sensitivity:VaryingMissingness",
        "alignment_weight": "tkae.experiments.sensitivity:VaryingAlignment",
        "l2_weight": "tkae.experiments.sensitivity:VaryingL2",
        "kernel_matrices": "tkae.experiments.kernel_matrices:KernelMatrices",
        "ehr_density": "tkae.experiments.ehr_density:EHRDensity",
        "one_class": "tkae.experiments.one_class:OneClass",
        "datasets": "tkae.experiments.datasets:Datasets",
        "sinusoids": "tkae.experiments.sinusoids:Sinusoids",
        "variable_length": "tkae.experiments.variable_length:VariableLength",
        "many_variates": "tkae.experiments.many_variates:ManyVariates",
        "long_series": "tkae.experiments.long_series:LongSeries",
        "ablations": "tkae.experiments.ablations:Ablations",
        "search_classification": "tkae.experiments.search:SearchClassification",
        "search_imputation": "tkae.experiments.search:SearchImputation",
    },
    "dataset": {
        "japanese_vowels": "tkae.data.sets.japanese_vowels:JapaneseVowels",
        "ecg5000": "tkae.data.sets.ecg5000:ECG5000",
        "ecg2": "tkae.data.sets.ecg2:ECG2",
        "libras": "tkae.data.sets.libras:Libras",
        "wafer": "tkae.data.sets.wafer:Wafer",
        "arabic_digits": "tkae.data.sets.arabic_digits:ArabicDigits",
        "auslan": "tkae.data.sets.auslan:Auslan",
        "ehr": "tkae.data.sets.ehr:EHR",
        "physionet": "tkae.data.sets.physionet:Physionet",
        "sinusoids": "tkae.data.sets.sinusoids:Sinusoids",
        "ode": "tkae.data.sets.ode:ODE",
        "ode_fix": "tkae.data.sets.ode_cases:ODEFix",
        "ode_var": "tkae.data.sets.ode_cases:ODEVar",
        "ode5": "tkae.data.sets.ode_cases:ODE5",
        "ode10": "tkae.data.sets.ode_cases:ODE10",
        "ode15": "tkae.data.sets.ode_cases:ODE15",
        "ode20": "tkae.data.sets.ode_cases:ODE20",
        "file": "tkae.data.sets.file:File",
    },
    "missingness": {
        "none": "tkae.data.missingness:Untouched",
        "uniform": "tkae.data.missingness:Uniform",
        "block": "tkae.data.missingness:Block",
        "mar": "tkae.data.missingness:MAR",
        "file": "tkae.data.missingness:FromFile",
    },
    "model": {
        "mean": "tkae.models.mean:MeanImputer",
        "locf": "tkae.models.locf:LOCF",
        "pca": "tkae.models.pca:PCA",
        "tck": "tkae.models.tck:TCK",
        "tck_kpca": "tkae.models.tck_kpca:TCKKernelPCA",
        "ae": "tkae.models.ae:AE",
        "ae_tied": "tkae.models.ae:TiedAE",
        "dae": "tkae.models.ae:DAE",
        "encdec_ad": "tkae.models.encdec_ad:EncDecAD",
        "tae": "tkae.models.tae:TAE",
        "tkae": "tkae.models.tkae:TKAE",
        "ocsvm": "tkae.models.ocsvm:OCSVM",
        "iforest": "tkae.models.iforest:IsolationForest",
        "mask": "tkae.models.mask:Mask",
        "mask_logistic": "tkae.models.mask:MaskLogistic",
        "count_logistic": "tkae.models.mask:CountLogistic",
        "none": "tkae.models.none:NoModel",
    },
    "budget": dict.fromkeys(("paper", "quick", "smoke", "search"), "tkae.settings.values:Budget"),
    "executor": {
        "serial": "tkae.runs.executors:Serial",
        "processes": "tkae.runs.executors:Processes",
        "dask": "tkae.runs.dask:Dask",
    },
    "protocol": dict.fromkeys(("paper", "authors", "clean"), "tkae.protocol:Protocol"),
}

# One word for several experiments: `experiment=search` runs both.
SUITES: dict[str, tuple[str, ...]] = {"search": ("search_classification", "search_imputation")}


def lookup(group: str, name: str) -> Any:
    """The class of a member, or the sentence that names those there are."""
    members = GROUPS[group]
    if name not in members:
        raise unknown(group, name, members)
    module, _, attribute = members[name].partition(":")
    return getattr(import_module(module), attribute)


@functools.cache
def settings_of(group: str, name: str) -> list[str]:
    """The names of a member's settings."""
    return [spec.name for spec in fields(lookup(group, name))]
