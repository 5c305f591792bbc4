"""Under protocol=authors the networks have exactly the paper's trainable parameters (Tab. ODE)."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from tkae.settings.call import Call
from tkae.settings.compose import compose

STEPS = 100  # that the printed counts need; the text says 50 (docs/protocols.md, ODE)


@functools.cache
def call(protocol: str) -> Call:
    words = ["experiment=classification", "dataset=japanese_vowels", f"protocol={protocol}"]
    (made,) = compose([*words, "model=[tae,tkae,encdec_ad,ae,ae_tied]"], sweep=False)
    return made


def count(model: str, variates: int, protocol: str) -> int:
    chosen: Any = call(protocol).model("japanese_vowels", model)
    return int(chosen.engine(STEPS, variates).initial(0).size)


@pytest.mark.parametrize(
    ("variates", "tae", "ae", "tied"),
    [(5, 6130, 31170, 15870), (10, 6780, 61670, 31370), (15, 7430, 92170, 46870), (20, 8080, 122670, 62370)],
)
def test_counts_of_the_authors_are_the_papers(variates: int, tae: int, ae: int, tied: int) -> None:
    expected = {"tae": tae, "tkae": tae, "ae": ae, "ae_tied": tied}
    assert {name: count(name, variates, "authors") for name in expected} == expected


def test_the_text_has_a_code_of_one_dense_layer_and_an_output_bias() -> None:
    H, V = 10, 5
    stack = 4 * H * (V + 1 + H) + 4 * H * (H + 1 + H)
    assert count("tae", V, "paper") == 3 * stack + H * (2 * H + 1) + V * (H + 1)


def test_encdec_ad_has_one_direction() -> None:
    """One layer in the text; the authors' program had as many as the TAE, and its forward states alone."""
    H, V = 10, 5
    low, high = 4 * H * (V + 1 + H), 4 * H * (H + 1 + H)
    assert count("encdec_ad", V, "paper") == 2 * low + H * (H + 1) + V * (H + 1)
    authors = 2 * (low + high) + 2 * (2 * H * (2 * H + 1)) + V * H
    assert count("encdec_ad", V, "authors") == authors
