"""The datasets by name, as configs and `tkae-data` call them; a module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from tkae.data.dataset import Dataset
from tkae.errors import unknown

DATASETS = {
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
    "file": "tkae.data.sets.file:File",
}


def dataset_class(name: str) -> type[Dataset]:
    """The class of the dataset of this name."""
    if name not in DATASETS:
        raise unknown("dataset", name, DATASETS)
    module, _, attribute = DATASETS[name].partition(":")
    found: type[Dataset] = getattr(import_module(module), attribute)
    return found
