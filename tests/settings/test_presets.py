"""A preset is a full member: its own name and values, in every process, with keys that tell its values."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tkae.data.sets.ode import ODE
from tkae.errors import UserError
from tkae.fields import keyed
from tkae.models.pca import PCA
from tkae.runs.plan import plan
from tkae.settings.compose import compose
from tkae.settings.presets import preset
from tkae.settings.registry import forget_folders, lookup, use_folders


def test_it_is_its_class_by_another_name() -> None:
    tied = lookup("model", "ae_tied")
    assert (tied.name, tied.title, tied().tied) == ("ae_tied", "AE (tw)", True)
    assert issubclass(tied, lookup("model", "ae")) and tied.version == lookup("model", "ae").version
    assert replace(tied(), hidden=4).name == "ae_tied" and tied() != lookup("model", "ae")()


def test_it_is_the_same_in_another_process() -> None:
    made = lookup("dataset", "ode5")(train=7)
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert other == made and type(other) is type(made)


def test_old_presets_have_the_keys_that_they_had() -> None:
    assert keyed(lookup("dataset", "ode20")()) == {}
    assert keyed(lookup("dataset", "ode20")(steps=90)) == {"steps": 90}


def test_of_a_younger_preset_every_value_enters_the_key() -> None:
    """Else, once its file is changed, the records of the old value would stand for the new."""
    mine = preset(PCA, "mine", "Mine", {"code_size": 4, "fill": "zero"}, "model.mine")
    assert keyed(mine()) == {"code_size": 4}
    assert keyed(preset(PCA, "mine", "Mine", {"code_size": 5}, "model.mine")()) == {"code_size": 5}


def test_a_wrong_value_is_told_with_its_key() -> None:
    with pytest.raises(UserError, match=r"model\.mine\.code_size=much is not allowed: it takes a whole"):
        preset(PCA, "mine", "Mine", {"code_size": "much"}, "model.mine")
    with pytest.raises(UserError, match=r"unknown key 'dataset\.mine\.step'.*steps"):
        preset(ODE, "mine", "Mine", {"step": 3}, "dataset.mine")


def test_a_user_writes_one(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    text = "# @package model.pca3\n_target_: tkae.models.pca.PCA\ntitle: PCA (3)\ncode_size: 3\n"
    (folder / "pca3.yaml").write_text(text, encoding="utf-8")
    try:
        use_folders([str(tmp_path)])
        words = ["experiment=classification", "dataset=japanese_vowels", "model=[pca,pca3]", "seeds=1"]
        cells = {cell.story["method"]: cell for cell in plan(compose(words, sweep=False))}
        assert cells["pca3"].story["method_title"] == "PCA (3)"
        assert cells["pca3"].identity["model"] == {"name": "pca3", "code_size": 3}
        assert cells["pca"].identity["model"] == {"name": "pca"}
    finally:
        forget_folders()


def test_a_preset_has_the_settings_of_its_class() -> None:
    names = [spec.name for spec in fields(lookup("dataset", "ode"))]
    assert [spec.name for spec in fields(lookup("dataset", "ode15"))] == names
