"""The two matrix products of a layer, with the series of a batch in the innermost axis.

Both are built from blocks whose sums stay in registers: 5 rows by 16 lanes, or 5 rows by 2 columns.
"""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tkae.engine.jit import jit
from tkae.engine.lanes import WIDTH, call, data_of, keep_apart, vector

HALF = 8  # lanes a step in `outer`, where ten sums must stay in registers


def _multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return call(builder, "llvm.fmuladd", a.type, a, b, c)


def _product_block(rows: int) -> Any:
    """`rows` rows of Y = A X (or Y + A X) for WIDTH lanes."""

    def block(
        typing: Any, A: Any, a: Any, ar: Any, ak: Any, K: Any,
        X: Any, x: Any, Y: Any, y: Any, ld: Any, add: Any,
    ) -> Any:  # fmt: skip
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            keep_apart(builder)
            weights, a, ar, ak, count, inputs, x, outputs, y, ld, add = arguments
            kind = ir.VectorType(context.get_data_type(signature.args[0].dtype), WIDTH)
            size = context.get_abi_sizeof(kind.element)
            weights = data_of(context, builder, signature.args[0], weights)
            inputs = data_of(context, builder, signature.args[5], inputs)
            outputs = data_of(context, builder, signature.args[7], outputs)
            sums, spots = [], []
            for r in range(rows):
                place = builder.add(y, builder.mul(ld, ld.type(r)))
                spots.append(vector(builder, builder.gep(outputs, [place]), kind))
                before = builder.load(spots[r], align=size)
                zero = ir.Constant(kind, [0.0] * WIDTH)
                start = builder.select(builder.trunc(add, ir.IntType(1)), before, zero)
                sums.append(cgutils.alloca_once_value(builder, start))
            with cgutils.for_range(builder, count) as loop:
                place = builder.add(x, builder.mul(loop.index, ld))
                lanes = builder.load(vector(builder, builder.gep(inputs, [place]), kind), align=size)
                column = builder.add(a, builder.mul(loop.index, ak))
                for r in range(rows):
                    place = builder.add(column, builder.mul(ar, ar.type(r)))
                    spread = _spread(builder, builder.load(builder.gep(weights, [place])), kind)
                    builder.store(_multiply_add(builder, spread, lanes, builder.load(sums[r])), sums[r])
            for total, spot in zip(sums, spots, strict=True):
                builder.store(builder.load(total), spot, align=size)
            return context.get_dummy_value()

        n = types.intp
        return types.void(A, n, n, n, n, X, n, Y, n, n, n), emit

    return intrinsic(block)


def _spread(builder: Any, number: Any, kind: Any) -> Any:
    """A vector with `number` in every lane."""
    index = ir.IntType(32)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, index(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, kind.count), [0] * kind.count))


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
            kind = ir.VectorType(element, HALF)
            size = context.get_abi_sizeof(element)
            deltas = data_of(context, builder, signature.args[0], deltas)
            inputs = data_of(context, builder, signature.args[3], inputs)
            totals = data_of(context, builder, signature.args[9], totals)
            zero = ir.Constant(kind, [0.0] * HALF)
            pairs = [(r, c) for r in range(rows) for c in range(columns)]
            sums = {pair: cgutils.alloca_once_value(builder, zero) for pair in pairs}
            blocks = builder.sdiv(builder.add(lanes, lanes.type(HALF - 1)), lanes.type(HALF))

            def load(base: Any, place: Any, row: int) -> Any:
                spot = builder.gep(base, [builder.add(place, builder.mul(ld, ld.type(row)))])
                return builder.load(vector(builder, spot, kind), align=size)

            with cgutils.for_range(builder, steps) as step, cgutils.for_range(builder, blocks) as part:
                lane = builder.mul(part.index, lanes.type(HALF))
                at_d = builder.add(builder.add(d, builder.mul(step.index, ds)), lane)
                at_x = builder.add(builder.add(x, builder.mul(step.index, xs)), lane)
                left = [load(deltas, at_d, r) for r in range(rows)]
                right = [load(inputs, at_x, c) for c in range(columns)]
                for r, c in pairs:
                    total = _multiply_add(builder, left[r], right[c], builder.load(sums[r, c]))
                    builder.store(total, sums[r, c])
            for r, c in pairs:
                place = builder.add(builder.add(g, builder.mul(gr, gr.type(r))), g.type(c))
                spot, start, parts = builder.gep(totals, [place]), element(-0.0), builder.load(sums[r, c])
                total = call(builder, "llvm.vector.reduce.fadd", element, start, parts, flags=("reassoc",))
                builder.store(builder.fadd(builder.load(spot), total), spot)
            return context.get_dummy_value()

        n = types.intp
        return types.void(D, n, n, X, n, n, n, n, n, G, n, n), emit

    return intrinsic(block)


_product5, _product2, _product1 = _product_block(5), _product_block(2), _product_block(1)
_outer52, _outer51 = _outer_block(5, 2), _outer_block(5, 1)
_outer12, _outer11 = _outer_block(1, 2), _outer_block(1, 1)


@jit
def product(
    A: Any, a: int, ar: int, ak: int, rows: int, K: int,
    X: Any, x: int, Y: Any, y: int, ld: int, lanes: int, add: int,
) -> None:  # fmt: skip
    """Y (rows, lanes) = A (rows, K) X (K, lanes), added to what is there if `add` is 1.

    A[r, k] stands at a + r ar + k ak, so that a transpose is a matter of strides; the rows of X and Y
    are `ld` apart and begin at x and y.
    """
    for b in range(0, lanes, WIDTH):
        r = 0
        while r + 5 <= rows:
            _product5(A, a + r * ar, ar, ak, K, X, x + b, Y, y + r * ld + b, ld, add)
            r += 5
        while r + 2 <= rows:
            _product2(A, a + r * ar, ar, ak, K, X, x + b, Y, y + r * ld + b, ld, add)
            r += 2
        if r < rows:
            _product1(A, a + r * ar, ar, ak, K, X, x + b, Y, y + r * ld + b, ld, add)


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
            two = c + 2 <= columns
            if five and two:
                _outer52(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
            elif five:
                _outer51(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
            elif two:
                _outer12(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
            else:
                _outer11(D, d + r * ld, ds, X, x + c * ld, xs, ld, steps, lanes, G, g + r * gr + c, gr)
            c += 2 if two else 1
        r += 5 if five else 1
