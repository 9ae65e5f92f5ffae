"""Height detail of whole meshes: surfaces follow the ground over tiles and storeys, flat levels stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import onepath
from onepath import AgentShape, BakeSettings, Level, NavMesh, levels
from onepath.mesh import TileView
from tests.baked import STANDARD, floor, tile_bytes

DETAILED = STANDARD.replace(detail_sample_distance=1.5, detail_max_error=0.125)


def report_of(mesh: NavMesh) -> onepath.BakeReport:
    assert isinstance(mesh.report, onepath.BakeReport)
    return mesh.report


def detail_of(mesh: NavMesh) -> int:
    """The number of detail triangles."""
    return sum(len(view.detail_triangles) for view in mesh.tiles() if view.detail_triangles is not None)


def surface_of(view: TileView, polygon: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """All vertices of a tile in the world and the triangles of one polygon's surface."""
    vertices = view.vertices.astype(np.float64)
    begin, end = view.polygon_offsets[polygon : polygon + 2]
    ring = view.polygon_vertices[begin:end]
    triangles = np.array([[ring[0], ring[i], ring[i + 1]] for i in range(1, len(ring) - 1)], dtype=np.int32)
    if view.detail_vertices is not None and view.detail_offsets is not None and view.detail_triangles is not None:
        vertices = np.concatenate([vertices, view.detail_vertices.astype(np.float64)])
        first, last = view.detail_offsets[polygon : polygon + 2]
        triangles = view.detail_triangles[first:last] if first < last else triangles
    return vertices + view.origin, triangles


def test_a_level_without_slopes_is_the_same_with_detail() -> None:
    level = levels.pillars()
    assert tile_bytes(onepath.bake(level, DETAILED)) == tile_bytes(onepath.bake(level, STANDARD))


def test_a_draft_has_no_detail_and_the_default_has() -> None:
    hills = levels.terrain(size=20)
    agent = AgentShape(radius=0.6)
    assert detail_of(onepath.bake(hills, BakeSettings.for_agent(agent, "draft"))) == 0
    normal = detail_of(onepath.bake(hills, BakeSettings.for_agent(agent)))
    assert 0 < normal < detail_of(onepath.bake(hills, BakeSettings.for_agent(agent, "fine")))


@pytest.mark.parametrize("max_error", [0.0, 0.25])
def test_heights_asked_of_the_mesh_are_those_of_the_ground(max_error: float) -> None:
    """A wavy ground with known heights: rasterizing rounds up, by a row and by what the ground rises over a cell."""
    count, spacing = 41, 0.5
    x, z = np.meshgrid(np.arange(count) * spacing, np.arange(count) * spacing)
    heights = np.sin(x * 0.7) * 0.8 + np.cos(z * 0.5) * 0.6
    level = Level()
    level.add_heightmap(heights, spacing)
    mesh = onepath.bake(level, DETAILED.replace(detail_max_error=max_error, tile_cells=24))
    rise = STANDARD.cell_size * (0.8 * 0.7 + 0.6 * 0.5)
    random = np.random.default_rng(1)
    query = onepath.NavMeshQuery(mesh)
    for px, pz in random.uniform(1.0, 19.0, (300, 2)).tolist():
        ground = np.sin(px * 0.7) * 0.8 + np.cos(pz * 0.5) * 0.6
        found = query.find_nearest_polygon((px, ground, pz), (0.01, 2.0, 0.01))
        height = query.surface_height(found.ref, (px, ground, pz))
        assert height is not None
        assert -max_error - rise < height - ground < max_error + 2 * STANDARD.cell_height + 2 * rise


def test_storeys_of_a_building_keep_their_heights() -> None:
    level = Level()
    for storey in range(3):
        base = 3.0 * storey
        level.add_plane((0, 0), (12, 4), base)
        level.add_ramp((2, base, 2), (8, base + 0.9, 2), 4)
    mesh = onepath.bake(level, DETAILED.replace(detail_max_error=0.0))
    for view in mesh.tiles():
        for polygon in range(view.polygon_count):
            vertices, triangles = surface_of(view, polygon)
            heights = vertices[np.unique(triangles), 1]
            assert heights.max() // 3.0 == (heights.min() + 1e-6) // 3.0
    assert report_of(mesh).largest_detail_error <= STANDARD.cell_height * (1 + 1e-6)


