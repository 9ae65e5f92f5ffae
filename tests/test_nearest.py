"""Nearest polygon and surface height, by hand-computed examples and by brute force on squares."""

from __future__ import annotations

import itertools
import math
import pickle
import random

import numpy as np
import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.mesh.navmesh import NavMesh
from onepath.query import NavMeshQuery, NearestPolygon, QueryFilter
from tests.meshes import fan, grid, mesh_of, rectangle, settings_of, strip, tile_of, two_floors


def nearest(mesh: NavMesh, *arguments: object, **named: object) -> NearestPolygon:
    return NavMeshQuery(mesh).find_nearest_polygon(*arguments, **named)  # type: ignore[arg-type]


def test_over_a_polygon_the_point_is_straight_below() -> None:
    found = nearest(strip(1), (1, 2.5, 3))
    assert (found.point, found.distance, found.distance_squared, found.over_polygon) == ((1, 0, 3), 2.5, 6.25, True)


def test_beside_the_mesh_the_point_lies_on_the_outline() -> None:
    found = nearest(strip(1), (-1.5, 2.0, 1.0))
    assert (found.point, found.distance_squared, found.over_polygon) == ((0, 0, 1), 6.25, False)


def test_the_boundary_counts_as_inside() -> None:
    assert nearest(strip(1), (0, 1, 2)).over_polygon


def test_the_height_of_the_outline_is_interpolated_along_the_edge() -> None:
    mesh = mesh_of([[(0, 0.0, 0), (0, 2.0, 4), (4, 2.0, 4), (4, 0.0, 0)]])
    assert nearest(mesh, (-1, 1, 1)).point == (0, 0.5, 1)


def test_height_comes_from_the_first_fan_triangle_that_holds_the_point() -> None:
    # Not planar: the fan from the first corner folds along the diagonal (0, 0)-(4, 4).
    polygon = [(0, 0.0, 0), (0, 4.0, 4), (4, 0.0, 4), (4, 4.0, 0)]
    mesh = mesh_of([polygon])
    query = NavMeshQuery(mesh)
    ref = mesh.reference(0, 0, 0)
    corners = mesh.polygon(ref)
    diagonal_height = 0.0 if tuple(corners[0][[0, 2]]) in {(0, 0), (4, 4)} else 4.0
    assert query.surface_height(ref, (2, 9, 2)) == diagonal_height


def test_the_surface_of_a_plane_is_the_plane() -> None:
    mesh = mesh_of([[(0, 1.0, 0), (0, 3.0, 4), (4, 5.0, 4), (4, 3.0, 0)]])
    height = NavMeshQuery(mesh).surface_height(mesh.reference(0, 0, 0), (1, 0, 3))
    assert height == pytest.approx(1 + 0.5 + 1.5, abs=1e-12)


def test_surface_height_of_a_stale_reference_is_none() -> None:
    mesh = strip(1)
    ref = mesh.reference(0, 0, 0)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    query = NavMeshQuery(mesh)
    assert query.surface_height(ref, (1, 0, 1)) is None
    assert query.surface_height(0, (1, 0, 1)) is None


@pytest.mark.parametrize(("y", "floor"), [(0.4, 0.0), (1.4, 0.0), (1.6, 3.0), (2.9, 3.0), (4.0, 3.0)])
def test_of_two_floors_the_vertically_nearest_wins(y: float, floor: float) -> None:
    found = nearest(two_floors(3.0), (4, y, 4))
    assert found.point == (4, floor, 4)


def test_equally_near_floors_go_to_the_lower_polygon_index() -> None:
    mesh = two_floors(2.0)
    assert nearest(mesh, (4, 1.0, 4)).ref == mesh.reference(0, 0, 0)


def test_a_tie_across_tiles_goes_to_the_lowest_column_and_row() -> None:
    mesh = grid(4, 4, side=8.0)
    for x, z, cell in [(8, 8, (0, 0)), (8, 4, (0, 0)), (16, 12, (1, 1)), (24, 24, (2, 2))]:
        assert nearest(mesh, (x, 1, z)).ref == mesh.reference(*cell, 0)


