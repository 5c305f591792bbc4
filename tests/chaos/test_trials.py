"""A few of the trials that `make chaos` makes by the hundred."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chaos.trials import Tally, Undisturbed, Zygote, trial, zygote


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Zygote, Undisturbed]]:
    with zygote(tmp_path_factory.mktemp("chaos")) as process:
        yield process, Undisturbed.of(process)


@pytest.mark.parametrize("number", range(5))
def test_whatever_strikes_a_command_it_ends_where_an_undisturbed_one_does(
    number: int, ready: tuple[Zygote, Undisturbed]
) -> None:
    tally = Tally()
    trial(number, *ready, tally)
    assert tally.faults.total() + tally.spared >= 1
