"""One pass over numbers that stand side by side: elementwise results, and sums of products.

`sweep` turns a Python function of `Lanes` into an operation that Numba code calls, as `lanewise` does;
here the arrays may be different ones, the last lanes may be missing, and sums come back.
"""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tkae.compiled.lanes import Lanes
from tkae.compiled.tiles import Flat, columns
from tkae.compiled.vectors import WIDTH, call, fma, fold, keep_apart, spread

Sums = tuple[tuple[Lanes, ...], ...]
_TOTAL = ir.VectorType(ir.DoubleType(), WIDTH)


def sweep(sums: int) -> Callable[[Callable[..., tuple[tuple[Lanes, ...], Sums]]], Any]:
    """An operation `op(arrays, places, count, numbers)` on `count` entries of each array from its place on.

    The function takes an entry of each array it reads, then the numbers, and returns what is written
    to the remaining arrays and `sums` numbers (x,), or products (x, y), that are added up in double
    precision: entry i in lane i mod 16, then the lanes. A truth value is read as 0 or 1. An entry that
    is not there is read as 0, and must add 0.
    """

    def decorate(function: Callable[..., tuple[tuple[Lanes, ...], Sums]]) -> Any:
        def operation(typing: Any, arrays: Any, places: Any, count: Any, numbers: Any) -> Any:
            reads = function.__code__.co_argcount - len(numbers)
            result = types.UniTuple(types.float64, sums)

            def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                keep_apart(builder)
                arrays, places, count, numbers = arguments
                flats = [
                    Flat(context, builder, kind, builder.extract_value(arrays, i))
                    for i, kind in enumerate(signature.args[0])
                ]
                starts = [builder.extract_value(places, i) for i in range(len(flats))]
                kind = flats[0].vector
                constants = [
                    Lanes(
                        builder,
                        spread(builder, _as(builder, builder.extract_value(numbers, i), kind.element)),
                    )
                    for i in range(len(signature.args[3]))
                ]
                totals = [cgutils.alloca_once_value(builder, ir.Constant(_TOTAL, None)) for _ in range(sums)]
                for _, i, mask in columns(builder, count, 1):
                    spots = [builder.add(start, i) for start in starts]
                    read = [
                        Lanes(builder, _as(builder, flat.load(spot, mask), kind))
                        for flat, spot in zip(flats[:reads], spots[:reads], strict=True)
                    ]
                    written, terms = function(*read, *constants)
                    for flat, spot, value in zip(flats[reads:], spots[reads:], written, strict=True):
                        flat.store(_as(builder, value.value, flat.vector), spot, mask)
                    for total, term in zip(totals, terms, strict=True):
                        wide = [_as(builder, factor.value, _TOTAL) for factor in term]
                        add: Any = builder.fadd if len(wide) == 1 else partial(fma, builder)
                        builder.store(add(*wide, builder.load(total)), total)
                found = [fold(builder, builder.load(total)) for total in totals]
                return context.make_tuple(builder, signature.return_type, found)

            return result(arrays, types.UniTuple(types.intp, len(arrays)), types.intp, numbers), emit

        operation.__name__ = function.__name__
        return intrinsic(operation)

    return decorate


def square_root(x: Lanes) -> Lanes:
    return Lanes(x.builder, call(x.builder, "llvm.sqrt", x.value.type, x.value))


def _as(builder: Any, value: Any, kind: Any) -> Any:
    """The same numbers in another type."""
    have, want = (k.element if isinstance(k, ir.VectorType) else k for k in (value.type, kind))
    if have == want:
        return value
    if isinstance(have, ir.IntType):  # a byte that is 0 or 1
        return builder.uitofp(value, kind)
    return builder.fpext(value, kind) if isinstance(want, ir.DoubleType) else builder.fptrunc(value, kind)
