"""One tile from triangles to polygons: the builder's stages chained in one kernel, their buffers kept and reused."""

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.onepath.build._buffers import free_ints
from cython.cimports.onepath.build._chains import free_contours
from cython.cimports.onepath.build._clock import seconds_now
from cython.cimports.onepath.build._compact import build_compact, free_compact
from cython.cimports.onepath.build._contours import make_contours
from cython.cimports.onepath.build._detail_polygons import free_detail, make_detail
from cython.cimports.onepath.build._erosion import erode, free_erosion
from cython.cimports.onepath.build._filters import filter_spans
from cython.cimports.onepath.build._floor_bounds import reach_of
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._interiors import clear_interiors, free_interiors
from cython.cimports.onepath.build._kinds import find_kind, forget_named, part_kinds
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._polymesh import free_polygons, make_polymesh
from cython.cimports.onepath.build._rasterize import rasterize_soup
from cython.cimports.onepath.build._regions import free_regions, make_regions
from cython.cimports.onepath.build._spans import free_field, reset_field
from cython.cimports.onepath.build._volumes import ConvexVolume, VolumeShape, mark_volume, meets_square

from onepath.build.settings import EROSIONS, PARTITIONS

#: What `TileBaker.stage_seconds` splits a bake into, in the order of the stages.
STAGE_NAMES = ("rasterize", "filter", "compact", "erode", "volumes", "regions", "contours", "polygons", "detail")


