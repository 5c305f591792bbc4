"""The two matrix products of a layer, with the series of a batch in the innermost axis.

Both are built from blocks whose sums stay in registers; the blocks are larger where there are more
registers. No block's size changes a bit: an entry of Y gains its terms one by one, in the order of k, and
an entry of G has WIDTH partial sums, one a lane, which `fold` adds in a fixed order.
"""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tkae.compiled.jit import jit, many_registers
from tkae.compiled.vectors import WIDTH, data_of, fma, fold, keep_apart, spread, vector

MANY = many_registers()
ROWS, BLOCKS = (10, 2) if MANY else (5, 1)  # rows and times WIDTH lanes of a block of Y
COLUMNS = 4 if MANY else 2  # of a block of G, which has five rows
PARTS = 1 if MANY else 2  # that a block's lanes are taken in, so that the sums stay in registers


def _product_block(rows: int) -> Any:
    """`rows` rows of Y = A X (or Y + A X), BLOCKS times WIDTH lanes at a time, then WIDTH."""

    def block(
        typing: Any, A: Any, a: Any, ar: Any, ak: Any, K: Any,
        X: Any, x: Any, Y: Any, y: Any, ld: Any, lanes: Any, add: Any,
    ) -> Any:  # fmt: skip
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            keep_apart(builder)
            weights, a, ar, ak, count, inputs, x, outputs, y, ld, lanes, add = arguments
            element = context.get_data_type(signature.args[0].dtype)
            parts = 2 if isinstance(element, ir.DoubleType) else 1  # so that the sums stay in registers
            kind = ir.VectorType(element, WIDTH // parts)
            size = context.get_abi_sizeof(element)
            weights = data_of(context, builder, signature.args[0], weights)
            inputs = data_of(context, builder, signature.args[5], inputs)
            outputs = data_of(context, builder, signature.args[7], outputs)
            adds = builder.trunc(add, ir.IntType(1))

            def sweep(first: Any, blocks: int) -> None:
                """All rows for `blocks` vectors of lanes from the lane `first` on."""

                def vectors(base: Any, place: Any) -> list[Any]:
                    ends = [builder.add(place, place.type(kind.count * block)) for block in range(blocks)]
                    return [vector(builder, builder.gep(base, [end]), kind) for end in ends]

                begins = [
                    builder.add(builder.add(y, first), builder.mul(ld, ld.type(r))) for r in range(rows)
                ]
                spots = [vectors(outputs, begin) for begin in begins]
                zero = ir.Constant(kind, [0.0] * kind.count)
                sums = [[cgutils.alloca_once(builder, kind) for _ in row] for row in spots]
                pairs = [pair for both in zip(sums, spots, strict=True) for pair in zip(*both, strict=True)]
                for total, _ in pairs:
                    builder.store(zero, total)
                with builder.if_then(adds):
                    for total, spot in pairs:
                        builder.store(builder.load(spot, align=size), total)
                with cgutils.for_range(builder, count) as loop:
                    begin = builder.add(builder.add(x, first), builder.mul(loop.index, ld))
                    read = [builder.load(spot, align=size) for spot in vectors(inputs, begin)]
                    column = builder.add(a, builder.mul(loop.index, ak))
                    for r in range(rows):
                        place = builder.add(column, builder.mul(ar, ar.type(r)))
                        weight = spread(builder, builder.load(builder.gep(weights, [place])), kind.count)
                        for total, x_k in zip(sums[r], read, strict=True):
                            builder.store(fma(builder, weight, x_k, builder.load(total)), total)
                for total, spot in pairs:
                    builder.store(builder.load(total), spot, align=size)

            n = lanes.type
            wide = n(BLOCKS * kind.count)
            whole = builder.mul(builder.sdiv(lanes, wide), wide)
            with cgutils.for_range_slice(builder, n(0), whole, wide) as (first, _):
                sweep(first, BLOCKS)
            if BLOCKS > 1:
                with cgutils.for_range_slice(builder, whole, lanes, n(kind.count)) as (first, _):
                    sweep(first, 1)
            return context.get_dummy_value()

        n = types.intp
        return types.void(A, n, n, n, n, X, n, Y, n, n, n, n), emit

    return intrinsic(block)


def _outer_block(rows: int, columns: int) -> Any:
    """`rows` by `columns` entries of G + sum over steps and lanes of D X^T."""

    def block(
        typing: Any, D: Any, d: Any, ds: Any, X: Any, x: Any, xs: Any,
        ld: Any, steps: Any, lanes: Any, G: Any, g: Any, gr: Any,
    ) -> Any:  # fmt: skip
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            keep_apart(builder)
            deltas, d, ds, inputs, x, xs, ld, steps, lanes, totals, g, gr = arguments
            element = context.get_data_type(signature.args[0].dtype)
            kind = ir.VectorType(element, WIDTH // PARTS)
            size = context.get_abi_sizeof(element)
            deltas = data_of(context, builder, signature.args[0], deltas)
            inputs = data_of(context, builder, signature.args[3], inputs)
            totals = data_of(context, builder, signature.args[9], totals)
            pairs = [(r, c) for r in range(rows) for c in range(columns)]
            blocks = builder.sdiv(builder.add(lanes, lanes.type(WIDTH - 1)), lanes.type(WIDTH))

            def load(base: Any, place: Any, row: int) -> Any:
                spot = builder.gep(base, [builder.add(place, builder.mul(ld, ld.type(row)))])
                return builder.load(vector(builder, spot, kind), align=size)

            def part(index: int) -> list[Any]:
                """The sums of all pairs, each for the lanes of one part of every block."""
                zero = ir.Constant(kind, [0.0] * kind.count)
                sums = {pair: cgutils.alloca_once_value(builder, zero) for pair in pairs}
                with cgutils.for_range(builder, steps) as step, cgutils.for_range(builder, blocks) as block:
                    lane = builder.mul(block.index, lanes.type(WIDTH))
                    lane = builder.add(lane, lanes.type(index * kind.count))
                    at_d = builder.add(builder.add(d, builder.mul(step.index, ds)), lane)
                    at_x = builder.add(builder.add(x, builder.mul(step.index, xs)), lane)
                    left = [load(deltas, at_d, r) for r in range(rows)]
                    right = [load(inputs, at_x, c) for c in range(columns)]
                    for r, c in pairs:
                        total = fma(builder, left[r], right[c], builder.load(sums[r, c]))
                        builder.store(total, sums[r, c])
                return [builder.load(sums[pair]) for pair in pairs]

            parts = [part(index) for index in range(PARTS)]
            for (r, c), *sums in zip(pairs, *parts, strict=True):
                place = builder.add(builder.add(g, builder.mul(gr, gr.type(r))), g.type(c))
                spot = builder.gep(totals, [place])
                builder.store(builder.fadd(builder.load(spot), fold(builder, *sums)), spot)
            return context.get_dummy_value()

        n = types.intp
        return types.void(D, n, n, X, n, n, n, n, n, G, n, n), emit

    return intrinsic(block)


_product, _product5, _product2, _product1 = (_product_block(rows) for rows in (ROWS, 5, 2, 1))
_outer5, _outer51 = _outer_block(5, COLUMNS), _outer_block(5, 1)
_outer52 = _outer_block(5, 2) if COLUMNS > 2 else _outer5
_outer1, _outer11 = _outer_block(1, COLUMNS), _outer_block(1, 1)


@jit
def product(
    A: Any, a: int, ar: int, ak: int, rows: int, K: int,
    X: Any, x: int, Y: Any, y: int, ld: int, lanes: int, add: int,
) -> None:  # fmt: skip
    """Y (rows, lanes) = A (rows, K) X (K, lanes), added to what is there if `add` is 1.

    A[r, k] stands at a + r ar + k ak, so that a transpose is a matter of strides; the rows of X and Y
    are `ld` apart and begin at x and y.
    """
    r, wide = 0, (lanes + WIDTH - 1) // WIDTH * WIDTH
    while r + ROWS <= rows:
        _product(A, a + r * ar, ar, ak, K, X, x, Y, y + r * ld, ld, wide, add)
        r += ROWS
    if r + 5 <= rows:
        _product5(A, a + r * ar, ar, ak, K, X, x, Y, y + r * ld, ld, wide, add)
        r += 5
    while r + 2 <= rows:
        _product2(A, a + r * ar, ar, ak, K, X, x, Y, y + r * ld, ld, wide, add)
        r += 2
    if r < rows:
        _product1(A, a + r * ar, ar, ak, K, X, x, Y, y + r * ld, ld, wide, add)


@jit
def outer(
    D: Any, d: int, ds: int, rows: int, X: Any, x: int, xs: int, columns: int,
    ld: int, steps: int, lanes: int, G: Any, g: int, gr: int,
) -> None:  # fmt: skip
    """G (rows, columns) += sum over steps of D_t X_t^T: the gradient of the weights of Y = A X.

    Step t of D (rows, lanes) begins at d + t ds and of X (columns, lanes) at x + t xs.
    """
    r = 0
    while r < rows:
        five = r + 5 <= rows
        c = 0
        while c < columns:
            left = columns - c
            if five and left >= COLUMNS:
                _outer5(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
                c += COLUMNS
            elif five and left >= 2:
                _outer52(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
                c += 2
            elif five:
                _outer51(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
                c += 1
            elif left >= COLUMNS:
                _outer1(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
                c += COLUMNS
            else:
                _outer11(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
                c += 1
        r += 5 if five else 1
