"""Lanes: sixteen numbers that are computed together, one for each of sixteen series of a batch.

Whether LLVM vectorises a loop is a matter of luck (PERFORMANCE.md), so the kernels' arithmetic is
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

WIDTH = 16
_FLAGS = ("contract", "reassoc", "nsz", "arcp")


class Lanes:
    """A vector value in the function under construction; operators emit instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def __add__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fadd(self.value, self._like(other), flags=_FLAGS))

    def __sub__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fsub(self.value, self._like(other), flags=_FLAGS))

    def __mul__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fmul(self.value, self._like(other), flags=_FLAGS))

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.builder, self.builder.fdiv(self.value, self._like(other), flags=_FLAGS))

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


def exp(x: Lanes) -> Lanes:
    """e^x = 2^n e^r with |r| <= ln(2)/2: Taylor's series for e^r, the exponent's bits for 2^n."""
    single = isinstance(x.value.type.element, ir.FloatType)
    terms, bound, bits, mantissa = (7, 87.0, 32, 23) if single else (13, 700.0, 64, 52)
    builder, count = x.builder, x.value.type.count
    integers = ir.VectorType(ir.IntType(bits), count)
    x = x.within(-bound, bound)
    n = Lanes(builder, call(builder, "llvm.rint", x.value.type, (x * (1 / math.log(2))).value))
    high = 0.693359375  # exact in few bits, so that n * high is exact
    r = x - n * high - n * (math.log(2) - high)
    series = r * (1 / math.factorial(terms)) + 1 / math.factorial(terms - 1)
    for k in range(terms - 2, -1, -1):
        series = series * r + 1 / math.factorial(k)
    offset = ir.Constant(integers, [2 ** (bits - mantissa - 2) - 1] * count)  # of the exponent's bits
    power = builder.add(builder.fptosi(n.value, integers), offset)
    shifted = builder.shl(power, ir.Constant(integers, [mantissa] * count))
    return series * Lanes(builder, builder.bitcast(shifted, x.value.type))


def sigmoid(x: Lanes) -> Lanes:
    return 1.0 / (exp(0.0 - x) + 1.0)


def tanh(x: Lanes) -> Lanes:
    return 1.0 - 2.0 / (exp(x * 2.0) + 1.0)


def call(builder: Any, name: str, result: Any, *arguments: Any, flags: tuple[str, ...] = ()) -> Any:
    """Call one of LLVM's own functions on vectors, say `llvm.fmuladd`; llvmlite cannot name these itself."""
    kind = arguments[-1].type
    suffix = f"v{kind.count}{'f32' if isinstance(kind.element, ir.FloatType) else 'f64'}"
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, signature, f"{name}.{suffix}")
    return builder.call(function, arguments, fastmath=flags)


def keep_apart(builder: Any) -> None:
    """Forbid inlining of the function under construction: a kernel's copies would double compile time."""
    builder.function.attributes.add("noinline")


def vector(builder: Any, pointer: Any, kind: Any) -> Any:
    """The address `pointer` seen as one of a vector of type `kind`."""
    return builder.bitcast(pointer, kind.as_pointer())


def data_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """The address of an array's first element."""
    return context.make_array(array_type)(context, builder, array).data


def lanewise(function: Callable[..., tuple[Lanes, ...]]) -> Any:
    """An operation `op(workspace, rows, stride, lanes, offsets)`, element by element.

    `offsets` are those of the inputs, then those of the outputs, in the flat workspace; each is a
    block of `rows` rows, `stride` apart, of which the first `lanes` columns (rounded up to WIDTH)
    are computed. All inputs of an element are read before its outputs are written.
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
                shift = builder.add(builder.mul(row.index, step), lane)
                spots = [vector(builder, builder.gep(data, [builder.add(p, shift)]), kind) for p in places]
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
