"""Pruning: whole islands go for their size or because no seed leads there, and nothing else changes."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import onepath
from onepath import Areas, ConvexVolume, Level, NavMesh, Tier, Tile, levels
from onepath.errors import ArgumentError, RangeError, UnsupportedError
from onepath.mesh import PrunedIslands
from tests.baked import SLIM, STANDARD, floor, ground_area, tile_bytes
from tests.links import link
from tests.meshes import mesh_of, rectangle, settings_of, tile_of


def with_boxes(*boxes: tuple[float, float, float, float]) -> Level:
    """A floor of 24 by 8 metres and boxes hanging low over it: x0, z0, x1, z1."""
    level = floor(24, 8)
    for x0, z0, x1, z1 in boxes:
        level.add_box((x0, 1.0, z0), (x1, 3.0, z1))
    return level


def heights(mesh: NavMesh) -> set[float]:
    """Rounded heights of all corners."""
    return {float(round(y, 1)) for view in mesh.tiles() for y in (view.vertices + view.origin)[:, 1].tolist()}


def walked_islands(mesh: NavMesh) -> dict[int, float]:
    """Area of each island by the least reference in it, walked step by step."""
    steps: dict[int, set[int]] = {}
    area: dict[int, float] = {}
    for view in mesh.tiles():
        references = view.references.tolist()
        for index, own in enumerate(references):
            begin, end = view.polygon_offsets[index : index + 2]
            area[own] = ground_area(view.vertices[view.polygon_vertices[begin:end]])
            behind = [references[other] for other in view.polygon_neighbours[begin:end].tolist() if other >= 0]
            steps.setdefault(own, set()).update(behind)
        for record in view.links:
            own, target = references[record["polygon"]], int(record["target"])
            steps[own].add(target)
            steps.setdefault(target, set()).add(own)
    found: dict[int, float] = {}
    seen: set[int] = set()
    for start in sorted(area):
        if start in seen:
            continue
        seen.add(start)
        found[start], waiting = 0.0, deque([start])
        while waiting:
            at = waiting.popleft()
            found[start] += area[at]
            new = steps[at] - seen
            seen |= new
            waiting.extend(new)
    return found


def test_an_island_below_the_limit_goes_and_the_ground_stays() -> None:
    mesh = onepath.bake(with_boxes((2, 2, 4, 4)), SLIM)
    assert 3.0 in heights(mesh)
    pruned = mesh.prune_islands(5.0)
    # Cells of a box's top lie within it, and the ledge filter takes a ring of them.
    assert pruned.islands == 1 and 2.0 <= pruned.area <= 4.0 and pruned.islands_left == 1
    assert 3.0 not in heights(mesh)
    assert mesh.walkable_area > 100


def test_an_island_of_exactly_the_limit_stays() -> None:
    mesh = mesh_of([rectangle(0, 0, 1, 1), rectangle(2, 0, 4, 1), rectangle(4, 4, 8, 8)])
    assert not mesh.prune_islands(1.0)
    assert mesh.prune_islands(2.0) == PrunedIslands(1, 1, 1.0, 2)


def test_an_island_over_two_tiles_is_measured_whole() -> None:
    """A top of 2 by 2 metres half in either tile; tiles are 8 m."""
    mesh = onepath.bake(with_boxes((7, 3, 9, 5)), SLIM)
    whole = min(walked_islands(mesh).values())
    assert not mesh.prune_islands(whole * 0.9)
    assert 3.0 in heights(mesh)
    assert mesh.prune_islands(whole * 1.1).islands == 1
    assert 3.0 not in heights(mesh)


def test_a_tile_baked_again_has_its_islands_again_until_they_are_pruned_again() -> None:
    """The top of a box half in either tile comes back by half; the third tile is left alone."""
    level = with_boxes((7, 3, 9, 5), (10, 3, 12, 5))
    mesh = onepath.bake(level, SLIM)
    mesh.prune_islands(5.0)
    pruned, references = tile_bytes(mesh), mesh.tile(2, 0).references.tolist()
    for column in (0, 1):
        onepath.rebuild_tile(mesh, level, column, 0, SLIM)
    mesh.commit()
    assert 3.0 in heights(mesh)
    assert mesh.prune_islands(5.0).islands == 2
    assert tile_bytes(mesh) == pruned
    assert mesh.tile(2, 0).references.tolist() == references


def test_what_stays_is_what_was_to_the_bit() -> None:
    level = with_boxes((2, 2, 4, 4), (15, 3, 18, 5))
    mesh = onepath.bake(level, STANDARD)
    kept = [
        (view.polygon(p), view.areas[p])
        for view in map(Outlines, onepath.bake(level, STANDARD).tiles())
        for p in range(view.polygon_count)
        if view.polygon(p)[:, 1].max() < 1.0
    ]
    assert mesh.prune_islands(10.0)
    left = [(view.polygon(p), view.areas[p]) for view in map(Outlines, mesh.tiles()) for p in range(view.polygon_count)]
    assert len(left) == len(kept)
    assert all(np.array_equal(a, b) and x == y for (a, x), (b, y) in zip(left, kept, strict=True))


class Outlines:
    """The polygons of a tile, in the world."""

    def __init__(self, view: onepath.mesh.TileView) -> None:
        self._view, self.areas, self.polygon_count = view, view.areas, view.polygon_count

    def polygon(self, index: int) -> np.ndarray:
        begin, end = self._view.polygon_offsets[index : index + 2]
        return self._view.vertices[self._view.polygon_vertices[begin:end]].astype(float) + self._view.origin


def test_ends_of_an_off_mesh_link_are_one_island() -> None:
    mesh = mesh_of([rectangle(0, 0, 6, 6), rectangle(7, 0, 8, 1)])
    mesh.add_link(link((5, 0, 0.5), (7.5, 0, 0.5)))
    assert not mesh.prune_islands(10.0)
    mesh.stage_link_enable(1, False)
    mesh.commit()
    assert not mesh.prune_islands(10.0)
    mesh.stage_link_removal(1)
    mesh.commit()
    assert mesh.prune_islands(10.0).polygons == 1
    assert mesh.polygon_count == 1


def test_an_island_at_a_tile_not_loaded_is_held() -> None:
    settings = settings_of()
    mesh = NavMesh(settings)  # open: every cell without a tile may still come
    large = rectangle(0, 3, 8, 6)  # at two sides, but above the limit: not held
    mesh.stage_tile(tile_of(0, 0, [rectangle(1, 1, 2, 2), rectangle(7, 7, 8, 8), large], settings))
    mesh.commit()
    assert mesh.prune_islands(2.0) == PrunedIslands(1, 1, 1.0, 2, 1)
    assert mesh.polygon_count == 2


def test_areas_and_flags_stay_as_they_are_now() -> None:
    mesh = mesh_of([rectangle(0, 0, 1, 1), rectangle(2, 0, 8, 4), rectangle(2, 4, 8, 8)])
    first, second, third = mesh.tile(0, 0).references.tolist()
    mesh.stage_area(second, 7)
    mesh.stage_flags(third, 12)
    mesh.commit()
    mesh.prune_islands(2.0)
    assert mesh.tile(0, 0).areas.tolist() == [7, 63]
    assert mesh.tile(0, 0).flags.tolist() == [1, 12]
    assert not mesh.is_valid(first)


def test_named_volumes_keep_what_they_marked() -> None:
    areas = Areas(water=4.0)
    pond = ConvexVolume([(10, 1), (10, 5), (14, 5), (14, 1)], -1, 1, "water", name="pond")
    mesh = onepath.bake(with_boxes((2, 2, 4, 4), (20, 2, 22, 4)), SLIM, volumes=[pond], areas=areas)
    marked = len(mesh.volume_polygons("pond"))
    mesh.set_area("pond", "ground")
    assert mesh.prune_islands(5.0).islands == 2
    assert len(mesh.volume_polygons("pond")) == marked > 0
    mesh.set_area("pond", None)
    assert {int(area) for view in mesh.tiles() for area in view.areas} == {63, areas.id("water")}


def test_detail_of_what_stays_stays() -> None:
    settings = settings_of()
    squares = [rectangle(0, 0, 1, 1), rectangle(2, 0, 6, 4)]
    vertices = [corner for square in squares for corner in square]
    middles = [(0.5, 1.0, 0.5), (4.0, 2.0, 2.0)]
    fans = [[(8 + k, 4 * k + c, 4 * k + (c + 1) % 4) for c in range(4)] for k in range(2)]
    tile = Tile.from_arrays(
        0, 0, vertices, [0, 4, 8], range(8), settings, detail=([0, 4, 8], [*fans[0], *fans[1]], middles)
    )
    mesh = NavMesh(settings, grid_bounds=(0, 0, 0, 0))
    mesh.stage_tile(tile)
    mesh.commit()
    assert mesh.prune_islands(2.0).polygons == 1
    view = mesh.tile(0, 0)
    assert view.detail_vertices is not None and view.detail_vertices.tolist() == [[4.0, 2.0, 2.0]]
    assert view.detail_triangles is not None
    assert view.detail_triangles.tolist() == [[4, c, (c + 1) % 4] for c in range(4)]


@pytest.mark.parametrize("seed", range(3))
def test_a_town_loses_the_islands_that_a_walk_finds_too_small(seed: int) -> None:
    level = levels.town(size=52, seed=seed)
    mesh = onepath.bake(level, onepath.BakeSettings.for_agent(onepath.AgentShape(), "draft").replace(min_region_area=0))
    for limit in (0.0, 0.5, 20.0, 1e4):
        before = walked_islands(mesh).values()
        small = [area for area in before if area < limit]
        pruned = mesh.prune_islands(limit)
        assert pruned.islands == len(small)
        assert pruned.area == pytest.approx(sum(small))
        assert sorted(walked_islands(mesh).values()) == pytest.approx(sorted(area for area in before if area >= limit))


def test_nothing_to_prune_changes_nothing() -> None:
    mesh = onepath.bake(floor(24, 8), SLIM)
    before, count = tile_bytes(mesh), mesh.edit_count
    pruned = mesh.prune_islands(1.0)
    assert not pruned and pruned.islands_left == 1
    assert (tile_bytes(mesh), mesh.edit_count) == (before, count)
    assert NavMesh(settings_of()).prune_islands(5.0) == PrunedIslands()


def test_a_tier_that_replaces_no_tiles_refuses_and_keeps_everything() -> None:
    mesh = onepath.bake(with_boxes((2, 2, 4, 4)), SLIM, tier=Tier.STATIC)
    before = tile_bytes(mesh)
    with pytest.raises(UnsupportedError):
        mesh.prune_islands(5.0)
    mesh.commit()
    assert tile_bytes(mesh) == before


@pytest.mark.parametrize(("area", "error"), [(-1, RangeError), (float("nan"), ArgumentError), ("1", ArgumentError)])
def test_a_limit_that_is_no_area_is_refused(area: object, error: type[Exception]) -> None:
    mesh = onepath.bake(floor(8, 8), SLIM)
    with pytest.raises(error, match="min_area"):
        mesh.prune_islands(area)


# --- seeds


def reached_by_walking(mesh: NavMesh, start: int) -> set[int]:
    """References reached over edges, portals and off-mesh links, step by step."""
    steps: dict[int, set[int]] = {}
    for view in mesh.tiles():
        references = view.references.tolist()
        for index, own in enumerate(references):
            begin, end = view.polygon_offsets[index : index + 2]
            behind = view.polygon_neighbours[begin:end].tolist()
            steps[own] = {references[other] for other in behind if other >= 0}
        for record in view.links:
            steps[references[record["polygon"]]].add(int(record["target"]))
    seen, waiting = {start}, deque([start])
    while waiting:
        new = steps[waiting.popleft()] - seen
        seen |= new
        waiting.extend(new)
    return seen


def test_seeds_keep_what_they_lead_to() -> None:
    level = with_boxes((2, 2, 4, 4), (12, 3, 14, 6))
    ground = onepath.bake(level, SLIM, seeds=[(8, 0, 4)])
    assert heights(ground) == {0.0}
    assert ground.report.empty_tiles == sum(view.polygon_count == 0 for view in ground.tiles())
    assert ground.report.polygons == ground.polygon_count
    tops = onepath.bake(level, SLIM, seeds=[(3, 3, 3), (13, 3, 5)])
    assert heights(tops) == {3.0}
    assert tops.edit_count == 1 and tops.report.warnings == ()
    both = onepath.bake(level, SLIM, seeds=[(8, 0, 4), (3, 3, 3), (13, 3, 5)])
    assert tile_bytes(both) == tile_bytes(onepath.bake(level, SLIM))


def test_seeds_follow_links_the_way_they_lead() -> None:
    level = with_boxes((2, 2, 4, 4))
    drop = link((3.5, 3, 3), (5, 0, 3), snap=1.0)
    assert heights(onepath.bake(level, SLIM, links=[drop], seeds=[(8, 0, 4)])) == {0.0}
    from_above = onepath.bake(level, SLIM, links=[drop], seeds=[(3, 3, 3)], tier=Tier.STATIC)
    assert heights(from_above) == {0.0, 3.0}
    assert [record.id for record in from_above.link_records()] == [1]


def test_a_seed_on_nothing_is_named_and_keeps_nothing() -> None:
    mesh = onepath.bake(floor(8, 8), SLIM, seeds=[(4, 0, 4), (40, 0, 4)])
    assert mesh.polygon_count > 0
    assert mesh.report.warnings == ("seeds[1], (40.0, 0.0, 4.0), lies on no walkable ground",)
    empty = onepath.bake(floor(8, 8), SLIM, seeds=[])
    assert empty.polygon_count == 0 and empty.tile_count == mesh.tile_count


@pytest.mark.parametrize("seed", range(3))
def test_a_town_keeps_what_a_walk_from_the_seed_reaches(seed: int) -> None:
    level = levels.town(size=52, seed=seed)
    settings = onepath.BakeSettings.for_agent(onepath.AgentShape(), "draft").replace(min_region_area=0)
    whole = onepath.bake(level, settings)
    for place in list(level.places.values())[:2]:
        reached = reached_by_walking(whole, whole.snap(place).ref)
        kept = onepath.bake(level, settings, seeds=[place])
        assert kept.polygon_count == len(reached)


@pytest.mark.parametrize(
    ("seeds", "text"),
    [(5, "seeds is 5"), ([(1, 2)], r"seeds\[0\] is \(1, 2\)"), ([(0, 0, 0), (1e9, 0, 0)], r"seeds\[1\].x")],
)
def test_seeds_that_are_no_positions_are_refused(seeds: object, text: str) -> None:
    with pytest.raises((ArgumentError, RangeError), match=text):
        onepath.bake(floor(8, 8), SLIM, seeds=seeds)
