"""Vectors of numbers: the few instructions that all emitted code is made of.

All arithmetic is explicit (`llvm.fma`, no flags that let a compiler reorder), so every processor gives
the same bits: it may hold sixteen lanes in one register or in four.
"""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

WIDTH = 16  # lanes: numbers that are computed together
INDEX = ir.IntType(32)  # what lanes are counted in


def call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """Call one of LLVM's own functions on vectors, say `llvm.fma`; llvmlite cannot name these itself."""
    kind = arguments[-1].type
    suffix = f"v{kind.count}{'f32' if isinstance(kind.element, ir.FloatType) else 'f64'}"
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, signature, f"{name}.{suffix}")
    return builder.call(function, arguments)


def fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c with one rounding, as every processor with that instruction has it."""
    return call(builder, "llvm.fma", a.type, a, b, c)


def spread(builder: Any, number: Any, count: int = WIDTH) -> Any:
    """A vector with `number` in every lane."""
    undefined = ir.Constant(ir.VectorType(number.type, count), ir.Undefined)
    first = builder.insert_element(undefined, number, INDEX(0))
    return shuffled(builder, first, first, [0] * count)


def shuffled(builder: Any, a: Any, b: Any, lanes: list[int]) -> Any:
    """These lanes of a and b, which are counted on from those of a."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(INDEX, len(lanes)), lanes))


def fold(builder: Any, *parts: Any) -> Any:
    """The sum of all parts' lanes: the upper half of them is added to the lower one, until one is left."""
    while len(parts) > 1:
        half = len(parts) // 2
        parts = tuple(builder.fadd(low, high) for low, high in zip(parts[:half], parts[half:], strict=True))
    (total,) = parts
    while total.type.count > 1:
        half = total.type.count // 2
        low, high = (shuffled(builder, total, total, list(range(first, first + half))) for first in (0, half))
        total = builder.fadd(low, high)
    return builder.extract_element(total, INDEX(0))


def keep_apart(builder: Any) -> None:
    """Forbid inlining of the function under construction: a kernel's copies would double compile time."""
    builder.function.attributes.add("noinline")


def vector(builder: Any, pointer: Any, kind: Any) -> Any:
    """The address `pointer` seen as one of a vector of type `kind`."""
    return builder.bitcast(pointer, kind.as_pointer())


def data_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """The address of an array's first element."""
    return context.make_array(array_type)(context, builder, array).data
