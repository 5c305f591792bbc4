"""Files that tkae keeps: masks, parsed datasets, kernels, checkpoints and models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from tests.models.series import make, sines
from tkae.data.array_cache import kept, pack, unpack
from tkae.data.collection import Collection
from tkae.data.masks import fitting, read_masks, write_masks
from tkae.kernels.cache import cached_kernel
from tkae.models.checkpoints import Watch, by_checkpoint, forget
from tkae.models.files import load
from tkae.models.tck import TCK
from tkae.settings.registry import lookup
from tkae.storage import believed

SERIES: Collection = sines(12, 8, ragged=True)


def bytes_of(write: Callable[[Path], object]) -> bytes:
    """The bytes that a function leaves in a file."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.safetensors"
        write(path)
        return path.read_bytes()


@cache
def mask_files() -> list[bytes]:
    removed = {"train": SERIES.observed, "test": SERIES.observed}
    return [bytes_of(lambda path: write_masks(path, removed, {"rate": 0.5}))]


def read_mask(path: Path) -> object:
    return fitting(read_masks(path), "train", SERIES, path)


@cache
def parsed_datasets() -> list[bytes]:
    from tkae.data.dataset import Splits
    from tkae.storage import save_arrays

    labels = Collection(SERIES.values, SERIES.observed, SERIES.lengths, np.arange(12) % 2)
    splits = Splits(labels, labels, ("a", "b"), 1)
    return [bytes_of(lambda path: save_arrays(path, *pack(splits), "cached.safetensors"))]


def read_parsed(path: Path) -> object:
    from tkae.data.dataset import Splits

    found = kept(path, lambda: pack(Splits(SERIES, SERIES, ())))
    with believed(path, "a parsed dataset"):  # as SourceDataset.load has it
        return unpack(*found)


KEYS = ["0" * 24, "1" * 24]


@cache
def checkpoints() -> list[bytes]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        watch = Watch(Path(folder), KEYS, keep_every=0.0)
        models = [make("tae", epochs=2), make("tae", epochs=2)]
        type(models[0]).learn_replicas(models, [SERIES, SERIES], [0, 1], watch)
        assert watch.path is not None
        return [watch.path.read_bytes()]


def resume(path: Path) -> object:
    """A training that goes on from it; what it cannot use it starts afresh from, or says so."""
    watch = Watch(path.parent, KEYS, keep_every=1e9)
    by_checkpoint(path.parent, KEYS)
    models = [make("tae", epochs=2), make("tae", epochs=2)]
    found = type(models[0]).learn_replicas(models, [SERIES, SERIES], [0, 1], watch)
    forget(path.parent, lambda key: False)
    for one in found:
        if isinstance(one, Exception):
            raise one
    return found


QUICK = {"tck": {"G": 1, "C": 2}, "tck_kpca": {"G": 1, "C": 2, "code_size": 2}, "iforest": {"trees": 5}}
NETWORKS = ("tae", "ae")
ABILITIES = ("encode", "reconstruct", "similarity", "screen")


@cache
def model_files(name: str) -> list[bytes]:
    own = make(name, epochs=1) if name in NETWORKS else lookup("model", name)(**QUICK.get(name, {}))
    return [bytes_of(lambda path: own.fit(SERIES).save(path))]


def use_model(path: Path) -> object:
    """All that a model from a file can do."""
    model = load(path)
    return [getattr(model, ability)(SERIES) for ability in ABILITIES if model.can(ability)]


KERNEL = TCK(G=1, C=3, iterations=2)


@cache
def kernel_files() -> dict[str, bytes]:
    """Mixtures and a kernel that rests on them, by their names in the cache."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        cached_kernel(KERNEL, SERIES, Path(folder))
        return {path.name: path.read_bytes() for path in sorted(Path(folder).glob("*.safetensors"))}


def read_kernel(path: Path) -> object:
    """What rests on the cache while it holds this, whichever of the two files it is."""
    content = path.read_bytes()
    for name in kernel_files():
        (path.parent / name).write_bytes(content)
    kernel = cached_kernel(KERNEL, SERIES, path.parent)
    assert kernel.shape == (len(SERIES), len(SERIES)) and kernel.dtype == KERNEL.dtype
    return kernel, cached_kernel(KERNEL, SERIES, path.parent, None, SERIES)
