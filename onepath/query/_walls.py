"""Wall pieces of the polygons that a circle search found: the nearest one, and all of them.

Queries document, distance to wall, all walls near a position. A wall piece is an edge with nothing behind it, one whose
neighbour the filter rejects, or on the tile's side what the links to accepted polygons leave over. The side towards a
missing tile is no wall: what lies there is not known.
"""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import Link, MeshState, TileSlot
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._area_search import AreaNode, AreaState, edge_bit
from cython.cimports.onepath.query._entry import edge_end, edge_start, portal_end
from cython.cimports.onepath.query._open_list import pop_open, push_open, reserve_open
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._walls import NearWall, WallBuffer, WallPiece

# Ends of an edge's wall pieces in 1/255, in pairs. Between two pieces lies at least one 255th.
Gaps = cython.struct(count=cython.int, ends=cython.uchar[256])


# --- Pieces of one edge -------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def side_gaps(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    edge: cython.int,
    gaps: cython.pointer(Gaps),
) -> cython.void:
    """What links to accepted polygons leave of an edge on the tile's side. Links are sorted by where they begin."""
    covered: cython.int = 0
    number: cython.int
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    gaps.count = 0
    for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        link = tile.links + number
        if link.edge != edge:
            continue
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[link.target_polygon], target.areas[link.target_polygon]):
            continue
        if link.range_min > covered:
            gaps.ends[2 * gaps.count] = covered
            gaps.ends[2 * gaps.count + 1] = link.range_min
            gaps.count += 1
        if link.range_max > covered:
            covered = link.range_max
    if covered < 255:
        gaps.ends[2 * gaps.count] = covered
        gaps.ends[2 * gaps.count + 1] = 255
        gaps.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def find_gaps(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    tile: cython.pointer(cython.const[TileSlot]),
    node: cython.pointer(cython.const[AreaNode]),
    edge: cython.int,
    gaps: cython.pointer(Gaps),
) -> cython.bint:
    """Whether the edge has wall pieces, and which."""
    whole: cython.int = tile.polygon_first[node.polygon] + edge
    neighbour: cython.int
    if (node.open_edges & edge_bit(edge)) == 0:
        return False
    neighbour = tile.neighbours[whole]
    if neighbour >= 0 or tile.border_sides[whole] < 0:
        if neighbour >= 0 and filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            return False
        gaps.count = 1
        gaps.ends[0] = 0
        gaps.ends[1] = 255
        return True
    if tile.frontier_sides & (1 << tile.border_sides[whole]):
        return False
    side_gaps(mesh, table, tile, node.polygon, edge, gaps)
    return gaps.count > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def place_on_edge(x: cython.double, z: cython.double, a: Vector, b: Vector) -> cython.double:
    """Where along the edge the position is projected to, anywhere on its line."""
    ex: cython.double = b.x - a.x
    ez: cython.double = b.z - a.z
    length: cython.double = ex * ex + ez * ez
    return ((x - a.x) * ex + (z - a.z) * ez) / length if length > 0.0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def point_on_piece(
    a: Vector,
    b: Vector,
    low: cython.int,
    high: cython.int,
    along: cython.double,
    point: cython.pointer(Vector),
) -> cython.double:
    """Moves to the piece what was projected on its edge: fills in the point, answers its fraction of the edge."""
    first: cython.double = cython.cast(cython.double, low) / 255.0
    last: cython.double = cython.cast(cython.double, high) / 255.0
    if not along > first:
        point[0] = portal_end(a, b, low)
        return first
    if along >= last:
        point[0] = portal_end(a, b, high)
        return last
    point.x = a.x + (b.x - a.x) * along
    point.y = a.y + (b.y - a.y) * along
    point.z = a.z + (b.z - a.z) * along
    return along


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def squared_to(x: cython.double, z: cython.double, point: cython.pointer(cython.const[Vector])) -> cython.double:
    dx: cython.double = point.x - x
    dz: cython.double = point.z - z
    return dx * dx + dz * dz


# --- The nearest --------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def comes_first(
    node: cython.pointer(cython.const[AreaNode]),
    edge: cython.int,
    fraction: cython.double,
    wall: cython.pointer(cython.const[NearWall]),
) -> cython.bint:
    """The order of equally near pieces: polygon reference, edge, fraction along it."""
    if node.slot != wall.slot:
        return node.slot < wall.slot
    if node.polygon != wall.polygon:
        return node.polygon < wall.polygon
    if edge != wall.edge:
        return edge < wall.edge
    return fraction < wall.fraction


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_normal(
    area: cython.pointer(cython.const[AreaState]), a: Vector, b: Vector, wall: cython.pointer(NearWall)
) -> cython.void:
    """From the wall towards the centre; where that lies on it, the edge's inward normal."""
    x: cython.double = area.shape.x - wall.point.x
    z: cython.double = area.shape.z - wall.point.z
    length: cython.double
    if wall.squared_distance == 0.0:
        x = b.z - a.z
        z = -(b.x - a.x)
    length = sqrt(x * x + z * z)
    wall.normal_x = x / length if length > 0.0 else 0.0
    wall.normal_z = z / length if length > 0.0 else 0.0


