"""The one pass over a tile's bytes after which nothing about them has to be checked again."""

import cython
from cython.cimports.libc.math import isfinite
from cython.cimports.libc.string import memcmp
from cython.cimports.onepath.geometry._exact import orientation
from cython.cimports.onepath.mesh._format import (
    AREAS,
    BORDER_SIDES,
    DETAIL_OFFSETS,
    DETAIL_TRIANGLES,
    DETAIL_VERTICES,
    FLAGS,
    HEADER,
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
    SettingsRecord,
    TileHeader,
    TileLayout,
    section_offsets,
    side_of_edge,
    take_apart,
)
from cython.cimports.onepath.mesh._validate import (
    FAULT_CONVEX,
    FAULT_CORNERS,
    FAULT_COUNT,
    FAULT_DETAIL,
    FAULT_INDEX,
    FAULT_MAGIC,
    FAULT_NEIGHBOUR,
    FAULT_NONE,
    FAULT_NOT_FINITE,
    FAULT_OFFSETS,
    FAULT_OUTSIDE,
    FAULT_PADDING,
    FAULT_PLACE,
    FAULT_REPEATED,
    FAULT_SETTINGS,
    FAULT_SHORT,
    FAULT_SIDE,
    FAULT_SIZE,
    FAULT_VERSION,
    FAULT_WINDING,
    FAULT_ZERO_EDGE,
    Refusal,
)

#: Float32 rounding may bend a straight run of corners inward by this part of the tile size.
CONVEX_TOLERANCE = cython.declare(cython.double, 2.0**-20)
LARGEST_COORDINATE = cython.declare(cython.double, 2.0**21)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refuse(
    refusal: cython.pointer[Refusal], fault: cython.int, section: cython.int, element: cython.int, polygon: cython.int
) -> cython.int:
    refusal.fault = fault
    refusal.section = section
    refusal.element = element
    refusal.polygon = polygon
    return fault


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
    """1 where MeshSettings could hold these numbers, else 0. NaN fails every comparison."""
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
    if not (in_range(settings.tile_cells, 1, most) and in_range(settings.rows, 1, 65535)):
        return 0
    return tile_size(settings) <= LARGEST_COORDINATE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tile_size(settings: cython.pointer[cython.const[SettingsRecord]]) -> cython.float:
    return cython.cast(cython.float, settings.tile_cells) * cython.cast(cython.float, settings.cell_size)


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
    if header.has_detail != 0 and header.has_detail != 1:
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
    if header.has_detail == 0 and (header.detail_vertex_count != 0 or header.detail_triangle_count != 0):
        return False
    return header.reserved[0] == 0 and header.reserved[1] == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_header(
    block: cython.pointer[cython.const[cython.uchar]], size: cython.longlong, refusal: cython.pointer[Refusal]
) -> cython.int:
    header: cython.pointer[cython.const[TileHeader]] = cython.cast(cython.pointer[cython.const[TileHeader]], block)
    at: cython.longlong[12]
    if size < cython.cast(cython.longlong, cython.sizeof(TileHeader)):
        return refuse(refusal, FAULT_SHORT, HEADER, -1, -1)
    if memcmp(block, b"ONEPTILE", 8) != 0:
        return refuse(refusal, FAULT_MAGIC, HEADER, -1, -1)
    if header.version != TILE_VERSION:
        return refuse(refusal, FAULT_VERSION, HEADER, -1, -1)
    if not check_settings(cython.address(header.settings)):
        return refuse(refusal, FAULT_SETTINGS, HEADER, -1, -1)
    if not check_place(header):
        return refuse(refusal, FAULT_PLACE, HEADER, -1, -1)
    if not check_counts(header):
        return refuse(refusal, FAULT_COUNT, HEADER, -1, -1)
    section_offsets(header, at)
    if header.size != size or at[SECTION_COUNT] != size:
        return refuse(refusal, FAULT_SIZE, HEADER, -1, -1)
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
    at: cython.longlong[12]
    used: cython.longlong[12]
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
    """Finite, inside the tile's square, and at a world height that positions may have."""
    size: cython.float = tile_size(cython.address(header.settings))
    origin: cython.double = header.settings.vertical_origin
    height: cython.double
    i: cython.int
    for i in range(count):
        if not (isfinite(points[3 * i]) and isfinite(points[3 * i + 1]) and isfinite(points[3 * i + 2])):
            return refuse(refusal, FAULT_NOT_FINITE, section, i, -1)
        if not (in_range(points[3 * i], 0, size) and in_range(points[3 * i + 2], 0, size)):
            return refuse(refusal, FAULT_OUTSIDE, section, i, -1)
        height = origin + points[3 * i + 1]
        if not (height > -LARGEST_COORDINATE and height < LARGEST_COORDINATE):
            return refuse(refusal, FAULT_OUTSIDE, section, i, -1)
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


