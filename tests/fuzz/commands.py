"""A grammar of tkae-run's words, right ones and wrong ones, and what came of a command."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import time
import traceback
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.guard import guarded
from tkae.commands.run import main
from tkae.settings.registry import GROUPS, settings_of
from tkae.settings.words import OPTIONS, SECTIONS
from tkae.storage import cache_folder

SECONDS = 25.0  # of this process: a wrong word must be answered by then

NUMBERS = ("0", "1", "2", "-1", "3.5", "1e-3", "1e400", "nan", "inf", "10000000", "1000000000",
           "99999999999999999999", "-99999999999999999999")  # fmt: skip
TEXTS = ("true", "false", "null", "yes", "''", '"a b"', "abc", "x" * 300, "???", "${x}", "${oc.env:NOPE}",
         "${oc.env:HOME}", "a${x}b", "2020-01-01", "~", "../..", "ünïcode", "\udcff", "=", "a=b", "%s", "{}",
         "\x1b[2J", "a\tb", "glob(*)", "range(1,3)", "range(0,1000000000)", "choice(1,2)", "interval(0,1)",
         "shuffle(1,2,3)", "sort(2,1)", "int(3.7)", "str(1)", "[", "]", "{a:", "a,b", "1,2", ",")  # fmt: skip

ODD = ("hydra.run.dir", "hydra/launcher", "model@x", "x", "", "model/pca")
PARTS = ("x", "name", "overrides", "grid", "controls", "_target_", "0")

names = st.sampled_from([name for group in GROUPS for name in GROUPS[group]])
scalars = st.one_of(st.sampled_from(NUMBERS), st.sampled_from(TEXTS), names, st.text(max_size=8).map(repr))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)}]"),
        st.lists(st.tuples(names, inner), max_size=2).map(
            lambda parts: "{" + ",".join(f"{key}:{value}" for key, value in parts) + "}"
        ),
        st.lists(inner, min_size=1, max_size=3).map(",".join),
    ),
    max_leaves=5,
)


@st.composite
def keys(draw: st.DrawFn) -> str:
    """Mostly a key that there is, at times with something before or after it."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        key = draw(st.sampled_from([*OPTIONS, *GROUPS]))
    elif kind == 1:
        key = draw(st.sampled_from([*ODD, "x" * 300]))
    elif kind == 2:
        key = f"{draw(st.sampled_from(SECTIONS))}.{draw(st.sampled_from(PARTS))}"
    else:
        group = draw(st.sampled_from(sorted(GROUPS)))
        member = draw(st.sampled_from(sorted(GROUPS[group])))
        known = settings_of(group, member) or ["x"]
        between = draw(st.sampled_from(["", f"{member}."])) if group in ("model", "dataset") else ""
        key = f"{group}.{between}{draw(st.sampled_from(known))}"
    ending = draw(st.sampled_from([""] * 8 + [".x", "@model", "[0]", ".", ":"]))
    return draw(st.sampled_from([""] * 8 + ["+", "++", "~"])) + key + ending


words = st.one_of(
    st.tuples(keys(), values).map("=".join),
    st.tuples(keys(), values).map("=".join),
    st.tuples(keys(), values).map("=".join),
    st.sampled_from(
        ["rubbish", "=", "~model", "-x", "--cfg", "--info", "-p", "--config-dir", "-cd=/nowhere"]
    ),
)
commands = st.tuples(st.sampled_from([[], [], ["-m"]]), st.lists(words, min_size=1, max_size=3)).map(
    lambda parts: [*parts[0], *parts[1]]
)
BASE = ("experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]")


def answer(given: list[str], folder: Path) -> str:
    """What is wrong with how a command ends; nothing where it is understood, or refused in one line."""
    out, err = io.StringIO(), io.StringIO()
    before = Path.cwd()
    begun = time.process_time()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    logging.disable(logging.CRITICAL)
    try:
        with (
            guarded(folder, cache_folder()) as seen,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main([*BASE, *given, "dry_run=true"])
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:120]} (at {Path(last.filename).name}:{last.lineno})"
    finally:
        logging.disable(logging.NOTSET)
        os.chdir(before)
    told = err.getvalue()
    if time.process_time() - begun > SECONDS:
        return f"took {time.process_time() - begun:.0f} s"
    if code not in (0, 2):
        return f"exit code {code}: {told[:200]}"
    if code == 2 and (told.count("\n") != 1 or not told.startswith("tkae-run: ")):
        return f"said in other than one line: {told[:300]!r}"
    if "Traceback" in told:
        return f"a traceback: {told[:300]}"
    return "; ".join(seen)
