"""One batch of one replica: the loss and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import fill, jit
from tkae.engine.alignment import align
from tkae.engine.batch import Lineup, Series, gather, gather_kernel, line_up, toss
from tkae.engine.code import code_gradient, make_code, start_decoder
from tkae.engine.decoder import decode, decode_gradient, reconstruction_loss
from tkae.engine.encoder import encode, encode_gradient, final_states
from tkae.engine.optimiser import add_penalty
from tkae.engine.replicas import OwnHyperparameters
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
def forward(spec: Spec, work: Any, theta: Any, series: Series, own: OwnHyperparameters, rows: Any) -> Lineup:
    """Series `rows` through encoder, code and decoder; which lanes they stand in."""
    lineup = line_up(spec, rows, series.lengths)
    gather(spec, work, series, lineup)
    toss(spec, work, lineup, own.p_s, own.key)
    for stack in range(spec.directions):
        encode(spec, work, theta, stack, lineup.alive)
        final_states(spec, work, stack, lineup.lengths)
    make_code(spec, work, theta)
    start_decoder(spec, work)
    decode(spec, work, theta, lineup.alive_out)
    return lineup


@jit
def gradient(
    spec: Spec,
    work: Any,
    theta: Any,
    series: Series,
    own: OwnHyperparameters,
    rows: Any,
    block: Any,
    grad: Any,
    parts: Any,
) -> float:
    """The loss of a batch; `grad` (P) receives its gradient, `parts` (3) L_r, L_2 and L_k are added.

    `block` (L, L) is the kernel between `rows`, longest first; (0, 0) where the series have all of it.
    """
    lineup = forward(spec, work, theta, series, own, rows)
    reconstruction = reconstruction_loss(spec, work, lineup.alive_out)
    d_code = space_of(spec).d_code
    fill(work, d_code, code_size(spec) * spec.lanes, 0)
    aligned = 0.0
    if own.alpha > 0:
        gather_kernel(spec, work, series.kernel, block, lineup)
        aligned = align(spec, work, lineup.filled, own.alpha)
    fill(grad, 0, grad.size, 0)
    decode_gradient(spec, work, theta, grad, lineup.alive_out)
    code_gradient(spec, work, theta, grad)
    for stack in range(spec.directions):
        encode_gradient(spec, work, theta, grad, stack, lineup.alive)
    squares = add_penalty(theta, grad, own.decay, own.penalty)
    parts[0] += reconstruction
    parts[1] += squares
    parts[2] += aligned
    return reconstruction + own.penalty * squares + own.alpha * aligned
