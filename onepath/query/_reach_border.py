"""Where what can be reached for a cost ends: along edges, cut where the cost is used up, and across polygons.

A polygon is entered at places that cost something; what is left of the largest cost is how far one can walk from there.
What can be reached of a polygon is so what lies within a ball round one of its entries. Polygons and balls are convex:
chords between places of both lie in both, so no line of the border runs where one cannot get.
"""

import cython
import numpy
from cython.cimports.libc.math import INFINITY, fabs, sqrt
from cython.cimports.onepath.mesh._mesh import Link, MeshState, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, squared_distance, surface_height
from cython.cimports.onepath.query._entry import along, edge_end, edge_start
from cython.cimports.onepath.query._nodes import NODE_EXPANDED, PathNode
from cython.cimports.onepath.query._polygon_keys import find_key, key_polygon, key_slot, polygon_key

# Directions in which the rim of a ball is looked for, in each quarter of a turn.
IN_A_QUARTER = cython.declare(cython.int, 8)
# How often a place is moved nearer to its entry where a surface is not plane.
MOST_STEPS = cython.declare(cython.int, 8)
NEAR = cython.declare(cython.double, 1e-9)


@cython.cclass
class Border:
    """Collects it. The entries are sorted by the keys of their polygons."""

    mesh: cython.pointer(cython.const[MeshState])
    keys: cython.const[cython.longlong][::1]
    places: cython.const[cython.double][:, ::1]  # x, y, z of each entry, and how far one can walk from it
    segments: list

    @cython.cfunc
    def first_entry(self, slot: cython.int, polygon: cython.int) -> cython.Py_ssize_t:
        """The first entry of a polygon, -1 where it has none."""
        count: cython.int = cython.cast(cython.int, self.keys.shape[0])
        return find_key(cython.address(self.keys[0]), count, polygon_key(slot, polygon))

    @cython.cfunc
    def entry(self, number: cython.Py_ssize_t) -> Vector:
        place: Vector
        place.x = self.places[number, 0]
        place.y = self.places[number, 1]
        place.z = self.places[number, 2]
        return place

    # --- Parts of segments

    @cython.cfunc
    def within(self, number: cython.Py_ssize_t, a: Vector, b: Vector, low: cython.double, high: cython.double) -> tuple:
        """The part of a segment, from `low` to `high`, that one entry reaches; None where it is no part."""
        e: Vector = self.entry(number)
        dx: cython.double = b.x - a.x
        dy: cython.double = b.y - a.y
        dz: cython.double = b.z - a.z
        length: cython.double = dx * dx + dy * dy + dz * dz
        middle: cython.double = (e.x - a.x) * dx + (e.y - a.y) * dy + (e.z - a.z) * dz
        rest: cython.double = squared_distance(a, e) - self.places[number, 3] * self.places[number, 3]
        root: cython.double = middle * middle - length * rest
        if not root > 0.0 or length == 0.0:
            return None
        root = sqrt(root)
        low = max(low, (middle - root) / length)
        high = min(high, (middle + root) / length)
        return (low, high) if high > low else None

    @cython.cfunc
    def reached(
        self,
        first: cython.Py_ssize_t,
        but: cython.Py_ssize_t,
        a: Vector,
        b: Vector,
        low: cython.double,
        high: cython.double,
    ) -> list:
        """The parts of a segment that entries of a polygon but one reach, ascending and apart."""
        number: cython.Py_ssize_t = first
        parts: list = []
        found: list = []
        covered: object = 0.0
        while number >= 0 and number < self.keys.shape[0] and self.keys[number] == self.keys[first]:
            part = self.within(number, a, b, low, high) if number != but else None
            if part is not None:
                found.append(part)
            number += 1
        found.sort()
        for start, end in found:
            if parts and start <= covered:
                start = parts.pop()[0]
                end = max(covered, end)
            parts.append((start, end))
            covered = end
        return parts

    @cython.cfunc
    def add(self, a: Vector, b: Vector, parts: list, without: list):
        """Adds parts of a segment, less some others."""
        p: Vector
        q: Vector
        at: cython.double
        for start, end in parts:
            at = start
            for gone, back in [*without, (end, end)]:
                if gone > at:
                    p = along(a, b, at)
                    q = along(a, b, min(gone, end))
                    self.segments.append(((p.x, p.y, p.z), (q.x, q.y, q.z)))
                at = max(at, back)
                if at >= end:
                    break

    # --- Along edges

    @cython.cfunc
    def trace_edges(self, slot: cython.int, polygon: cython.int, entry: cython.Py_ssize_t):
        """Adds what is reached of a polygon's edges from within it, but not from behind them."""
        tile: cython.pointer(cython.const[TileSlot]) = self.mesh.slots + slot
        first: cython.int = tile.polygon_first[polygon]
        count: cython.int = tile.polygon_first[polygon + 1] - first
        link: cython.pointer(cython.const[Link])
        edge: cython.int
        number: cython.int
        a: Vector
        b: Vector
        for edge in range(count):
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            behind: list = []
            if tile.neighbours[first + edge] >= 0:
                behind = self.reached(self.first_entry(slot, tile.neighbours[first + edge]), -1, a, b, 0.0, 1.0)
            elif tile.border_sides[first + edge] >= 0:
                for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
                    link = tile.links + number
                    if link.edge == edge:
                        behind += self.reached(
                            self.first_entry(link.target_slot, link.target_polygon),
                            -1,
                            a,
                            b,
                            link.range_min / 255.0,
                            link.range_max / 255.0,
                        )
                behind.sort()
            self.add(a, b, self.reached(entry, -1, a, b, 0.0, 1.0), behind)

    # --- Across a polygon

    @cython.cfunc
    def leaves_nothing(self, slot: cython.int, polygon: cython.int, entry: cython.Py_ssize_t) -> cython.bint:
        """Whether one entry reaches all corners of the polygon, and so all of it."""
        tile: cython.pointer(cython.const[TileSlot]) = self.mesh.slots + slot
        first: cython.int = tile.polygon_first[polygon]
        count: cython.int = tile.polygon_first[polygon + 1] - first
        number: cython.Py_ssize_t = entry
        edge: cython.int
        while number < self.keys.shape[0] and self.keys[number] == self.keys[entry]:
            edge = 0
            while (
                edge < count
                and sqrt(squared_distance(edge_start(tile, first, edge), self.entry(number)))
                <= (self.places[number, 3])
            ):
                edge += 1
            if edge == count:
                return True
            number += 1
        return False

    @cython.cfunc
    def rim_point(
        self, slot: cython.int, polygon: cython.int, number: cython.Py_ssize_t, x: cython.double, z: cython.double
    ) -> tuple:
        """The place on the rim of an entry's ball in a direction of length 1; None where the outline comes before."""
        tile: cython.pointer(cython.const[TileSlot]) = self.mesh.slots + slot
        first: cython.int = tile.polygon_first[polygon]
        count: cython.int = tile.polygon_first[polygon + 1] - first
        radius: cython.double = self.places[number, 3]
        exit: cython.double = INFINITY
        across: cython.double
        far: cython.double
        edge: cython.int
        e: Vector = self.entry(number)
        a: Vector
        b: Vector
        p: Vector
        for edge in range(count):
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            across = (b.x - a.x) * z - (b.z - a.z) * x
            if across > 0.0:
                exit = min(exit, ((b.x - a.x) * (a.z - e.z) - (b.z - a.z) * (a.x - e.x)) / across)
        far = min(radius, exit)
        for _ in range(MOST_STEPS):
            p.x = e.x + x * far
            p.z = e.z + z * far
            p.y = surface_height(tile, polygon, p.x, p.z)
            across = sqrt(squared_distance(p, e))
            if across <= radius:
                return None if far >= exit or far <= NEAR else (p.x, p.y, p.z)
            far = far * (radius / across) * (1.0 - NEAR)
        return None

    @cython.cfunc
    def rim(self, slot: cython.int, polygon: cython.int, number: cython.Py_ssize_t) -> list:
        """(turn, edge, place) round an entry: where its ball ends in the polygon, or on an edge (-1 for none)."""
        tile: cython.pointer(cython.const[TileSlot]) = self.mesh.slots + slot
        first: cython.int = tile.polygon_first[polygon]
        count: cython.int = tile.polygon_first[polygon + 1] - first
        e: Vector = self.entry(number)
        a: Vector
        b: Vector
        p: Vector
        t: cython.double
        x: cython.double
        z: cython.double
        i: cython.int
        edge: cython.int
        found: list = []
        for i in range(IN_A_QUARTER):
            t = i / cython.cast(cython.double, IN_A_QUARTER)
            x = (1.0 - t * t) / (1.0 + t * t)
            z = 2.0 * t / (1.0 + t * t)
            for _ in range(4):
                found.append((turn_of(x, z), -1, self.rim_point(slot, polygon, number, x, z)))
                x, z = -z, x
        for edge in range(count):
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            part = self.within(number, a, b, 0.0, 1.0)
            for t in part or ():
                if 0.0 < t < 1.0:
                    p = along(a, b, t)
                    found.append((turn_of(p.x - e.x, p.z - e.z), edge, (p.x, p.y, p.z)))
        found.sort(key=turn_and_edge)
        return found

    @cython.cfunc
    def trace_rims(self, slot: cython.int, polygon: cython.int, entry: cython.Py_ssize_t):
        """Adds the chords of the rims of a polygon's balls, as far as none of the other balls holds them."""
        number: cython.Py_ssize_t = entry
        a: Vector
        b: Vector
        while number < self.keys.shape[0] and self.keys[number] == self.keys[entry]:
            points: list = self.rim(slot, polygon, number)
            for before, after in zip(points, points[1:] + points[:1], strict=True):
                if before[2] is None or after[2] is None or (before[1] == after[1] and after[1] >= 0):
                    continue
                a.x, a.y, a.z = before[2]
                b.x, b.y, b.z = after[2]
                if squared_distance(a, b) > NEAR * NEAR:
                    self.add(a, b, [(0.0, 1.0)], self.reached(entry, number, a, b, 0.0, 1.0))
            number += 1


