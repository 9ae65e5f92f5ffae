from onepath.query._batches cimport Batch
from onepath.query._move cimport MoveScratch
from onepath.query._outputs cimport Outputs
from onepath.query._query_core cimport Place, QueryCore
from onepath.query._results cimport NavPoint
from onepath.query._trace_results cimport RaycastHit, SurfaceMove
from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._filter cimport QueryFilter


# What a move that slides may slide at most
cdef enum:
    MOST_SLIDES = 1024


cdef class TraceQuery(QueryCore):
    cdef MoveScratch moves
    cdef list helpers            # query objects like this one, made for batches and kept: one a thread beyond the first

    # `out` is the caller's array for the polygons visited, held in `outputs`, or None
    cdef RaycastHit cast_ray(self, reference_t ref, Vector start, Vector end, QueryFilter filter, object out, Outputs* outputs)
    cdef SurfaceMove move(
        self, reference_t ref, Vector start, Vector end, QueryFilter filter, int slides, object out, Outputs* outputs
    )
    # Enters the mesh and answers a batch on up to so many threads
    cdef int run_batch(self, Batch batch, QueryFilter filter, int threads) except -1
    # For the one-call forms, from a position that is yet to be snapped
    cdef int place_start(self, object position, str name, QueryFilter filter, Place* place) except -1
    cdef RaycastHit cast_between(self, object start, object end, object filter)
    cdef NavPoint step(self, object position, object delta, object filter, int slides)
