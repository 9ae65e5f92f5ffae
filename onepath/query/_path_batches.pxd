from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector
from onepath.query._batches cimport Batch
from onepath.query._buffers cimport CorridorBuffer, PointBuffer
from onepath.query._exact_prices cimport ExactPrices
from onepath.query._exact_state cimport ExactSearch
from onepath.query._filter cimport QueryFilter
from onepath.query._funnel cimport StraightScratch
from onepath.query._nodes cimport SearchState
from onepath.query._islands cimport Islands
from onepath.query._query_core cimport Reach, Wishes
from onepath.query._results cimport SearchAnswer


cdef struct PathWork:
    # What a query object lends a thread
    SearchState* search
    ExactSearch* exact
    CorridorBuffer* corridor
    StraightScratch* straight
    PointBuffer* line


cdef class PathBatch(Batch):
    cdef QueryFilter filter
    cdef Wishes wishes
    cdef Reach reach
    cdef int model               # that searches
    cdef bint not_uniform        # crossings stand in for an exact search
    cdef ExactPrices prices
    cdef PathWork* works         # one a thread
    cdef int lent
    cdef Islands islands         # where no partial paths are wanted
    cdef dict refused            # (source, target) islands -> the detail of what leads nowhere, QUERY_SUCCESS if it leads
    cdef const Vector* starts
    cdef const Vector* ends
    # The answers; the points are the values
    cdef unsigned char* statuses
    cdef unsigned char* details
    cdef double* costs
    cdef double* lengths

    cdef int look_up(self, int source, int target) except -1


cdef class FloorBatch(Batch):
    cdef const Vector* positions
    cdef double tolerance
    cdef unsigned char* answers
