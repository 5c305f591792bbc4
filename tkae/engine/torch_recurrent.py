"""The recurrent autoencoder in plain torch, as an engine for the trainer: for GPUs, and as an oracle.

Same batches, same coins and same update as the fused kernels; results agree to float tolerance.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets, coins
from tkae.engine.optimiser import BETA1, BETA2, CLIP, EPSILON
from tkae.engine.recurrent import ROWS, Recurrent
from tkae.engine.reference import Batch, Network
from tkae.engine.replicas import Bools, Evaluation, Floats, Hyperparameters, Ints, Order, State
from tkae.errors import UserError


class TorchRecurrent(Recurrent):
    """`Recurrent` on a torch device: cpu, cuda or mps."""

    def __init__(self, architecture: Architecture, device: str = "cpu") -> None:
        super().__init__(architecture)
        self.network = Network(architecture)
        try:
            self.device = torch.device(device)
            torch.zeros(1, device=self.device)
        except (RuntimeError, AssertionError) as error:
            why = str(error).partition("\n")[0].partition(". ")[0]  # torch goes on for pages
            raise UserError(
                f"device '{device}' cannot be used here ({why}); device=cpu always can"
            ) from error

    def epoch(self, data: SeriesSets, state: State, settings: Hyperparameters, order: Order) -> Floats:
        theta, m, v = (self._tensor(array) for array in (state.theta, state.m, state.v))
        parts, batches = np.zeros((len(state.theta), 3)), np.zeros(len(state.theta))
        used = order.counts if order.keep_last else order.counts // order.batch * order.batch
        decay, penalty, alpha = (self._tensor(a) for a in (settings.decay, settings.penalty, settings.alpha))
        for start in range(0, int(used.max()), order.batch):
            rows = order.rows[:, start : start + order.batch]
            present = np.arange(start, start + rows.shape[1]) < used[:, None]
            theta.requires_grad_()
            given = order.blocks[:, start // order.batch] if order.blocks.size else None
            batch = self._batch(data, settings, rows, present, given)
            loss, _, _ = self.network.loss(theta, batch, decay, bool(data.padded_mean))
            total = loss.reconstruction + penalty * loss.l2 + alpha * loss.alignment
            (grad,) = torch.autograd.grad(total.sum(), theta)
            theta = theta.detach()
            working = state.live & present.any(1)
            found = torch.stack([part.detach() for part in loss], 1).cpu().numpy()
            parts[working] += found[working]
            batches[working] += 1
            norms = torch.linalg.vector_norm(grad, dim=1)
            finite = (torch.isfinite(total) & torch.isfinite(norms)).detach().cpu().numpy()
            state.live[working & ~finite] = False
            moved = working & finite
            state.steps[moved] += 1
            self._update(
                theta, m, v, grad * (CLIP / norms.clamp(min=CLIP))[:, None], state.steps, settings.rate, moved
            )
        for array, tensor in ((state.theta, theta), (state.m, m), (state.v, v)):
            array[...] = tensor.cpu().numpy()
        return np.asarray(parts / np.maximum(batches, 1)[:, None])

    def evaluate(self, data: SeriesSets, theta: Floats, settings: Hyperparameters) -> Evaluation:
        n = data.x.shape[1]
        weights, end = self._tensor(theta), self.network.spec.end_step
        free = settings._replace(alpha=np.zeros_like(settings.alpha))
        z, outputs, squares = [], [], []
        for start in range(0, n, ROWS):
            rows = np.broadcast_to(np.arange(start, min(start + ROWS, n)), (len(theta), min(ROWS, n - start)))
            batch = self._batch(data, free, rows, np.ones(rows.shape, bool))
            with torch.no_grad():
                errors, codes, given = self.network.errors(weights, batch, bool(data.padded_mean))
            given = self.network.in_order(given[:, :, : given.shape[2] - end], batch.lengths)
            z.append(codes.cpu().numpy())
            outputs.append(given.cpu().numpy())
            squares.append(errors.sum((2, 3)).cpu().numpy().astype(np.float64))
        return Evaluation(*(np.concatenate(found, 1) for found in (z, outputs, squares)))

    def _tensor(self, array: Floats) -> Tensor:
        """On the device, in its own type; a copy, so that the trainer's arrays stay as they are."""
        single = array.dtype == np.float64 and self.device.type == "mps"  # which has no double precision
        return torch.tensor(array.astype(np.float32) if single else array, device=self.device)

    def _batch(
        self,
        data: SeriesSets,
        settings: Hyperparameters,
        rows: Ints,
        present: Bools,
        blocks: Floats | None = None,
    ) -> Batch:
        """The series rows (R, B) of each replica's set; those not present have length 0."""
        sets, steps = settings.set_of[:, None], data.x.shape[2]
        lengths = np.where(present, data.lengths[sets, rows], 0)
        valid = (np.arange(steps) < lengths[..., None])[..., None]
        drawn = np.stack([coins(key, own, steps + 1) for key, own in zip(settings.keys, rows, strict=True)])
        kernel = None
        if settings.alpha.any():
            which = np.minimum(settings.set_of, len(data.kernels) - 1)[:, None, None]
            size = rows.shape[1]
            block = (
                data.kernels[which, rows[:, :, None], rows[:, None, :]]
                if blocks is None
                else blocks[:, :size, :size]
            )
            kernel = self._tensor(
                np.where(present[:, :, None] & present[:, None, :], block, 0).astype(data.x.dtype)
            )
        return Batch(
            self._tensor(np.where(valid, data.x[sets, rows], 0)),
            self._tensor((data.counted[sets, rows] & valid).astype(data.x.dtype)),
            self._tensor(lengths),
            self._tensor(drawn < settings.p_s[:, None, None]),
            kernel,
        )

    def _update(
        self, theta: Tensor, m: Tensor, v: Tensor, grad: Tensor, steps: Ints, rate: Floats, moved: Bools
    ) -> None:
        """Adam, in place, for the replicas that moved."""
        at = torch.tensor(np.flatnonzero(moved), device=self.device)
        count = steps[moved][:, None].astype(np.float64)
        pace, spread = (
            self._tensor(factor).to(theta.dtype)
            for factor in (rate[moved][:, None] / (1 - BETA1**count), np.sqrt(1 - BETA2**count))
        )
        m[at] = BETA1 * m[at] + (1 - BETA1) * grad[at]
        v[at] = BETA2 * v[at] + (1 - BETA2) * grad[at] ** 2
        theta[at] -= pace * m[at] / (v[at].sqrt() / spread + EPSILON)
