"""The crossing that leads back over the one by which a corridor leaves a polygon."""

import cython
from cython.cimports.onepath.mesh._mesh import (
    Link,
    MeshState,
    OffMeshLink,
    TileSlot,
    reference_polygon,
    reference_slot,
    side_axis,
)
from cython.cimports.onepath.mesh._portals import portal_groups
from cython.cimports.onepath.query._buffers import Crossing
from cython.cimports.onepath.query._off_mesh import crosses_off_mesh
from cython.cimports.onepath.query._straight_path import connecting_link, link_group
from cython.cimports.onepath.query._straight_state import StraightScratch, reserve_groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def back_over_edge(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    neighbour: cython.int,
    edge: cython.int,
    back: cython.pointer(Crossing),
) -> cython.int:
    """The neighbour's edge that runs the other way between the same two vertices."""
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    start: cython.int
    end: cython.int
    other: cython.int
    following: cython.int
    if not 0 <= edge < count or tile.neighbours[first + edge] != neighbour:
        return 0
    start = tile.polygon_vertices[first + edge]
    end = tile.polygon_vertices[first + edge + 1 if edge + 1 < count else first]
    first = tile.polygon_first[neighbour]
    count = tile.polygon_first[neighbour + 1] - first
    for other in range(count):
        following = first + other + 1 if other + 1 < count else first
        if tile.polygon_vertices[first + other] == end and tile.polygon_vertices[following] == start:
            back.edge = other
            back.link = -1
            return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def back_over_leap(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    target_slot: cython.int,
    target: cython.int,
    crossing: cython.pointer(cython.const[Crossing]),
    back: cython.pointer(Crossing),
) -> cython.int:
    """The same place along the same link the other way; the polygon given is the one that the link reached."""
    way: cython.int = (-1 - crossing.edge) ^ 1
    link: cython.pointer(cython.const[OffMeshLink])
    i: cython.int
    if tile.off_mesh_first == cython.NULL:
        return 0
    for i in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
        link = tile.off_mesh + i
        if (
            link.id == crossing.link
            and link.crossing == way
            and link.enabled
            and link.target_slot == target_slot
            and link.target_polygon == target
        ):
            back.edge = -1 - way
            back.link = link.id
            return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def group_of(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    link: cython.pointer(cython.const[Link]),
    scratch: cython.pointer(StraightScratch),
) -> cython.int:
    """Which of the portals between two polygons the link belongs to, counted upward along the side; -1: no memory."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    side: cython.int = tile.border_sides[tile.polygon_first[link.polygon] + link.edge]
    count: cython.int = portal_groups(
        mesh, slot, link.polygon, link.target_slot, link.target_polygon, side, scratch.groups, scratch.group_capacity
    )
    if count > scratch.group_capacity:
        if reserve_groups(scratch, count) < 0:
            return -1
        portal_groups(mesh, slot, link.polygon, link.target_slot, link.target_polygon, side, scratch.groups, count)
    return link_group(tile, link, side_axis(side), scratch.groups, count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def back_over_side(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    polygon: cython.int,
    target_slot: cython.int,
    target: cython.int,
    crossing: cython.pointer(cython.const[Crossing]),
    scratch: cython.pointer(StraightScratch),
    back: cython.pointer(Crossing),
) -> cython.int:
    """A link of the polygon that was entered, back through the same portal: from both sides portals are the same."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + target_slot
    link: cython.pointer(cython.const[Link]) = connecting_link(
        mesh.slots + slot, polygon, target_slot, target, crossing
    )
    wanted: cython.int
    edge: cython.int = -1
    i: cython.int
    if link == cython.NULL:
        return 0
    wanted = group_of(mesh, slot, link, scratch)
    if wanted < 0:
        return -1
    for i in range(tile.link_first[target], tile.link_first[target + 1]):
        link = tile.links + i
        if link.target_slot != slot or link.target_polygon != polygon:
            continue
        back.link = back.link + 1 if link.edge == edge else 0
        edge = link.edge
        back.edge = edge
        if group_of(mesh, target_slot, link, scratch) == wanted:
            return 1
    return 0


def reverse_crossing(mesh, left, entered, crossing, scratch, back):
    slot: cython.int = reference_slot(left)
    polygon: cython.int = reference_polygon(left)
    target_slot: cython.int = reference_slot(entered)
    target: cython.int = reference_polygon(entered)
    if crosses_off_mesh(crossing):
        return back_over_leap(mesh.slots + target_slot, target, slot, polygon, crossing, back)
    if crossing.link < 0:
        if slot != target_slot:
            return 0
        return back_over_edge(mesh.slots + slot, polygon, target, crossing.edge, back)
    return back_over_side(mesh, slot, polygon, target_slot, target, crossing, scratch, back)
