"""Settings and parameters of a model by name, as scikit-learn's `clone` and searches ask for them.

scikit-learn's BaseEstimator would do the same; it is not imported, since that takes a second of every call.
"""

from __future__ import annotations

import dataclasses
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from tkae.errors import UserError, unknown
from tkae.fields import allowed, expected


class Parameters:
    """Of a dataclass, all of whose fields have defaults."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]
    name: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = Parameters.__repr__  # type: ignore[method-assign]  # @dataclass would write a long one

    def __repr__(self) -> str:
        """What is not as it is by default."""
        given = {spec.name: getattr(self, spec.name) for spec in fields(self) if not _is_default(self, spec)}
        return f"{type(self).__name__}({', '.join(f'{key}={_shown(value)}' for key, value in given.items())})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Settings and parameters by name."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)}

    def set_params(self, **params: Any) -> Self:
        """Change settings or parameters; they count from the next `fit` on."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise unknown(f"parameter of {type(self).__name__}", name, known)
            setattr(self, name, value)
        return self

    def check(self) -> None:
        """Refuse a value outside its limits: the constructor only stores, as scikit-learn wants it."""
        for spec in fields(self):
            value = getattr(self, spec.name)
            if not allowed(spec, value):
                raise UserError(f"{self.name}: {spec.name}={value} is not allowed: it takes {expected(spec)}")


def _is_default(thing: Any, spec: dataclasses.Field[Any]) -> bool:
    value = getattr(thing, spec.name)
    default = spec.default if spec.default_factory is dataclasses.MISSING else spec.default_factory()
    return value is default or (np.ndim(value) == 0 and bool(value == default))


def _shown(value: Any) -> str:
    """A matrix by its shape: nobody reads its numbers."""
    return f"<{type(value).__name__} {np.shape(value)}>" if np.ndim(value) else repr(value)
