"""explain_spot: every reason on a level made for it, and the same verdict as the baked mesh on random ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

import onepath
from onepath import AgentShape, BakeSettings, ConvexVolume, Level, NavMesh, levels
from onepath.debug import LevelStages, SpotExplanation, SpotReason, explain_spot
from onepath.errors import ArgumentError, RangeError
from tests.baked import SLIM, STANDARD, floor
from tests.random_levels import RandomBake


def spot(level: Level, point: tuple[float, float, float], settings: BakeSettings = STANDARD, **more) -> SpotExplanation:
    return explain_spot(level, settings, point, **more)


def test_a_floor_is_walkable() -> None:
    found = spot(floor(10, 10), (5, 0.3, 5))
    assert found
    assert (found.reason, found.height, found.area) == (SpotReason.WALKABLE, 0.0, 63)
    assert str(found) == "(5, 0.3, 5) is walkable: area 63"


@pytest.mark.parametrize("point", [(-30, 0, 5), (5, 0, 1e4)])
def test_beyond_the_level_is_outside(point: tuple[float, float, float]) -> None:
    found = spot(floor(10, 10), point)
    assert found.reason is SpotReason.OUTSIDE and found.tile is None
    assert "x from 0 to 10 and z from 0 to 10" in found.text


def test_a_hole_in_the_floor_has_no_triangle() -> None:
    level = Level()
    level.add_plane((0, 0), (4, 10))
    level.add_plane((6, 0), (10, 10))
    assert "no triangle lies above or below it" in spot(level, (5, 0, 5)).text


def test_a_point_in_the_air_is_told_how_far_the_ground_is() -> None:
    found = spot(floor(10, 10), (5, 7.5, 5))
    assert found.reason is SpotReason.NO_GROUND
    assert found.measured == pytest.approx(7.5)
    assert "the nearest surface lies 7.50 m below" in found.text


@pytest.mark.parametrize("degrees", [52.0, 70.0])
def test_a_steep_slope_is_measured(degrees: float) -> None:
    level = floor(10, 10)
    rise = 4 * math.tan(math.radians(degrees))
    level.add([(3, 0, 2), (3, 0, 8), (7, rise, 8), (7, rise, 2)], [(0, 1, 2), (0, 2, 3)])
    found = spot(level, (5, rise / 2, 5))
    assert found.reason is SpotReason.TOO_STEEP
    assert found.measured == pytest.approx(degrees)
    assert (found.limit, found.triangle) in {(45.0, 2), (45.0, 3)}
    assert f"the slope is {degrees:.1f} degrees, more than max_slope 45" in found.text


def test_a_steep_slope_that_faces_down_is_measured_as_its_other_side_where_both_count() -> None:
    level = floor(10, 10)
    rise = 4 * math.tan(math.radians(52))
    level.add([(3, 0, 2), (3, 0, 8), (7, rise, 8), (7, rise, 2)], [(0, 2, 1), (0, 3, 2)])
    assert spot(level, (5, rise / 2, 5)).reason is SpotReason.FACES_DOWN
    found = spot(level, (5, rise / 2, 5), STANDARD.replace(two_sided=True))
    assert found.reason is SpotReason.TOO_STEEP
    assert found.measured == pytest.approx(52)


def test_within_a_wall_it_is_solid() -> None:
    level = floor(10, 10)
    level.add_box((4.9, 0, 0), (5.1, 3, 10))
    found = spot(level, (5, 1, 5))
    assert found.reason is SpotReason.IN_SOLID
    assert "solid there up to y = 3.00" in found.text


def test_a_floor_upside_down_faces_down() -> None:
    vertices, triangles, _ = floor(10, 10).triangles()
    level = Level()
    level.add(vertices, triangles[:, ::-1])
    assert spot(level, (5, 0, 5)).reason is SpotReason.FACES_DOWN
    assert spot(level, (5, 0, 5), STANDARD.replace(two_sided=True))


def test_a_low_ceiling_is_measured() -> None:
    level = floor(10, 10)
    level.add_box((3, 1.625, 3), (7, 3, 7))
    found = spot(level, (5, 0, 5))
    assert (found.reason, found.measured, found.limit) == (SpotReason.LOW_CEILING, 1.625, 2.0)


def test_the_edge_of_a_platform_is_a_ledge() -> None:
    level = floor(20, 20)
    level.add_box((5, 0, 5), (15, 3, 15))
    found = spot(level, (5.1, 3, 10))
    assert (found.reason, found.measured, found.limit) == (SpotReason.LEDGE, 3.0, 0.5)


def test_where_the_ground_ends_is_a_ledge() -> None:
    found = spot(floor(10, 10), (0.1, 0, 5))
    assert found.reason is SpotReason.LEDGE and found.measured is None
    assert "the ground ends beside it" in found.text


@pytest.mark.parametrize("rise", [0.375, 0.5])
def test_a_stair_steeper_than_a_climb_a_cell_is_a_ledge(rise: float) -> None:
    """Each of its steps can be climbed, two of them in a row cannot."""
    level = Level()
    for k in range(20):
        level.add_box((0.25 * k, -1, 0), (0.25 * (k + 1), rise * k, 6))
    found = spot(level, (2.6, 10 * rise, 3), SLIM)
    assert found.reason is SpotReason.LEDGE
    assert "differs in height" in found.text


@pytest.mark.parametrize(("x", "measured", "within"), [(9.6, 0.25, "0.50"), (9.8, 0.0, "0.25")])
@pytest.mark.parametrize("erosion", ["chamfer", "euclidean"])
def test_a_spot_near_a_wall_is_eroded(erosion: str, x: float, measured: float, within: str) -> None:
    level = floor(20, 20)
    level.add_box((10, 0, 0), (11, 3, 20))
    found = spot(level, (x, 0, 10), STANDARD.replace(erosion=erosion))
    assert (found.reason, found.measured, found.limit) == (SpotReason.ERODED, measured, 0.5)
    assert f"within {within} m" in found.text
    assert spot(level, (9.1, 0, 10))


def test_an_island_below_the_limit_is_too_small() -> None:
    level = floor(20, 20)
    level.add_box((3, 1, 3), (5, 3, 5))
    found = spot(level, (4, 3, 4), SLIM.replace(min_region_area=3.0))
    assert found.reason is SpotReason.SMALL_REGION
    assert found.limit == 3.0 and found.measured == pytest.approx(2.25)
    assert spot(level, (4, 3, 4), SLIM.replace(min_region_area=2.0))


def test_a_volume_of_area_none_is_named() -> None:
    corners = [(3, 3), (3, 7), (7, 7), (7, 3)]
    volumes = [ConvexVolume(corners, 5, 9, 0), ConvexVolume(corners, -1, 1, 0, name="lava")]
    found = spot(floor(10, 10), (5, 0, 5), volumes=volumes)
    assert found.reason is SpotReason.NO_AREA
    assert "volume 'lava' gives it area 0" in found.text


def test_the_ground_inside_a_solid_is_told_so() -> None:
    level = floor(20, 20)
    level.add_box((3, 0, 3), (9, 4, 9))
    assert spot(level, (6, 0, 6)).reason is SpotReason.WALKABLE
    assert spot(level, (6, 0, 6), STANDARD.replace(solid_interior="remove")).reason is SpotReason.IN_SOLID


def test_a_solid_is_told_to_be_closed_from_far_beyond_its_tile() -> None:
    level = floor(60, 60)
    level.add_box((5, 0, 5), (55, 4, 55))
    assert spot(level, (30, 0, 30), STANDARD.replace(solid_interior="remove")).reason is SpotReason.IN_SOLID


def test_a_cell_within_the_radius_that_a_polygon_reaches_over_is_walkable() -> None:
    level = floor(20, 20)
    level.add_box((9, 0, 9), (9.5, 3, 9.5))
    settings = STANDARD.replace(max_edge_error_cells=8.0)
    mesh = onepath.bake(level, settings)
    texts = set()
    for x, z in np.argwhere(np.ones((10, 10))) * 0.25 + 8.1:
        found = spot(level, (x, 0, z), settings)
        answer = covered(mesh, found.point)
        assert answer is None or bool(found) is answer
        texts.add(found.text.partition(": ")[2])
    assert "area 63, a simplified border reaches over it" in texts


def test_steep_triangles_keep_their_areas_where_the_bake_was_told_so() -> None:
    level = Level()
    level.add([(0, 0, 0), (0, 0, 8), (8, 12, 8), (8, 12, 0)], [(0, 1, 2), (0, 2, 3)])
    settings = SLIM.replace(agent=AgentShape(radius=0.0, height=2.0, max_climb=1.0, max_slope=45.0))
    assert spot(level, (4, 6, 4), settings).reason is SpotReason.TOO_STEEP
    assert spot(level, (4, 6, 4), settings, classify=False)


def test_a_corner_that_simplifying_cuts_is_measured() -> None:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([10 + 4 * np.cos(angles), np.zeros(24), 10 - 4 * np.sin(angles)], axis=1)
    level = Level()
    level.add(ring, [(0, k, k + 1) for k in range(1, 23)])
    settings = SLIM.replace(max_edge_error_cells=3.0)
    found = [spot(level, (x, 0, z), settings) for x, z in 10 + 3.7 * np.stack([np.cos(angles), np.sin(angles)], axis=1)]
    cut = [one for one in found if one.reason is SpotReason.SIMPLIFIED]
    assert cut
    assert all(0 < one.measured <= 3 * 0.25 + 0.3 for one in cut)


def test_an_empty_level_is_outside_of_everything() -> None:
    assert spot(Level(), (0, 0, 0)).text == "(0, 0, 0) is not walkable: the level holds no triangles"


@pytest.mark.parametrize(
    ("point", "error"), [((1, 2), ArgumentError), ((0, float("nan"), 0), ArgumentError), ((1e9, 0, 0), RangeError)]
)
def test_what_is_no_position_is_refused(point: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="point"):
        explain_spot(floor(4, 4), STANDARD, point)


@pytest.mark.parametrize("level", [floor(10, 10), Level()])
def test_volumes_and_areas_are_asked_for_by_name(level: Level) -> None:
    with pytest.raises(ArgumentError, match=r"volumes is 3, not several ConvexVolumes"):
        spot(level, (5, 0, 5), volumes=3)
    with pytest.raises(ArgumentError, match=r"volumes\[0\] is 'marsh', not a ConvexVolume"):
        spot(level, (5, 0, 5), volumes=["marsh"])
    with pytest.raises(ArgumentError, match=r"areas is 'water', not Areas"):
        spot(level, (5, 0, 5), areas="water")


def test_settings_are_asked_for() -> None:
    with pytest.raises(ArgumentError, match="settings is None, not BakeSettings"):
        explain_spot(floor(4, 4), None, (0, 0, 0))


# --- the same verdict as the mesh


def covered(mesh: NavMesh, point: tuple[float, float, float]) -> bool | None:
    """Whether a polygon near that height covers the point; None where it lies within a centimetre of an edge."""
    x, y, z = point
    answer: bool | None = False
    for view in mesh.tiles():
        for begin, end in zip(view.polygon_offsets[:-1], view.polygon_offsets[1:], strict=True):
            ring = view.vertices[view.polygon_vertices[begin:end]].astype(float) + view.origin
            if not ring[:, 1].min() - 0.15 < y < ring[:, 1].max() + 0.15:
                continue
            after = np.roll(ring, -1, axis=0) - ring
            off = np.array([x, y, z]) - ring
            side = (off[:, 0] * after[:, 2] - off[:, 2] * after[:, 0]) / np.hypot(after[:, 0], after[:, 2])
            if (side > 0.01).all():
                return True
            if (side > -0.01).all():
                answer = None
    return answer


@pytest.mark.parametrize("name", ["building", "pillars", "courtyards"])
def test_the_verdict_is_that_of_the_mesh(name: str) -> None:
    level = getattr(levels, name)(seed=3)
    settings = BakeSettings.for_agent(AgentShape(radius=0.4), "draft").replace(solid_interior="remove")
    mesh = onepath.bake(level, settings)
    stages = LevelStages(level, settings)
    draw, seen = np.random.default_rng(5), set()
    for _ in range(40):
        column = int(draw.integers(stages.grid.first_column, stages.grid.last_column + 1))
        row = int(draw.integers(stages.grid.first_row, stages.grid.last_row + 1))
        tile = stages.tile(column, row)
        spans = tile.rasterized.spans()
        inside = ((spans[:, :2] >= tile.padding) & (spans[:, :2] < tile.frame.width - tile.padding)).all(axis=1)
        if not inside.any():
            continue
        x, z, _, top, _ = draw.choice(spans[inside]).tolist()
        low = tile.frame.origin
        size = tile.frame.cell_size
        point = (low[0] + (x + 0.5) * size, low[1] + top * tile.frame.cell_height, low[2] + (z + 0.5) * size)
        found = explain_spot(level, settings, point)
        seen.add(found.reason)
        answer = covered(mesh, point)
        assert answer is None or bool(found) == answer, found
    assert len(seen) > 1


def polygons_over(mesh: NavMesh, x: float, z: float) -> list[tuple[int, float]]:
    """References of the polygons that cover a place, and how far it lies within their outlines."""
    found = []
    for view in mesh.tiles():
        for reference in view.references.tolist():
            ring = mesh.polygon(reference)
            if not (ring[:, [0, 2]].min(axis=0) <= (x, z)).all() or not (ring[:, [0, 2]].max(axis=0) >= (x, z)).all():
                continue
            after = np.roll(ring, -1, axis=0) - ring
            off = np.array([x, 0.0, z]) - ring
            within = (off[:, 0] * after[:, 2] - off[:, 2] * after[:, 0]) / np.hypot(after[:, 0], after[:, 2])
            if within.min() > -1e-4:
                found.append((reference, float(within.min())))
    return found


def compare_spots(seed: int, count: int) -> int:
    """Spots anywhere in and around a random level: explained as walkable where a polygon of that floor is, and only
    there. Returns how many were compared."""
    bake = RandomBake(seed)
    query, draw = onepath.NavMeshQuery(bake.mesh), np.random.default_rng(seed + 10**7)
    low, high = (np.array(corner) for corner in bake.level.bounds)
    agent, row = bake.settings.agent, bake.settings.cells.cell_height
    compared = 0
    for _ in range(count):
        x, y, z = (low + draw.random(3) * (high - low) + draw.uniform(-0.3, 0.3, 3) * [1, 0, 1]).tolist()
        over = polygons_over(bake.mesh, x, z)
        if any(within < 1e-4 for _, within in over):
            continue  # on an edge
        heights = [query.surface_height(reference, (x, y, z)) for reference, _ in over]
        if heights and draw.random() < 0.5:
            y = heights[int(draw.integers(len(heights)))] + draw.uniform(-0.05, 0.05)
        found = explain_spot(bake.level, bake.settings, (x, y, z), volumes=bake.volumes)
        off = min((abs(height - (y if found.height is None else found.height)) for height in heights), default=math.inf)
        if found:
            close = bake.settings.detail_max_error + row + agent.max_climb + 1e-6
            assert off <= (close if bake.settings.detail_sample_distance > 0 else 1e9), found.text
        elif found.height is None:
            assert not any(-agent.height - row <= height - y <= agent.max_climb + row for height in heights), found.text
        else:
            assert off > 0.5 * row and all(abs(height - y) > 0.5 * row for height in heights), found.text
        compared += 1
    return compared


@pytest.mark.parametrize("seed", range(1, 22))
def test_a_spot_is_walkable_where_a_polygon_of_its_floor_lies_and_only_there(seed: int) -> None:
    assert compare_spots(seed, 6) > 0


@pytest.mark.full
@pytest.mark.parametrize("block", range(14))
def test_many_spots_are_walkable_where_a_polygon_of_their_floor_lies_and_only_there(block: int) -> None:
    assert sum(compare_spots(seed, 25) for seed in range(100 + block * 14, 114 + block * 14)) > 250


def measured_amiss(found: SpotExplanation) -> bool:
    """Whether the numbers of a reason do not say no."""
    measured, limit = found.measured, found.limit
    if found.reason in (SpotReason.LOW_CEILING, SpotReason.ERODED, SpotReason.SMALL_REGION):
        return not measured < limit
    if found.reason is SpotReason.TOO_STEEP or (found.reason is SpotReason.LEDGE and measured is not None):
        return not measured > limit - 1e-9
    return False


@pytest.mark.parametrize("seed", range(1, 15))
def test_the_numbers_of_a_reason_say_no(seed: int) -> None:
    bake, draw = RandomBake(seed), np.random.default_rng(seed)
    settings = bake.settings.replace(min_region_area=float(draw.choice([0.5, 2.0, 8.0])))
    stages = LevelStages(bake.level, settings, bake.volumes)
    for place in draw.permutation(list(stages.grid.tiles()))[:2].tolist():
        tile = stages.tile(*place)
        spans, size = tile.rasterized.spans(), tile.frame.width - tile.padding
        spans = spans[((spans[:, :2] >= tile.padding) & (spans[:, :2] < size)).all(axis=1)]
        for x, z, _, top, _ in draw.choice(spans, min(8, len(spans))).tolist() if len(spans) else ():
            cells = np.array([x + draw.uniform(0.1, 0.9), top, z + draw.uniform(0.1, 0.9)])
            sides = [tile.frame.cell_size, tile.frame.cell_height, tile.frame.cell_size]
            point = tuple((tile.frame.origin + cells * sides).tolist())
            found = explain_spot(bake.level, settings, point, volumes=bake.volumes)
            assert not measured_amiss(found), found.text


def test_a_polygon_over_a_hole_is_walkable_at_its_own_height() -> None:
    """Where a simplified border reaches over a cell without a floor."""
    level = Level()
    for x, z in np.argwhere(np.ones((24, 24))) * 0.25:
        if not (2.9 < x < 3.2 and 2.9 < z < 3.2):
            level.add_plane((x, z), (x + 0.25, z + 0.25))
    settings = SLIM.replace(max_edge_error_cells=8.0)
    found = spot(level, (3.1, 0.05, 3.1), settings)
    assert bool(found) is covered(onepath.bake(level, settings), (3.1, 0.05, 3.1))