@cython.cfunc
def turn_and_edge(point: tuple) -> tuple:
    return point[:2]


@cython.cfunc
@cython.exceptval(check=False)
def turn_of(x: cython.double, z: cython.double) -> cython.double:
    """Grows with the angle of a direction, from 0 to 4."""
    size: cython.double = fabs(x) + fabs(z)
    if size == 0.0:
        return 0.0
    if z >= 0.0:
        return 1.0 - x / size
    return 3.0 + x / size


def reached_border(mesh, table, search, max_cost):
    border: Border = Border.__new__(Border)
    node: cython.pointer(cython.const[PathNode])
    i: cython.int
    at: cython.Py_ssize_t
    slot: cython.int
    polygon: cython.int
    rows: list = []
    for i in range(search.node_count):
        node = search.nodes + i
        if (node.state & NODE_EXPANDED) == 0:
            continue
        rate: cython.double = table.costs[mesh.slots[node.slot].areas[node.polygon]]
        rows.append(
            (
                polygon_key(node.slot, node.polygon),
                node.position.x,
                node.position.y,
                node.position.z,
                (max_cost - node.cost) / rate,
            )
        )
    rows.sort()
    border.mesh = mesh
    border.keys = numpy.array([row[0] for row in rows], numpy.int64)
    border.places = numpy.array([row[1:] for row in rows], numpy.float64).reshape(-1, 4)
    border.segments = []
    for at in range(border.keys.shape[0]):
        if at > 0 and border.keys[at] == border.keys[at - 1]:
            continue
        slot = key_slot(border.keys[at])
        polygon = key_polygon(border.keys[at])
        border.trace_edges(slot, polygon, at)
        if not border.leaves_nothing(slot, polygon, at):
            border.trace_rims(slot, polygon, at)
    return numpy.array(border.segments, numpy.float64).reshape(-1, 2, 3)
