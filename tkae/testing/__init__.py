"""Checks that a model, dataset, missingness, experiment or executor keeps its contract, for its author.

from tkae.testing import check_model
check_model(MyModel())
"""

from tkae.testing.datasets import check_dataset
from tkae.testing.executors import check_executor
from tkae.testing.experiments import check_experiment
from tkae.testing.missingness import check_missingness
from tkae.testing.models import check_model

__all__ = ["check_dataset", "check_executor", "check_experiment", "check_missingness", "check_model"]
