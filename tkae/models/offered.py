"""Methods that only some models have: what rests on an ability that a model lacks is not there.

scikit-learn looks with `hasattr` at what an estimator can do. Its own decorator for that, `available_if`, is
not used, since importing it takes a second of every command.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar, cast

from tkae.errors import NotSupported

Method = TypeVar("Method", bound=Callable[..., Any])


def offered(*abilities: str) -> Callable[[Method], Method]:
    """A method of models that can do one of these (see `Contract.can`)."""

    def mark(method: Method) -> Method:
        return cast(Method, _Offered(method, abilities))

    return mark


class _Offered:
    def __init__(self, method: Callable[..., Any], abilities: tuple[str, ...]) -> None:
        self.method, self.abilities = method, abilities
        self.__doc__ = method.__doc__

    def __get__(self, model: Any, cls: Any) -> Callable[..., Any]:
        if model is None:
            return self.method
        if not any(cls.can(ability) for ability in self.abilities):
            lacks = " or ".join(self.abilities)
            raise NotSupported(f"{cls.name} has no {self.method.__name__}: it cannot {lacks} series")
        return MethodType(self.method, model)