def test_a_tie_goes_to_the_lowest_layer() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, (0, 0, 0, 0))
    for layer in (2, 1):
        mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings, layer=layer))
    mesh.commit()
    assert nearest(mesh, (4, 1, 4)).ref == mesh.reference(0, 0, 0, 1)


def test_the_order_of_commits_does_not_matter() -> None:
    settings = settings_of()
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
    answers = set()
    for order in itertools.permutations(cells):
        mesh = NavMesh(settings, (0, 0, 1, 1))
        for column, row in order:
            mesh.stage_tile(
                tile_of(column, row, [rectangle(8 * column, 8 * row, 8 * column + 8, 8 * row + 8)], settings)
            )
            mesh.commit()
        found = nearest(mesh, (8, 1, 8))
        answers.add((mesh.tiles()[0].column, found.point) if not found else found.point)
        assert found.ref == mesh.reference(0, 0, 0)
    assert answers == {(8.0, 0.0, 8.0)}


def test_the_search_box_is_closed() -> None:
    mesh = strip(1)
    assert nearest(mesh, (-2, 4, 2), (2, 4, 2))
    assert not nearest(mesh, (-2, math.nextafter(4, 5), 2), (2, 4, 2))
    assert not nearest(mesh, (math.nextafter(-2, -3), 4, 2), (2, 4, 2))


def test_a_box_that_ends_on_a_tile_border_sees_both_tiles() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8)], grid_bounds=(0, 0, 1, 1))
    assert nearest(mesh, (9, 0, 4), (1, 1, 1)).point == (8, 0, 4)


def test_the_box_looks_at_the_vertex_box_and_not_at_the_outline() -> None:
    # The diagonal is 1.4 m away, the triangle's box touches.
    mesh = mesh_of([[(0, 0, 0), (0, 0, 4), (4, 0, 0)]])
    found = nearest(mesh, (3, 0, 3), (0.5, 1, 0.5))
    assert found.distance == pytest.approx(math.sqrt(2), abs=1e-12)


def test_extents_of_zero_find_what_lies_on_the_surface() -> None:
    assert nearest(strip(1), (1, 0, 1), (0, 0, 0)).distance == 0.0
    assert not nearest(strip(1), (1, 0.1, 1), (0, 0, 0))


def test_nothing_within_reach_is_no_point_at_all() -> None:
    found = nearest(strip(1), (100, 0, 100))
    assert not found
    assert (found.ref, found.point, found.distance, found.over_polygon) == (0, None, math.inf, False)


def test_a_rejected_polygon_is_passed_over() -> None:
    mesh = strip(2, areas=[5, 6])
    assert nearest(mesh, (2, 0, 2), filter=QueryFilter(costs={5: math.inf})).point == (4, 0, 2)


def test_area_0_is_never_found() -> None:
    assert not nearest(strip(1, areas=[0]), (2, 0, 2))


def test_a_triangle_fan_is_found_triangle_by_triangle() -> None:
    mesh = fan(8)
    for polygon in range(8):
        middle = mesh.polygon(mesh.reference(0, 0, polygon)).mean(axis=0)
        assert nearest(mesh, tuple(middle)).ref == mesh.reference(0, 0, polygon)


def square_distance(point: tuple[float, float, float], i: int, j: int) -> float:
    """Squared distance to the unit square at (i, j) of the ground."""
    dx = max(i - point[0], 0.0, point[0] - (i + 1))
    dz = max(j - point[2], 0.0, point[2] - (j + 1))
    return dx * dx + point[1] * point[1] + dz * dz


