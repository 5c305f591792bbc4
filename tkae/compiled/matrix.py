"""The matrix products of dense layers, of matrices whose rows are contiguous.

Two forms do for all of forward and backward: `combine` adds up rows (vectors run along a row, a
number of the other matrix multiplies a whole row) and `dots` multiplies rows with rows. Sums of a
tile stay in registers; how large a tile is, is the processor's matter, the order of each sum is not.
"""

# llvmlite and numba's internals have no type hints, and an intrinsic is called without its first argument
# mypy: disable-error-code="import-untyped,no-untyped-call,call-arg"

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tkae.compiled.jit import jit, many_registers
from tkae.compiled.tiles import Flat, columns, place, tiles
from tkae.compiled.vectors import WIDTH, fma, fold, keep_apart, spread

_N = types.intp


@intrinsic
def _combine(
    typing: Any, S: Any, s: Any, sr: Any, A: Any, a: Any, ar: Any, ak: Any, X: Any, x: Any, xk: Any,
    C: Any, c: Any, cr: Any, rows: Any, width: Any, K: Any,
) -> Any:  # fmt: skip
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keep_apart(builder)
        start, s, sr, left, a, ar, ak, right, x, xk, out, c, cr, rows, width, depth = arguments
        start, left, right, out = (
            Flat(context, builder, signature.args[i], array)
            for i, array in ((0, start), (3, left), (7, right), (10, out))
        )
        for vectors, j, mask in columns(builder, width, 4 if many_registers() else 1):
            shifts = [builder.add(j, j.type(v * WIDTH)) for v in range(vectors)]
            for size, r in tiles(builder, rows, (6, 2, 1)):
                lines = [builder.add(r, r.type(i)) for i in range(size)]
                sums = {}
                for i, line in enumerate(lines):
                    for v, shift in enumerate(shifts):
                        first = start.load(place(builder, builder.add(s, shift), (line, sr)), mask)
                        sums[i, v] = cgutils.alloca_once_value(builder, first)
                with cgutils.for_range(builder, depth) as loop:
                    at = place(builder, x, (loop.index, xk))
                    loaded = [right.load(builder.add(at, shift), mask) for shift in shifts]
                    at = place(builder, a, (loop.index, ak))
                    for i, line in enumerate(lines):
                        factor = spread(builder, left.number(place(builder, at, (line, ar))))
                        for v, vector in enumerate(loaded):
                            builder.store(fma(builder, factor, vector, builder.load(sums[i, v])), sums[i, v])
                for i, line in enumerate(lines):
                    for v, shift in enumerate(shifts):
                        spot = place(builder, builder.add(c, shift), (line, cr))
                        out.store(builder.load(sums[i, v]), spot, mask)
        return context.get_dummy_value()

    return types.void(S, _N, _N, A, _N, _N, _N, X, _N, _N, C, _N, _N, _N, _N, _N), emit


@intrinsic
def _dots(
    typing: Any, S: Any, s: Any, A: Any, a: Any, ar: Any, X: Any, x: Any, xr: Any, C: Any, c: Any, cr: Any,
    rows: Any, others: Any, K: Any,
) -> Any:  # fmt: skip
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keep_apart(builder)
        start, s, left, a, ar, right, x, xr, out, c, cr, rows, others, depth = arguments
        start, left, right, out = (
            Flat(context, builder, signature.args[i], array)
            for i, array in ((0, start), (2, left), (5, right), (8, out))
        )
        high, wide = (4, 6) if many_registers() else (2, 3)
        for width, q in tiles(builder, others, (wide, 1)):
            crosses = [builder.add(q, q.type(j)) for j in range(width)]
            for height, r in tiles(builder, rows, (high, 1)):
                lines = [builder.add(r, r.type(i)) for i in range(height)]
                pairs = [(i, j) for j in range(width) for i in range(height)]
                sums = {pair: cgutils.alloca_once_value(builder, left.zero) for pair in pairs}
                for _, k, mask in columns(builder, depth, 1):
                    a_k = [left.load(place(builder, builder.add(a, k), (line, ar)), mask) for line in lines]
                    x_k = [
                        right.load(place(builder, builder.add(x, k), (line, xr)), mask) for line in crosses
                    ]
                    for i, j in pairs:
                        builder.store(fma(builder, a_k[i], x_k[j], builder.load(sums[i, j])), sums[i, j])
                for i, j in pairs:
                    total = builder.fadd(
                        start.number(builder.add(s, crosses[j])), fold(builder, builder.load(sums[i, j]))
                    )
                    out.put(total, place(builder, builder.add(c, crosses[j]), (lines[i], cr)))
        return context.get_dummy_value()

    return types.void(S, _N, A, _N, _N, X, _N, _N, C, _N, _N, _N, _N, _N), emit


@jit
def combine(
    S: Any, s: int, sr: int, A: Any, a: int, ar: int, ak: int, X: Any, x: int, xk: int,
    C: Any, c: int, cr: int, rows: int, width: int, K: int,
) -> None:  # fmt: skip
    """C (rows, width) = S + A (rows, K) X (K, width), summed in the order of K.

    A[r, k] stands at a + r ar + k ak; the rows of S, X and C begin sr, xk and cr apart.
    """
    _combine(S, s, sr, A, a, ar, ak, X, x, xk, C, c, cr, rows, width, K)


@jit
def dots(
    S: Any, s: int, A: Any, a: int, ar: int, X: Any, x: int, xr: int, C: Any, c: int, cr: int,
    rows: int, others: int, K: int,
) -> None:  # fmt: skip
    """C (rows, others) = S (others), the same for each row, + A (rows, K) X (others, K)^T.

    Entry k of a sum is added in lane k mod 16, then the lanes are (`fold`). The rows of A, X and C begin
    ar, xr and cr apart.
    """
    _dots(S, s, A, a, ar, X, x, xr, C, c, cr, rows, others, K)
