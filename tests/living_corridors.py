"""How far a corridor still stands on a mesh that has changed, read from tiles and links as plain arrays."""

from __future__ import annotations

from onepath.mesh import NavMesh, TileView
from onepath.query import Corridor, CorridorStatus, QueryFilter


def corridor_stands(mesh: NavMesh, corridor: Corridor) -> bool:
    """Whether a corridor's polygons are valid, and the links that it crosses open and between the same two still."""
    references = corridor.polygons.tolist()
    if not all(map(mesh.is_valid, references)):
        return False
    views = {view.slot: view for view in mesh.tiles()}
    for (edge, link_id), source, target in zip(corridor.crossings.tolist(), references, references[1:], strict=False):
        ways = views[source >> 21 & 0xFFFFF].links
        way = 2 * ways["crossing"] + ways["backward"]
        same = (ways["polygon"] == (source & 0x1FFFFF)) & (ways["target"] == target) & (ways["id"] == link_id)
        if edge < 0 and not (same & (way == -1 - edge) & ways["enabled"]).any():
            return False
    return True


def standing(mesh: NavMesh, references: list[int], used: QueryFilter) -> tuple[int, CorridorStatus]:
    """How many of these polygons still follow from each other in any way that the filter passes, and what ends it."""
    views = {view.slot: view for view in mesh.tiles()}
    for number, reference in enumerate(references):
        if not mesh.is_valid(reference):
            return number, CorridorStatus.STALE
        if not used.passes(mesh.flags(reference), mesh.area(reference)):
            return number, CorridorStatus.REFUSED
        if number:
            fault = step_fault(views[references[number - 1] >> 21 & 0xFFFFF], references[number - 1], reference, used)
            if fault is not CorridorStatus.STANDS:
                return number, fault
    return len(references), CorridorStatus.STANDS


def step_fault(view: TileView, source: int, target: int, used: QueryFilter) -> CorridorStatus:
    polygon = source & 0x1FFFFF
    edges = slice(*view.polygon_offsets[polygon : polygon + 2].tolist())
    if source >> 21 == target >> 21 and (target & 0x1FFFFF) in view.polygon_neighbours[edges]:
        return CorridorStatus.STANDS
    ways = view.links[(view.links["polygon"] == polygon) & (view.links["target"] == target) & view.links["enabled"]]
    if any(way["kind"] == 255 or used.passes(int(way["flags"]), int(way["area"])) for way in ways):
        return CorridorStatus.STANDS
    return CorridorStatus.REFUSED if len(ways) else CorridorStatus.NOT_LINKED


def assert_checked_rightly(mesh: NavMesh, corridor: Corridor) -> None:
    """Polygons alone stand as far as any way leads; the corridor itself as far, or to a link that it crossed."""
    used = QueryFilter()
    bare, found = mesh.check_corridor(corridor.polygons, used), mesh.check_corridor(corridor, used)
    assert (bare.standing, bare.status) == standing(mesh, corridor.polygons.tolist(), used)
    assert found == bare or (found.standing < bare.standing and corridor.crossings[found.standing - 1, 0] < 0)
