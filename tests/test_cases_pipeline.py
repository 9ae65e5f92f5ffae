"""The pipeline document's own examples: walls, pillars, borders between rooms, floors over each other, and what it
leaves open."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

import onepath
from onepath import AgentShape, BakeSettings, NavMesh, NodeModel, levels
from tests.baked import SLIM, STANDARD, floor


def rings_of(mesh: NavMesh) -> list[np.ndarray]:
    return [mesh.polygon(reference) for view in mesh.tiles() for reference in view.references.tolist()]


def plan_of(rings: list[np.ndarray]) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(ring[:, [0, 2]]) for ring in rings])


# -- a wall is a solid, a path the shortest way round ------------------------------------------------------------------


@pytest.mark.parametrize("tile_cells", [16, 32, 96])
def test_the_way_round_the_wall_is_9_81_whatever_the_tiles_are(tile_cells: int) -> None:
    """Four metres on either side of a wall half a metre thick, and as far from its end as makes two legs of 4.655."""
    level = floor(20, 20)
    level.add_box((9.75, 0, -0.5), (10.25, 3, 14))
    mesh = onepath.bake(level, SLIM.replace(tile_cells=tile_cells, max_edge_error_cells=0.0))
    back = math.sqrt(4.655**2 - 4.0**2)
    start, end = (5.75, 0, 14 - back), (14.25, 0, 14 - back)
    path = mesh.find_path(start, end, exact=True)
    assert path.length == pytest.approx(9.81, abs=1e-9)
    assert path.points[1:-1, [0, 2]].tolist() == [[9.75, 14], [10.25, 14]]
    for model in NodeModel:
        assert onepath.NavMeshQuery(mesh, model).find_path(start, end).length >= 9.81 - 1e-9


@pytest.mark.parametrize("x", [10.0, 10.1])
def test_a_wall_without_thickness_and_top_blocks(x: float) -> None:
    level = floor(20, 20)
    level.add([(x, 0, 0), (x, 2, 0), (x, 2, 20), (x, 0, 20)], [(0, 1, 2), (0, 2, 3)])
    mesh = onepath.bake(level, STANDARD)
    assert not mesh.find_path((5, 0, 10), (15, 0, 10))
    assert mesh.wall_distance((5, 0, 10)) >= 2.0  # the ground goes on up to the wall


@pytest.mark.parametrize("height", [0.625, 1.0, 3.0])
def test_the_radius_is_kept_from_a_wall_whose_top_is_walkable_and_from_every_ledge(height: float) -> None:
    level = floor(20, 20)
    level.add_box((8, 0, 8), (12, height, 12))
    mesh = onepath.bake(level, STANDARD.replace(max_edge_error_cells=0.0, erosion="euclidean"))
    block = shapely.box(8, 8, 12, 12)
    beside = [ring for ring in rings_of(mesh) if ring[:, 1].max() < height / 2]
    ground = [ring for ring in beside if not block.contains(shapely.Polygon(ring[:, [0, 2]]))]  # not the box's inside
    top = [ring for ring in rings_of(mesh) if ring[:, 1].min() > height / 2]
    assert ground and top
    assert plan_of(ground).distance(block) >= 0.5 - 1e-6
    assert block.boundary.distance(plan_of(top)) >= 0.5 - 1e-6


def test_no_way_there_is_an_answer() -> None:
    level = floor(8, 8)
    level.add_plane((10, 0), (18, 8))
    path = onepath.bake(level, STANDARD).find_path((4, 0, 4), (14, 0, 4))
    assert not path and path.status is onepath.PathStatus.PARTIAL


# -- a shared border is one line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [0.0, 1.3, 4.0, 8.0])
@pytest.mark.parametrize("partition", ["watershed", "monotone"])
def test_regions_meet_edge_to_edge_at_any_deviation(partition: str, error: float) -> None:
    """Edges without a neighbour are the rim of the ground and nothing else: no slit and no overlap between regions."""
    level = levels.courtyards(seed=4)
    agent = AgentShape(radius=0.3, height=1.8, max_climb=0.5)
    settings = BakeSettings.for_agent(agent).replace(
        partition=partition, max_edge_error_cells=error, merge_region_area=0.0, min_region_area=0.0, tile_cells=128
    )
    mesh = onepath.bake(level, settings)
    for island in mesh.islands():
        rings = [mesh.polygon(reference) for reference in island.polygons.tolist()]
        heights = np.concatenate(rings)[:, 1]
        if heights.max() - heights.min() > 1.0:
            continue  # of several storeys
        plan = plan_of(rings)
        assert plan.area == pytest.approx(sum(shapely.Polygon(ring[:, [0, 2]]).area for ring in rings), rel=1e-6)
        assert plan.length == pytest.approx(unjoined_length(mesh, set(island.polygons.tolist())), rel=1e-6)


def unjoined_length(mesh: NavMesh, references: set[int]) -> float:
    """Metres of edges of polygons that nothing lies behind; where tiles meet something does."""
    total = 0.0
    for view in mesh.tiles():
        for index, reference in enumerate(view.references.tolist()):
            if reference in references:
                edges = slice(view.polygon_offsets[index], view.polygon_offsets[index + 1])
                alone = (view.polygon_neighbours[edges] < 0) & (view.border_sides[edges] < 0)
                plan = mesh.polygon(reference)[:, [0, 2]]
                lengths = np.hypot(*(np.roll(plan, -1, axis=0) - plan).T)
                total += float(lengths[alone].sum())
    return total


@pytest.mark.parametrize("error", [0.0, 1.3, 3.0])
def test_rooms_that_share_a_border_are_walked_through_their_door(error: float) -> None:
    level = floor(20, 10)
    level.add_box((9.8, 0, 0), (10.2, 3, 4))
    level.add_box((9.8, 0, 6), (10.2, 3, 10))
    agent = AgentShape(radius=0.4, height=1.8, max_climb=0.5)
    mesh = onepath.bake(level, BakeSettings.for_agent(agent).replace(max_edge_error_cells=error))
    path = mesh.find_path((2, 0, 5), (18, 0, 5))
    assert path and path.length == pytest.approx(16, abs=0.01)


# -- a pillar is a hole ------------------------------------------------------------------------------------------------


def test_a_pillar_is_a_hole_that_no_polygon_covers_and_paths_go_round() -> None:
    level = floor(20, 20)
    level.add_box((9, 0, 9), (11, 3, 11))
    mesh = onepath.bake(level, SLIM.replace(solid_interior="remove", min_region_area=5.0))
    ground = plan_of([ring for ring in rings_of(mesh) if ring[:, 1].max() < 1.0])
    assert not ground.intersects(shapely.box(9.001, 9.001, 10.999, 10.999))
    path = mesh.find_path((5, 0, 10), (15, 0, 10), exact=True)
    assert path.length == pytest.approx(2 * math.hypot(4, 1) + 2, abs=1e-6)


# -- what that pipeline leaves open ------------------------------------------------------------------------------------


def test_both_floors_under_a_bridge_are_polygons() -> None:
    level = floor(20, 20)
    level.add_box((0, 3, 8), (20, 3.5, 12))
    level.add_box((0, 7, 8), (20, 7.5, 12))
    mesh = onepath.bake(level, STANDARD)
    found = [mesh.snap((10, y, 10), up=0.5, down=0.5, horizontal=0.1).point for y in (0, 3.5, 7.5)]
    assert [round(point[1], 3) for point in found] == [0, 3.5, 7.5]
    assert not mesh.find_path((10, 0, 10), (10, 3.5, 10))
    assert mesh.find_path((10, 0, 2), (10, 0, 18)).length == pytest.approx(16, abs=1e-6)  # below
    assert mesh.find_path((2, 3.5, 10), (18, 3.5, 10)).length == pytest.approx(16, abs=1e-6)  # and over it


def test_the_inside_of_a_closed_box_is_no_floor_where_the_settings_say_so() -> None:
    level = floor(20, 20)
    level.add_box((6, 0, 6), (14, 3, 14))
    inside = {"up": 0.5, "down": 0.5, "horizontal": 0.1}
    assert onepath.bake(level, STANDARD).snap((10, 0, 10), **inside)
    assert not onepath.bake(level, STANDARD.replace(solid_interior="remove")).snap((10, 0, 10), **inside)
