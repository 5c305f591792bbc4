"""Torch on one thread: at these sizes a second one only waits, on a busy machine for minutes."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
