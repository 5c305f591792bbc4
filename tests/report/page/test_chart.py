"""Places of a chart, and the axes that they lie on."""

from __future__ import annotations

import pytest

from tkae.report.page.chart import Axis, band, path


@pytest.mark.parametrize("values", [(0.2, 0.9), (0.001, 3.0), (-5.0, 2.0), (7.0,), (0.0, 0.0)])
def test_all_values_lie_inside_and_marks_too(values: tuple[float, ...]) -> None:
    axis = Axis.around(values)
    assert all(0 <= axis.at(value) <= 1 for value in values)
    assert axis.logarithmic == (values == (0.001, 3.0))
    assert len(axis.marks) > 1 and all(0 <= axis.at(value) <= 1 for value, _ in axis.marks)
    assert all(float(text) == pytest.approx(value) for value, text in axis.marks)


def test_upwards_is_up() -> None:
    axis = Axis(1.0, 100.0, logarithmic=True)
    assert [axis.x(value) for value in (1.0, 10.0, 100.0)] == [0, 500, 1000]
    assert [axis.y(value) for value in (1.0, 10.0, 100.0)] == [1000, 500, 0]


def test_paths() -> None:
    assert path([(0, 1), (2, 3)]) == "M0 1L2 3"
    assert band([0, 5], [9, 8], [1, 2]) == "M0 1L5 2L5 8L0 9Z"
