"""What every missingness keeps to, whatever it removes: `check_missingness`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tkae.data.collection import Collection
from tkae.data.masks import Masks
from tkae.data.missingness import Missingness
from tkae.testing.series import awkward, planted


def check_missingness(
    missingness: Missingness, draws: bool | None = None, series: Mapping[str, Collection] | None = None
) -> None:
    """Raise an AssertionError that says in which way a missingness breaks the contract, if it does.

    `draws` says whether every run has holes of its own: then another run must change them, else it must not.
    `series` are collections to remove entries from, by name, in place of the small ones of this package.
    """
    name = getattr(missingness, "name", "")
    assert name, f"{type(missingness).__name__} has no name: set the class variable `name`"
    told = missingness.fingerprint("some", 0)
    stable = isinstance(told, str) and told == missingness.fingerprint("some", 0)
    assert stable, f"{name}: its fingerprint is no text, or changes from call to call"
    chosen = awkward() if series is None else series
    changed = False
    for case, x in chosen.items():
        where, splits = f"{name} on '{case}' series", {"train": x, "test": x}
        before = Collection(x.values, x.observed, x.lengths, x.labels, x.names, x.variates).fingerprint
        masks = missingness.masks("some", splits, 0)
        _check_masks(masks, splits, where)
        again = _same(masks, missingness.masks("some", splits, 0))
        assert again, f"{where}: the same run has other holes the second time: draw from tkae.seeding.stream"
        alone = missingness.masks("some", {"train": x}, 0)
        assert _same({"train": masks["train"]}, alone), f"{where}: a split's holes depend on the other split"
        hidden = missingness.masks("some", {split: planted(x) for split in splits}, 0)
        assert _same(masks, hidden), f"{where}: values under missing entries or padding enter the holes"
        after = Collection(x.values, x.observed, x.lengths, x.labels, x.names, x.variates).fingerprint
        assert before == after, f"{where}: the series are changed"
        changed |= not _same(masks, missingness.masks("some", splits, 1))
    assert draws is None or changed == draws, (
        f"{name}: another run {'changes' if changed else 'does not change'} its holes"
    )


def _check_masks(masks: Masks, splits: Mapping[str, Collection], where: str) -> None:
    assert masks.keys() == splits.keys(), f"{where}: masks of {sorted(masks)}, but splits {sorted(splits)}"
    for split, x in splits.items():
        mask = masks[split]
        right = mask.dtype == np.bool_ and mask.shape == x.shape
        assert right, f"{where}: a mask is {mask.dtype} of {mask.shape}, not booleans of {x.shape}"
        assert not (mask & ~x.observed).any(), f"{where}: it removes padding, or what is missing already"


def _same(ours: Masks, theirs: Masks) -> bool:
    return all(np.array_equal(ours[split], theirs[split]) for split in ours)
