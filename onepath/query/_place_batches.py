"""Batches about places: distances to walls, nearest polygons, random points."""

import cython
import numpy
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.onepath.mesh._mesh import polygon_reference, reference_t
from cython.cimports.onepath.mesh._nearest import Box, Nearest, find_nearest
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._area_query import AreaQuery
from cython.cimports.onepath.query._area_results import FOUND_INVALID_START, found_status
from cython.cimports.onepath.query._area_search import AreaState, search_circle
from cython.cimports.onepath.query._batches import (
    Batch,
    count_questions,
    memory_of,
    spread_positions,
    spread_references,
    spread_rows,
    take_positions,
    take_references,
)
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import LARGEST_RADIUS
from cython.cimports.onepath.query._query_core import Place, Reach, box_of, reach_around
from cython.cimports.onepath.query._random import DRAWS_A_POINT, SeededRandom, state_after, uint64
from cython.cimports.onepath.query._sample_query import SampleQuery
from cython.cimports.onepath.query._sampling import SAMPLE_FOUND, Sample, sample_mesh
from cython.cimports.onepath.query._walls import NearWall, nearest_wall

from onepath.errors import ArgumentError, RangeError, shown
from onepath.query.batch_results import NearestPolygons, NearestWalls


@cython.cfunc
def take_radii(values: object) -> object:
    """One radius, or one a question."""
    try:
        radii = numpy.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"radii is {shown(values)}, not numbers of shape (n,)") from None
    if radii.ndim > 1 or radii.dtype.kind not in "iuf":
        raise ArgumentError(f"radii is {shown(values)}, not numbers of shape (n,)")
    inside = (radii >= 0.0) & (radii <= LARGEST_RADIUS)
    if not inside.all():
        row = int(numpy.flatnonzero(~inside)[0])
        name, value = (f"radii[{row}]", radii[row]) if radii.ndim else ("radii", radii[()])
        raise RangeError(f"{name} is {value}, outside [0, {LARGEST_RADIUS}]")
    return radii


class WallBatch(Batch):
    """Distances to walls."""

    def scratch_of(self, query):
        asked: AreaQuery = query
        asked.area_begun = False
        asked.area.max_nodes = asked.search.max_nodes
        return cython.address(asked.area)

    def answer(self, first, last, scratch, values):
        area: cython.pointer(AreaState) = cython.cast(cython.pointer(AreaState), scratch)
        wall: NearWall
        i: cython.longlong
        code: cython.int
        for i in range(first, last):
            code = search_circle(
                area, self.mesh, self.table, self.refs[i], self.centers[i].x, self.centers[i].z, self.radii[i]
            )
            if code < 0:
                return -1
            wall.found = False
            self.status[i] = FOUND_INVALID_START
            if code > 0:
                self.status[i] = found_status(area)
                nearest_wall(area, self.mesh, self.table, cython.address(wall))
            self.found[i] = wall.found
            self.distances[i] = self.radii[i]
            self.edges[i] = -1
            if wall.found:
                self.distances[i] = sqrt(wall.squared_distance)
                self.points[i] = wall.point
                self.normals[i].x = wall.normal_x
                self.normals[i].z = wall.normal_z
                self.polygons[i] = polygon_reference(self.mesh, wall.slot, wall.polygon)
                self.edges[i] = wall.edge
        return 0


def measure_walls(query: AreaQuery, filter: QueryFilter, threads: int, start_refs, centers, radii) -> NearestWalls:
    """NavMeshQuery.distances_to_wall, with arguments other than arrays read."""
    batch: WallBatch = WallBatch.__new__(WallBatch)
    arrays = (take_references("start_refs", start_refs), take_positions("centers", centers), take_radii(radii))
    count = count_questions((1, 2, 1), ("start_refs", "centers", "radii"), arrays)
    refs = spread_references(arrays[0], count)
    places = spread_positions("centers", arrays[1], count)
    reaches = spread_rows(arrays[2], 0, count, numpy.float64)
    status, found = numpy.zeros(count, numpy.uint8), numpy.zeros(count, numpy.bool_)
    distances, points, normals = numpy.zeros(count), numpy.full((count, 3), numpy.nan), numpy.zeros((count, 3))
    polygons, edges = numpy.zeros(count, numpy.int64), numpy.zeros(count, numpy.int32)
    batch.count = count
    batch.mesh = cython.address(query.mesh.state)
    batch.table = cython.address(filter.table)
    batch.refs = cython.cast(cython.pointer(cython.const[reference_t]), memory_of(refs))
    batch.centers = cython.cast(cython.pointer(cython.const[Vector]), memory_of(places))
    batch.radii = cython.cast(cython.pointer(cython.const[cython.double]), memory_of(reaches))
    batch.status = cython.cast(cython.pointer(cython.uchar), memory_of(status))
    batch.found = cython.cast(cython.pointer(cython.uchar), memory_of(found))
    batch.distances = cython.cast(cython.p_double, memory_of(distances))
    batch.points = cython.cast(cython.pointer(Vector), memory_of(points))
    batch.normals = cython.cast(cython.pointer(Vector), memory_of(normals))
    batch.polygons = cython.cast(cython.pointer(reference_t), memory_of(polygons))
    batch.edges = cython.cast(cython.p_int, memory_of(edges))
    batch.kept.extend((filter, refs, places, reaches, status, found, distances, points, normals, polygons, edges))
    query.run_batch(batch, filter, threads)
    return NearestWalls(status, found, distances, points, normals, polygons, edges)


