# Floors cut into regions row by row.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


cdef struct MonotoneRuns:
    # The runs of the row that is swept
    IntBuffer run_span           # (runs) the span at a run's low end in x
    IntBuffer run_x              # (runs) its cell's x
    IntBuffer run_end            # (runs) x of the cell after its other end
    IntBuffer run_region         # (runs) the region that it would go on, 0 for none; then its own
    # The regions so far
    IntBuffer last_x, last_end   # (regions + 1) where a region's newest run lies
    IntBuffer heir               # (regions + 1) the run of this row that would go on the region and shares most with it
    IntBuffer heir_border        # (regions + 1) cells shared with that run; 0 while there is none
    IntBuffer border             # (regions + 1) cells shared with the run looked at, 0 between runs


# Fills `region` (span_count) with 1 to the returned number, 0 for spans outside the square or not walkable. Returns -1
# without memory.
cdef int sweep_rows(const CompactField* field, const SpanGraph* graph, MonotoneRuns* runs, int* region) noexcept nogil
cdef void free_monotone_runs(MonotoneRuns* runs) noexcept nogil
