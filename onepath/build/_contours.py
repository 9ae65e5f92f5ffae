"""Outlines of regions: traced along cell corners, simplified, and checked to lie in the plane as the cells did."""

import cython
import numpy as np
from cython.cimports.onepath.build._arrays import equal_arrays, fill_ints, int_array
from cython.cimports.onepath.build._buffers import IntBuffer
from cython.cimports.onepath.build._chains import Contours, free_contours, trace_chains
from cython.cimports.onepath.build._compact import CompactField, CompactHeightfield
from cython.cimports.onepath.build._crossings import list_edges, refine_crossings
from cython.cimports.onepath.build._regions import RegionSet
from cython.cimports.onepath.build._rings import make_rings, refine_rings
from cython.cimports.onepath.build._simplify import simplify_chains
from cython.cimports.onepath.build._slivers import refine_slivers
from cython.cimports.onepath.build._span_graph import SpanGraph

from onepath.build._regions import raise_stage_error
from onepath.build.arguments import real_number, whole_number
from onepath.errors import ArgumentError, RangeError

LARGEST_ERROR = 64.0
LARGEST_EDGE = 2**20

#: The buffers of a Contours that pickles keep.
KeptBuffers = cython.struct(buffer=cython.pointer[IntBuffer][19])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_contours(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    max_edge_error: cython.double,
    max_edge: cython.int,
) -> cython.int:
    refined: cython.int = 1
    contours.steps = 0
    if (
        trace_chains(field, graph, contours) < 0
        or simplify_chains(field, graph, contours, max_edge_error, max_edge) < 0
    ):
        return -1
    # Every round keeps a point more, so this ends; nearly always after the first.
    while refined > 0:
        contours.unresolved = 0
        if list_edges(contours) < 0:
            return -1
        refined = refine_crossings(field, graph, contours)
        if refined == 0:
            if make_rings(field, graph, contours) < 0:
                return -1
            refined = refine_slivers(contours)
        if refined == 0:
            refined = refine_rings(contours)
    return refined


# --- the public stage


class ContourSet:
    """Outlines and holes of regions, as `build_contours` made them. Equal where the outlines are.

    Attributes:
        regions: the RegionSet that they bound.
        region_count, loop_count: numbers of regions and of loops.
        vertices: (n, 3) int32; x and z in cells from the low corner of the tile's square, y in rows.
        loop_offsets: (loops + 1,) int32 into `loop_vertices`.
        loop_vertices: int32 indices into `vertices`; outlines run counter-clockwise seen from above, holes clockwise.
        loop_regions: (loops,) int32, the region of each loop, ascending; the first loop of a region is its outline.
        behind: int32, for the edge that leaves each entry of `loop_vertices`: the region behind it, 0 for nothing (a
            wall or a ledge), -1, -2, -3, -4 where the floor goes on across the square's side -x, +z, +x, -z.
        region_areas: (regions + 1,) uint8, the area id of each region; entry 0 is 0.
        unresolved: places where outlines still touch wrongly although nothing is simplified there any more; 0 for
            every field that the stages before can make.
        steps: edges and vertices compared by the checks: a measure of the work, the same on every machine. Not
            compared.
    """

    def __init__(self):
        raise TypeError("use build_contours(regions)")

    def __dealloc__(self):
        free_contours(cython.address(self.contours))

    @property
    def region_count(self):
        return self.contours.region_count

    @property
    def loop_count(self):
        return self.contours.loop_count

    @property
    def unresolved(self):
        return self.contours.unresolved

    @property
    def steps(self):
        return self.contours.steps

    @property
    def vertices(self):
        count = self.contours.vertex_x.count
        return np.stack(
            [
                int_array(self.contours.vertex_x.data, count),
                int_array(self.contours.vertex_y.data, count),
                int_array(self.contours.vertex_z.data, count),
            ],
            axis=1,
        )

    def _order(self):
        """(loops sorted by region, offsets of their rings as traced)"""
        loops = int_array(self.contours.region_loops.data, self.contours.loop_count)
        return loops, int_array(self.contours.ring_first.data, self.contours.ring_first.count)

    def _by_region(self, values):
        loops, first = self._order()
        parts = [values[first[loop] : first[loop + 1]] for loop in loops]
        return np.concatenate(parts) if parts else values[:0]

    @property
    def loop_offsets(self):
        loops, first = self._order()
        return np.concatenate([[0], np.cumsum(first[loops + 1] - first[loops])]).astype(np.int32)

    @property
    def loop_vertices(self):
        return self._by_region(int_array(self.contours.ring_vertex.data, self.contours.ring_vertex.count))

    @property
    def loop_regions(self):
        return int_array(self.contours.loop_region.data, self.contours.loop_count)[self._order()[0]]

    @property
    def behind(self):
        edges = self._by_region(int_array(self.contours.ring_edge.data, self.contours.ring_edge.count))
        chains = int_array(self.contours.edge_chain.data, self.contours.edge_chain.count)[edges >> 1]
        forward = int_array(self.contours.chain_behind.data, self.contours.chain_behind.count)[chains]
        backward = int_array(self.contours.chain_region.data, self.contours.chain_region.count)[chains]
        return np.where(edges & 1, backward, forward).astype(np.int32)

    @property
    def region_areas(self):
        if self.contours.region_area.count == 0:
            return np.zeros(1, dtype=np.uint8)
        return int_array(self.contours.region_area.data, self.contours.region_area.count).astype(np.uint8)

    def _values(self):
        return (
            self.vertices,
            self.loop_offsets,
            self.loop_vertices,
            self.loop_regions,
            self.behind,
            self.region_areas,
        )

    def __eq__(self, other):
        if not isinstance(other, ContourSet):
            return NotImplemented
        mine: ContourSet = self
        theirs: ContourSet = other
        return mine.unresolved == theirs.unresolved and equal_arrays(mine._values(), theirs._values())

    def __hash__(self):
        return hash(tuple(array.tobytes() for array in self._values()))

    def __repr__(self):
        return (
            f"ContourSet(region_count={self.region_count}, loop_count={self.loop_count},"
            f" vertices={self.contours.vertex_x.count}, unresolved={self.unresolved})"
        )

    def __reduce__(self):
        kept: KeptBuffers
        contours: cython.pointer[Contours] = cython.address(self.contours)
        _list_kept(contours, cython.address(kept))
        arrays = [int_array(buffer.data, buffer.count) for buffer in kept.buffer]
        square = contours.square_width, contours.square_depth, contours.squared_error
        counts = contours.region_count, contours.loop_count, contours.unresolved, contours.steps
        return _restore, (self.regions, *square, *counts, arrays)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_kept(contours: cython.pointer[Contours], kept: cython.pointer[KeptBuffers]) -> cython.void:
    """What the stages behind read, and the properties: the rest is scratch of the making."""
    kept.buffer = [
        cython.address(contours.vertex_x),
        cython.address(contours.vertex_y),
        cython.address(contours.vertex_z),
        cython.address(contours.loop_region),
        cython.address(contours.region_area),
        cython.address(contours.region_first),
        cython.address(contours.region_loops),
        cython.address(contours.ring_first),
        cython.address(contours.ring_vertex),
        cython.address(contours.ring_edge),
        cython.address(contours.edge_from),
        cython.address(contours.edge_to),
        cython.address(contours.edge_chain),
        cython.address(contours.chain_first),
        cython.address(contours.chain_behind),
        cython.address(contours.chain_region),
        cython.address(contours.x),
        cython.address(contours.z),
        cython.address(contours.slot),
    ]


