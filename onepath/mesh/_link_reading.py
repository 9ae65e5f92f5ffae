"""What users read of links: a tile's as records, and what has become of one.

Callers hold the mesh's busy counter.
"""

import cython
import numpy as np
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.string import memset
from cython.cimports.onepath.mesh._attach import SnappedEnd, place_crossing
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._link_table import LinkEntry
from cython.cimports.onepath.mesh._mesh import Link, MeshState, OffMeshLink, TileSlot, polygon_reference
from cython.cimports.onepath.mesh._nearest import Box, box_around, missing_cells
from cython.cimports.onepath.mesh._surface import Vector

from onepath.errors import ArgumentError
from onepath.mesh.link import LinkEnd, LinkEndStatus, LinkState, LinkStatus

#: A link as a record. Of a portal (kind 255) id, flags, area, cost, start and end are 0 and enabled is true; of an
#: off-mesh link edge is -1 and both ranges are 0.
LINK_TYPE = np.dtype(
    [
        ("polygon", "<i4"),
        ("edge", "<i4"),
        ("target", "<i8"),
        ("cost", "<f8"),
        ("start", "<f8", (3,)),
        ("end", "<f8", (3,)),
        ("id", "<i4"),
        ("crossing", "<i4"),
        ("flags", "<u2"),
        ("kind", "u1"),
        ("range_min", "u1"),
        ("range_max", "u1"),
        ("area", "u1"),
        ("enabled", "?"),
        ("backward", "?"),
    ]
)

TILE_LINK = cython.struct(
    polygon=cython.int,
    edge=cython.int,
    target=cython.longlong,
    cost=cython.double,
    start=cython.double[3],
    end=cython.double[3],
    id=cython.int,
    crossing=cython.int,
    flags=cython.ushort,
    kind=cython.uchar,
    range_min=cython.uchar,
    range_max=cython.uchar,
    area=cython.uchar,
    enabled=cython.uchar,
    backward=cython.uchar,
)


# --- a tile's links


@cython.cfunc
def write_portal(
    state: cython.pointer[MeshState], link: cython.pointer[cython.const[Link]], record: cython.pointer[TILE_LINK]
) -> cython.void:
    record.polygon = link.polygon
    record.edge = link.edge
    record.target = polygon_reference(state, link.target_slot, link.target_polygon)
    record.kind = link.kind
    record.range_min = link.range_min
    record.range_max = link.range_max
    record.enabled = 1


@cython.cfunc
def write_off_mesh(
    state: cython.pointer[MeshState], link: cython.pointer[cython.const[OffMeshLink]], record: cython.pointer[TILE_LINK]
) -> cython.void:
    axis: cython.int
    record.polygon = link.polygon
    record.edge = -1
    record.target = polygon_reference(state, link.target_slot, link.target_polygon)
    record.cost = link.cost
    for axis in range(3):
        record.start[axis] = link.start[axis]
        record.end[axis] = link.end[axis]
    record.id = link.id
    record.crossing = link.crossing >> 1
    record.flags = link.flags
    record.kind = link.kind
    record.area = link.area
    record.enabled = link.enabled
    record.backward = link.crossing & 1


def slot_links(mesh: MeshCore, slot: cython.int) -> object:
    """Links of a used slot as they are now, (n) records of LINK_TYPE in link order."""
    tile: cython.pointer[TileSlot] = cython.address(mesh.state.slots[slot])
    count: cython.int = tile.link_first[tile.polygon_count] + tile.off_mesh_count
    data: bytes = PyBytes_FromStringAndSize(cython.NULL, count * cython.sizeof(TILE_LINK))
    record: cython.pointer[TILE_LINK] = cython.cast(cython.pointer[TILE_LINK], PyBytes_AS_STRING(data))
    polygon: cython.int
    i: cython.int
    memset(record, 0, count * cython.sizeof(TILE_LINK))
    for polygon in range(tile.polygon_count):
        for i in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
            write_portal(cython.address(mesh.state), tile.links + i, record)
            record += 1
        if tile.off_mesh_first == cython.NULL:
            continue
        for i in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
            write_off_mesh(cython.address(mesh.state), tile.off_mesh + i, record)
            record += 1
    return np.frombuffer(data, LINK_TYPE)


# --- one link


@cython.cfunc
def read_end(
    state: cython.pointer[MeshState],
    end: cython.pointer[cython.const[SnappedEnd]],
    position: Vector,
    reach: cython.double,
) -> object:
    box: Box
    distance: cython.double = sqrt(end.squared_distance)
    if end.slot >= 0:
        return LinkEnd(
            LinkEndStatus.SNAPPED,
            polygon_reference(state, end.slot, end.polygon),
            (end.point.x, end.point.y, end.point.z),
            distance,
        )
    box = box_around(position, reach, reach, reach)
    if missing_cells(state, position, cython.address(box)):
        return LinkEnd(LinkEndStatus.NOT_LOADED, distance=distance)
    if distance > reach and distance < 1e300:
        return LinkEnd(LinkEndStatus.TOO_FAR, distance=distance)
    return LinkEnd(LinkEndStatus.NOTHING_NEAR)


@cython.cfunc
def read_status(entry: LinkEntry) -> object:
    attached: cython.int = 0
    looped: cython.int = 0
    i: cython.int
    start: cython.pointer[cython.const[SnappedEnd]]
    end: cython.pointer[cython.const[SnappedEnd]]
    for i in range(entry.numbers.count):
        start = cython.address(entry.crossings[i].start)
        end = cython.address(entry.crossings[i].end)
        if start.slot >= 0 and end.slot >= 0:
            attached += 1
            looped += start.slot == end.slot and start.polygon == end.polygon
    if attached == 0:
        return LinkStatus.UNATTACHED
    if looped == attached:
        return LinkStatus.ONE_POLYGON
    return LinkStatus.ATTACHED if attached == entry.numbers.count else LinkStatus.PARTLY_ATTACHED


def link_state(mesh: MeshCore, link_id: object) -> object:
    """What has become of a link."""
    unknown = LinkEnd(LinkEndStatus.UNKNOWN)
    start: Vector
    end: Vector
    i: cython.int
    try:
        key: int = mesh._links.known_id(link_id)
    except ArgumentError:
        if isinstance(link_id, int) and 0 < link_id < mesh._links.next_id:
            return LinkState(link_id, LinkStatus.REMOVED, False, None, ((unknown, unknown),))
        raise
    if key not in mesh._links.entries:
        definition, enabled = mesh._links.staged[key]
        return LinkState(key, LinkStatus.STAGED, enabled, definition, ((unknown, unknown),))
    entry: LinkEntry = mesh._links.entries[key]
    ends: list = []
    for i in range(entry.numbers.count):
        place_crossing(cython.address(entry.numbers), i, cython.address(start), cython.address(end))
        ends.append(
            (
                read_end(
                    cython.address(mesh.state),
                    cython.address(entry.crossings[i].start),
                    start,
                    entry.numbers.start_snap,
                ),
                read_end(
                    cython.address(mesh.state), cython.address(entry.crossings[i].end), end, entry.numbers.end_snap
                ),
            )
        )
    return LinkState(key, read_status(entry), entry.numbers.enabled != 0, entry.definition, tuple(ends))
