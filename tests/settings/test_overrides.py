"""Overrides: one form for experiments and protocols; later ones win, and a slip is told."""

from __future__ import annotations

from typing import Any

import pytest

from tkae.errors import UserError
from tkae.runs.plan import plan
from tkae.settings.compose import compose
from tkae.settings.overrides import in_order, overrides


def made(*given: dict[str, Any], where: str = "here") -> Any:
    return overrides(list(given), where)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ({"set": {"model.code_siz": 3}}, "did you mean 'code_size'"),
        ({"when": {"model": "dae"}, "set": {"model.p_s": 1.0}}, "unknown key 'here override 1: model.p_s'"),
        ({"when": {"model": "tkea"}}, "did you mean 'tkae'"),
        ({"when": {"dataset": ["wafer", "oda*"]}}, r"unknown dataset 'oda\*'"),
        ({"when": {"modle": "tkae"}}, "did you mean 'model'"),
        ({"set": {"modle.l2": 0.1}}, "no key of a setting"),
        ({"set": {"model": "tkae"}}, "no key of a setting"),
        ({"set": {"dataset": "ecg3"}}, "unknown dataset 'ecg3'"),
        ({"wen": {"model": "tkae"}}, "did you mean 'when'"),
    ],
)
def test_a_slip_is_found_whatever_is_run(override: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        made(override)


def test_conditions_are_names_lists_and_patterns() -> None:
    (one,) = made({"when": {"dataset": ["ode*", "libras"], "protocol": "authors"}, "set": {"model.l2": 0.1}})
    assert one.concerns(protocol="authors", dataset="ode_var", model="tae")
    assert one.concerns(protocol="authors", dataset="libras")
    assert not one.concerns(protocol="paper", dataset="libras")
    assert not one.concerns(protocol="authors", dataset="wafer")
    assert one.values("model", ["l2", "epochs"]) == {"l2": 0.1} and one.values("model", ["G"]) == {}
    assert not one.concerns(protocol="authors")  # of a dataset that is not known


def test_an_experiments_own_word_on_a_protocol_comes_last() -> None:
    own = made({"when": {"protocol": "paper"}, "set": {"model.l2": 3.0}}, {"set": {"model.l2": 1.0}})
    theirs = made({"set": {"model.l2": 2.0}})
    assert [one.set["model.l2"] for one in in_order(own, theirs)] == [1.0, 2.0, 3.0]


def test_the_last_wins_and_the_user_after_it() -> None:
    words = ["experiment=classification", "dataset=libras", "model=[pca,tae]", "seeds=1"]
    sizes = (
        "{set: {model.code_size: 3}}, {when: {model: tae}, set: {model.code_size: 4, missingness.rate: 0.1}}"
    )
    words.append(f"experiment.overrides=[{sizes}]")
    cells = plan(compose(words, sweep=False))
    assert [cell.model.code_size for cell in cells] == [3, 4]  # type: ignore[attr-defined]
    cells = plan(compose([*words, "model.tae.code_size=5"], sweep=False))
    assert [cell.model.code_size for cell in cells] == [3, 5]  # type: ignore[attr-defined]


def test_missingness_of_a_dataset_gives_way_to_the_users_choice() -> None:
    words = ["experiment=classification", "dataset=[ehr,libras]", "model=pca", "seeds=1"]

    def holes(*more: str) -> list[tuple[str, Any]]:
        cells = plan(compose([*words, *more], sweep=False))
        return [(cell.missingness.name, getattr(cell.missingness, "rate", None)) for cell in cells]

    assert holes() == [("none", None), ("uniform", 0.8)]
    assert holes("missingness.rate=0.3") == [("none", None), ("uniform", 0.3)]
    assert holes("missingness=block") == [("block", 0.8)] * 2


def test_a_swept_range_names_seeds() -> None:
    words = ["experiment=imputation", "dataset=libras", "model=mean"]
    assert [cell.seed for cell in plan(compose([*words, "seeds=range(5,8)"], sweep=True))] == [5, 6, 7]
