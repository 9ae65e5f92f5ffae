"""Distances kept from walls, as users of other builders reported them wrong (case C14), and what they leave of gaps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely

import onepath
from onepath import AgentShape, BakeSettings, Level, NavMesh
from onepath.build.settings import EROSIONS
from tests.baked import SLIM

HALF_BLOCK = np.array([(-5.0, -0.5), (5.0, -0.5), (5.0, 0.5), (-5.0, 0.5)])


def turned(points: np.ndarray, degrees: float) -> np.ndarray:
    """(n, 2) points of the plan turned about (20, 20)."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return points @ np.array([(cosine, -sine), (sine, cosine)]) + 20.0


@cache
def floor_round_a_block(degrees: float, erosion: str) -> shapely.Geometry:
    """The ground that is left of 40 by 40 metres round a block in its middle, in plan."""
    block = Level()
    block.add_box((-5, 0, -0.5), (5, 3, 0.5))
    corners, triangles, _ = block.triangles()
    vertices = corners.copy()
    vertices[:, [0, 2]] = turned(vertices[:, [0, 2]], degrees)
    level = Level()
    level.add_plane((0, 0), (40, 40))
    level.add(vertices, triangles)
    settings = BakeSettings(
        agent=AgentShape(radius=5.0, height=2.0, max_climb=0.5),
        cell_size=0.1,
        cell_height=0.125,
        tile_cells=400,
        max_edge_error_cells=0.0,
        erosion=erosion,
    )
    return shapely.union_all(plans_of(onepath.bake(level, settings)))


def plans_of(mesh: NavMesh) -> list[shapely.Polygon]:
    found = []
    for tile in mesh.tiles():
        corners = (tile.vertices.astype(float) + tile.origin)[tile.polygon_vertices]
        found += [shapely.Polygon(ring[:, [0, 2]]) for ring in np.split(corners, tile.polygon_offsets[1:-1])]
    return found


def distances_to_the_block(degrees: float, erosion: str) -> np.ndarray:
    """Metres from points of the hole's rim, 2 cm apart, to the block."""
    [hole] = floor_round_a_block(degrees, erosion).interiors
    rim = np.array(shapely.segmentize(hole, 0.02).coords)
    return shapely.distance(shapely.points(rim), shapely.Polygon(turned(HALF_BLOCK, degrees)))


@pytest.mark.parametrize("degrees", [0, 30, 45])
def test_c14_a_block_at_any_angle_is_cleared_by_the_radius_and_hardly_more(degrees: float) -> None:
    distances = distances_to_the_block(degrees, "euclidean")
    assert distances.min() >= 5.0 - 1e-6
    assert distances.max() <= 5.3


def test_c14_the_block_takes_the_same_room_in_both_turns() -> None:
    straight, slanted = (floor_round_a_block(degrees, "euclidean").area for degrees in (0, 45))
    assert straight == pytest.approx(slanted, rel=0.02)


def test_c14_chamfer_comes_too_close_where_euclidean_does_not() -> None:
    assert distances_to_the_block(45, "chamfer").min() < 4.7


@pytest.mark.parametrize("erosion", ["chamfer", "euclidean"])
@pytest.mark.parametrize("x", [5.0, 5.1])
def test_c14_a_wall_thinner_than_a_cell_is_no_way_through(x: float, erosion: str) -> None:
    level = Level()
    level.add_plane((0, 0), (10, 10))
    for side, (a, b) in ((x - 0.01, (0, 10)), (x + 0.01, (10, 0))):
        level.add([(side, 0, a), (side, 2, a), (side, 2, b), (side, 0, b)], [(0, 1, 2), (0, 2, 3)])
    mesh = onepath.bake(level, SLIM.replace(erosion=erosion))
    assert not mesh.find_path((2, 0, 5), (8, 0, 5))
    assert mesh.find_path((2, 0, 5), (3, 0, 9))


# -- gaps --------------------------------------------------------------------------------------------------------------


def is_passed(cells: float, erosion: str, degrees: float, draw: np.random.Generator) -> bool:
    """Whether a gap of two radii and some cells, in a wall at an angle somewhere on the grid, is a way through."""
    agent = AgentShape(radius=float(draw.choice([0.25, 0.4, 0.6])), height=1.8, max_climb=0.5)
    settings = BakeSettings.for_agent(agent, str(draw.choice(["draft", "normal", "fine"]))).replace(erosion=erosion)
    half = agent.radius + cells * settings.cell_size / 2
    level = Level()
    level.add_plane((14, 14), (26, 26))
    move = np.array([0.0, 0.0, 0.0])
    move[[0, 2]] = draw.uniform(-0.5, 0.5, 2)
    for low, high in ((half, 10.0), (-10.0, -half)):
        block = Level()
        block.add_box((-0.2, 0, low), (0.2, 3, high))
        corners, triangles, _ = block.triangles()
        vertices = corners.copy()
        vertices[:, [0, 2]] = turned(vertices[:, [0, 2]], degrees)
        level.add(vertices + move, triangles)
    sides = turned(np.array([(-2.5, 0.0), (2.5, 0.0)]), degrees) + move[[0, 2]]
    (x0, z0), (x1, z1) = sides.tolist()
    return bool(onepath.bake(level, settings).find_path((x0, 0, z0), (x1, 0, z1)))


@pytest.mark.parametrize("erosion", ["chamfer", "euclidean"])
@pytest.mark.parametrize("degrees", [0, 90])
def test_a_gap_of_two_radii_and_two_cells_along_the_grid_is_found(degrees: float, erosion: str) -> None:
    draw = np.random.default_rng(11)
    assert all(is_passed(2.0 + 1e-6, erosion, degrees, draw) for _ in range(8))


@pytest.mark.parametrize(("erosion", "cells"), [("chamfer", 4.0), ("euclidean", 6.0)])
def test_a_gap_at_an_angle_is_found_with_a_few_cells_more(erosion: str, cells: float) -> None:
    draw = np.random.default_rng(12)
    assert all(is_passed(cells, erosion, float(draw.uniform(0, 180)), draw) for _ in range(25))


@pytest.mark.parametrize("erosion", EROSIONS)
@pytest.mark.parametrize(("radius", "cells", "crossed"), [(0.5, 4, True), (0.5, 0, False), (0.0, 4, True)])
def test_a_beam_is_walked_on_where_it_is_two_radii_and_four_cells_wide(
    radius: float, cells: int, crossed: bool, erosion: str
) -> None:
    """Drops are kept from as walls are, wherever the beam lies on the grid."""
    settings = SLIM.replace(agent=AgentShape(radius=radius, height=2.0, max_climb=0.5), erosion=erosion)
    width = 2 * radius + cells * settings.cell_size
    for shift in (0.0, 0.07, 0.13, 0.2):
        level = Level()
        level.add_box((0, 0, 0), (4, 3, 8))
        level.add_box((12, 0, 0), (16, 3, 8))
        level.add_box((3, 2, 4 + shift - width / 2), (13, 3, 4 + shift + width / 2))
        assert bool(onepath.bake(level, settings).find_path((2, 3, 4), (14, 3, 4))) == crossed