class NearestBatch(Batch):
    """Nearest polygons."""

    def answer(self, first, last, scratch, values):
        place: Place
        box: Box
        nearest: Nearest
        i: cython.longlong
        for i in range(first, last):
            place.position = self.centers[i]
            box = box_of(cython.address(place), cython.address(self.reach))
            if find_nearest(self.mesh, self.table, place.position, cython.address(box), cython.address(nearest)) != 0:
                return -1
            self.squared_distances[i] = INFINITY
            if nearest.slot >= 0:
                self.polygons[i] = polygon_reference(self.mesh, nearest.slot, nearest.polygon)
                self.points[i] = nearest.point
                self.squared_distances[i] = nearest.squared_distance
                self.over[i] = nearest.over
        return 0


@cython.cfunc
def nearest_many_within(query: AreaQuery, filter: QueryFilter, threads: int, centers: object, reach: Reach):
    batch: NearestBatch = NearestBatch.__new__(NearestBatch)
    array = take_positions("centers", centers)
    count = count_questions((2,), ("centers",), (array,))
    places = spread_positions("centers", array, count)
    polygons, points = numpy.zeros(count, numpy.int64), numpy.full((count, 3), numpy.nan)
    squared, over = numpy.zeros(count), numpy.zeros(count, numpy.bool_)
    batch.count = count
    batch.reach = reach
    batch.mesh = cython.address(query.mesh.state)
    batch.table = cython.address(filter.table)
    batch.centers = cython.cast(cython.pointer(cython.const[Vector]), memory_of(places))
    batch.polygons = cython.cast(cython.pointer(reference_t), memory_of(polygons))
    batch.points = cython.cast(cython.pointer(Vector), memory_of(points))
    batch.squared_distances = cython.cast(cython.p_double, memory_of(squared))
    batch.over = cython.cast(cython.pointer(cython.uchar), memory_of(over))
    batch.kept.extend((filter, places, polygons, points, squared, over))
    query.run_batch(batch, filter, threads)
    return NearestPolygons(polygons, points, squared, over)


def find_many_nearest(query: AreaQuery, filter: QueryFilter, threads: int, centers, extents: tuple) -> NearestPolygons:
    """NavMeshQuery.find_nearest_polygons, with half extents (x, y, z) read."""
    half: Vector
    half.x, half.y, half.z = extents
    return nearest_many_within(query, filter, threads, centers, reach_around(half, False))


class PointBatch(Batch):
    """Random points on the whole mesh, each drawn from the state that those before it lead to."""

    def answer(self, first, last, scratch, values):
        sample: Sample
        state: uint64 = state_after(self.state, DRAWS_A_POINT * cython.cast(uint64, first))
        i: cython.longlong
        for i in range(first, last):
            if sample_mesh(self.mesh, self.weights, cython.address(state), cython.address(sample)) != SAMPLE_FOUND:
                return 0
            self.polygons[i] = polygon_reference(self.mesh, sample.slot, sample.polygon)
            self.points[i] = sample.point
        return 0


def draw_many(query: SampleQuery, filter: QueryFilter, threads: int, random: SeededRandom, count: int) -> tuple:
    """NavMeshQuery.random_points, with its arguments read."""
    batch: PointBatch = PointBatch.__new__(PointBatch)
    polygons, points = numpy.zeros(count, numpy.int64), numpy.full((count, 3), numpy.nan)
    query.enter(filter)
    try:
        query.weigh(filter)
    finally:
        query.leave()
    batch.count = count
    batch.state = random.bits
    batch.weights = cython.address(query.weights)
    batch.mesh = cython.address(query.mesh.state)
    batch.table = cython.address(filter.table)
    batch.polygons = cython.cast(cython.pointer(reference_t), memory_of(polygons))
    batch.points = cython.cast(cython.pointer(Vector), memory_of(points))
    batch.kept.extend((filter, query, polygons, points))
    query.run_batch(batch, filter, threads)
    if query.weights.last >= 0:
        random.bits = state_after(random.bits, DRAWS_A_POINT * cython.cast(uint64, count))
    return polygons, points
