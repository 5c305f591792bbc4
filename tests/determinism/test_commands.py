"""A real command in other surroundings, as many as go together: the same cells, arrays and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.determinism.asked import VOWELS, Asked
from tests.determinism.results import Results, differences
from tests.determinism.surroundings import BASELINE, ELSEWHERE, HASHING, PLAIN, PROCESSES, REVERSED, together
from tkae.commands.run import main

ASKED = [Asked(("imputation", "kernel_matrices"), ("budget=smoke", *VOWELS))]


def test_processes_order_of_words_hash_seed_folder_locale_and_time_zone_change_no_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (words,) = BASELINE.of(ASKED)
    assert main([*words, f"results_dir={tmp_path / 'results'}"]) == 0
    elsewhere = together(PROCESSES, REVERSED, HASHING[1], ELSEWHERE, PLAIN)
    lines = differences(Results.of(tmp_path / "results"), Results.of(elsewhere.run(ASKED, tmp_path)))
    assert not lines
