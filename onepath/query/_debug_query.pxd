# The part of a query object that shows what it has done.

from onepath.query._sample_query cimport SampleQuery


cdef class DebugQuery(SampleQuery):
    # The polygons that the last search expanded, in the order of first expansion. The mesh has been entered.
    cdef list expanded_by_path(self)
    cdef list expanded_by_exact(self)
    cdef list expanded_by_area(self)
    # (corners, offsets) of the outlines of valid references
    cdef tuple outlines(self, list references)