@pytest.mark.parametrize("extent", [1.0, 10.0, 75.0])
def test_nearest_agrees_with_brute_force_and_can_be_used(extent: float) -> None:  # case C34
    chance = random.Random(34)
    holes = {cell for cell in itertools.product(range(40), range(40)) if chance.random() < 0.3}
    cells = [cell for cell in itertools.product(range(40), range(40)) if cell not in holes]
    mesh = grid(40, 40, holes=holes)
    query = NavMeshQuery(mesh)
    for number in range(300):
        x, z = chance.uniform(-5, 45), chance.uniform(-5, 45)
        if number % 3 == 0:
            x, z = float(round(x)), round(z * 4) / 4
        point = (x, chance.choice([0.0, chance.uniform(-1, 1)]), z)
        asked = np.array(point)
        found = query.find_nearest_polygon(asked, (extent, extent, extent))
        assert tuple(asked.tolist()) == point
        near = [c for c in cells if c[0] <= x + extent and c[0] + 1 >= x - extent]
        near = [c for c in near if c[1] <= z + extent and c[1] + 1 >= z - extent]
        assert bool(found) == bool(near)
        if not found:
            assert found.point is None
            continue
        assert found.distance_squared == pytest.approx(min(square_distance(point, *c) for c in near), abs=1e-9)
        corners = mesh.polygon(found.ref)
        assert found.point is not None
        assert (corners.min(axis=0) - 1e-9 <= found.point).all() and (found.point <= corners.max(axis=0) + 1e-9).all()
        again = query.find_corridor(found.ref, found.point, found.ref, found.point)
        assert again and again.polygons.tolist() == [found.ref]
        assert query.find_path(found.point, found.point).length == 0.0


@pytest.mark.parametrize("kind", [tuple, list, np.array, lambda p: np.array(p, np.float32), lambda p: (5, 0, 2)])
def test_a_position_is_any_sequence_of_three_numbers(kind: type) -> None:
    position = kind([5.0, 0.0, 2.0])
    assert nearest(strip(2), position).point == (5, 0, 2)
    assert list(position) == [5, 0, 2]


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("value", [math.inf, -math.inf, 2.0**21, -(2.0**21)])
def test_a_coordinate_out_of_range_is_named(axis: int, value: float) -> None:
    position = [0.0, 0.0, 0.0]
    position[axis] = value
    with pytest.raises(RangeError, match=rf"center\[{axis}\] is .*outside \(-2097152, 2097152\)"):
        nearest(strip(1), tuple(position))


def test_a_nan_is_named() -> None:
    with pytest.raises(ArgumentError, match=r"center\[1\] is NaN"):
        nearest(strip(1), (0.0, math.nan, 0.0))


@pytest.mark.parametrize("position", [None, 3, "abc", (1, 2), (1, 2, 3, 4), np.zeros((3, 1)), (1, "x", 2), {}])
def test_something_else_than_a_position_is_refused(position: object) -> None:
    with pytest.raises(ArgumentError, match="center"):
        nearest(strip(1), position)


@pytest.mark.parametrize("extents", [(1, -1, 1), (math.inf, 1, 1), (1, math.nan, 1), (1, 1), None, "abc"])
def test_extents_are_finite_and_not_negative(extents: object) -> None:
    with pytest.raises(ArgumentError, match="half_extents"):
        nearest(strip(1), (0, 0, 0), extents)


def test_a_box_far_larger_than_the_mesh_costs_no_walk_over_cells() -> None:
    assert nearest(strip(3), (0, 0, 2), (1e300, 1e300, 1e300)).point == (0, 0, 2)


def test_a_result_survives_pickling_and_compares() -> None:
    mesh = strip(2)
    found = nearest(mesh, (1, 1, 1))
    assert pickle.loads(pickle.dumps(found)) == found == nearest(mesh, (1, 1, 1)) != nearest(mesh, (1, 1, 2))
    match found:
        case NearestPolygon(ref, point, _, distance, True):
            assert (ref, point, distance) == (mesh.reference(0, 0, 0), (1, 0, 1), 1.0)
        case _:
            raise AssertionError


def test_a_result_is_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match="what queries return"):
        NearestPolygon(1, (0, 0, 0))  # type: ignore[call-arg]
