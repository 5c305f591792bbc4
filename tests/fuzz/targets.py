"""What is read from outside, each with valid inputs to begin with, a way to spoil them, and its reader."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.applied import apply_own_file
from tests.fuzz.between import (
    claims,
    indexes,
    news,
    read_claim,
    read_index,
    read_news,
    spoiled_index,
    spoiled_news,
)
from tests.fuzz.configs import MEMBERS, composing, own_configs
from tests.fuzz.kept import (
    NETWORKS,
    QUICK,
    checkpoints,
    kernel_files,
    mask_files,
    model_files,
    parsed_datasets,
    read_kernel,
    read_mask,
    read_parsed,
    resume,
    use_model,
)
from tests.fuzz.mutations import Spoil, spoiled_bytes, spoiled_file, spoiled_record
from tests.fuzz.results import (
    arrays_files,
    packed_files,
    read_arrays,
    read_packed,
    read_record,
    record_files,
    unpack_packed,
)
from tests.fuzz.sources import (
    ODD,
    TS,
    archives,
    frames,
    mat_files,
    npz_files,
    number_texts,
    read_mat_file,
    read_members,
    read_numbers,
    read_own_file,
    read_wfdb,
    tables,
    wfdb_records,
)
from tkae.data.archives import BrokenArchive
from tkae.errors import UserError

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Target:
    """A reader of files with this name; `allowed` are the errors that are sentences."""

    seeds: Callable[[], list[bytes]]
    read: Read
    name: str  # of the file
    spoil: Spoil = spoiled_bytes
    allowed: tuple[type[Exception], ...] = field(default=(UserError,))


TARGETS: dict[str, Target] = {
    "csv": Target(tables, read_own_file, "own.csv"),
    "csv.gz": Target(lambda: [gzip.compress(one) for one in tables()], read_own_file, "own.csv.gz"),
    "tsv": Target(tables, read_own_file, "own.tsv"),
    "parquet": Target(lambda: frames("parquet"), read_own_file, "own.parquet"),
    "feather": Target(lambda: frames("feather"), read_own_file, "own.feather"),
    "ts": Target(lambda: [TS.encode()], read_own_file, "own.ts"),
    "npz": Target(npz_files, read_own_file, "own.npz"),
    "apply csv": Target(lambda: [*tables(), ODD.encode()], apply_own_file, "own.csv"),
    "apply npz": Target(npz_files, apply_own_file, "own.npz"),
    "mat": Target(mat_files, read_mat_file, "own.mat"),
    "wfdb": Target(wfdb_records, read_wfdb, "record"),
    "text": Target(number_texts, read_numbers, "table"),
    "archive": Target(archives, read_members, "archive", allowed=(BrokenArchive,)),
    "masks": Target(mask_files, read_mask, "masks.safetensors", spoiled_file),
    "cache": Target(parsed_datasets, read_parsed, "cached.safetensors", spoiled_file),
    "kernel": Target(lambda: list(kernel_files().values()), read_kernel, "kernel.safetensors", spoiled_file),
    "checkpoint": Target(checkpoints, resume, f"{'0' * 24}.safetensors", spoiled_file),
    **{
        f"model {name}": Target(
            lambda name=name: model_files(name), use_model, "model.safetensors", spoiled_file
        )
        for name in ("mean", "pca", "ocsvm", *QUICK, *NETWORKS)
    },
    **{
        f"config {group}": Target(lambda group=group: own_configs(group), composing(group), "own.yaml")
        for group in MEMBERS
    },
    "record": Target(record_files, read_record, "record.json", spoiled_record),
    "packed": Target(packed_files, read_packed, "packed.jsonl", spoiled_record),
    "unpack": Target(packed_files, unpack_packed, "packed.jsonl", spoiled_record),
    "beside": Target(arrays_files, read_arrays, "beside.safetensors", spoiled_file),
    "index": Target(indexes, read_index, "index", spoiled_index),
    "claim": Target(claims, read_claim, "claim"),
    "news": Target(news, read_news, "news.json", spoiled_news),
}
