"""One batch of one replica: the loss and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import fill, jit
from tkae.engine.alignment import align
from tkae.engine.batch import count_alive, gather, gather_kernel, sort_by_length, toss
from tkae.engine.code import code_gradient, make_code
from tkae.engine.decoder import decode, decode_gradient, reconstruction_loss
from tkae.engine.encoder import encode, encode_gradient, final_states
from tkae.engine.optimiser import add_penalty
from tkae.engine.spec import Spec, code_size, ones, space_of

LINE = 64  # bytes of a line of cache


@jit
def workspace(spec: Spec, theta: Any) -> Any:
    """Space for one batch, in the precision of the parameters.

    It begins at a multiple of LINE bytes: a vector that lies across two lines of cache costs two reads.
    """
    size, line = space_of(spec).size, LINE // theta.itemsize
    room = np.zeros(size + line, dtype=theta.dtype)
    start = (LINE - room.ctypes.data % LINE) // theta.itemsize
    work = room[start : start + size]
    ones(spec, work)
    return work


@jit
def forward(
    spec: Spec, work: Any, theta: Any, x: Any, counted: Any, padded: int, lengths: Any, rows: Any,
    p_s: float, key: np.uint64, order: Any, lanes: Any, alive: Any, alive_out: Any,
) -> None:  # fmt: skip
    """Series `rows` through encoder, code and decoder; order, lanes and alive are filled in."""
    n = rows.size
    sort_by_length(rows, lengths, order, lanes)
    count_alive(lanes, 0, alive)
    count_alive(lanes, spec.end_step, alive_out)
    gather(spec, work, x, counted, padded, order, lanes, n)
    toss(spec, work, order, lanes[0] + spec.end_step, n, p_s, key)
    for stack in range(spec.directions):
        encode(spec, work, theta, stack, alive)
        final_states(spec, work, stack, lanes)
    make_code(spec, work, theta)
    decode(spec, work, theta, alive_out)


@jit
def gradient(
    spec: Spec, work: Any, theta: Any, grad: Any, x: Any, counted: Any, padded: int, lengths: Any,
    kernel: Any, rows: Any, alpha: float, penalty: float, decay: Any, p_s: float, key: np.uint64, parts: Any,
) -> float:  # fmt: skip
    """The loss of a batch; `grad` (P) receives its gradient, `parts` (3) L_r, L_2 and L_k are added."""
    order, lanes = np.zeros(spec.lanes, np.int64), np.zeros(spec.lanes, np.int64)
    alive, alive_out = np.zeros(spec.steps + 2, np.int64), np.zeros(spec.steps + 2, np.int64)
    forward(spec, work, theta, x, counted, padded, lengths, rows, p_s, key, order, lanes, alive, alive_out)
    reconstruction = reconstruction_loss(spec, work, alive_out)
    d_code = space_of(spec).d_code
    fill(work, d_code, code_size(spec) * spec.lanes, 0)
    aligned = 0.0
    if alpha > 0:
        gather_kernel(spec, work, kernel, order, rows.size)
        aligned = align(spec, work, rows.size, alpha)
    fill(grad, 0, grad.size, 0)
    decode_gradient(spec, work, theta, grad, alive_out)
    code_gradient(spec, work, theta, grad)
    for stack in range(spec.directions):
        encode_gradient(spec, work, theta, grad, stack, alive)
    squares = add_penalty(theta, grad, decay, penalty)
    parts[0] += reconstruction
    parts[1] += squares
    parts[2] += aligned
    return reconstruction + penalty * squares + alpha * aligned
