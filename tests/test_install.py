"""A clone installs anywhere: exact versions that an index has, no place of one machine, everything once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==(\d+(?:\.\d+)*(?:(?:a|b|rc|\.post)\d+)?)")
LINES = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# A place of one machine: a file: URL (but for one that stands for any), a user's folder, what lies in a
# temporary folder. A bare temporary folder, devices and the shells that scripts name are on all machines.
PLACE = re.compile(
    r"\bfile:/(?!/(?:[A-Z]+\b|\{))"
    r"|(?<![\w.$})>~/-])/(?:(?:root|work|opt|workspace)\b|(?:home|Users|tmp|var/(?:tmp|lib|folders)|mnt|media|srv|scratch|private)/\w)"
    r"|\b[A-Za-z]:\\{1,2}(?:Users|Windows|Temp|ProgramData|Program Files)\b"
)


@pytest.mark.parametrize("line", LINES)
def test_a_constraint_is_a_name_and_a_version(line: str) -> None:
    assert PIN.fullmatch(line), "pip looks for it where only one machine has it, or for one build only"


def test_all_that_may_be_installed_is_pinned_within_its_range() -> None:
    """Also what the packages themselves need, but for torch, whose needs differ from build to build."""
    pins = dict(match.groups() for match in map(PIN.fullmatch, LINES) if match)
    pins = {canonicalize_name(name): version for name, version in pins.items()}
    assert len(pins) == len(LINES)
    named = [*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)]
    waiting, seen = [Requirement(line) for line in named], set[str]()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name == "tkae" or str(requirement) in seen:
            continue
        seen.add(str(requirement))
        assert name in pins, f"{requirement} has no line in constraints.txt"
        assert requirement.specifier.contains(pins[name]), f"{requirement} does not allow {pins[name]}"
        waiting += [] if name == "torch" else _needs(name, requirement.extras)


def _needs(name: str, extras: set[str]) -> list[Requirement]:
    try:
        found = [Requirement(line) for line in requires(name) or []]
    except PackageNotFoundError:  # of an extra that is not installed here
        return []
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    wanted = [{**linux, "extra": extra} for extra in ("", *extras)]
    return [need for need in found if need.marker is None or any(need.marker.evaluate(w) for w in wanted)]


def test_what_only_benchmarks_need_is_an_extra_of_its_own() -> None:
    bench = {Requirement(line).name for line in EXTRAS["bench"]}
    others = [line for name, lines in EXTRAS.items() if name != "bench" for line in lines]
    assert bench == {"jax", "optax", "tck"} and not bench & {Requirement(line).name for line in others}


def place(*parts: str) -> str:
    """An absolute path, put together so that this file names none."""
    return "/".join(["", *parts])


@pytest.mark.parametrize(
    "text",
    [
        f"tck @ file:{place('', '', 'wheels', 'a.whl')}",
        f"--dest {place('tmp', 'wheels')}",
        f'"{place("home", "ann", "x.csv")}"',
        f"={place('root')} ",
        f"'{place('var', 'tmp', 'x')}'",
        f"({place('work', 'shared')})",
        f"{place('opt')}",
        f"[{place('Users', 'ann')}]",
        "C:\\" + "Users\\ann",
        '"c:\\\\' + 'Users\\\\ann"',
    ],
)
def test_a_place_of_a_machine_is_recognised(text: str) -> None:
    assert PLACE.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "#!/usr/bin/env bash",
        "/dev/full",
        "a tmpfs over /tmp and /var/tmp",
        "https://example.org/home/ann/tmp/x",
        "results/tmp/x",
        "file://PATH",
        "../work/x",
        "~/work",
        "$HOME/work",
        "{folder}/work",
        "data.mirror=/nowhere",
        "profile:/x",
        "x:\\alpha",
        "the home/work ratio",
    ],
)
def test_what_is_on_all_machines_or_on_none_is_no_place(text: str) -> None:
    assert not PLACE.search(text)


def tracked() -> list[Path]:
    """Every file that git knows here; the test is skipped in a copy without git."""
    git = ["git", "-C", str(ROOT)]
    try:
        top = subprocess.run(
            [*git, "rev-parse", "--show-toplevel"], capture_output=True, text=True, check=True
        )
        names = subprocess.run([*git, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"git does not tell what is tracked: {error}")
    if Path(top.stdout.strip()).resolve() != ROOT.resolve():
        pytest.skip("this copy is no git checkout: nothing is tracked")
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_text_names_a_place_of_a_machine() -> None:
    paths, found = tracked(), []
    assert len(paths) > 100
    for path in paths:
        content = path.read_bytes()
        if b"\0" not in content:  # else it is no text
            for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
                if match := PLACE.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    assert found == []


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What `make` reads, with programs that only write down how they were called."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("python", "tkae-run", "ruff", "mypy", "lint-imports"):
        program = tmp_path / ".venv" / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> calls.txt\n')
        program.chmod(0o755)
    return tmp_path


def made(clone: Path, *words: str) -> list[str]:
    """What `make` called: the environments it made and the extras it installed."""
    if shutil.which("make") is None:
        pytest.skip("no make on this machine")
    calls = clone / "calls.txt"
    calls.write_text("")
    own = {
        name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ
    }  # no flags of an outer make
    command = ["make", *words, "PYTHON=.venv/bin/python"]
    subprocess.run(command, cwd=clone, env=own, check=True, capture_output=True)
    return re.findall(
        r"-m (venv)\b|pip install .*--constraint constraints\.txt .*\.\[(.*)\]", calls.read_text()
    )


VENV, RUN, TEST, BENCH = ("venv", ""), ("", "ecg,parquet"), ("", "dev"), ("", "bench")


@pytest.mark.parametrize(
    ("first", "installs"),
    [
        ("quickstart", [VENV, RUN]),
        ("test", [VENV, RUN, TEST]),
        ("lint", [VENV, RUN, TEST]),
        ("plan", [VENV, RUN]),
        ("bench", [VENV, RUN, BENCH]),
    ],
)
def test_a_target_installs_what_it_needs_once(
    clone: Path, first: str, installs: list[tuple[str, str]]
) -> None:
    assert made(clone, first) == installs
    assert made(clone, first) == made(clone, "quickstart") == []
    assert made(clone, "lint", "test") == [step for step in (TEST,) if step not in installs]
    assert made(clone, "bench") == [step for step in (BENCH,) if step not in installs]
    assert made(clone, "quickstart", "lint", "test", "bench") == []


def test_other_versions_are_installed_into_the_same_environment(clone: Path) -> None:
    made(clone, "quickstart", "test", "bench")
    later = (clone / ".venv" / ".installed-bench").stat().st_mtime + 10
    os.utime(clone / "constraints.txt", (later, later))
    assert made(clone, "quickstart") == [RUN]


def test_the_budget_of_the_quickstart_can_be_told(clone: Path) -> None:
    for words, budget in ((("quickstart",), "quick"), (("quickstart", "QUICKSTART_BUDGET=smoke"), "smoke")):
        made(clone, *words)
        runs = [
            line for line in (clone / "calls.txt").read_text().splitlines() if line.startswith("tkae-run")
        ]
        assert len(runs) == 2 and all(f"budget={budget} " in line for line in runs)
