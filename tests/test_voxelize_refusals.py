"""What rasterization refuses: each error names the triangle or argument, and nothing has been added."""

from __future__ import annotations

import numpy as np
import pytest

from onepath.build import SolidHeightfield, rasterize_height_grid, rasterize_triangles
from onepath.errors import ArgumentError, RangeError
from tests.grids import unit_frame

VERTICES = [(0, 1.5, 0), (0, 1.5, 2), (2, 1.5, 0), (2, 1.5, 2)]
TRIANGLES = [(0, 1, 2), (1, 3, 2)]
NAN, INFINITY = float("nan"), float("inf")


def refuse(error: type[Exception], match: str, **change: object) -> Exception:
    """Rasterizes good arguments but for the change, expects the error, and that nothing was added."""
    field = SolidHeightfield(unit_frame())
    arguments = {"vertices": VERTICES, "triangles": TRIANGLES} | change
    with pytest.raises(error, match=match) as caught:
        rasterize_triangles(field, **arguments)
    assert field.span_count == 0 and field.degenerate_triangles == 0
    return caught.value


def with_vertex(value: float, axis: int) -> np.ndarray:
    vertices = np.array(VERTICES, dtype=np.float64)
    vertices[3, axis] = value
    return vertices


@pytest.mark.parametrize("axis", range(3))
def test_nan_is_a_value_error_that_names_the_triangle(axis: int) -> None:
    error = refuse(ArgumentError, rf"triangle 1: vertices\[3\]\.{'xyz'[axis]} is NaN", vertices=with_vertex(NAN, axis))
    assert not isinstance(error, RangeError)


@pytest.mark.parametrize("value", [INFINITY, -INFINITY, 2.0**21 + 1, -1e30])
@pytest.mark.parametrize("axis", range(3))
def test_a_vertex_beyond_the_bound_is_a_range_error(value: float, axis: int) -> None:
    refuse(RangeError, r"triangle 1: vertices\[3\].*2097152", vertices=with_vertex(value, axis))


@pytest.mark.parametrize("value", [2.0**21, -(2.0**21)])
def test_a_vertex_on_the_bound_is_taken(value: float) -> None:
    rasterize_triangles(SolidHeightfield(unit_frame()), with_vertex(value, 0), TRIANGLES)


@pytest.mark.parametrize("index", [4, -1, 2**31, -(2**40), 2**32])
def test_an_index_that_addresses_no_vertex_is_a_range_error(index: int) -> None:
    refuse(RangeError, rf"triangle 1 has indices .*{index}.*\[0, 3\]", triangles=[(0, 1, 2), (1, 3, index)])


def test_indices_are_checked_before_vertices() -> None:
    refuse(RangeError, "triangle 1 has indices", vertices=with_vertex(NAN, 0), triangles=[(0, 1, 3), (0, 1, 9)])


@pytest.mark.parametrize("triangles", [[0, 1], [0, 1, 2, 3], [(0, 1), (2, 3)]])
def test_a_count_of_indices_that_is_no_multiple_of_three_is_a_range_error(triangles: object) -> None:
    refuse(RangeError, "multiple of 3", triangles=triangles)


@pytest.mark.parametrize(
    "triangles",
    [np.zeros((3, 2), int), np.zeros((1, 3, 1), int), [(0.0, 1.0, 2.0)], [(True, False, True)], "abc", None],
)
def test_triangles_of_a_wrong_shape_or_dtype_are_refused(triangles: object) -> None:
    refuse(ArgumentError, "triangles has", triangles=triangles)


@pytest.mark.parametrize("vertices", [[(0, 0)] * 4, [0.0] * 12, np.zeros((2, 2, 3)), "abc", [(1j, 0, 0)] * 4, None])
def test_vertices_of_a_wrong_shape_or_dtype_are_refused(vertices: object) -> None:
    refuse(ArgumentError, "vertices has", vertices=vertices)


RAGGED = [[0, 0, 0], [1, 1]]


@pytest.mark.parametrize("name", ["vertices", "triangles", "areas"])
def test_rows_of_unequal_length_are_refused_by_name(name: str) -> None:
    refuse(ArgumentError, f"{name} cannot be read as an array", **{name: RAGGED})


def test_triangles_without_vertices_are_refused() -> None:
    refuse(RangeError, "triangle 0", vertices=[])


@pytest.mark.parametrize("areas", [[63], [63] * 3, [[63, 63]], [1.0, 2.0], 63])
def test_areas_of_another_length_or_dtype_are_value_errors(areas: object) -> None:
    error = refuse(ArgumentError, "areas has", areas=areas)
    assert not isinstance(error, RangeError)


@pytest.mark.parametrize("area", [64, -1, 256 + 5])
def test_an_area_outside_0_to_63_is_a_range_error(area: int) -> None:
    refuse(RangeError, rf"areas\[1\] is {area}", areas=[63, area])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"slope_cosine": NAN}, ArgumentError),
        ({"slope_cosine": 1.5}, RangeError),
        ({"slope_cosine": "steep"}, ArgumentError),
        ({"merge_threshold": -1}, RangeError),
        ({"merge_threshold": 2**31}, RangeError),
        ({"merge_threshold": 1.0}, ArgumentError),
    ],
)
def test_numbers_outside_their_range_are_refused(change: dict[str, object], error: type[Exception]) -> None:
    refuse(error, next(iter(change)), **change)


def test_something_else_than_a_field_is_refused() -> None:
    for field in (None, unit_frame()):
        with pytest.raises(TypeError, match="field"):
            rasterize_triangles(field, VERTICES, TRIANGLES)


# --- height grids


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"heights": np.zeros((1, 4))}, RangeError, "fewer than two"),
        ({"heights": np.zeros((4, 1))}, RangeError, "fewer than two"),
        ({"heights": np.zeros((0, 0))}, RangeError, "fewer than two"),
        ({"heights": np.zeros(4)}, ArgumentError, "heights has shape"),
        ({"heights": [[1, 2], [1]]}, ArgumentError, "heights cannot be read as an array"),
        ({"heights": [["a", "b"], ["c", "d"]]}, ArgumentError, "heights has dtype"),
        ({"heights": [[0, NAN], [0, 0]]}, ArgumentError, "NaN"),
        ({"heights": [[0, 3e6], [0, 0]]}, RangeError, "3000000"),
        ({"spacing": 0}, RangeError, "spacing"),
        ({"spacing": -1}, RangeError, "spacing"),
        ({"spacing": NAN}, ArgumentError, "spacing"),
        ({"spacing": INFINITY}, RangeError, "spacing"),
        ({"spacing": 2.0**21 + 1}, RangeError, "vertices"),
        ({"origin": (NAN, 0)}, ArgumentError, r"origin\.x"),
        ({"origin": (0, 1e9)}, RangeError, r"origin\.z"),
        ({"origin": 3}, ArgumentError, "origin"),
        ({"areas": [1]}, ArgumentError, "areas"),
    ],
)
def test_a_bad_height_grid_is_refused(change: dict[str, object], error: type[Exception], match: str) -> None:
    field = SolidHeightfield(unit_frame())
    with pytest.raises(error, match=match):
        rasterize_height_grid(field, **({"heights": np.ones((2, 2)), "spacing": 2.0} | change))
    assert field.span_count == 0
