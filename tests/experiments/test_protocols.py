"""The protocols' values as docs/protocols.md has them: a slip in a config file changes every figure."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from tkae.settings.compose import compose

TEXT = {
    "scaling": "train",
    "scaling_entries": "all",
    "masks": "drawn",
    "kernels": "tck",
    "imputation_split": "test",
    "imputation_values": "completed",
    "imputation_entries": "valid",
    "error_entries": "valid",
}
AUTHORS = {
    "scaling": "own",
    "masks": "published",
    "kernels": "published",
    "imputation_split": "train",
    "imputation_values": "output",
}
DECIDED = {
    "paper": TEXT,
    "authors": TEXT | AUTHORS,
    "clean": TEXT
    | {"scaling_entries": "observed", "imputation_entries": "removed", "error_entries": "observed"},
}


@pytest.mark.parametrize("name", DECIDED)
def test_values_are_as_decided(name: str) -> None:
    (call,) = compose(["experiment=imputation", f"protocol={name}", "model=mean"], sweep=False)
    values: dict[str, Any] = asdict(call.protocol)
    assert {key: values[key] for key in TEXT} == DECIDED[name] and values["name"] == name
    vowels: Any = call.dataset("japanese_vowels")
    assert vowels.stretch == (name == "authors")
    (call,) = compose(["experiment=classification", f"protocol={name}", "model=pca"], sweep=False)
    patients: Any = call.dataset("ehr")
    assert patients.splits == ("repeated" if name == "clean" else "given")


# What docs/protocols.md says of networks: values of every one that has such a setting, then single ones.
ALL: dict[str, dict[str, Any]] = {
    "paper": {
        "combination": "top", "memory": "code", "output_bias": True, "end_step": False, "l2_biases": False,
        "batch": 32, "drop_last": False, "select_every": 0, "patience": 0, "validation": 0.0, "epochs": 5000,
    },
    "authors": {
        "combination": "layers", "output_bias": False, "end_step": True, "l2_biases": True,
        "drop_last": True, "select_every": 100, "patience": 0, "validation": 0.0, "code_size": 10,
    },
    "clean": {
        "combination": "top", "memory": "code", "output_bias": True, "end_step": False, "l2_biases": False,
        "batch": 32, "drop_last": False, "loss": "observed", "validation": 0.2, "select_every": 10,
        "patience": 20,
    },
}  # fmt: skip
SINGLE: dict[tuple[str, str], dict[str, dict[str, Any]]] = {
    ("classification", "paper"): {
        "ae": {"loss": "filled", "linear_decoder": True, "tied": False, "l2": 0.001},
        "encdec_ad": {"loss": "filled", "layers": 1, "bidirectional": False, "reverse": True},
        "tae": {"loss": "filled", "p_s": 0.8, "l2": 0.001, "layers": 2, "cell": "lstm", "fill": "zero"},
        "tkae": {"loss": "filled", "p_s": 0.8, "l2": 0.001, "layers": 2, "cell": "lstm", "alpha": 0.1},
    },
    ("classification", "authors"): {
        "ae": {"loss": "padded", "batch": 32},
        "encdec_ad": {"loss": "padded", "layers": 2, "bidirectional": False, "reverse": False},
        "tae": {"loss": "padded", "start": "all", "batch": 32},
        "tkae": {"loss": "padded", "start": "all", "batch": 32, "alpha": 0.1},
    },
    ("imputation", "paper"): {
        "dae": {"loss": "observed", "corruption": 0.5, "fill": "zero", "linear_decoder": True},
        "tkae": {"loss": "observed", "p_s": 0.8, "l2": 0.001},
    },
    ("imputation", "authors"): {
        "dae": {
            "loss": "observed", "corruption": 0.0, "fill": "locf", "activation": "tanh", "tied": False,
            "linear_decoder": False, "l2": 0.001, "batch": 25, "hidden": 30,
        },
        "tkae": {"loss": "observed", "start": "last", "p_s": 0.9, "l2": 0.001, "batch": 25, "fill": "zero"},
    },
    ("one_class", "paper"): {
        "ae": {"loss": "filled", "linear_decoder": False, "tied": False, "l2": 0.0, "code_size": 10},
        "encdec_ad": {"loss": "filled", "cell": "gru", "layers": 1, "l2": 0.0, "reverse": True},
        "tae": {"loss": "filled", "cell": "gru", "layers": 1, "p_s": 0.9, "l2": 0.0, "code_size": 10},
        "tkae": {"cell": "gru", "layers": 1, "p_s": 0.9, "l2": 0.0, "alpha": 0.2, "code_size": 10},
        "pca": {"code_size": 10, "fill": "zero"},
        "ocsvm": {"gamma": 0.7, "nu": 0.5, "fill": "zero"},
        "iforest": {"contamination": 0.5, "trees": 100, "fill": "zero"},
    },
    ("one_class", "authors"): {
        "ae": {"loss": "padded", "batch": 25, "linear_decoder": False, "tied": False, "l2": 0.0},
        "encdec_ad": {"loss": "padded", "batch": 25, "cell": "gru", "layers": 1, "reverse": False},
        "tae": {"loss": "padded", "batch": 25, "cell": "gru", "layers": 1, "start": "all", "p_s": 0.9},
        "tkae": {"loss": "padded", "batch": 25, "cell": "gru", "layers": 1, "start": "all", "alpha": 0.2},
        "pca": {"fill": "locf", "code_size": 10},
        "ocsvm": {"fill": "zero"},
        "iforest": {"fill": "zero"},
    },
    ("one_class", "clean"): {"tae": {"cell": "gru", "layers": 1}, "tkae": {"alpha": 0.2}, "ae": {"l2": 0.0}},
    ("classification", "clean"): {"tae": {"p_s": 0.8, "l2": 0.001}, "tkae": {"alpha": 0.1}, "ae": {}},
    ("imputation", "clean"): {"dae": {"corruption": 0.5}, "tkae": {"p_s": 0.8, "l2": 0.001}},
}  # fmt: skip


@pytest.mark.parametrize(("experiment", "protocol"), SINGLE)
def test_they_reach_the_networks(experiment: str, protocol: str) -> None:
    decided = SINGLE[experiment, protocol]
    words = [f"experiment={experiment}", f"protocol={protocol}", "dataset=japanese_vowels"]
    (call,) = compose([*words, f"model=[{','.join(decided)}]"], sweep=False)
    for name, own in decided.items():
        values = asdict(call.model("japanese_vowels", name))
        expected = {key: value for key, value in ALL[protocol].items() if key in values} | own
        assert {key: values[key] for key in expected} == expected, name


def test_clean_holds_out_series_and_stops_when_they_get_worse() -> None:
    """On noise nothing can be learned about a series that was not seen."""
    from tkae.data.collection import Collection
    from tkae.models.autoencoder import _training

    words = ["experiment=classification", "protocol=clean", "dataset=japanese_vowels", "model=[ae,tae]"]
    (call,) = compose([*words, "model.learning_rate=0.02", "budget.epochs=3000"], sweep=False)
    noise = Collection(np.random.default_rng(0).normal(size=(20, 5, 2)))
    for name in ("ae", "tae"):
        model: Any = call.model("japanese_vowels", name)
        training = _training([model], [noise], [0])
        assert len(training.replicas[0].validation) == 4 and len(training._rows[0]) == 16
        training.run()
        assert 200 < training.epoch < 3000 and training.epoch % 10 == 0 and not training.failed.any()
