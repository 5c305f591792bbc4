"""The collection: many multivariate time series, ragged and incomplete from the start.

Three things are kept apart. *Padding* lies beyond a series' length and is not data. *Missing* is a
valid entry that was not observed. *Observed* entries have a finite value. Whatever stands under
padding or a missing entry is set to 0 on construction and means nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tkae.errors import DataError
from tkae.memory import refuse_beyond
from tkae.terminal import count

if TYPE_CHECKING:
    import pandas

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


ENTRY = 20  # bytes that a value takes while a collection is made
SMALL = 2**28  # bytes that any machine has


def refuse_too_large(series: int, steps: int, width: int) -> None:
    """Raise a sentence where so much cannot be held: one very long series makes all others as long."""
    if (needed := ENTRY * series * steps * width) > SMALL:
        what = f"{series} series of {count(width, 'variate')}, padded to {count(steps, 'step')},"
        refuse_beyond(needed, what, "take fewer series, or leave out or cut the longest ones")


@dataclass(frozen=True, eq=False)
class Collection:
    """N series of V variates and at most T steps; immutable, checked on construction.

    `values` and `observed` have the shape (N, T, V); `lengths`, `labels` and `names` have N entries,
    `variates` V. Labels are integers or absent. Without `observed`, every valid entry is observed. A
    `kernel` (N, N) is what one knows beforehand of how alike the series are; most collections have none.
    """

    values: Floats
    observed: Bools = None  # type: ignore[assignment]  # None: complete
    lengths: Ints = None  # type: ignore[assignment]  # None: all of length T
    labels: Ints | None = None
    names: tuple[str, ...] = ()
    variates: tuple[str, ...] = ()
    kernel: Floats | None = None
    valid: Bools = field(init=False, repr=False)  # (N, T, V): not padding

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        if values.ndim != 3:
            raise DataError(f"values need the shape (series, steps, variates), not {values.shape}")
        n, steps, width = values.shape
        if n == 0 or steps == 0 or width == 0:
            raise DataError(f"a collection needs series, steps and variates; its shape is {values.shape}")
        names = tuple(str(name) for name in self.names) or tuple(str(i) for i in range(n))
        variates = tuple(str(v) for v in self.variates) or tuple(str(i) for i in range(width))
        _count("names", len(names), n)
        _count("variates", len(variates), width)
        lengths = _integers("lengths", np.full(n, steps) if self.lengths is None else self.lengths)
        _count("lengths", len(lengths), n)
        labels = None if self.labels is None else _integers("labels", self.labels)
        if labels is not None:
            _count("labels", len(labels), n)
        _refuse(lengths < 1, names, "is empty (length below 1)")
        _refuse(lengths > steps, names, f"is longer than the {count(steps, 'step')} of the array")

        valid = np.broadcast_to((np.arange(steps) < lengths[:, None])[:, :, None], values.shape)
        observed = np.array(valid if self.observed is None else self.observed)
        if observed.dtype != np.bool_ or observed.shape != values.shape:
            raise DataError(
                f"observed needs booleans of the shape {values.shape}, "
                f"not {observed.dtype} of {observed.shape}"
            )
        _refuse((observed & ~valid).any(axis=(1, 2)), names, "has observed entries beyond its length")
        broken = observed & ~np.isfinite(values)
        _refuse(broken.any(axis=(1, 2)), names, "has an observed entry that is not finite")
        values[~observed] = 0.0

        for key, array in {
            "values": values,
            "observed": observed,
            "lengths": lengths,
            "valid": valid,
        }.items():
            array.flags.writeable = False
            object.__setattr__(self, key, array)
        if labels is not None:
            labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "kernel", None if self.kernel is None else _kernel(self.kernel, names))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "variates", variates)

    @classmethod
    def from_series(
        cls,
        series: Iterable[npt.ArrayLike],
        labels: Sequence[int] | Ints | None = None,
        names: Sequence[str] = (),
        variates: Sequence[str] = (),
        steps: int | None = None,
    ) -> Collection:
        """From arrays (T_i, V) or (T_i), NaN where missing; padded to the longest, or to `steps`."""
        arrays = [_array(given, names[i] if i < len(names) else i) for i, given in enumerate(series)]
        widths = [array.shape[1] for array in arrays]
        usual = max(widths, key=widths.count, default=0)
        for i, width in enumerate(widths):
            if width != usual:
                called = names[i] if i < len(names) else i
                raise DataError(f"series '{called}' has {width} variates, others {usual}")
        lengths = np.array([len(array) for array in arrays], dtype=np.int64)
        longest = int(lengths.max(initial=0)) if steps is None else steps
        refuse_too_large(len(arrays), longest, usual)
        values = np.full((len(arrays), longest, usual), np.nan)
        for row, array in zip(values, arrays, strict=True):
            if len(array) > longest:
                raise DataError(f"a series of {count(len(array), 'step')} does not fit in {longest}")
            row[: len(array)] = array
        return cls(values, ~np.isnan(values), lengths, _labels(labels), tuple(names), tuple(variates))

    @classmethod
    def from_frame(
        cls,
        frame: pandas.DataFrame,
        series: str = "series",
        time: str = "time",
        label: str = "label",
        elapsed: bool = False,
    ) -> Collection:
        """From a long-form data frame: a row is one step of one series, a column one variate.

        Labels become the numbers of their words in alphabetical order. Times are an order only, unless
        `elapsed` asks for the time since the step before as a further variate.
        """
        from tkae.data.readers.frame import Roles, table_of

        roles = Roles(series, time, label, split="", elapsed=elapsed)
        table = table_of(frame.reset_index(drop=True), roles, "the frame", lambda i: f"row {i}")
        labels = np.unique(table.labels, return_inverse=True)[1] if table.labels else None
        return cls.from_series(table.series, labels, table.names, table.variates)

    def to_frame(self) -> pandas.DataFrame:
        """A long-form data frame: series, time (the step), one column a variate, and any label."""
        import pandas

        steps = self.valid[:, :, 0]
        rows, time = np.nonzero(steps)
        values = np.where(self.observed, self.values, np.nan)[steps]
        frame = pandas.DataFrame(values, columns=list(self.variates))
        frame.insert(0, "series", np.array(self.names, dtype=object)[rows])
        frame.insert(1, "time", time)
        if self.labels is not None:
            frame["label"] = self.labels[rows]
        return frame

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> Collection:
        """`take`, as scikit-learn writes it where it splits series for cross-validation."""
        rows = rows[0] if isinstance(rows, tuple) else rows  # of (rows, ...)
        return self.take(np.atleast_1d(np.arange(len(self))[rows]))

    @property
    def shape(self) -> tuple[int, int, int]:
        """(N, T, V)."""
        n, steps, width = self.values.shape
        return n, steps, width

    @cached_property
    def missing(self) -> Bools:
        """(N, T, V): valid entries that were not observed."""
        missing = self.valid & ~self.observed
        missing.flags.writeable = False  # it is kept: a change would be seen by the next who asks
        return missing

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that the collection holds, for identities and caches."""
        digest = hashlib.sha256(repr((self.shape, self.names, self.variates)).encode())
        for array in (self.values, self.observed, self.lengths, self.labels):
            digest.update(b"-" if array is None else np.ascontiguousarray(array).data)
        if self.kernel is not None:
            digest.update(b"kernel")
            digest.update(np.ascontiguousarray(self.kernel).data)
        return digest.hexdigest()

    def series(self, i: int) -> Floats:
        """Series i as (T_i, V) with NaN where missing: for people and plots, not for models."""
        cut = slice(0, int(self.lengths[i]))
        return np.where(self.observed[i, cut], self.values[i, cut], np.nan)

    def take(self, rows: npt.ArrayLike) -> Collection:
        """The series at these positions (or where a boolean is true), in this order."""
        rows = np.asarray(rows)
        if rows.dtype == np.bool_ and rows.shape != (len(self),):
            raise DataError(f"a selection of {rows.shape} booleans does not fit {len(self)} series")
        where = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.int64)
        return Collection(
            self.values[where],
            self.observed[where],
            self.lengths[where],
            None if self.labels is None else self.labels[where],
            tuple(self.names[i] for i in where),
            self.variates,
            None if self.kernel is None else self.kernel[np.ix_(where, where)],
        )

    def with_kernel(self, kernel: npt.ArrayLike) -> Collection:
        """The same series with this kernel (N, N) between them, for models that are aligned to one."""
        return replace(self, kernel=np.asarray(kernel))

    def without(self, removed: Bools) -> Collection:
        """The same series with these entries (N, T, V) missing as well."""
        return self.replace(self.values, self.observed & ~removed)

    def replace(self, values: Floats, observed: Bools | None = None) -> Collection:
        """The same series with other values, observed where they were unless `observed` says else."""
        seen = self.observed if observed is None else observed
        return Collection(values, seen, self.lengths, self.labels, self.names, self.variates, self.kernel)

    def padded(self, steps: int) -> Collection:
        """The same series in an array of `steps` steps, at least as many as the longest has."""
        if steps < self.lengths.max():
            raise DataError(f"{count(steps, 'step')} cannot hold a series of {self.lengths.max()}")
        n, _, width = self.shape
        keep = min(steps, self.shape[1])
        values, observed = np.zeros((n, steps, width)), np.zeros((n, steps, width), dtype=bool)
        values[:, :keep], observed[:, :keep] = self.values[:, :keep], self.observed[:, :keep]
        return Collection(values, observed, self.lengths, self.labels, self.names, self.variates, self.kernel)


