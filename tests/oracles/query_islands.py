"""Which polygons can be reached from which, by plain floods (queries document, path search: what a search expands)."""

from __future__ import annotations

from collections.abc import Iterable

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import Cell, PlainMesh


def ways_of(mesh: PlainMesh, accepts: PlainFilter) -> dict[int, list[int]]:
    """The polygons that each polygon leads to at once, of those that pass."""
    ways: dict[int, list[int]] = {}
    for ref, polygon in mesh.polygons.items():
        if not accepts.passes(polygon):
            continue
        ways[ref] = [
            way.target
            for way in polygon.exits
            if accepts.passes(mesh.polygons[way.target])
            and (way.leap is None or (way.leap.enabled and accepts.passes(way.leap)))
        ]
    return ways


def flood(ways: dict[int, list[int]], start: int) -> set[int]:
    """What can be reached from a polygon, itself included."""
    reached, waiting = {start}, [start]
    while waiting:
        for target in ways[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def islands_of(ways: dict[int, list[int]]) -> tuple[dict[int, set[int]], list[set[int]]]:
    """What each polygon reaches, and the sets of those that reach each other."""
    reached = {ref: flood(ways, ref) for ref in ways}
    islands: list[set[int]] = []
    done: set[int] = set()
    for ref in ways:
        if ref not in done:
            island = {other for other in reached[ref] if ref in reached[other]}
            islands.append(island)
            done |= island
    return reached, islands


def missing_beyond(mesh: PlainMesh, reached: Iterable[int]) -> set[Cell]:
    """The missing cells that any of the polygons faces."""
    cells: set[Cell] = set()
    for ref in reached:
        cells |= mesh.frontiers(mesh.polygons[ref])
    return cells
