"""The one pass over a tile's bytes after which nothing about them has to be checked again."""

import cython
from cython.cimports.libc.math import isfinite, signbit
from cython.cimports.libc.string import memcmp
from cython.cimports.onepath.mesh._format import (
    AREAS,
    BORDER_SIDES,
    DETAIL_OFFSETS,
    DETAIL_TRIANGLES,
    DETAIL_VERTICES,
    FLAGS,
    HEADER,
    LARGEST_COORDINATE,
    MAX_CELL,
    MAX_EDGES,
    MAX_LAYER,
    MAX_POLYGON_VERTICES,
    MAX_POLYGONS,
    MAX_VERTICES,
    NEIGHBOURS,
    POLYGON_OFFSETS,
    POLYGON_VERTICES,
    SECTION_COUNT,
    TILE_VERSION,
    VERTICES,
    VOLUMES,
    SettingsRecord,
    TileHeader,
    TileLayout,
    block_checksum,
    section_offsets,
    take_apart,
    tile_size,
)
from cython.cimports.onepath.mesh._polygon_checks import check_neighbours, check_shapes
from cython.cimports.onepath.mesh._validate import (
    FAULT_BYTE_ORDER,
    FAULT_CHECKSUM,
    FAULT_CORNERS,
    FAULT_COUNT,
    FAULT_DETAIL,
    FAULT_INDEX,
    FAULT_MAGIC,
    FAULT_NONE,
    FAULT_NOT_FINITE,
    FAULT_OFFSETS,
    FAULT_OUTSIDE,
    FAULT_PADDING,
    FAULT_PLACE,
    FAULT_SETTINGS,
    FAULT_SHORT,
    FAULT_SIZE,
    FAULT_UNMARKED,
    FAULT_VERSION,
    Refusal,
    refuse,
)

