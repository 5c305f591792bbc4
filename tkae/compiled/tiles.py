"""How emitted code goes over arrays whose numbers stand side by side: loads, edges, tiles of a matrix."""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.errors import TypingError

from tkae.compiled.vectors import INDEX, WIDTH, data_of, spread, vector


def edge_mask(builder: Any, left: Any) -> Any:
    """The first `left` lanes."""
    numbers = ir.Constant(ir.VectorType(INDEX, WIDTH), list(range(WIDTH)))
    return builder.icmp_signed("<", numbers, spread(builder, builder.trunc(left, INDEX)))


class Flat:
    """An array as its numbers stand in memory: vectors and single numbers, by their place in it."""

    def __init__(self, context: Any, builder: Any, kind: Any, array: Any) -> None:
        if kind.layout != "C":
            raise TypingError(f"this kernel takes arrays that are contiguous, not {kind}: pass a copy")
        self.builder, self.data = builder, data_of(context, builder, kind, array)
        self.element = context.get_data_type(kind.dtype)
        self.vector = ir.VectorType(self.element, WIDTH)
        self.align = context.get_abi_sizeof(self.element)
        self.zero = ir.Constant(self.vector, None)

    def number(self, place: Any) -> Any:
        return self.builder.load(self.builder.gep(self.data, [place]))

    def load(self, place: Any, mask: Any = None) -> Any:
        """Sixteen numbers from `place` on; 0 where a mask is given and says no: those are not read."""
        pointer = self.builder.gep(self.data, [place])
        if mask is None:
            return self.builder.load(vector(self.builder, pointer, self.vector), align=self.align)
        return self._masked("load", self.vector, pointer, INDEX(self.align), mask, self.zero)

    def store(self, value: Any, place: Any, mask: Any = None) -> None:
        pointer = self.builder.gep(self.data, [place])
        if mask is None:
            self.builder.store(value, vector(self.builder, pointer, self.vector), align=self.align)
        else:
            self._masked("store", ir.VoidType(), value, pointer, INDEX(self.align), mask)

    def put(self, value: Any, place: Any) -> None:
        self.builder.store(value, self.builder.gep(self.data, [place]))

    def _masked(self, name: str, result: Any, *arguments: Any) -> Any:
        letter = "i" if isinstance(self.element, ir.IntType) else "f"
        module, bits = self.builder.module, 8 * self.align
        signature = ir.FunctionType(result, [argument.type for argument in arguments])
        full = f"llvm.masked.{name}.v{WIDTH}{letter}{bits}.p0"
        return self.builder.call(cgutils.get_or_insert_function(module, signature, full), arguments)


def tiles(builder: Any, count: Any, sizes: tuple[int, ...]) -> Iterator[tuple[int, Any]]:
    """Loops that cover 0 to `count` by tiles, as many of the first size as fit, then of the next."""
    start = count.type(0)
    for size in sizes:
        whole = builder.udiv(builder.sub(count, start), count.type(size))
        stop = builder.add(start, builder.mul(whole, count.type(size)))
        with cgutils.for_range_slice(builder, start, stop, count.type(size), count.type) as (index, _):
            yield size, index
        start = stop


def columns(builder: Any, count: Any, vectors: int) -> Iterator[tuple[int, Any, Any]]:
    """Loops over 0 to `count`: by so many vectors, then by one with a mask; each with its first column."""
    size = count.type(vectors * WIDTH)
    stop = builder.mul(builder.udiv(count, size), size)
    with cgutils.for_range_slice(builder, count.type(0), stop, size, count.type) as (index, _):
        yield vectors, index, None
    with cgutils.for_range_slice(builder, stop, count, count.type(WIDTH), count.type) as (index, _):
        yield 1, index, edge_mask(builder, builder.sub(count, index))


def place(builder: Any, start: Any, *terms: tuple[Any, Any]) -> Any:
    """start + sum of products."""
    for factor, other in terms:
        start = builder.add(start, builder.mul(factor, other))
    return start
