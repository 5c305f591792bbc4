"""The same network in plain torch, with autograd: the kernels' oracle, and the path for GPUs.

All replicas are computed together, with a leading replica axis; states freeze by `where` beyond a
series' length, so that any order of lanes will do.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from tkae.engine.architecture import Architecture, ParameterBlock


class Batch(NamedTuple):
    """R replicas' batches of B series; rows beyond a replica's own count have length 0."""

    x: Tensor  # (R, B, T, V)
    counted: Tensor  # (R, B, T, V), 0 or 1
    lengths: Tensor  # (R, B)
    fed: Tensor  # (R, B, T + 1): true where the decoder's own output is its input
    kernel: Tensor | None  # (R, B, B), 0 in rows beyond the count


class Loss(NamedTuple):
    """The parts of the loss, one number a replica."""

    reconstruction: Tensor
    l2: Tensor
    alignment: Tensor


class Network:
    """Functions of a parameter array theta (R, P)."""

    def __init__(self, architecture: Architecture) -> None:
        self.shape = architecture
        self.blocks = {block.name: block for block in architecture.blocks()}
        self.spec = architecture.spec(1, 1)

    def encode(self, theta: Tensor, x: Tensor, lengths: Tensor) -> Tensor:
        """Codes z (R, B, D): the decoder's initial states, slot after slot."""
        spec, finals = self.spec, []
        stacks = [("encoder.forward", x)]
        if self.shape.bidirectional:
            stacks.append(("encoder.backward", turned(x, lengths)))
        for name, series in stacks:
            finals.append(self._run(theta, name, series, lengths))
        codes = []
        for slot in range(spec.slots):
            layer = spec.layers - 1 - slot
            states = [final[layer][part] for part in range(spec.parts) for final in finals]
            ones = torch.ones_like(states[0][..., :1])
            weights = self._matrix(theta, f"code.{layer if spec.dense > 1 else 0}")
            codes.append(torch.tanh(torch.cat([ones, *states], -1) @ weights.mT))
        return torch.cat(codes, -1)

    def decode(self, theta: Tensor, z: Tensor, target: Tensor, fed: Tensor) -> Tensor:
        """Outputs (R, B, steps, V) for a target of that shape; `fed` says where they are fed back."""
        spec, H = self.spec, self.shape.hidden
        states = []
        for layer in range(spec.layers):
            start = (layer % spec.slots) * spec.parts * H
            h, memory = z[..., start : start + H], start + spec.memory
            c = z[..., memory : memory + H] if spec.memory >= 0 else torch.zeros_like(h)
            states.append((h, c))
        weights = self._matrix(theta, "output")
        value, outputs = torch.zeros_like(target[:, :, 0]), list[Tensor]()
        for t in range(target.shape[2]):
            if t > 0:
                value = torch.where(fed[:, :, t, None], outputs[-1], target[:, :, t - 1])
            for layer in range(spec.layers):
                matrix, block = self._matrix(theta, f"decoder.{layer}"), self.blocks[f"decoder.{layer}"]
                states[layer] = self._cell(matrix, block, value, *states[layer])
                value = states[layer][0]
            ones = torch.ones_like(value[..., :1])
            row = torch.cat([ones, value], -1) if self.shape.output_bias else value
            outputs.append(row @ weights.mT)
        return torch.stack(outputs, 2)

    def errors(self, theta: Tensor, batch: Batch, padded_mean: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Squared errors (R, B, steps, V), 0 where none counts; codes; outputs in the target's order."""
        z = self.encode(theta, batch.x, batch.lengths)
        target, weight = (self._target(array, batch.lengths) for array in (batch.x, batch.counted))
        outputs = self.decode(theta, z, target, batch.fed[:, :, : target.shape[2]])
        if padded_mean and self.spec.end_step:
            at = torch.arange(target.shape[2], device=weight.device) == batch.lengths[..., None]
            weight = weight + (at & (batch.lengths > 0)[..., None])[..., None]
        return torch.where(weight > 0, (outputs - target) ** 2, 0.0), z, outputs

    def loss(
        self, theta: Tensor, batch: Batch, decay: Tensor, padded_mean: bool
    ) -> tuple[Loss, Tensor, Tensor]:
        """The loss parts (R each), the codes and the outputs."""
        squares, z, outputs = self.errors(theta, batch, padded_mean)
        if padded_mean:
            total = (batch.lengths > 0).sum(1) * squares.shape[2] * squares.shape[3]
        else:
            total = batch.counted.sum((1, 2, 3))
        reconstruction = squares.sum((1, 2, 3)) / total.clamp(min=1)
        l2 = 0.5 * (decay * theta**2).sum(1)
        live = torch.where((batch.lengths > 0)[..., None], z, 0.0)
        aligned = torch.zeros_like(l2) if batch.kernel is None else alignment(live, batch.kernel)
        return Loss(reconstruction, l2, aligned), z, outputs

    def in_order(self, outputs: Tensor, lengths: Tensor) -> Tensor:
        """Outputs (R, B, T, V) in the series' own order of time, 0 in the padding."""
        rows = turned(outputs, lengths) if self.shape.reverse else outputs
        beyond = torch.arange(rows.shape[2], device=rows.device) >= lengths[..., None]
        return torch.where(beyond[..., None], 0.0, rows)

    def _target(self, array: Tensor, lengths: Tensor) -> Tensor:
        """What the decoder is to give (or its weights), 0 beyond the length, with the end step if any."""
        rows = turned(array, lengths) if self.shape.reverse else array
        beyond = torch.arange(array.shape[2], device=array.device) >= lengths[..., None]
        rows = torch.where(beyond[..., None], 0.0, rows)
        return torch.nn.functional.pad(rows, (0, 0, 0, 1)) if self.spec.end_step else rows

    def _run(self, theta: Tensor, stack: str, x: Tensor, lengths: Tensor) -> list[tuple[Tensor, Tensor]]:
        """The final (h, c) of every layer, each (R, B, H)."""
        rows, states = list(x.unbind(2)), []
        for layer in range(self.spec.layers):
            matrix, block = self._matrix(theta, f"{stack}.{layer}"), self.blocks[f"{stack}.{layer}"]
            h = torch.zeros(*x.shape[:2], self.shape.hidden, dtype=theta.dtype, device=theta.device)
            c = h
            for t, row in enumerate(rows):
                alive = (lengths > t)[..., None]
                new_h, new_c = self._cell(matrix, block, row, h, c)
                h, c = torch.where(alive, new_h, h), torch.where(alive, new_c, c)
                rows[t] = h
            states.append((h, c))
        return states

    def _cell(
        self, matrix: Tensor, block: ParameterBlock, x: Tensor, h: Tensor, c: Tensor
    ) -> tuple[Tensor, Tensor]:
        """One step of the layer with this matrix (R, gates H, I + 1 + H)."""
        H = self.shape.hidden
        ones = torch.ones_like(h[..., :1])
        if self.shape.cell == "lstm":
            i, f, g, o = (torch.cat([x, ones, h], -1) @ matrix.mT).chunk(4, -1)
            c = torch.sigmoid(f + 1.0) * c + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        r, u = torch.sigmoid(torch.cat([x, ones, h], -1) @ matrix[:, : 2 * H].mT).chunk(2, -1)
        candidate = torch.tanh(torch.cat([x, ones, r * h], -1) @ matrix[:, 2 * H :].mT)
        return u * h + (1 - u) * candidate, c

    def _matrix(self, theta: Tensor, name: str) -> Tensor:
        block = self.blocks[name]
        rows, columns = block.shape
        return theta[:, block.offset : block.offset + rows * columns].view(-1, rows, columns)


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """x (R, B, T, V) with the valid part of every series reversed."""
    steps = torch.arange(x.shape[2], device=x.device)
    place = torch.where(steps < lengths[..., None], lengths[..., None] - 1 - steps, steps)
    return torch.gather(x, 2, place[..., None].expand_as(x))


def alignment(z: Tensor, kernel: Tensor) -> Tensor:
    """L_k (R) of codes (R, B, D) and kernels (R, B, B); a matrix of norm 0 is its own normalised form."""

    def normalised(matrix: Tensor) -> Tensor:
        squares = (matrix**2).sum((1, 2), keepdim=True)
        return torch.where(squares > 0, matrix * torch.where(squares > 0, squares, 1.0).rsqrt(), 0.0)

    squares = ((normalised(z @ z.mT) - normalised(kernel)) ** 2).sum((1, 2))
    return torch.where(squares > 0, torch.where(squares > 0, squares, 1.0).sqrt(), 0.0)
