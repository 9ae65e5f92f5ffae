# A query object: scratch for every query over one mesh, and at most one search under way.

from onepath.mesh._core cimport MeshCore
from onepath.mesh._mesh cimport reference_t
from onepath.query._buffers cimport CorridorBuffer, PointBuffer
from onepath.mesh._filter_table cimport FilterTable
from onepath.query._exact_prices cimport ExactPrices
from onepath.query._exact_state cimport ExactSearch
from onepath.query._filter cimport QueryFilter
from onepath.query._straight_state cimport StraightScratch
from onepath.mesh._nearest cimport Box
from onepath.query._outputs cimport Outputs
from onepath.query._paths cimport Path
from onepath.query._results cimport Corridor, NavPoint, SearchAnswer
from onepath.query._nodes cimport SearchState
from onepath.mesh._surface cimport Vector


cdef struct Reach:
    # How far around a position to look for the mesh; the box from position - below to position + above.
    Vector below
    Vector above
    bint within                  # the point found has to lie in the box; the document asks it of its polygon's box only


cdef struct Place:
    # A position as it was given: a point of a polygon (`known`), or a position that is yet to be snapped.
    bint known
    reference_t ref
    Vector position


cdef struct Wishes:
    # What a caller may ask of a path search beyond its ends and filter
    double max_cost          # routes that cost more are not wanted; INFINITY
    bint toward_unloaded     # where nothing is near the end and tiles there are missing, head for it all the same
    bint exact               # search the shortest line, whatever the query's model
    bint partial             # lead as near as possible where the end cannot be reached


cdef inline Reach reach_around(Vector half, bint within) noexcept nogil:
    cdef Reach reach
    reach.below = half
    reach.above = half
    reach.within = within
    return reach


cdef inline Box box_of(const Place* place, const Reach* reach) noexcept nogil:
    cdef Box box
    box.low.x = place.position.x - reach.below.x
    box.low.y = place.position.y - reach.below.y
    box.low.z = place.position.z - reach.below.z
    box.high.x = place.position.x + reach.above.x
    box.high.y = place.position.y + reach.above.y
    box.high.z = place.position.z + reach.above.z
    box.within = reach.within
    return box


# What the search begun last was
cdef enum:
    SEARCHED_NOTHING = 0
    SEARCHED_PATH
    SEARCHED_AREA


cdef long long NO_BUDGET     # more iterations than any search has
cdef QueryFilter EVERYTHING  # what filter=None means

# A filter that names areas is bound to those of the mesh
cdef QueryFilter chosen_filter(object filter, MeshCore mesh)
cdef int read_place(object position, str name, Place* place) except -1
# A position or a NavPoint's, where only the position counts
cdef int read_point(object position, str name, Vector* point) except -1
cdef Wishes no_wishes() noexcept
cdef int read_wishes(
    object exact, object max_cost, object toward_unloaded, object partial, Wishes* wishes
) except -1


# NavMeshQuery is a chain of classes, one file for each section of the queries document, since its kernels share scratch, a
# Cython class has one base, and a method that forwards to a part would cost more than many a query. Whoever wants the
# scratch of another stands behind it:
#
#     QueryCore        the mesh, the way in and out of it, the path search under way
#     TraceQuery       rays and moves; and `run_batch`, which all batches go through
#     PathQuery        whole paths between positions
#     AreaQuery        area searches
#     WallQuery        walls: of the polygons that an area search found
#     SampleQuery      random points: around a place, of such polygons too
#     DebugQuery       what the last search, of either kind, looked at
#     CorridorQuery    the steps of a path query one by one
#     NavMeshQuery     the constructor, nearest polygons, whole paths as users call them; final
cdef class QueryCore:
    cdef readonly MeshCore mesh
    cdef Reach reach             # how far positions are snapped
    cdef int model               # MODEL_, of searches that are not asked to be exact
    cdef SearchState search
    cdef ExactSearch exact       # what exact searches keep beside it
    cdef ExactPrices prices      # of the mesh as of priced_edit, for the filter `priced`
    cdef QueryFilter priced
    cdef long long priced_edit
    cdef CorridorBuffer corridor
    cdef PointBuffer line
    cdef StraightScratch straight
    cdef bint working            # between enter and leave
    cdef QueryFilter prepared    # the filter that knows all pairs of the mesh as of prepared_edit
    cdef long long prepared_edit
    # The search begun last
    cdef int searched
    cdef bint begun              # update and finish may be called
    cdef long long search_number # counts the searches begun
    cdef QueryFilter filter
    cdef Wishes wishes
    cdef bint by_reference       # the ends were named by references
    cdef Place asked_start       # the ends as they were given
    cdef Place asked_end
    cdef int status              # PATH_IN_PROGRESS while search.outcome counts, else the answer
    cdef int detail
    cdef tuple missing
    cdef Place start             # as given until `begin` has put it on the mesh
    cdef Place end

    cdef int need_mesh(self) except -1
    cdef int enter(self, QueryFilter filter) except -1
    cdef void leave(self) noexcept
    cdef int settle(self, int status, int detail) noexcept
    cdef int locate(self, Place* place, const FilterTable* table, bint is_start) except -1
    cdef int locate_ends(self) except -1
    cdef int begin(self, QueryFilter filter, bint by_reference) except -1
    cdef bint wants_exact(self) noexcept
    cdef int choose_model(self) noexcept
    cdef int start_search(self) noexcept
    cdef int begins_alike(self) except -1
    cdef int check_unchanged(self) except -1
    cdef int advance(self, long long budget) except -1
    cdef SearchAnswer answer(self) noexcept
    cdef int collect(self, double* cost) noexcept
    cdef Corridor finish_corridor(self, tuple given, Outputs* outputs)
    cdef Path finish_line(self)
