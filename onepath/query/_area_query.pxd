# The part of a query object that looks around a place.

from onepath.mesh._mesh cimport reference_t
from onepath.query._area_results cimport AreaAnswer, AreaPolygons
from onepath.query._area_search cimport AreaState
from onepath.query._area_shapes cimport AreaShape
from onepath.query._filter cimport QueryFilter
from onepath.query._outputs cimport Outputs
from onepath.query._path_query cimport PathQuery


cdef class AreaQuery(PathQuery):
    cdef AreaState area
    # The area search begun last
    cdef bint area_begun         # update and finish may be called
    cdef int area_status         # FOUND_IN_PROGRESS while area.outcome counts, else the answer
    cdef reference_t area_start
    cdef QueryFilter area_filter

    cdef int read_circle(self, object center, object radius, AreaShape* shape) except -1
    cdef int read_shape(self, object points, AreaShape* shape) except -1
    cdef bint start_passes(self) noexcept
    cdef int begin_area_at(
        self, reference_t start, QueryFilter filter, const AreaShape* shape, bint shaped, bint neighbourhood
    ) except -1
    cdef int advance_area(self, long long budget) except -1
    # Both enter the mesh, and with an exception leave it
    cdef int run_whole_area(
        self, object start_ref, object filter, const AreaShape* shape, bint shaped, bint neighbourhood
    ) except -1
    cdef int continue_area(self, object max_iterations) except -1
    cdef AreaAnswer area_answer(self) noexcept
    cdef tuple area_missing(self)
    # The mesh has been entered
    cdef AreaPolygons area_polygons(self, tuple given, Outputs* outputs)
    cdef AreaPolygons find_polygons(
        self, object start_ref, object filter, const AreaShape* shape, bint shaped, bint neighbourhood,
        object out, object parents_out, object distances_out,
    )
