"""What one would write first in PyTorch: a network a seed, trained one seed after the other."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class PlainRecurrent(nn.Module):
    """A TAE: `nn.LSTM`/`nn.GRU` encoders, a dense code, an `LSTMCell`/`GRUCell` loop as decoder."""

    def __init__(self, variates: int, cell: str, layers: int, hidden: int, p_s: float) -> None:
        super().__init__()
        stack, one = (nn.LSTM, nn.LSTMCell) if cell == "lstm" else (nn.GRU, nn.GRUCell)
        self.ahead = stack(variates, hidden, layers, batch_first=True)
        self.back = stack(variates, hidden, layers, batch_first=True)
        self.code = nn.Linear(2 * hidden, hidden)
        self.cells = nn.ModuleList(one(hidden if i else variates, hidden) for i in range(layers))
        self.output = nn.Linear(hidden, variates)
        self.lstm, self.p_s = cell == "lstm", p_s

    def forward(self, x: Tensor, fed: Tensor | None = None) -> Tensor:
        """Outputs (B, T, V) for x; `fed` (B, T) says where they are fed back, drawn if not given."""
        finals = [self.ahead(x)[1], self.back(x.flip(1))[1]]
        tops = [(final[0] if self.lstm else final)[-1] for final in finals]
        z = torch.tanh(self.code(torch.cat(tops, -1)))
        states = [(z, z) if self.lstm else z for _ in self.cells]
        value, outputs = torch.zeros_like(x[:, 0]), list[Tensor]()
        if fed is None:
            fed = torch.rand(x.shape[:2]) < self.p_s
        for t in range(x.shape[1]):
            if t > 0:
                value = torch.where(fed[:, t, None], outputs[-1], x[:, t - 1])
            for i, cell in enumerate(self.cells):
                states[i] = cell(value, states[i])
                value = states[i][0] if self.lstm else states[i]
            outputs.append(self.output(value))
        return torch.stack(outputs, 1)


class PlainDense(nn.Module):
    """An AE on the unfolded series."""

    def __init__(self, inputs: int, hidden: int, code: int) -> None:
        super().__init__()
        encoder = [nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, code), nn.Tanh()]
        decoder = [nn.Linear(code, hidden), nn.Tanh(), nn.Linear(hidden, inputs)]
        self.layers = nn.Sequential(*encoder, *decoder)

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x.flatten(1)).reshape(x.shape)  # type: ignore[no-any-return]


class PlainTraining:
    """Networks trained on one batch each, x (seeds, B, T, V): forward, backward, clipping, Adam."""

    def __init__(self, networks: Sequence[nn.Module], x: Tensor) -> None:
        self.networks, self.x = networks, x
        self.optimisers = [torch.optim.Adam(network.parameters(), lr=0.001) for network in networks]

    def step(self) -> None:
        for network, optimiser, x in zip(self.networks, self.optimisers, self.x, strict=True):
            optimiser.zero_grad()
            nn.functional.mse_loss(network(x), x).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
