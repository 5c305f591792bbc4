"""Lanes: sixteen numbers that are computed together, one for each of sixteen series of a batch.

Whether LLVM vectorises a loop is a matter of luck (docs/performance.md), so the kernels' arithmetic is
emitted as vectors from the start. `lanewise` turns a Python function of `Lanes` into an operation
that Numba code calls on rows of a flat workspace.
"""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tkae.compiled.vectors import WIDTH, data_of, fma, keep_apart, vector

LN2 = 0.6931471805599453
# 2^r for |r| <= 1/2: to 1e-8 by interpolation at Chebyshev's nodes, and Taylor's series
SINGLE = (1.0, 0.693147188, 0.240226508, 0.0555035711, 0.00961808256, 0.00133908634, 0.000154531629)
DOUBLE = tuple(math.prod(LN2 / j for j in range(1, k + 1)) for k in range(14))


class Lanes:
    """A vector value in the function under construction; operators emit instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def __add__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fadd(self.value, self._like(other)))

    def __sub__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fsub(self.value, self._like(other)))

    def __mul__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fmul(self.value, self._like(other)))

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fdiv(self.value, self._like(other)))

    def __rsub__(self, other: float) -> Lanes:
        return Lanes(self.builder, self._like(other)) - self

    def __rtruediv__(self, other: float) -> Lanes:
        return Lanes(self.builder, self._like(other)) / self

    __radd__, __rmul__ = __add__, __mul__

    def within(self, low: float, high: float) -> Lanes:
        """Clamped; one compare and one select a bound, which is a single machine instruction."""
        value = self.value
        for sign, bound in (("<", self._like(high)), (">", self._like(low))):
            value = self.builder.select(self.builder.fcmp_ordered(sign, value, bound), value, bound)
        return Lanes(self.builder, value)

    def where_positive(self, other: Lanes) -> Lanes:
        """`self` where `other` > 0, else 0."""
        positive = self.builder.fcmp_ordered(">", other.value, self._like(0.0))
        return Lanes(self.builder, self.builder.select(positive, self.value, self._like(0.0)))

    def _like(self, other: Lanes | float) -> Any:
        if isinstance(other, Lanes):
            return other.value
        return ir.Constant(self.value.type, [other] * self.value.type.count)


def multiply_add(a: Lanes, b: Lanes | float, c: Lanes | float) -> Lanes:
    """a b + c with one rounding."""
    return Lanes(a.builder, fma(a.builder, a.value, a._like(b), a._like(c)))


def exp(*numbers: Lanes) -> list[Lanes]:
    """e^x of every x, clamped, as 2^n 2^r with |r| <= 1/2.

    n is the nearest whole number, since `shift` leaves no bit for a fraction; it then stands in the last
    bits, which are moved to where the exponent is. Every step is made for all numbers before the next one:
    a processor would wait for each step's result otherwise.
    """
    builder, kind = numbers[0].builder, numbers[0].value.type
    single = isinstance(kind.element, ir.FloatType)
    series, bound, bits, mantissa = (SINGLE, 87.0, 32, 23) if single else (DOUBLE, 700.0, 64, 52)
    integers = ir.VectorType(ir.IntType(bits), kind.count)
    places = ir.Constant(integers, [mantissa] * kind.count)
    shift = 1.5 * 2.0**mantissa
    xs = [x.within(-bound, bound) for x in numbers]
    shifted = [multiply_add(x, 1 / LN2, shift) for x in xs]
    rs = [multiply_add(x, 1 / LN2, shift - n) for x, n in zip(xs, shifted, strict=True)]
    sums = [multiply_add(r, series[-1], series[-2]) for r in rs]
    for factor in series[-3::-1]:
        sums = [multiply_add(total, r, factor) for total, r in zip(sums, rs, strict=True)]
    powers = [builder.shl(builder.bitcast(n.value, integers), places) for n in shifted]
    both = zip(sums, powers, strict=True)
    results = [builder.add(builder.bitcast(total.value, integers), power) for total, power in both]
    return [Lanes(builder, builder.bitcast(result, kind)) for result in results]


def sigmoid(x: Lanes) -> Lanes:
    return 1.0 / (exp(0.0 - x)[0] + 1.0)


def tanh(x: Lanes) -> Lanes:
    return multiply_add(1.0 / (exp(x + x)[0] + 1.0), -2.0, 1.0)


def lanewise(function: Callable[..., tuple[Lanes, ...]], shared: tuple[int, ...] = ()) -> Any:
    """An operation `op(workspace, rows, stride, lanes, offsets)`, element by element.

    `offsets` are those of the inputs, then those of the outputs, in the flat workspace; each is a
    block of `rows` rows, `stride` apart, of which the first `lanes` columns (rounded up to WIDTH)
    are computed. All inputs of an element are read before its outputs are written. The offsets whose
    numbers are in `shared` are those of a single row, which meets every row of the others in turn.
    """
    inputs = function.__code__.co_argcount

    def operation(typing: Any, workspace: Any, rows: Any, stride: Any, lanes: Any, offsets: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            keep_apart(builder)
            array, count, step, width, places = arguments
            data = data_of(context, builder, signature.args[0], array)
            kind = ir.VectorType(context.get_data_type(signature.args[0].dtype), WIDTH)
            size = context.get_abi_sizeof(kind.element)
            places = [builder.extract_value(places, i) for i in range(len(offsets))]
            blocks = builder.sdiv(builder.add(width, width.type(WIDTH - 1)), width.type(WIDTH))
            with cgutils.for_range(builder, count) as row, cgutils.for_range(builder, blocks) as block:
                lane = builder.mul(block.index, step.type(WIDTH))
                moved = builder.add(builder.mul(row.index, step), lane)
                at = [builder.add(p, lane if i in shared else moved) for i, p in enumerate(places)]
                spots = [vector(builder, builder.gep(data, [place]), kind) for place in at]
                read = [builder.load(spot, align=size) for spot in spots[:inputs]]
                results = function(*(Lanes(builder, value) for value in read))
                assert len(results) == len(spots) - inputs
                for result, spot in zip(results, spots[inputs:], strict=True):
                    builder.store(result.value, spot, align=size)
            return context.get_dummy_value()

        n = types.intp
        places = types.UniTuple(n, len(offsets))
        return types.void(workspace, n, n, n, places), emit

    operation.__name__ = function.__name__
    return intrinsic(operation)


@lanewise
def same(x: Lanes) -> tuple[Lanes, ...]:
    """A copy."""
    return (x,)