def nearest_wall(area, mesh, table, wall):
    tile: cython.pointer(cython.const[TileSlot])
    node: cython.pointer(cython.const[AreaNode])
    gaps: Gaps
    i: cython.int
    gap: cython.int
    first: cython.int
    count: cython.int
    edge: cython.int
    a: Vector
    b: Vector
    point: Vector
    along: cython.double
    fraction: cython.double
    distance: cython.double
    wall.found = False
    wall.squared_distance = INFINITY
    for i in range(area.expanded_count):
        node = area.nodes + area.expanded[i]
        tile = mesh.slots + node.slot
        first = tile.polygon_first[node.polygon]
        count = tile.polygon_first[node.polygon + 1] - first
        for edge in range(count):
            if not find_gaps(mesh, table, tile, node, edge, cython.address(gaps)):
                continue
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            along = place_on_edge(area.shape.x, area.shape.z, a, b)
            for gap in range(gaps.count):
                fraction = point_on_piece(
                    a, b, gaps.ends[2 * gap], gaps.ends[2 * gap + 1], along, cython.address(point)
                )
                distance = squared_to(area.shape.x, area.shape.z, cython.address(point))
                if not distance <= area.shape.radius_squared or distance > wall.squared_distance:
                    continue
                if distance == wall.squared_distance and not comes_first(node, edge, fraction, wall):
                    continue
                wall.found = True
                wall.squared_distance = distance
                wall.point = point
                wall.slot = node.slot
                wall.polygon = node.polygon
                wall.edge = edge
                wall.fraction = fraction
                set_normal(area, a, b, wall)


# --- All of them --------------------------------------------------------------------------------------------------


def free_walls(walls):
    free(walls.pieces)
    free(walls.order)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_pieces(walls: cython.pointer(WallBuffer), more: cython.int) -> cython.int:
    needed: cython.longlong = cython.cast(cython.longlong, walls.count) + more
    if needed <= walls.capacity:
        return 0
    needed = needed + (needed >> 1)
    if resize(cython.address(walls.pieces), needed, cython.sizeof(WallPiece)) != 0:
        return -1
    walls.capacity = cython.cast(cython.int, needed)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_pieces(area: cython.pointer(AreaState), walls: cython.pointer(WallBuffer)) -> cython.int:
    """By squared distance, then as met: the order in which an open list gives back what was put in."""
    i: cython.int
    if walls.count > walls.order_capacity:
        if resize(cython.address(walls.order), walls.capacity, cython.sizeof(cython.int)) != 0:
            return -1
        walls.order_capacity = walls.capacity
    area.open.count = 0
    area.open.sequence = 0
    if reserve_open(cython.address(area.open), walls.count) != 0:
        return -1
    for i in range(walls.count):
        push_open(cython.address(area.open), walls.pieces[i].squared_distance, i)
    for i in range(walls.count):
        walls.order[i] = pop_open(cython.address(area.open))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_pieces(
    area: cython.pointer(cython.const[AreaState]),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    node: cython.pointer(cython.const[AreaNode]),
    walls: cython.pointer(WallBuffer),
) -> cython.int:
    """Adds those of one polygon that are within the radius."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + node.slot
    first: cython.int = tile.polygon_first[node.polygon]
    count: cython.int = tile.polygon_first[node.polygon + 1] - first
    gaps: Gaps
    piece: cython.pointer(WallPiece)
    gap: cython.int
    edge: cython.int
    a: Vector
    b: Vector
    point: Vector
    along: cython.double
    distance: cython.double
    for edge in range(count):
        if not find_gaps(mesh, table, tile, node, edge, cython.address(gaps)):
            continue
        if reserve_pieces(walls, gaps.count) != 0:
            return -1
        a = edge_start(tile, first, edge)
        b = edge_end(tile, first, count, edge)
        along = place_on_edge(area.shape.x, area.shape.z, a, b)
        for gap in range(gaps.count):
            point_on_piece(a, b, gaps.ends[2 * gap], gaps.ends[2 * gap + 1], along, cython.address(point))
            distance = squared_to(area.shape.x, area.shape.z, cython.address(point))
            if not distance <= area.shape.radius_squared:
                continue
            piece = walls.pieces + walls.count
            walls.count += 1
            piece.start = portal_end(a, b, gaps.ends[2 * gap])
            piece.end = portal_end(a, b, gaps.ends[2 * gap + 1])
            piece.squared_distance = distance
            piece.slot = node.slot
            piece.polygon = node.polygon
            piece.edge = edge
    return 0


def collect_walls(area, mesh, table, walls):
    i: cython.int
    walls.count = 0
    for i in range(area.expanded_count):
        if add_pieces(area, mesh, table, area.nodes + area.expanded[i], walls) != 0:
            return -1
    return sort_pieces(area, walls)
