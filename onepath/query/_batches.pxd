# Batches: many questions of one kind, answered by several threads without the GIL. See _batches.py for how to make one.

from cpython.pythread cimport PyThread_type_lock

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._query_core cimport QueryCore


cdef struct Values:
    # What one thread's answers list, one answer after the other: references, or doubles by a cast.
    long long count
    long long capacity
    long long* items
    long long[5] unshared    # so that no two threads write to one line of the cache


cdef struct ChunkValues:
    # Where the values of a chunk begin: in its thread's.
    int worker
    long long first


cdef struct Helper:
    # What a thread beyond the first is handed. The batch frees it once that thread is done; a thread that begins when the
    # batch is through finds it claimed, and frees it.
    void* batch
    int worker
    void* claimed            # NULL, then by whom
    PyThread_type_lock done  # held until the thread is


# Room for `more` values behind those there: 0, or -1 where there is no memory.
cdef int reserve_values(Values* values, long long more) noexcept nogil

cdef class Batch:
    cdef MeshState* mesh
    cdef const FilterTable* table
    cdef long long count             # questions
    cdef long long chunk             # questions that a thread takes at a time: about a tenth of a millisecond
    cdef long long* offsets          # (count + 1), NULL where answers list nothing; `answer` sets offsets[i + 1] to how
                                     # many values answer i has
    cdef list kept                   # the arrays that pointers go into, and the helpers
    cdef long long next              # the next question that no thread has taken
    cdef long long chunk_count
    cdef int failed                  # -1 once a thread had no memory
    cdef int workers
    cdef void** scratches            # one a worker
    cdef Values* values              # one a worker
    cdef ChunkValues* chunks
    cdef Helper** helpers            # one a worker, NULL for the first and where no thread was to be had

    # For the kinds of batches to override: a query object's scratch, and the answers to questions first to last - 1, 0 or
    # -1 for no memory. Values go behind those there, in the order of the questions.
    cdef void* scratch_of(self, QueryCore query) noexcept
    cdef int answer(self, long long first, long long last, void* scratch, Values* values) noexcept nogil

    cdef int work(self, int worker) noexcept nogil
    cdef void start_helper(self, int worker) noexcept
    cdef void await_helper(self, int worker) noexcept
    # How many of so many threads there is enough to do for
    cdef int threads_worth(self, int threads) noexcept
    cdef int run(self, QueryCore query, list helpers) except -1
    # The values of all answers in order, int64; `offsets` become running totals.
    cdef object gather(self)

# An array made here as memory: contiguous and of the type meant
cdef void* memory_of(object array) except? NULL
# The caller's arrays: positions (n, 3), or (3,) that serve all questions; references (n,), or one for all
cdef object take_positions(str name, object values)
cdef object take_references(str name, object values)
# How many questions arrays ask that have a row for each where they have so many axes: 1 where none has
cdef long long count_questions(tuple axes, tuple names, tuple arrays) except -1
# A copy with a row for each question, of values of this type; an array of `axes` axes is one row that serves all
cdef object spread_rows(object array, int axes, long long count, object type_of_values)
# The same of positions and references: float64 within the range of positions, int64
cdef object spread_positions(str name, object array, long long count)
cdef object spread_references(object array, long long count)