def _restore(regions, square_width, square_depth, squared_error, region_count, loop_count, unresolved, steps, arrays):
    """Unpickles contours, without the scratch of their making."""
    made: ContourSet = ContourSet.__new__(ContourSet)
    kept: KeptBuffers
    buffer: cython.pointer[IntBuffer]
    contours: cython.pointer[Contours] = cython.address(made.contours)
    made.regions = regions
    contours.square_width = square_width
    contours.square_depth = square_depth
    contours.squared_error = squared_error
    contours.region_count = region_count
    contours.loop_count = loop_count
    contours.unresolved = unresolved
    contours.steps = steps
    _list_kept(contours, cython.address(kept))
    following = iter(arrays)
    for buffer in kept.buffer:
        fill_ints(buffer, next(following))
    return made


def build_contours(regions: RegionSet, *, max_edge_error=1.3, max_edge=0):
    """Outlines and holes of regions, simplified.

    A border between two regions is one line, whichever of the two it is read from; a run along a side of the square
    keeps, of its corners, those whose height leaves the line between the kept ones by more than a row. Corner heights
    are those of the highest of the spaces that are joined around the corner. Loops never cross themselves or each
    other (floors above each other excepted): where simplifying would make them, they keep more corners.

    Args:
        regions: from `build_regions`; its compact field must still hold these regions.
        max_edge_error: cells that a dropped corner may lie from the line, 0 to 64.
        max_edge: longer edges along walls are halved, cells, 0 to 2**20; 0 never.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """
    if regions is None:
        raise ArgumentError("regions is None, not a RegionSet")
    error: cython.double = real_number("max_edge_error", max_edge_error)
    if not 0.0 <= error <= LARGEST_ERROR:
        raise RangeError(f"max_edge_error is {max_edge_error!r}, outside [0, {LARGEST_ERROR:.0f}]")
    longest: cython.int = whole_number("max_edge", max_edge, 0, LARGEST_EDGE)
    compact: CompactHeightfield = regions.compact
    if not np.array_equal(compact.region, regions.region):
        raise ArgumentError("regions: its compact field has been given other regions since")
    made: ContourSet = ContourSet.__new__(ContourSet)
    made.regions = regions
    raise_stage_error(
        make_contours(
            cython.address(compact.field),
            cython.address(regions.scratch.graph),
            cython.address(made.contours),
            error,
            longest,
        )
    )
    return made
