"""From series after series to lanes side by side: blocks of WIDTH by WIDTH numbers turned in registers."""

# llvmlite and numba's internals have no type hints
# mypy: disable-error-code="import-untyped,no-untyped-call"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tkae.compiled.jit import jit
from tkae.compiled.vectors import WIDTH, data_of, keep_apart, shuffled, spread, vector


def _turn_block(
    typing: Any, work: Any, goal: Any, B: Any, values: Any, starts: Any, limits: Any, first: Any
) -> Any:
    """WIDTH rows of WIDTH lanes: row j of lane b is values[starts[b] + j] if j < limits[b], else 0.

    `starts` and `limits` are those of all lanes; `first` is the block's first lane. All that is read lies
    within `values` if starts[b] + WIDTH does.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keep_apart(builder)
        work, goal, B, values, starts, limits, first = arguments
        data, sources, begins, ends = (
            data_of(context, builder, signature.args[i], array)
            for i, array in ((0, work), (3, values), (4, starts), (5, limits))
        )
        goal_kind = ir.VectorType(context.get_data_type(signature.args[0].dtype), WIDTH)
        truth = signature.args[3].dtype == types.boolean
        kind = ir.VectorType(sources.type.pointee, WIDTH)
        numbers = ir.Constant(ir.VectorType(B.type, WIDTH), list(range(WIDTH)))
        rows = []
        for lane in range(WIDTH):
            at = builder.add(first, first.type(lane))
            place = builder.gep(sources, [builder.load(builder.gep(begins, [at]))])
            read = builder.load(vector(builder, place, kind), align=1)
            if truth:
                read = builder.uitofp(read, goal_kind)
            elif kind != goal_kind:
                narrower = isinstance(goal_kind.element, ir.FloatType)
                read = (builder.fptrunc if narrower else builder.fpext)(read, goal_kind)
            limit = spread(builder, builder.load(builder.gep(ends, [at])))
            inside = builder.icmp_signed("<", numbers, limit)
            rows.append(builder.select(inside, read, ir.Constant(goal_kind, [0.0] * WIDTH)))
        half = WIDTH // 2
        while half:  # lanes i and i + WIDTH / 2 are interleaved, four times: lanes and rows change places
            pairs = [(rows[i], rows[i + WIDTH // 2]) for i in range(WIDTH // 2)]
            rows = [_interleaved(builder, *pair, upper) for pair in pairs for upper in (False, True)]
            half //= 2
        for j, row in enumerate(rows):
            at = builder.add(builder.add(goal, first), builder.mul(B, B.type(j)))
            spot = vector(builder, builder.gep(data, [at]), goal_kind)
            builder.store(row, spot, align=context.get_abi_sizeof(goal_kind.element))
        return context.get_dummy_value()

    n = types.intp
    return types.void(work, n, n, values, starts, limits, n), emit


_turn: Any = intrinsic(_turn_block)


def _interleaved(builder: Any, a: Any, b: Any, upper: bool) -> Any:
    """a_0, b_0, a_1, b_1 and so on: of the lower halves, or of the upper ones."""
    start = WIDTH // 2 if upper else 0
    places = [start + i // 2 + (WIDTH if i % 2 else 0) for i in range(WIDTH)]
    return shuffled(builder, a, b, places)


@jit
def turn(work: Any, goal: int, B: int, values: Any, starts: Any, limits: Any, rows: int) -> None:
    """`rows` rows of B lanes from `goal` on: row j of lane b is values[starts[b] + j], 0 from limits[b] on.

    `starts` and `limits` (B) are used up.
    """
    for j in range(0, rows - rows % WIDTH, WIDTH):
        for first in range(0, B, WIDTH):
            _turn(work, goal + j * B, B, values, starts, limits, first)
        for b in range(B):
            starts[b] += WIDTH
            limits[b] -= WIDTH
    for j in range(rows % WIDTH):
        at = goal + (rows - rows % WIDTH + j) * B
        for b in range(B):
            inside = j < limits[b]
            work[at + b] = values[starts[b] + (j if inside else 0)] if inside else 0.0
