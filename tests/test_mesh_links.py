"""Links between tiles: over which part of which edges, in which order, compared with a plain scan of all edge pairs."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from onepath.build.settings import AgentShape
from onepath.mesh import MeshSettings, NavMesh, TileView
from tests.meshes import Corner, mesh_of, rectangle, seam, settings_of, slanted_seam, strip, tile_of, two_floors

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def ranges(view: TileView) -> list[tuple[int, int, int, int]]:
    """(polygon, edge, range_min, range_max) of each link."""
    return [(int(k["polygon"]), int(k["edge"]), int(k["range_min"]), int(k["range_max"])) for k in view.links]


# --- a plain scan


def height(low: float, low_height: float, high: float, high_height: float, at: float) -> float:
    if at <= low:
        return low_height
    if at >= high:
        return high_height
    return low_height + (high_height - low_height) * ((at - low) / (high - low))


def overlap_of(a: list[tuple[float, float]], b: list[tuple[float, float]], climb: float, least: float) -> object:
    """(low, high) where two edges, given as sorted (along, height) ends, join; None where they do not."""
    low, high = max(a[0][0], b[0][0]), min(a[1][0], b[1][0])
    if high - low < least:
        return None
    steps = [height(*a[0], *a[1], at) - height(*b[0], *b[1], at) for at in (low, high)]
    if min(steps) > climb or max(steps) < -climb:
        return None
    ends = [low, high]
    for i in range(2):
        if abs(steps[i]) > climb:
            limit = math.copysign(climb, steps[i])
            ends[i] = low + (high - low) * ((limit - steps[0]) / (steps[1] - steps[0]))
    return tuple(ends) if ends[1] - ends[0] >= least else None


def side_edges(view: TileView, side: int) -> list[tuple[int, int, list[tuple[float, float]]]]:
    """(polygon, edge, ends along the side with heights, in the edge's direction) of the edges on a side."""
    axis = 0 if side & 1 else 2
    found = []
    for polygon in range(view.polygon_count):
        first, end = view.polygon_offsets[polygon], view.polygon_offsets[polygon + 1]
        corners = view.polygon_vertices[first:end]
        for edge in range(len(corners)):
            if view.border_sides[first + edge] == side:
                pair = [view.vertices[corners[edge]], view.vertices[corners[(edge + 1) % len(corners)]]]
                found.append(
                    (
                        polygon,
                        edge,
                        [(view.origin[axis] + float(p[axis]), view.origin[1] + float(p[1])) for p in pair],
                    )
                )
    return found


def scanned_links(mesh: NavMesh, view: TileView) -> list[tuple[int, ...]]:
    """(polygon, edge, range_min, column, row, layer, polygon, range_max) of all links of a tile, sorted."""
    climb = mesh.settings.agent.max_climb + 1e-3 * mesh.settings.cell_height
    least = 1e-3 * mesh.settings.cell_size
    links = []
    for side, (x, z) in enumerate(STEPS):
        facing = [t for t in mesh.tiles() if (t.column, t.row) == (view.column + x, view.row + z)]
        for polygon, edge, ends in side_edges(view, side):
            for other in facing:
                for target, _, far_ends in side_edges(other, side ^ 2):
                    overlap = overlap_of(sorted(ends), sorted(far_ends), climb, least)
                    if overlap is None:
                        continue
                    begin, end = ends[0][0], ends[1][0]
                    low, high = overlap if begin < end else (-overlap[1], -overlap[0])  # type: ignore[index]
                    begin, end = (begin, end) if begin < end else (-begin, -end)
                    links.append(
                        (
                            polygon,
                            edge,
                            max(0, math.floor((low - begin) / (end - begin) * 255)),
                            other.column,
                            other.row,
                            other.layer,
                            target,
                            min(255, math.ceil((high - begin) / (end - begin) * 255)),
                        )
                    )
    return sorted(links)


def made_links(mesh: NavMesh, view: TileView) -> list[tuple[int, ...]]:
    """The mesh's own links in the scan's form, in their own order."""
    by_slot = {tile.slot: tile for tile in mesh.tiles()}
    links = []
    for link in view.links:
        target = int(link["target"])
        assert mesh.is_valid(target)
        far = by_slot[target >> 21 & 0xFFFFF]
        links.append(
            (
                int(link["polygon"]),
                int(link["edge"]),
                int(link["range_min"]),
                far.column,
                far.row,
                far.layer,
                target & 0x1FFFFF,
                int(link["range_max"]),
            )
        )
    return links


def jagged_strip(random: Random, side: int, column: int, row: int, size: float) -> list[list[Corner]]:
    """Slanted quadrilaterals along a side of a tile, some left out, their ends in all heights."""
    free = (random.uniform(0, size), size * random.randrange(9) / 8)
    cuts = sorted({0.0, size, *(random.choice(free) for _ in range(3)), random.uniform(0, size)})
    heights = [random.choice((0.0, 0.4, 0.5, 1.0, random.uniform(-1, 1))) for _ in cuts]
    depth = size / (11 if side & 1 else 13)  # strips that meet in a corner must not share an edge
    quads = []
    for i in range(len(cuts) - 1):
        if random.random() < 0.8:
            ends = [(cuts[i], heights[i]), (cuts[i + 1], heights[i + 1])]
            outline = [(*ends[0], 0.0), (*ends[0], depth), (*ends[1], depth), (*ends[1], 0.0)]
            quads.append([placed(corner, side, column, row, size) for corner in outline])
    return quads


def placed(corner: Corner, side: int, column: int, row: int, size: float) -> Corner:
    """World position of (along the side, height, depth behind it)."""
    along, y, depth = corner
    x, z = ((depth, along), (along, size - depth), (size - depth, along), (along, depth))[side]
    return column * size + x, y, row * size + z


def jagged_mesh(random: Random) -> NavMesh:
    """A tile with strips on all four sides, a tile with a strip on each side of it, in up to three layers."""
    settings = MeshSettings(
        agent=AgentShape(max_climb=random.choice((0.0, 0.3, 0.5))),
        cell_size=random.choice((1.0, 0.3)),
        cell_height=0.25,
        tile_cells=8,
        vertical_origin=random.choice((0.0, -0.7)),
    )
    size = settings.tile_size
    column, row = random.choice(((0, 0), (-5, 1000)))
    mesh = NavMesh(settings)
    for layer in range(random.choice((1, 1, 3))):
        middle = [quad for side in range(4) for quad in jagged_strip(random, side, column, row, size)]
        mesh.stage_tile(tile_of(column, row, middle, settings, layer=layer))
        for side, (x, z) in enumerate(STEPS):
            strip = jagged_strip(random, side ^ 2, column + x, row + z, size)
            mesh.stage_tile(tile_of(column + x, row + z, strip, settings, layer=layer))
    mesh.commit()
    return mesh


@pytest.mark.parametrize("seed", range(30))
def test_links_are_those_of_a_plain_scan_in_order(seed: int) -> None:
    mesh = jagged_mesh(Random(seed))
    for view in mesh.tiles():
        assert made_links(mesh, view) == scanned_links(mesh, view)


def test_the_scanned_meshes_do_have_links() -> None:
    assert sum(len(view.links) for seed in range(20) for view in jagged_mesh(Random(seed)).tiles()) > 500


# --- single seams


def test_two_tiles_that_share_a_whole_side_are_linked_both_ways() -> None:
    left, right = seam([(0, 8, 0)], [(0, 8, 0)]).tiles()
    assert ranges(left) == [(0, 2, 0, 255)]
    assert ranges(right) == [(0, 0, 0, 255)]
    assert left.links["target"].tolist() == right.references.tolist()
    assert right.links["target"].tolist() == left.references.tolist()


def test_an_edge_that_faces_several_polygons_has_a_link_to_each_in_order_along_it() -> None:
    left, right = seam([(0, 8, 0)], [(0, 2, 0), (2, 5, 0), (6, 8, 0)]).tiles()
    # Side +x runs downward along z, so the last band comes first.
    assert ranges(left) == [(0, 2, 0, 64), (0, 2, 95, 192), (0, 2, 191, 255)]
    assert (left.links["target"] & 0x1FFFFF).tolist() == [2, 1, 0]
    assert ranges(right) == [(0, 0, 0, 255), (1, 0, 0, 255), (2, 0, 0, 255)]


def test_neighbouring_ranges_leave_no_sliver_between_them() -> None:
    for cut in np.linspace(0.1, 7.9, 100).tolist():
        left = seam([(0, 8, 0)], [(0, cut, 0), (cut, 8, 0)]).tile(0, 0)
        (_, _, low, first_end), (_, _, second_begin, high) = ranges(left)
        assert (low, high) == (0, 255)
        assert second_begin <= first_end


def test_edges_that_touch_in_a_point_are_not_linked() -> None:
    assert [len(view.links) for view in seam([(0, 4, 0)], [(4, 8, 0)]).tiles()] == [0, 0]


def test_an_overlap_below_a_thousandth_of_a_cell_is_dropped() -> None:
    assert len(seam([(0, 4, 0)], [(4 - 0.0009, 8, 0)]).tile(0, 0).links) == 0
    assert len(seam([(0, 4, 0)], [(4 - 0.0011, 8, 0)]).tile(0, 0).links) == 1


def test_floors_over_each_other_are_linked_each_with_its_own() -> None:
    left, right = two_floors(height=3.0).tiles()
    assert left.links["target"].tolist() == right.references.tolist()


def test_a_polygon_within_reach_of_two_floors_is_linked_to_both() -> None:
    left = seam([(0, 8, 0.25)], [(0, 8, 0), (0, 8, 0.5)]).tile(0, 0)
    assert (left.links["target"] & 0x1FFFFF).tolist() == [0, 1]


def test_a_tile_links_to_all_layers_of_the_facing_cell_and_to_none_of_its_own() -> None:
    settings = settings_of()
    mesh = NavMesh(settings)
    for column in (0, 1):
        for layer in (0, 7):
            floor = rectangle(8 * column, 0, 8 * column + 8, 8)
            mesh.stage_tile(tile_of(column, 0, [floor], settings, layer=layer))
    mesh.commit()
    right = {int(mesh.tile(1, 0, layer).references[0]) for layer in (0, 7)}
    for layer in (0, 7):
        assert set(mesh.tile(0, 0, layer).links["target"].tolist()) == right


# --- case C16: slanted floors and storeys


def test_c16a_a_slanted_floor_is_linked_only_where_the_step_can_be_climbed() -> None:
    left, right = slanted_seam().tiles()
    for view, upward in ((left, False), (right, True)):
        ((_, _, low, high),) = ranges(view)
        begin, end = (low / 255 * 8, high / 255 * 8) if upward else (8 - high / 255 * 8, 8 - low / 255 * 8)
        assert begin == pytest.approx(2, abs=0.25)
        assert end == pytest.approx(6, abs=0.25)


def test_c16b_a_floor_higher_than_the_climb_is_not_linked() -> None:
    assert [len(view.links) for view in slanted_seam(rectangle(8, 0, 16, 8, y=0.9)).tiles()] == [0, 0]


def test_c16c_a_floor_at_exactly_the_climb_is_linked_over_its_whole_length() -> None:
    left, right = slanted_seam(rectangle(8, 0, 16, 8, y=0.5)).tiles()
    assert ranges(left) == [(0, 2, 0, 255)]
    assert ranges(right) == [(0, 0, 0, 255)]


# --- frontiers


def test_a_bounded_mesh_has_frontiers_only_towards_missing_tiles_inside() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, grid_bounds=(0, 0, 2, 0))
    mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 16, 8)], settings))
    mesh.commit()
    assert mesh.tile(1, 0).frontier_sides == (0, 2)
    mesh.stage_tile(tile_of(2, 0, [], settings))
    mesh.commit()
    assert mesh.tile(1, 0).frontier_sides == (0,)
    mesh.stage_tile_removal(2, 0)
    mesh.commit()
    assert mesh.tile(1, 0).frontier_sides == (0, 2)


def test_an_open_mesh_has_a_frontier_wherever_no_tile_is() -> None:
    mesh = strip(4, grid_bounds=None)
    assert [view.frontier_sides for view in mesh.tiles()] == [(0, 1, 3), (1, 2, 3)]


def test_a_bounded_mesh_that_is_whole_has_no_frontier() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(16, 16, 24, 24)])
    assert mesh.tile_count == 9
    assert {view.frontier_sides for view in mesh.tiles()} == {()}


def test_a_long_edge_is_joined_over_many_short_ones_that_begin_behind_its_start() -> None:
    """The short ones lie on another storey and end before the edge that looks for its neighbours begins."""
    short = [(0.2 * k, 0.2 * (k + 1), 3.0) for k in range(33)]
    mesh = seam([(7, 8, 0.0)], [(0, 8, 0.0), *short])
    assert len(mesh.tile(0, 0).links) == 1 == len(mesh.tile(1, 0).links)
