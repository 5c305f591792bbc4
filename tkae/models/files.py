"""Files of fitted models: safetensors with a description, nothing pickled.

A file says which class made it, and only classes that are known here or that the user names are made from it:
no file can load code.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.scaling import Standardiser
from tkae.errors import DataError, UserError
from tkae.fields import absent, settings, values
from tkae.models import HOME
from tkae.models.contract import not_fitted
from tkae.models.estimator import Estimator
from tkae.storage import Arrays, believed, load_arrays, save_arrays
from tkae.version import __version__

KIND = "a model"  # what such a file holds, says its header
FORMAT = 1  # raised when an older tkae can no longer read it
PARAMETERS = ("random_state", "scale", "contamination", "n_seeds")  # those that a file keeps
KEPT = ("variate_names_", "lengths_", "fingerprint_", "labels_", "limit_")
SCALER = ("mean", "deviation")


def save(model: Estimator, path: Path) -> None:
    """Settings, fitted arrays, scaling, and what is known of the training series."""
    if not model.variate_names_:
        raise not_fitted(f"this {model.name} is not fitted yet: call fit first")
    arrays: Arrays = {}
    for r, replica in enumerate((model, *model.replicas_)):
        arrays |= {f"{r}.{key}": replica._learned(key) for key in model.fitted}
    if model.scaler_ is not None:
        arrays |= {key: getattr(model.scaler_, key) for key in SCALER}
    parameters = {key: getattr(model, key) for key in PARAMETERS if hasattr(model, key)}
    about = {
        "format": FORMAT,
        "tkae": __version__,
        "class": type(model).__name__,
        "version": model.version,
        "settings": {key: _plain(value) for key, value in (values(model) | parameters).items()},
        "kept": {key: getattr(model, key) for key in KEPT},
        "replicas": len(model.replicas_),
    }
    save_arrays(path, arrays, about, KIND)


def load(path: str | Path, *own: type[Estimator]) -> Any:
    """The model that `save` wrote to this file, equal bit for bit.

    Parameters
    ----------
    path : str or Path
        The file.
    *own : classes
        Your own models: a file that one of them made is only loaded if you name it.

    Returns
    -------
    The fitted model. Settings and the seed are as they were; `device` is, too, and can be changed.
    """
    path = Path(path)
    arrays, about = load_arrays(path, KIND)
    with believed(path, "a model file that can be used"):
        return _made(path, arrays, about, own)


def _made(path: Path, arrays: Arrays, about: dict[str, Any], own: tuple[type[Estimator], ...]) -> Any:
    """The model that a file describes."""
    if about["format"] > FORMAT:
        raise DataError(f"{path} was written by a newer tkae ({about['tkae']}): update tkae")
    cls = _class(path, about["class"], own)
    if about["version"] != cls.version:
        raise DataError(
            f"{path} was written by version {about['version']} of {about['class']}; this is version "
            f"{cls.version}: fit the model again"
        )
    if not 0 <= about["replicas"] <= len(arrays):
        raise DataError(f"{path} tells of {about['replicas']} replicas that it does not hold: save it again")
    wanted = {f"{r}.{key}" for r in range(1 + about["replicas"]) for key in cls.fitted}
    # Names may change without the numbers: a renamed setting does not raise the version.
    names = {spec.name for spec in settings(cls)} | {*PARAMETERS}
    gone = {*about["settings"]} - names | wanted - {*arrays}
    if gone:
        raise DataError(
            f"{path} was written by another version of tkae ({', '.join(sorted(gone))} of {about['class']} "
            "differ): fit the model again"
        )
    # A setting that came later has the value that all models had until then.
    earlier = {spec.name: absent(spec) for spec in settings(cls)}
    models = [cls(**{**earlier, **about["settings"]}) for _ in range(1 + about["replicas"])]
    try:
        models[0].check()
    except UserError as error:
        raise DataError(f"{path}: {error}") from None
    scaler = Standardiser(*(arrays[key] for key in SCALER)) if {*SCALER} <= {*arrays} else None
    for r, model in enumerate(models):
        for key in cls.fitted:
            setattr(model, key, arrays[f"{r}.{key}"])
    first, *others = models
    for key in KEPT:
        value = about["kept"][key]
        setattr(first, key, tuple(value) if key in ("variate_names_", "lengths_") else value)
    first.scaler_, first.replicas_, first.n_features_in_ = scaler, tuple(others), len(first.variate_names_)
    for model in models:
        model.try_learned(first.n_features_in_)
    return first


def _class(path: Path, called: str, own: tuple[type[Estimator], ...]) -> type[Estimator]:
    """The class of this name, if it is one of ours or of the user's."""
    for cls in own:
        if cls.__name__ == called:
            return cls
    if called not in HOME:
        raise DataError(
            f"{path} holds a model of the class {called}, which is not one of tkae's: name the class, "
            f"load(path, {called}), if it is yours"
        )
    found: type[Estimator] = getattr(import_module(HOME[called]), called)
    return found


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value
