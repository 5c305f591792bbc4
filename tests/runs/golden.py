"""The cells whose keys are written down in golden_keys.json: some of every kind.

    python -m tests.runs.golden    # writes them anew: only for cells that are new

A key that changes throws the evidence of its cell away. If a test says so, keep the old key by `absent` or
`alias` (tkae.fields.setting); raise a version only where the numbers change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tkae.fields import absent, settings
from tkae.runs.plan import plan
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, lookup

KEYS = Path(__file__).with_name("golden_keys.json")
ABSENT = Path(__file__).with_name("golden_absent.json")
COMMANDS = (
    "experiment=classification dataset=[ehr,japanese_vowels] protocol=paper seeds=1",
    "experiment=classification dataset=[ehr,japanese_vowels] protocol=authors seeds=1",
    "experiment=classification dataset=japanese_vowels model=[tae,ae] protocol=clean seeds=[3]",
    "experiment=classification dataset=japanese_vowels model=[tkae,pca] budget=quick seeds=[7]",
    # as they were computed before `memory` was a setting
    "experiment=classification dataset=japanese_vowels model=[encdec_ad,tae,tkae] seeds=1 model.memory=zero",
    "experiment=classification dataset=japanese_vowels model=tae protocol=clean seeds=[3] model.memory=zero",
    "experiment=classification dataset=japanese_vowels model=tkae budget=quick seeds=[7] model.memory=zero",
    "experiment=imputation dataset=[libras,auslan] model=tkae protocol=paper seeds=[9] model.memory=zero",
    "experiment=imputation dataset=wafer model=tkae protocol=clean seeds=[0] model.memory=zero",
    "experiment=missingness missingness.rate=0.9 seeds=[2] model.memory=zero",
    "experiment=sinusoids model=tae seeds=[4] model.memory=zero",
    "experiment=variable_length model=tae seeds=[0] model.memory=zero",
    "experiment=long_series model=tae dataset.steps=200 seeds=[0] model.memory=zero",
    "experiment=one_class model=[ocsvm,pca] dataset.detector=sleepecg dataset.variates=intervals+span "
    "missingness.by=collection seeds=1",
    "experiment=imputation dataset=[libras,auslan] model=[mean,dae,tkae] protocol=paper seeds=[9]",
    "experiment=imputation dataset=ecg2 model=[locf,dae] protocol=authors seeds=[0]",
    "experiment=imputation dataset=wafer model=[locf,tkae] protocol=clean seeds=[0]",
    "experiment=imputation dataset=ecg5000 model=pca budget=smoke seeds=[1]",
    "experiment=missingness missingness.rate=0.9 seeds=[2]",
    "experiment=kernel_matrices protocol=authors seeds=[0]",
    "experiment=ehr_density protocol=clean seeds=[0]",
    "experiment=sinusoids model=[pca,tae] seeds=[4]",
    "experiment=variable_length model=[ae,tae] seeds=[0]",
    "experiment=many_variates dataset=ode20 model=ae_tied protocol=authors seeds=[0]",
    "experiment=long_series model=tae dataset.steps=200 seeds=[0]",
    "experiment=datasets dataset=[wafer,ehr]",
    "experiment=search_imputation dataset=libras model=dae model.tied=true model.l2=0.001 seeds=[0]",
    "experiment=imputation dataset=japanese_vowels model=mean missingness=block missingness.length=8 seeds=1",
    "experiment=imputation dataset=japanese_vowels model=mean missingness=mar missingness.draw=0 seeds=1",
)


def keys() -> dict[str, str]:
    """By what a cell is, its key."""
    found = {}
    for command in COMMANDS:
        for cell in plan(compose(command.split(), sweep=False)):
            found[f"{cell.label} ({cell.entry().story['method']}, {cell.budget.name})"] = cell.key
    return found


def absents() -> dict[str, dict[str, Any]]:
    """By member of a config group, what a key without a setting stands for."""
    groups = ("experiment", "dataset", "missingness", "model", "protocol")
    classes = {f"{group}.{name}": lookup(group, name) for group in groups for name in GROUPS[group]}
    return {
        name: {
            spec.metadata.get("alias", spec.name): absent(spec)
            for spec in settings(cls)
            if spec.metadata.get("identity", True)
        }
        for name, cls in classes.items()
    }


if __name__ == "__main__":
    for path, made in ((KEYS, keys()), (ABSENT, absents())):
        path.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
