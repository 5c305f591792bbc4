"""tkae-apply: complete, encode or screen your own series. Heavy imports come late: --help is instant."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tkae.errors import UserError, printable, told, unknown
from tkae.signals import exit_code, stoppable
from tkae.terminal import speak

DONE, BAD_CALL = 0, 2
NAMES = ("impute", "embed", "screen")

HELP = """\
usage: tkae-apply TASK path=FILE output=FILE [key=value ...]

Does one thing with your own series, which may differ in length and have gaps.
It fits a model to the file, or applies one that was kept, and writes a table
and a small picture.

  impute   the same table with its gaps filled
  embed    a code of a few numbers for every series: id, z1, z2, ...
  screen   how unlike the others every series is: id, score, rank; the most
           anomalous first

  tkae-apply impute path=own.csv output=imputed.csv save=model.safetensors
  tkae-apply impute path=new.csv load=model.safetensors output=new_imputed.csv
  tkae-apply embed path=own.csv output=codes.csv model=tkae model.code_size=5
  tkae-apply screen path=own.parquet output=scores.parquet model=tae n_seeds=5

files:
  path=FILE            your series: CSV, TSV (.gz), Parquet or Feather in long
                       form, .npz, .ts
  output=FILE          what is written: .csv, .tsv (.gz), .parquet, .feather
  picture=FILE         .png or .pdf (default: beside the output); null for none
  save=FILE, load=FILE keep the fitted model; apply a kept one, and fit none
  imputed=FILE         of impute: a second table, with a row for every value
                       that was filled in
model:
  model=NAME           default: tkae; also tae, dae, tck, pca, locf, ... as far
                       as they can do the task
  model.KEY=VALUE      a setting, such as model.code_size=5 or model.alpha=0
  budget=NAME          auto (default): by the number and length of series, about
                       a minute; smoke, quick, paper
  n_seeds=5            so many networks side by side: their mean, and the spread
                       of what they fill in
  seed=0               the same seed gives the same files
  device=cuda|mps|cpu  where recurrent models are trained
columns of a table:
  series_column=series, time_column=time, label_column=label, split_column=split
  elapsed=true         the time since the step before is a variate, too

Where a table has a split, the model learns from the series that are not `test`,
and is applied to all.
exit codes: 0 done, 2 wrong call or file, 130 interrupted (Ctrl-C),
  143 terminated (SIGTERM)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    return speak("tkae-apply", lambda: _main(words))


def _main(words: list[str]) -> int:
    if not words or {"-h", "--help"} & set(words):
        print(HELP, end="")
        return DONE
    try:
        if words[0] not in NAMES:
            raise unknown("task", words[0], NAMES)
        with stoppable(), _warning_in_a_line():
            from tkae.tasks.apply import apply

            for line in apply(words[0], words[1:]):
                print(line)
        return DONE
    except (UserError, OSError, MemoryError) as error:  # a path may be impossible, or forbidden
        print(f"tkae-apply: {told(error)}", file=sys.stderr)
        return BAD_CALL
    except KeyboardInterrupt as stop:
        print("\ntkae-apply: interrupted; nothing was written", file=sys.stderr)
        return exit_code(stop)


@contextmanager
def _warning_in_a_line() -> Iterator[None]:
    """Without the places in the code that Python tells of, and without signs that a font does not have."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        warnings.showwarning = lambda message, *_, **__: print(
            f"warning: {printable(str(message))}", file=sys.stderr
        )
        yield


if __name__ == "__main__":
    raise SystemExit(main())