def test_polygons_across_a_tile_side_meet_without_vertices_between() -> None:
    mesh = onepath.bake(levels.terrain(size=24), DETAILED.replace(detail_max_error=0.0))
    assert detail_of(mesh) > 100
    size = mesh.settings.tile_size
    for view in mesh.tiles():
        if view.detail_vertices is not None:
            assert not np.isin(view.detail_vertices[:, [0, 2]], [0.0, size]).any()


@pytest.mark.parametrize("name", ["terrain", "building", "town"])
def test_the_surface_tiles_every_polygon_in_float_too(name: str) -> None:
    level = levels.town(size=52) if name == "town" else getattr(levels, name)()
    mesh = onepath.bake(level, DETAILED)
    assert detail_of(mesh) > 0
    for view in mesh.tiles():
        for polygon in range(view.polygon_count):
            vertices, triangles = surface_of(view, polygon)
            a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
            areas = (b[:, 2] - a[:, 2]) * (c[:, 0] - a[:, 0]) - (b[:, 0] - a[:, 0]) * (c[:, 2] - a[:, 2])
            ring = vertices[view.polygon_vertices[slice(*view.polygon_offsets[polygon : polygon + 2])]]
            whole = (ring[1:-1, 2] - ring[0, 2]) * (ring[2:, 0] - ring[0, 0])
            whole -= (ring[1:-1, 0] - ring[0, 0]) * (ring[2:, 2] - ring[0, 2])
            assert areas.min() > -1e-6
            assert areas.sum() == pytest.approx(whole.sum(), rel=1e-5)
    assert report_of(mesh).largest_detail_error <= DETAILED.detail_max_error + DETAILED.cell_height


def test_the_report_names_the_worst_place() -> None:
    mesh = onepath.bake(levels.terrain(size=24), DETAILED)
    report = report_of(mesh)
    assert report.largest_detail_error_at is not None
    x, y, z = report.largest_detail_error_at
    query = onepath.NavMeshQuery(mesh)
    found = query.find_nearest_polygon((x, y, z), (0.001, 1.0, 0.001))
    height = query.surface_height(found.ref, (x, y, z))
    assert height is not None
    assert abs(height - y) == pytest.approx(report.largest_detail_error, abs=1e-4)
    for place in (x, z):
        assert place / DETAILED.cell_size % 1 == pytest.approx(0.5)  # the centre of a cell
    assert f"at most {report.largest_detail_error:.3f} m off the floor, at ({x:.2f}, " in str(report)


def test_a_flat_level_reports_no_error() -> None:
    report = report_of(onepath.bake(floor(10, 10), DETAILED))
    assert (report.largest_detail_error, report.largest_detail_error_at) == (0.0, None)


@pytest.mark.parametrize("field", ["detail_sample_distance", "detail_max_error"])
@pytest.mark.parametrize("value", [-1.0, float("inf"), "far"])
def test_settings_of_detail_are_checked(field: str, value: object) -> None:
    with pytest.raises(onepath.errors.ArgumentError, match=f"BakeSettings.{field}"):
        STANDARD.replace(**{field: value})


def test_samples_closer_than_a_cell_are_cells() -> None:
    assert STANDARD.replace(detail_sample_distance=0.01).cells.detail_spacing == 1
    assert STANDARD.replace(detail_sample_distance=1e-9).cells.detail_spacing == 1
    assert STANDARD.replace(detail_sample_distance=0.5).cells.detail_spacing == 2
    assert STANDARD.cells.detail_spacing == 0


def test_errors_of_just_what_is_allowed_need_no_detail_whether_looked_at_or_not() -> None:
    level = Level()
    for column in range(6):
        level.add_plane((2.0 * column, 0), (2.0 * column + 2, 5), 0.125 * (column % 2))
    mesh = onepath.bake(level, DETAILED.replace(detail_max_error=0.125, tile_cells=16))
    assert detail_of(mesh) == 0
    assert report_of(mesh).largest_detail_error <= STANDARD.cell_height