@cython.final
@cython.cclass
class TileBaker:
    """Bakes tiles of one level, one after another. The level's arrays must have been checked and must not change.

    `vertices` (n, 3) float64, `triangles` (m, 3) int32, `areas` (m) uint8 or None for ground everywhere; `solids` None,
    or where the insides of closed surfaces go, the triangles as the level winds them and (m) int32 the closed surface
    of each, -1 for none; `rules` the `CellSettings` of the bake, `volumes` its `ConvexVolume`s in order, whose areas
    are ids, `marks` the numbers of their names, 0 for one without.
    """

    def __cinit__(self, vertices, triangles, areas, solids, rules, classify, volumes, marks):
        vertex_view: cython.const[cython.double][:, ::1] = vertices
        triangle_view: cython.const[cython.int][:, ::1] = triangles
        area_view: cython.const[cython.uchar][::1]
        self.kept_alive = (vertices, triangles, areas, solids, volumes)
        self.soup.vertices = cython.address(vertex_view[0, 0]) if vertex_view.shape[0] else cython.NULL
        self.soup.triangles = cython.address(triangle_view[0, 0]) if triangle_view.shape[0] else cython.NULL
        self.soup.areas = cython.NULL
        if areas is not None and triangle_view.shape[0]:
            area_view = areas
            self.soup.areas = cython.address(area_view[0])
        self.soup.slope_cosine = rules.span.slope_cosine
        self.soup.classify = classify
        self.soup.merge_threshold = rules.span.merge_threshold
        if solids is not None and triangle_view.shape[0]:
            self._take_solids(solids[0], solids[1])
        self._take_rules(rules)
        self._take_volumes(volumes, marks)

    @cython.cfunc
    def _take_solids(self, triangles, surfaces):
        triangle_view: cython.const[cython.int][:, ::1] = triangles
        surface_view: cython.const[cython.int][::1] = surfaces
        self.solid_soup = self.soup
        self.solid_soup.triangles = cython.address(triangle_view[0, 0])
        self.surfaces = cython.address(surface_view[0])

    @cython.cfunc
    def _take_rules(self, rules):
        self.rules.height = rules.span.height
        self.rules.climb = rules.span.climb
        self.rules.radius = rules.span.radius
        self.rules.padding = rules.padding
        self.rules.partition = PARTITIONS.index(rules.partition)
        self.rules.erosion = EROSIONS.index(rules.erosion)
        self.rules.min_region = rules.min_region
        self.rules.merge_region = rules.merge_region
        self.rules.max_edge = rules.max_edge
        self.rules.max_edge_error = rules.max_edge_error
        self.rules.max_polygon_vertices = rules.max_polygon_vertices
        self.rules.detail.spacing = rules.detail_spacing
        self.rules.detail.max_error = rules.detail_error
        self.rules.detail.reach = reach_of(rules.max_edge_error)

    @cython.cfunc
    def _take_volumes(self, volumes, marks):
        volume: ConvexVolume
        count: cython.int = len(volumes)
        if count == 0:
            return
        self.volumes = cython.cast(
            cython.pointer[VolumeShape], malloc(cython.cast(cython.size_t, count) * cython.sizeof(VolumeShape))
        )
        if self.volumes == cython.NULL:
            raise MemoryError
        for volume, mark in zip(volumes, marks, strict=True):
            self.volumes[self.volume_count] = volume.shape
            self.volumes[self.volume_count].mark = mark
            self.volume_count += 1

    def __dealloc__(self):
        free_field(cython.address(self.solid))
        free_interiors(cython.address(self.interiors))
        free_compact(cython.address(self.compact))
        free_erosion(cython.address(self.erosion))
        free_regions(cython.address(self.regions))
        free_contours(cython.address(self.contours))
        free_polygons(cython.address(self.polygons))
        free_detail(cython.address(self.detail))
        free(self.volumes)
        free_ints(cython.address(self.polygon_volume))

    @property
    def failed_regions(self):
        """Regions of all tiles so far whose outline could not be cut into triangles; 0 unless something is wrong."""
        return self.counts.failed_regions

    @property
    def unresolved_contours(self):
        """Crossings of outlines that refining could not take away; 0 unless something is wrong."""
        return self.counts.unresolved_contours

    @property
    def most_floors(self):
        """Walkable spans of the column that has most; those above the 63 lowest cannot be linked to."""
        return self.counts.most_floors

    @property
    def largest_detail_error(self):
        """Metres between a polygon's surface and the floor under it, at the worst cell of all tiles so far."""
        return self.detail.largest_error * self.compact.frame.cell_height

    @property
    def largest_detail_error_at(self):
        """Where that is, on the floor; None where no floor leaves its polygon."""
        return tuple(self.counts.largest_error_at) if self.detail.largest_error > 0.0 else None

    @property
    def stage_seconds(self):
        """Seconds spent in each stage by all tiles so far."""
        return {name: self.seconds[stage] for stage, name in enumerate(STAGE_NAMES)}

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bake(
        self,
        frame: cython.pointer[cython.const[Frame]],
        chosen: cython.pointer[cython.const[cython.int]],
        count: cython.int,
    ) -> cython.int:
        """Bakes triangles into `polygons` and `contours`.

        Returns -1 without memory, -2 for too many spans, -3 for too many names of volumes, -4 for too
        much detail.
        """
        started: cython.double = seconds_now()
        self.polygon_count = 0

        # Solid spans
        if reset_field(cython.address(self.solid), frame) < 0:
            return -1
        if rasterize_soup(cython.address(self.solid), cython.address(self.soup), chosen, count) < 0:
            return -1
        started = self._spent(0, started)
        filter_spans(cython.address(self.solid), self.rules.height, self.rules.climb)
        if (
            self.surfaces != cython.NULL
            and clear_interiors(
                cython.address(self.solid),
                cython.address(self.solid_soup),
                self.surfaces,
                chosen,
                count,
                cython.address(self.interiors),
            )
            < 0
        ):
            return -1
        started = self._spent(1, started)

        # Open spans
        if (
            build_compact(cython.address(self.compact), cython.address(self.solid), self.rules.height, self.rules.climb)
            < 0
        ):
            return -1
        self._count_floors()
        started = self._spent(2, started)
        if self.compact.span_count == 0:
            return 0
        if erode(cython.address(self.compact), self.rules.radius, self.rules.erosion, cython.address(self.erosion)) < 0:
            return -1
        started = self._spent(3, started)
        if self._mark_volumes() < 0:
            return -3
        started = self._spent(4, started)

        # Regions, outlines, polygons
        code: cython.int = make_regions(
            cython.address(self.compact),
            cython.address(self.regions),
            self.rules.partition,
            self.rules.padding,
            self.rules.min_region,
            self.rules.merge_region,
        )
        if code < 0:
            return code
        started = self._spent(5, started)
        if (
            make_contours(
                cython.address(self.compact),
                cython.address(self.regions.graph),
                cython.address(self.contours),
                self.rules.max_edge_error,
                self.rules.max_edge,
            )
            < 0
        ):
            return -1
        self.counts.unresolved_contours = self.counts.unresolved_contours + self.contours.unresolved
        started = self._spent(6, started)
        if (
            make_polymesh(cython.address(self.contours), cython.address(self.polygons), self.rules.max_polygon_vertices)
            < 0
        ):
            return -1
        self.counts.failed_regions = self.counts.failed_regions + self.polygons.failed_regions
        if (
            part_kinds(
                cython.address(self.kinds),
                self.polygons.polygon_area.data,
                cython.address(self.polygon_volume),
                self.polygons.polygon_count,
            )
            < 0
        ):
            return -1
        started = self._spent(7, started)
        if self.rules.detail.spacing > 0:
            code = self._make_detail()
            if code < 0:
                return code
            self._spent(8, started)
        self.polygon_count = self.polygons.polygon_count
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make_detail(self) -> cython.int:
        arrays: PolygonArrays
        frame: cython.pointer[Frame] = cython.address(self.compact.frame)
        arrays.vertex_count = self.contours.vertex_x.count
        arrays.polygon_count = self.polygons.polygon_count
        arrays.region_count = self.contours.region_count
        arrays.vertex_x = self.contours.vertex_x.data
        arrays.vertex_y = self.contours.vertex_y.data
        arrays.vertex_z = self.contours.vertex_z.data
        arrays.offset = self.polygons.polygon_offset.data
        arrays.vertex = self.polygons.polygon_vertex.data
        arrays.neighbour = self.polygons.polygon_neighbour.data
        arrays.border_side = self.polygons.border_side.data
        arrays.region = self.polygons.polygon_region.data
        code: cython.int = make_detail(
            cython.address(self.compact),
            cython.address(self.regions.graph),
            cython.address(self.contours),
            cython.address(arrays),
            cython.address(self.rules.detail),
            cython.address(self.detail),
        )
        if code == 0 and self.detail.found_larger:
            size: cython.double = frame.cell_size
            self.counts.largest_error_at[0] = frame.origin_x + (self.detail.largest_x + self.rules.padding + 0.5) * size
            self.counts.largest_error_at[1] = frame.origin_y + self.detail.largest_y * frame.cell_height
            self.counts.largest_error_at[2] = frame.origin_z + (self.detail.largest_z + self.rules.padding + 0.5) * size
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count_floors(self) -> cython.void:
        most: cython.int = self.counts.most_floors
        floors: cython.p_int = self.compact.cell_count
        column: cython.int
        for column in range(self.compact.width * self.compact.depth):
            most = floors[column] if floors[column] > most else most
        self.counts.most_floors = most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_volumes(self) -> cython.int:
        """Gives spans the kinds of the volumes they lie in, in order. A kind without a span makes room for the next."""
        volume: cython.int
        kind: cython.int
        before: cython.int
        spans: cython.int
        forget_named(cython.address(self.kinds))
        for volume in range(self.volume_count):
            if not meets_square(self.volumes + volume, cython.address(self.compact.frame)):
                continue
            before = self.kinds.count
            kind = find_kind(cython.address(self.kinds), self.volumes[volume].area, self.volumes[volume].mark)
            # Without room for its kind a volume is marked all the same: only one that has spans is too many.
            spans = mark_volume(
                cython.address(self.compact), self.volumes + volume, cython.cast(cython.uchar, kind if kind >= 0 else 0)
            )
            if spans == 0:
                self.kinds.count = before
            elif kind < 0:
                return -1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spent(self, stage: cython.int, started: cython.double) -> cython.double:
        now: cython.double = seconds_now()
        # Not `+=`, for which checked builds want the GIL.
        self.seconds[stage] = self.seconds[stage] + (now - started)
        return now
