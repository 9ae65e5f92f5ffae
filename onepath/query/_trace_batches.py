"""Batches of rays and of moves along the surface."""

import cython
import numpy
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._mesh import MeshState, polygon_reference, reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._batches import (
    Batch,
    Values,
    count_questions,
    memory_of,
    reserve_values,
    spread_positions,
    spread_references,
    take_positions,
    take_references,
)
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._move import MoveScratch, move_on_surface
from cython.cimports.onepath.query._trace import BY_LINES, TRACE_CLEAR, PolygonList, Trace, trace_segment
from cython.cimports.onepath.query._trace_query import TraceQuery
from cython.cimports.onepath.query._trace_results import wall_normal

from onepath.query.batch_results import RaycastHits, SurfaceMoves


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_visited(values: cython.pointer(Values), visited: cython.pointer(cython.const[PolygonList])) -> cython.int:
    if reserve_values(values, visited.count) != 0:
        return -1
    memcpy(
        values.items + values.count,
        visited.polygons,
        cython.cast(cython.size_t, visited.count) * cython.sizeof(reference_t),
    )
    values.count += visited.count
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def traced_polygon(
    mesh: cython.pointer(cython.const[MeshState]), trace: cython.pointer(cython.const[Trace])
) -> reference_t:
    """The polygon in which a trace has ended, 0 where its start was refused."""
    if trace.polygon < 0:
        return 0
    return polygon_reference(mesh, trace.slot, trace.polygon)


class TraceBatch(Batch):
    """What rays and moves have in common: from a polygon and a start in it towards an end."""

    def scratch_of(self, query):
        return cython.address(cython.cast(TraceQuery, query).moves)

    def read(self, query: TraceQuery, filter: QueryFilter, start_refs, starts, ends) -> tuple:
        """Sets what is asked and where what both kinds answer goes; those arrays: status, polygons, offsets."""
        arrays = (
            take_references("start_refs", start_refs),
            take_positions("starts", starts),
            take_positions("ends", ends),
        )
        self.count = count_questions((1, 2, 2), ("start_refs", "starts", "ends"), arrays)
        refs = spread_references(arrays[0], self.count)
        starts = spread_positions("starts", arrays[1], self.count)
        ends = spread_positions("ends", arrays[2], self.count)
        status = numpy.empty(self.count, numpy.uint8)
        polygons = numpy.empty(self.count, numpy.int64)
        offsets = numpy.empty(self.count + 1, numpy.int64)
        self.mesh = cython.address(query.mesh.state)
        self.table = cython.address(filter.table)
        self.refs = cython.cast(cython.pointer(cython.const[reference_t]), memory_of(refs))
        self.starts = cython.cast(cython.pointer(cython.const[Vector]), memory_of(starts))
        self.ends = cython.cast(cython.pointer(cython.const[Vector]), memory_of(ends))
        self.status = cython.cast(cython.pointer(cython.uchar), memory_of(status))
        self.polygons = cython.cast(cython.pointer(reference_t), memory_of(polygons))
        self.offsets = cython.cast(cython.pointer(cython.longlong), memory_of(offsets))
        self.kept.extend((filter, refs, starts, ends, status, polygons, offsets))
        return status, polygons, offsets


class RayBatch(TraceBatch):
    """Rays."""

    def answer(self, first, last, scratch, values):
        moves: cython.pointer(MoveScratch) = cython.cast(cython.pointer(MoveScratch), scratch)
        visited: cython.pointer(PolygonList) = cython.address(moves.visited)
        trace: Trace
        i: cython.longlong
        for i in range(first, last):
            if (
                trace_segment(
                    self.mesh,
                    self.table,
                    self.refs[i],
                    self.starts[i],
                    self.ends[i],
                    BY_LINES,
                    cython.address(trace),
                    visited,
                )
                != 0
                or list_visited(values, visited) != 0
            ):
                return -1
            self.offsets[i + 1] = visited.count
            self.status[i] = trace.status
            self.t[i] = trace.t
            self.edges[i] = trace.edge
            self.polygons[i] = traced_polygon(self.mesh, cython.address(trace))
            self.normals[i].x = self.normals[i].y = self.normals[i].z = 0.0
            if trace.edge >= 0:
                wall_normal(
                    self.mesh,
                    cython.address(trace),
                    cython.address(self.normals[i].x),
                    cython.address(self.normals[i].z),
                )
        return 0


class MoveBatch(TraceBatch):
    """Moves along the surface."""

    def answer(self, first, last, scratch, values):
        moves: cython.pointer(MoveScratch) = cython.cast(cython.pointer(MoveScratch), scratch)
        visited: cython.pointer(PolygonList) = cython.address(moves.visited)
        trace: Trace
        i: cython.longlong
        for i in range(first, last):
            self.points[i] = self.starts[i]
            if (
                move_on_surface(
                    self.mesh,
                    self.table,
                    self.refs[i],
                    self.starts[i],
                    self.ends[i],
                    self.slides,
                    cython.address(trace),
                    moves,
                    self.points + i,
                )
                != 0
                or list_visited(values, visited) != 0
            ):
                return -1
            self.offsets[i + 1] = visited.count
            self.status[i] = trace.status
            self.polygons[i] = traced_polygon(self.mesh, cython.address(trace))
        return 0


def cast_rays(query: TraceQuery, filter: QueryFilter, threads: int, start_refs, starts, ends) -> RaycastHits:
    """NavMeshQuery.raycasts, with arguments other than arrays read."""
    batch: RayBatch = RayBatch.__new__(RayBatch)
    status, polygons, offsets = batch.read(query, filter, start_refs, starts, ends)
    t = numpy.empty(batch.count)
    normals = numpy.empty((batch.count, 3))
    edges = numpy.empty(batch.count, numpy.int32)
    batch.t = cython.cast(cython.p_double, memory_of(t))
    batch.normals = cython.cast(cython.pointer(Vector), memory_of(normals))
    batch.edges = cython.cast(cython.p_int, memory_of(edges))
    batch.kept.extend((t, normals, edges))
    query.run_batch(batch, filter, threads)
    visited = batch.gather()
    return RaycastHits(status, status != TRACE_CLEAR, t, normals, polygons, edges, visited, offsets)


def move_many(
    query: TraceQuery, filter: QueryFilter, threads: int, slides: cython.int, start_refs, starts, ends
) -> SurfaceMoves:
    """NavMeshQuery.move_along_surfaces, with arguments other than arrays read."""
    batch: MoveBatch = MoveBatch.__new__(MoveBatch)
    status, polygons, offsets = batch.read(query, filter, start_refs, starts, ends)
    points = numpy.empty((batch.count, 3))
    batch.slides = slides
    batch.points = cython.cast(cython.pointer(Vector), memory_of(points))
    batch.kept.append(points)
    query.run_batch(batch, filter, threads)
    visited = batch.gather()
    return SurfaceMoves(status, status != TRACE_CLEAR, polygons, points, visited, offsets)
