"""The settings with the lowest error, beside the paper's."""

from tkae.report.search_result import search_result as table

__all__ = ["table"]
