"""What several test files share: the mirror of source files, and collections of every awkward kind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.closing import closing_lines
from tests.mirror import MIRROR, MISSING, VARIABLE
from tkae.compiled.jit import FOLDER
from tkae.data.collection import Collection
from tkae.testing.series import awkward


def pytest_configure() -> None:
    if os.environ.get(VARIABLE) and not MIRROR.is_dir():
        raise pytest.UsageError(f"{VARIABLE}={MIRROR}: there is no such folder; correct or unset it")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    seed = config.getoption("randomly_seed", None) if config.pluginmanager.hasplugin("randomly") else None
    for line in closing_lines(terminalreporter.stats.get("skipped", []), seed):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def _own_surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting, kernel or parsed file of the user is read or written; the cache is this session's."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("TKAE_")]:
            patch.delenv(name)
        patch.setenv("TKAE_CACHE", str(tmp_path_factory.mktemp("cache")))
        if "NUMBA_CACHE_DIR" not in os.environ:  # what is compiled is kept: minutes for every program started
            patch.setenv("NUMBA_CACHE_DIR", FOLDER)
        yield


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Local copies of the public source files, laid out as <host>/<path>."""
    if not MIRROR.is_dir():
        pytest.skip(MISSING)
    return MIRROR


@pytest.fixture(scope="session")
def collections() -> dict[str, Collection]:
    """A collection of each kind that a model must take."""
    return awkward()


@pytest.fixture
def complete(collections: dict[str, Collection]) -> Collection:
    return collections["complete"]


@pytest.fixture
def half_missing(collections: dict[str, Collection]) -> Collection:
    return collections["half_missing"]


@pytest.fixture
def missing_variate(collections: dict[str, Collection]) -> Collection:
    return collections["missing_variate"]


@pytest.fixture
def missing_series(collections: dict[str, Collection]) -> Collection:
    return collections["missing_series"]


@pytest.fixture
def ragged(collections: dict[str, Collection]) -> Collection:
    return collections["ragged"]


@pytest.fixture
def single(collections: dict[str, Collection]) -> Collection:
    return collections["single"]
