"""Scenes for off-mesh links, and what a mesh lists of them, named by place so that meshes can be compared."""

from __future__ import annotations

from typing import Any

from onepath.links import LinkGeneration, LinkProposals, generate_links
from onepath.mesh import LinkDef, NavMesh
from tests.meshes import Corner, Polygon, mesh_of, rectangle, settings_of


def two_rooms(gap: float = 2.0, **options: object) -> NavMesh:
    """Floors P = [0, 4] x [0, 4] and Q = [4 + gap, 8 + gap] x [0, 4], with nothing between (case C27)."""
    return mesh_of([rectangle(0, 0, 4, 4), rectangle(4 + gap, 0, 8 + gap, 4)], settings_of(16), **options)  # type: ignore[arg-type]


def storeys(count: int = 4, height: float = 4.0) -> NavMesh:
    """Floors of 10 x 10 m over each other (cases C26, C29)."""
    return mesh_of([rectangle(0, 0, 10, 10, height * i) for i in range(count)], settings_of(16))


def link(start: Corner, end: Corner, snap: float = 0.5, **more: object) -> LinkDef:
    return LinkDef(start, end, snap, snap, **more)  # type: ignore[arg-type]


def place_of(mesh: NavMesh, reference: int) -> tuple[int, int, int, int]:
    """(column, row, layer, polygon) of a reference."""
    slot, polygon = reference >> 21 & 0xFFFFF, reference & 0x1FFFFF
    view = next(view for view in mesh.tiles() if view.slot == slot)
    assert view.generation == reference >> 41
    return view.column, view.row, view.layer, polygon


FIELDS = ("cost", "start", "end", "crossing", "flags", "kind", "area", "enabled", "backward")


def listed_links(mesh: NavMesh) -> list[tuple[object, ...]]:
    """Every way over an off-mesh link as its tile lists it, in the tiles' order; ids by rank, polygons by place."""
    ranks = {record.id: rank for rank, record in enumerate(mesh.link_records())}
    found: list[tuple[object, ...]] = []
    for view in sorted(mesh.tiles(), key=lambda view: (view.column, view.row, view.layer)):
        for way in view.links[view.links["id"] > 0]:
            source = (view.column, view.row, view.layer, int(way["polygon"]))
            target = place_of(mesh, int(way["target"]))
            found.append((source, target, ranks[int(way["id"])], *(way[name].tolist() for name in FIELDS)))
    return found


SETTINGS = settings_of()


JUMP = link((3.5, 0, 2), (6.5, 0, 2))


#: The hand-made meshes here have agents of 0.4 m and cells of a metre.
DROPS_ONLY, JUMPS_ONLY = {"jump_max": 0.0}, {"drop_max": 0.0}


def generated(mesh: NavMesh, **settings: Any) -> LinkProposals:
    return generate_links(mesh, LinkGeneration(**settings))


def ledge(height: float, *, wide: float = 4.0) -> list[Polygon]:
    """A platform [0, 4] x [0, wide] of some height beside ground [4, 12] x [0, wide]."""
    return [rectangle(0, 0, 4, wide, height), rectangle(4, 0, 12, wide)]


def on_a_big_tile(polygons: list[Polygon], **options: Any) -> NavMesh:
    return mesh_of(polygons, settings_of(16), **options)


def ends(proposals: LinkProposals) -> list[tuple[Corner, Corner]]:
    return [(found.start, found.end) for found in proposals.links]
