"""Checks that a model, dataset, missingness, experiment or executor keeps its contract, for its author.

from tkae.testing import check_model
check_model(MyModel())
"""

from tkae.testing.models import check_model

__all__ = ["check_model"]
