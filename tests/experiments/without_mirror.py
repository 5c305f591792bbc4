"""What of the experiments can be run without source files: on embedded, generated and own series."""

from __future__ import annotations

from pathlib import Path

import numpy as np

ON_VOWELS = (
    "classification",
    "imputation",
    "missingness",
    "alignment_weight",
    "l2_weight",
    "kernel_matrices",
    "datasets",
    "search_classification",
    "search_imputation",
)
GENERATED = ("sinusoids", "variable_length", "many_variates", "long_series")
ON_OWN_FILE = ("classification", "imputation", "one_class", "ehr_density")


def own_file(folder: Path) -> Path:
    """Thirty ragged series with holes, of two classes that differ in their level."""
    rng = np.random.default_rng(3)
    lines = ["series,time,pulse,pressure,label"]
    for i in range(30):
        for t in range(rng.integers(6, 12)):
            pulse, pressure = rng.normal(3.0 * (i % 2), 1.0, size=2)
            lines.append(
                f"s{i},{t},{'' if rng.random() < 0.2 else pulse},{pressure},{'ill' if i % 2 else 'well'}"
            )
    path = folder / "own.csv"
    path.write_text("\n".join(lines))
    return path
