"""Every setting and parameter is explained once, in the docstring of the class that has it."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

from tests.models.test_contract import every_model
from tkae.settings.registry import lookup


@every_model
def test_every_parameter_is_explained(name: str) -> None:
    cls = lookup("model", name)
    texts = [inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__ if base is not object]
    listed = re.findall(r"^(\w+(?:, \w+)*) : ", "\n".join(texts), flags=re.MULTILINE)
    explained = [one for names in listed for one in names.split(", ")]
    missing = {spec.name for spec in fields(cls)} - {*explained}
    assert not missing