# --- polygons


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def corner(
    layout: cython.pointer[cython.const[TileLayout]], edge: cython.int
) -> cython.pointer[cython.const[cython.float]]:
    return layout.vertices + 3 * layout.polygon_vertices[edge]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_shape(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """Convex within the tolerance, counter-clockwise seen from above, no edge without length in X/Z."""
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    size: cython.double = tile_size(cython.address(layout.header.settings))
    slack: cython.double = CONVEX_TOLERANCE * size
    area: cython.double = 0.0
    i: cython.int
    k: cython.int
    a: cython.pointer[cython.const[cython.float]]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    ax: cython.double
    az: cython.double
    ex: cython.double
    ez: cython.double
    cross: cython.double
    for i in range(first, end):
        a = corner(layout, i)
        b = corner(layout, i + 1 if i + 1 < end else first)
        ax = a[0]
        az = a[2]
        ex = b[0] - ax
        ez = b[2] - az
        if ex == 0.0 and ez == 0.0:
            return refuse(refusal, FAULT_ZERO_EDGE, POLYGON_VERTICES, i, polygon)
        for k in range(first, end):
            c = corner(layout, k)
            cross = ez * (c[0] - ax) - ex * (c[2] - az)
            if k != i and c[0] == a[0] and c[2] == a[2]:
                return refuse(refusal, FAULT_REPEATED, POLYGON_VERTICES, k, polygon)
            if cross < 0.0 and cross * cross > slack * slack * (ex * ex + ez * ez):
                return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, k, polygon)
        c = corner(layout, first)
        area += ez * (c[0] - ax) - ex * (c[2] - az)
    if not area > 0.0:
        return refuse(refusal, FAULT_WINDING, POLYGON_VERTICES, first, polygon)
    return check_turns(layout, polygon, refusal)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_turns(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """No corner turns straight back and the outline goes round once, which the tolerance alone would let pass."""
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    i: cython.int
    rounds: cython.int = 0
    a: cython.pointer[cython.const[cython.float]]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    ux: cython.double
    uz: cython.double
    vx: cython.double
    vz: cython.double
    turn: cython.double
    before: cython.bint
    behind: cython.bint
    for i in range(first, end):
        a = corner(layout, i - 1 if i > first else end - 1)
        b = corner(layout, i)
        c = corner(layout, i + 1 if i + 1 < end else first)
        ux = cython.cast(cython.double, b[0]) - a[0]
        uz = cython.cast(cython.double, b[2]) - a[2]
        vx = cython.cast(cython.double, c[0]) - b[0]
        vz = cython.cast(cython.double, c[2]) - b[2]
        turn = orientation(a[0], a[2], b[0], b[2], c[0], c[2])
        if ux * vx + uz * vz < 0.0 and not turn > 0.0:
            return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, i, polygon)
        # Rounds are counted where the direction passes that of +z: the half plane on its right comes before it.
        before = ux < 0.0 or (ux == 0.0 and uz < 0.0)
        behind = vx < 0.0 or (vx == 0.0 and vz < 0.0)
        if before and not behind and turn > 0.0:
            rounds += 1
        elif behind and not before and turn < 0.0:
            rounds -= 1
    if rounds != 1:
        return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, first, polygon)
    return FAULT_NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def neighbour_answers(
    layout: cython.pointer[cython.const[TileLayout]],
    polygon: cython.int,
    neighbour: cython.int,
    start: cython.int,
    stop: cython.int,
) -> cython.bint:
    """Whether `neighbour` has the edge from vertex `stop` to vertex `start` and names `polygon` behind it."""
    i: cython.int
    following: cython.int
    if neighbour < 0 or neighbour >= layout.header.polygon_count or neighbour == polygon:
        return False
    first: cython.int = layout.polygon_first[neighbour]
    end: cython.int = layout.polygon_first[neighbour + 1]
    for i in range(first, end):
        following = i + 1 if i + 1 < end else first
        if layout.polygon_vertices[i] == stop and layout.polygon_vertices[following] == start:
            return layout.neighbours[i] == polygon
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_edges(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """Neighbours name each other over the same two vertices; an edge names the side it lies on, or is a wall there."""
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    size: cython.float = tile_size(cython.address(layout.header.settings))
    i: cython.int
    following: cython.int
    neighbour: cython.int
    side: cython.int
    for i in range(first, end):
        following = i + 1 if i + 1 < end else first
        neighbour = layout.neighbours[i]
        side = -1
        if neighbour == -1:
            side = side_of_edge(corner(layout, i), corner(layout, following), size)
        elif not neighbour_answers(
            layout, polygon, neighbour, layout.polygon_vertices[i], layout.polygon_vertices[following]
        ):
            return refuse(refusal, FAULT_NEIGHBOUR, NEIGHBOURS, i, polygon)
        if layout.border_sides[i] != side and layout.border_sides[i] != -1:
            return refuse(refusal, FAULT_SIDE, BORDER_SIDES, i, polygon)
    return FAULT_NONE


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
def check_block(
    block: cython.pointer[cython.const[cython.uchar]],
    size: cython.longlong,
    layout: cython.pointer[TileLayout],
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """0 and the block taken apart, or the first fault met and where. Reads nothing outside the block."""
    polygon: cython.int
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
    for polygon in range(layout.header.polygon_count):
        if check_shape(layout, polygon, refusal):
            return refusal.fault
    for polygon in range(layout.header.polygon_count):
        if check_edges(layout, polygon, refusal):
            return refusal.fault
    if layout.header.has_detail and check_detail(layout, refusal):
        return refusal.fault
    return FAULT_NONE
