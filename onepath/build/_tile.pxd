# One tile from triangles to polygons in a single kernel; every buffer is kept from tile to tile.

from onepath.build._buffers cimport IntBuffer
from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._detail_polygons cimport Detail, DetailRules
from onepath.build._erosion cimport ErosionScratch
from onepath.build._frame cimport Frame
from onepath.build._interiors cimport InteriorScratch
from onepath.build._kinds cimport KindTable
from onepath.build._polygons cimport Polygons
from onepath.build._rasterize cimport TriangleSoup
from onepath.build._regions cimport RegionScratch
from onepath.build._spans cimport SpanField
from onepath.build._volumes cimport VolumeShape


cdef enum:
    STAGE_COUNT = 9


# The numbers of a bake that are the same for all its tiles.
cdef struct TileRules:
    int height, climb, radius    # rows, rows, cells
    int padding                  # cells around the square
    int partition, erosion       # places in `onepath.build.settings`
    int min_region, merge_region # cells
    int max_edge                 # cells, 0 never splits
    double max_edge_error        # cells
    int max_polygon_vertices
    DetailRules detail           # spacing 0: none is made


# What went wrong in all tiles so far.
cdef struct TileCounts:
    long long failed_regions
    long long unresolved_contours
    int most_floors              # that one column holds
    double[3] largest_error_at   # world position of the largest error of detail


cdef class TileBaker:
    cdef TriangleSoup soup
    cdef TriangleSoup solid_soup # the same triangles as the level winds them
    cdef const int* surfaces     # (triangles) the closed surface of each, -1 for none; NULL keeps insides
    cdef TileRules rules
    cdef SpanField solid
    cdef InteriorScratch interiors
    cdef CompactField compact
    cdef ErosionScratch erosion
    cdef RegionScratch regions
    cdef Contours contours
    cdef Polygons polygons
    cdef VolumeShape* volumes
    cdef int volume_count
    cdef KindTable kinds
    cdef Detail detail
    cdef IntBuffer polygon_volume    # the named volume that marked each polygon of the tile, 0 for none
    cdef double[STAGE_COUNT] seconds
    cdef TileCounts counts
    cdef object kept_alive
    cdef int polygon_count       # of the tile baked last, in `polygons` and with the vertices of `contours`

    cdef int bake(self, const Frame* frame, const int* chosen, int count) noexcept nogil
    cdef _take_rules(self, rules)
    cdef _take_solids(self, triangles, surfaces)
    cdef _take_volumes(self, volumes, marks)
    cdef int _mark_volumes(self) noexcept nogil
    cdef int _make_detail(self) noexcept nogil
    cdef void _count_floors(self) noexcept nogil
    cdef double _spent(self, int stage, double started) noexcept nogil