# --- header


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def in_range(value: cython.double, low: cython.double, high: cython.double) -> cython.bint:
    return low <= value and value <= high


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_float32(value: cython.double) -> cython.bint:
    return cython.cast(cython.double, cython.cast(cython.float, value)) == value


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_settings(settings: cython.pointer[cython.const[SettingsRecord]]) -> cython.int:
    """1 where MeshSettings could hold these numbers, else 0. NaN fails every comparison.

    -0.0 is refused too: MeshSettings never holds it, and a tile is compared with its mesh by bytes.
    """
    least: cython.double = 2.0**-20
    most: cython.double = 2.0**20
    if not (in_range(settings.cell_size, least, most) and is_float32(settings.cell_size)):
        return 0
    if not (in_range(settings.cell_height, least, most) and is_float32(settings.cell_height)):
        return 0
    if not in_range(settings.vertical_origin, -LARGEST_COORDINATE, LARGEST_COORDINATE):
        return 0
    if not (in_range(settings.agent_radius, 0.0, most) and in_range(settings.max_climb, 0.0, LARGEST_COORDINATE)):
        return 0
    if not (settings.agent_height > 0.0 and settings.agent_height <= LARGEST_COORDINATE):
        return 0
    if not (settings.max_slope >= 0.0 and settings.max_slope < 90.0):
        return 0
    if (settings.vertical_origin == 0.0 and signbit(settings.vertical_origin)) or signbit(settings.agent_radius):
        return 0
    if signbit(settings.max_climb) or signbit(settings.max_slope):
        return 0
    if not (in_range(settings.tile_cells, 1, most) and in_range(settings.rows, 1, 65535)):
        return 0
    return tile_size(settings) <= LARGEST_COORDINATE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_place(header: cython.pointer[cython.const[TileHeader]]) -> cython.int:
    """1 where the tile's square lies in the world and its layer can be counted, else 0."""
    size: cython.double = tile_size(cython.address(header.settings))
    if header.layer < 0 or header.layer > MAX_LAYER:
        return 0
    if not (in_range(header.column, -MAX_CELL, MAX_CELL) and in_range(header.row, -MAX_CELL, MAX_CELL)):
        return 0
    if not (header.column * size >= -LARGEST_COORDINATE and (header.column + 1) * size <= LARGEST_COORDINATE):
        return 0
    return header.row * size >= -LARGEST_COORDINATE and (header.row + 1) * size <= LARGEST_COORDINATE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_counts(header: cython.pointer[cython.const[TileHeader]]) -> cython.bint:
    if (header.has_detail | header.has_volumes) & ~1:
        return False
    if header.vertex_count < 0 or header.vertex_count > MAX_VERTICES:
        return False
    if header.polygon_count < 0 or header.polygon_count > MAX_POLYGONS:
        return False
    if header.edge_count < 0 or header.edge_count > MAX_EDGES:
        return False
    if header.detail_vertex_count < 0 or header.detail_vertex_count > MAX_VERTICES:
        return False
    if header.detail_triangle_count < 0 or header.detail_triangle_count > MAX_EDGES:
        return False
    return header.has_detail == 1 or (header.detail_vertex_count == 0 and header.detail_triangle_count == 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_header(
    block: cython.pointer[cython.const[cython.uchar]], size: cython.longlong, refusal: cython.pointer[Refusal]
) -> cython.int:
    header: cython.pointer[cython.const[TileHeader]] = cython.cast(cython.pointer[cython.const[TileHeader]], block)
    at: cython.longlong[13]
    if size < cython.cast(cython.longlong, cython.sizeof(TileHeader)):
        return refuse(refusal, FAULT_SHORT, HEADER, -1, -1)
    if memcmp(block, b"ONEPTILE", 8) != 0:
        return refuse(refusal, FAULT_MAGIC, HEADER, -1, -1)
    if header.version == TILE_VERSION << 24:
        return refuse(refusal, FAULT_BYTE_ORDER, HEADER, -1, -1)
    if header.version != TILE_VERSION:
        return refuse(refusal, FAULT_VERSION, HEADER, -1, -1)
    if header.size != size or size & 7:
        return refuse(refusal, FAULT_SIZE, HEADER, -1, -1)
    if header.checksum != block_checksum(block, size):
        return refuse(refusal, FAULT_CHECKSUM, HEADER, -1, -1)
    if not check_settings(cython.address(header.settings)):
        return refuse(refusal, FAULT_SETTINGS, HEADER, -1, -1)
    if not check_place(header):
        return refuse(refusal, FAULT_PLACE, HEADER, -1, -1)
    if not check_counts(header):
        return refuse(refusal, FAULT_COUNT, HEADER, -1, -1)
    section_offsets(header, at)
    if at[SECTION_COUNT] != size:
        return refuse(refusal, FAULT_COUNT, HEADER, -1, -1)
    return FAULT_NONE


# --- sections


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_padding(
    block: cython.pointer[cython.const[cython.uchar]],
    layout: cython.pointer[cython.const[TileLayout]],
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """Padding must be zero, so that equal tiles have equal bytes."""
    header: cython.pointer[cython.const[TileHeader]] = layout.header
    at: cython.longlong[13]
    used: cython.longlong[13]
    section: cython.int
    byte: cython.longlong
    section_offsets(header, at)
    used[HEADER] = cython.sizeof(TileHeader)
    used[VERTICES] = 12 * cython.cast(cython.longlong, header.vertex_count)
    used[POLYGON_OFFSETS] = 4 * (cython.cast(cython.longlong, header.polygon_count) + 1)
    used[POLYGON_VERTICES] = 4 * cython.cast(cython.longlong, header.edge_count)
    used[NEIGHBOURS] = used[POLYGON_VERTICES]
    used[BORDER_SIDES] = header.edge_count
    used[AREAS] = header.polygon_count
    used[FLAGS] = 2 * cython.cast(cython.longlong, header.polygon_count)
    used[DETAIL_OFFSETS] = used[POLYGON_OFFSETS] * header.has_detail
    used[DETAIL_TRIANGLES] = 12 * cython.cast(cython.longlong, header.detail_triangle_count)
    used[DETAIL_VERTICES] = 12 * cython.cast(cython.longlong, header.detail_vertex_count)
    used[VOLUMES] = used[FLAGS] * header.has_volumes
    for section in range(SECTION_COUNT):
        byte = at[section] + used[section]
        while byte < at[section + 1]:
            if block[byte] != 0:
                return refuse(refusal, FAULT_PADDING, section, -1, -1)
            byte += 1
    return FAULT_NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_points(
    header: cython.pointer[cython.const[TileHeader]],
    points: cython.pointer[cython.const[cython.float]],
    count: cython.int,
    section: cython.int,
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """Finite, inside the tile's square, and where positions may be: what a query answers can be asked about."""
    size: cython.float = tile_size(cython.address(header.settings))
    origin: cython.double = header.settings.vertical_origin
    west: cython.double = header.column * cython.cast(cython.double, size)
    south: cython.double = header.row * cython.cast(cython.double, size)
    x: cython.double
    height: cython.double
    z: cython.double
    inside: cython.bint
    i: cython.int
    for i in range(count):
        x = west + points[3 * i]
        height = origin + points[3 * i + 1]
        z = south + points[3 * i + 2]
        # What is not finite fails one of these too. All are made without a branch, as nearly every point is inside.
        inside = (
            (points[3 * i] >= 0)
            & (points[3 * i] <= size)
            & (points[3 * i + 2] >= 0)
            & (points[3 * i + 2] <= size)
            & (x > -LARGEST_COORDINATE)
            & (x < LARGEST_COORDINATE)
            & (height > -LARGEST_COORDINATE)
            & (height < LARGEST_COORDINATE)
            & (z > -LARGEST_COORDINATE)
            & (z < LARGEST_COORDINATE)
        )
        if not inside:
            if isfinite(points[3 * i]) and isfinite(points[3 * i + 1]) and isfinite(points[3 * i + 2]):
                return refuse(refusal, FAULT_OUTSIDE, section, i, -1)
            return refuse(refusal, FAULT_NOT_FINITE, section, i, -1)
    return FAULT_NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_polygon_indices(
    layout: cython.pointer[cython.const[TileLayout]], refusal: cython.pointer[Refusal]
) -> cython.int:
    header: cython.pointer[cython.const[TileHeader]] = layout.header
    first: cython.pointer[cython.const[cython.int]] = layout.polygon_first
    polygon: cython.int
    edge: cython.int
    corners: cython.longlong
    if first[0] != 0:
        return refuse(refusal, FAULT_OFFSETS, POLYGON_OFFSETS, 0, -1)
    for polygon in range(header.polygon_count):
        if first[polygon + 1] < first[polygon] or first[polygon + 1] > header.edge_count:
            return refuse(refusal, FAULT_OFFSETS, POLYGON_OFFSETS, polygon + 1, polygon)
        corners = first[polygon + 1] - first[polygon]
        if corners < 3 or corners > MAX_POLYGON_VERTICES:
            return refuse(refusal, FAULT_CORNERS, POLYGON_OFFSETS, polygon, polygon)
    if first[header.polygon_count] != header.edge_count:
        return refuse(refusal, FAULT_OFFSETS, POLYGON_OFFSETS, header.polygon_count, -1)
    for edge in range(header.edge_count):
        if layout.polygon_vertices[edge] < 0 or layout.polygon_vertices[edge] >= header.vertex_count:
            return refuse(refusal, FAULT_INDEX, POLYGON_VERTICES, edge, -1)
    return FAULT_NONE


# --- the whole


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_detail(layout: cython.pointer[cython.const[TileLayout]], refusal: cython.pointer[Refusal]) -> cython.int:
    header: cython.pointer[cython.const[TileHeader]] = layout.header
    limit: cython.int = header.vertex_count + header.detail_vertex_count
    i: cython.int
    if layout.detail_first[0] != 0:
        return refuse(refusal, FAULT_OFFSETS, DETAIL_OFFSETS, 0, -1)
    for i in range(header.polygon_count):
        if layout.detail_first[i + 1] < layout.detail_first[i]:
            return refuse(refusal, FAULT_OFFSETS, DETAIL_OFFSETS, i + 1, i)
    if layout.detail_first[header.polygon_count] != header.detail_triangle_count:
        return refuse(refusal, FAULT_OFFSETS, DETAIL_OFFSETS, header.polygon_count, -1)
    for i in range(3 * header.detail_triangle_count):
        if layout.detail_triangles[i] < 0 or layout.detail_triangles[i] >= limit:
            return refuse(refusal, FAULT_DETAIL, DETAIL_TRIANGLES, i, -1)
    return check_points(header, layout.detail_vertices, header.detail_vertex_count, DETAIL_VERTICES, refusal)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def marks_any(layout: cython.pointer[cython.const[TileLayout]]) -> cython.bint:
    """The section of volumes is left out where it would hold zeros only, so that equal tiles have equal bytes."""
    i: cython.int = 0
    while i < layout.header.polygon_count and layout.volumes[i] == 0:
        i += 1
    return i < layout.header.polygon_count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_block(
    block: cython.pointer[cython.const[cython.uchar]],
    size: cython.longlong,
    layout: cython.pointer[TileLayout],
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """0 and the block taken apart, or the first fault met and where. Reads nothing outside the block."""
    refuse(refusal, FAULT_NONE, HEADER, -1, -1)
    if check_header(block, size, refusal):
        return refusal.fault
    take_apart(block, layout)
    if check_padding(block, layout, refusal):
        return refusal.fault
    if check_points(layout.header, layout.vertices, layout.header.vertex_count, VERTICES, refusal):
        return refusal.fault
    if check_polygon_indices(layout, refusal):
        return refusal.fault
    if check_shapes(layout, refusal) or check_neighbours(layout, refusal):
        return refusal.fault
    if layout.header.has_detail and check_detail(layout, refusal):
        return refusal.fault
    if layout.header.has_volumes and not marks_any(layout):
        return refuse(refusal, FAULT_UNMARKED, VOLUMES, -1, -1)
    return FAULT_NONE
