"""What the query comparisons say they are asked about is there, in every block of meshes that they take."""

from __future__ import annotations

from collections import Counter

import pytest

from onepath.mesh import NavMesh
from tests.oracles.query_mesh import PlainMesh, PlainPolygon
from tests.query_meshes import random_mesh
from tests.test_query_oracle_links import linked_mesh

#: What each twenty meshes in a row have at least, in polygons, edges, links or meshes.
LEAST = {
    "edges that overlap in part": 50,
    "edges that lead to several polygons": 20,
    "polygons under others": 100,
    "layers": 1,
    "areas that cost": 50,
    "polygons of area 0": 10,
    "flags": 50,
    "polygons without flags": 10,
    "detail triangles": 100,
    "polygons with a grid": 5,
    "meshes a world away": 3,
    "meshes that go on at tiles not loaded": 3,
    "meshes with bounds": 3,
    "outlines that rounding bent": 5,
}
LEAST_OF_LINKS = {
    "leaps": 60,
    "leaps both ways": 30,
    "closed leaps": 3,
    "leaps from floor to floor": 10,
    "leaps that cost": 10,
}


def lies_under(polygon: PlainPolygon, others: list[PlainPolygon]) -> bool:
    """Whether another polygon lies over the middle of it."""
    middle = [sum(corner[axis] for corner in polygon.corners) / len(polygon.corners) for axis in range(3)]
    for other in others:
        edges = [other.edge(i) for i in range(len(other.corners))]
        turns = [(b[2] - a[2]) * (middle[0] - a[0]) - (b[0] - a[0]) * (middle[2] - a[2]) for a, b in edges]
        if min(turns) > 1e-6 and max(corner[1] for corner in other.corners) > middle[1] + 1.0:
            return True
    return False


def is_bent(polygon: PlainPolygon) -> bool:
    """Whether a corner lies behind the line of another edge, by a rounding."""
    edges = list(zip(polygon.local, [*polygon.local[1:], polygon.local[0]], strict=True))
    return any(
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) < 0 for a, b in edges for c in polygon.local
    )


def scenes_of(mesh: NavMesh) -> Counter[str]:
    polygons = list(PlainMesh(mesh).polygons.values())
    found: Counter[str] = Counter()
    for polygon in polygons:
        through = Counter(link.edge for link in polygon.links)
        found["edges that overlap in part"] += sum(
            (link.range_min, link.range_max) != (0, 255) for link in polygon.links
        )
        found["edges that lead to several polygons"] += sum(count > 1 for count in through.values())
        found["polygons under others"] += lies_under(polygon, polygons)
        found["layers"] += polygon.place[2] > 0
        found["areas that cost"] += polygon.area in (1, 2, 5)
        found["polygons of area 0"] += polygon.area == 0
        found["flags"] += polygon.flags not in (0, 1)
        found["polygons without flags"] += polygon.flags == 0
        found["detail triangles"] += len(polygon.detail)
        found["polygons with a grid"] += len(polygon.detail) >= 12
        found["outlines that rounding bent"] += is_bent(polygon)
    found["meshes a world away"] += any(abs(value) > 2.0**20 for p in polygons for value in p.corners[0])
    found["meshes that go on at tiles not loaded"] += mesh.tile_count > 0 and mesh.grid_bounds is None
    found["meshes with bounds"] += mesh.grid_bounds is not None
    return found


def leaps_of(mesh: NavMesh) -> Counter[str]:
    plain = PlainMesh(mesh)
    found: Counter[str] = Counter()
    for leap in (leap for polygon in plain.polygons.values() for leap in polygon.leaps):
        found["leaps"] += 1
        found["leaps both ways"] += leap.way & 1
        found["closed leaps"] += not leap.enabled
        found["leaps from floor to floor"] += abs(leap.start[1] - leap.end[1]) > 2.0
        found["leaps that cost"] += leap.cost > 0
    return found


def missing(found: Counter[str], least: dict[str, int]) -> dict[str, int]:
    return {scene: found[scene] for scene in least if found[scene] < least[scene]}


@pytest.mark.parametrize("block", range(8))
def test_meshes_of_the_comparisons_have_all_that_they_are_for(block: int) -> None:
    found = sum((scenes_of(random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), Counter())
    assert missing(found, LEAST) == {}


@pytest.mark.parametrize("block", range(6))
def test_linked_meshes_of_the_comparisons_have_links_of_all_kinds(block: int) -> None:
    found = sum((leaps_of(linked_mesh(seed)) for seed in range(block * 15, block * 15 + 15)), Counter())
    assert missing(found, LEAST_OF_LINKS) == {}


@pytest.mark.full
@pytest.mark.parametrize("first", [10_000, 20_000, 30_000, 40_000, 60_000, 70_000, 80_000, 90_000, 100_000, 110_000])
def test_meshes_of_the_long_comparisons_have_it_too(first: int) -> None:
    found = sum((scenes_of(random_mesh(seed)) for seed in range(first, first + 50)), Counter())
    assert missing(found, LEAST) == {}