def unmasked(given: Any) -> Any:
    """An array of numpy.ma with NaN where it is masked; everything else as it is."""
    if not isinstance(given, np.ma.MaskedArray):
        return given
    return np.where(np.ma.getmaskarray(given), np.nan, np.ma.getdata(given))


def _array(given: npt.ArrayLike, called: str | int) -> Floats:
    """One series as (T_i, V)."""
    try:
        array = np.asarray(unmasked(given), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"series '{called}' is no array of numbers ({error}): NaN stands for a missing one"
        ) from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise DataError(f"series '{called}' has the shape {array.shape}; (steps, variates) was expected")
    return array


def _labels(labels: Sequence[int] | Ints | None) -> Ints | None:
    return None if labels is None else _integers("labels", labels)


def _integers(what: str, numbers: npt.ArrayLike) -> Ints:
    array = np.array(numbers)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise DataError(f"{what} need one whole number a series, not {array.dtype} of {array.shape}")
    return array.astype(np.int64)


def _kernel(given: npt.ArrayLike, names: tuple[str, ...]) -> Floats:
    """A copy that nobody can change: finite, symmetric but for rounding, a row for each series."""
    n = len(names)
    if np.iscomplexobj(given):
        raise DataError("a kernel holds real numbers, not complex ones")
    kernel = np.array(given, dtype=np.float64)
    if kernel.shape != (n, n):
        raise DataError(f"a kernel of {n} series needs the shape ({n}, {n}), not {kernel.shape}")
    _refuse(~np.isfinite(kernel).all(axis=1), names, "has a kernel entry that is not finite")
    uneven = np.abs(kernel - kernel.T) > 1e-6 * np.abs(kernel).max()
    _refuse(uneven.any(axis=1), names, "is not as like another as that one is like it: no symmetric kernel")
    kernel.flags.writeable = False
    return kernel


def _count(what: str, got: int, wanted: int) -> None:
    if got != wanted:
        raise DataError(f"{got} {what} for {wanted}")


def _refuse(bad: npt.ArrayLike, names: tuple[str, ...], reason: str) -> None:
    """Name the first series for which `bad` (N) is true, and how many there are."""
    bad = np.asarray(bad)
    if bad.any():
        more = int(bad.sum()) - 1
        also = f" (and {more} more)" if more else ""
        raise DataError(f"series '{names[int(np.argmax(bad))]}'{also} {reason}")
