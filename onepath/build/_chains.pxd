# The outlines of regions as chains: runs of boundary edges that face one thing, stored once whoever walks them.

from onepath.build._buffers cimport IntBuffer, free_ints
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


# What later stages read of it must be in `_list_kept` of _contours.py, or unpickled contours lack it.
cdef struct Contours:
    int square_width, square_depth
    int clearance                # rows within which floors count as one when their contours are compared
    int region_count, loop_count
    double squared_error         # cells
    int unresolved               # contacts and turned loops left although nothing could be refined any more

    long long steps              # edges and vertices compared by the checks: a measure of the work, which tests bound

    # A boundary edge is a slot: 4 * span + edge, from the start corner of that side of the span's cell to the next.
    IntBuffer slot_chain         # (4 * span_count) chain of a walked edge, -2 while its loop is walked, -1 before
    IntBuffer walk, facing       # the slots of one loop and what lies behind each
    IntBuffer chain_first        # (chains + 1) first point of a chain; its last lies where the next chain begins
    IntBuffer chain_region       # (chains) the region that walks it forward
    IntBuffer chain_behind       # (chains) the region behind it, 0 for nothing, -1 - side for a side of the square
    IntBuffer x, z               # (points) corner, cells from the square's low corner
    IntBuffer slot               # (points) the edge that starts there
    IntBuffer keep               # (points) 1 if simplifying has kept it
    IntBuffer y                  # (points) floor row; known on sides of the square
    IntBuffer loop_region        # (loops)
    IntBuffer loop_first         # (loops + 1) into loop_chains
    IntBuffer loop_chains        # 2 * chain, + 1 if walked backward
    IntBuffer region_area        # (regions + 1)
    IntBuffer region_first       # (regions + 2) into region_loops
    IntBuffer region_loops       # the outline of a region, then its holes
    IntBuffer stack

    # The simplified chains
    IntBuffer chain_edge         # (chains + 1) first edge of a chain
    IntBuffer edge_from, edge_to # (edges) points
    IntBuffer edge_chain         # (edges)
    IntBuffer edge_order, bucket
    IntBuffer low, high          # (regions + 1) least and highest corner of a region's edges, rows
    int bands, lowest            # bands of heights from the row `lowest` up: of `clearance` rows for edges,
    int band_rows                # of so many for vertices
    IntBuffer strip_head         # the last active edge of each strip along z and band, as a place in `active`; -1 for none
    IntBuffer active, active_next  # edges in strips, each with the place of the next one of its strip
    IntBuffer corner_head        # (corners) first vertex there, -1 for none
    IntBuffer vertex_next        # (vertices) the next at the same corner
    IntBuffer vertex_x, vertex_y, vertex_z, vertex_corner
    IntBuffer vertex_order
    IntBuffer point_vertex       # (points)
    IntBuffer ring_first         # (loops + 1)
    IntBuffer ring_vertex        # corners of a loop in walking order: counter-clockwise, holes the other way
    IntBuffer ring_edge          # the edge that leaves each: 2 * edge, + 1 if walked backward


# Walks every region's boundary and cuts it into chains. Returns -1 without memory.
cdef int trace_chains(const CompactField* field, const SpanGraph* graph, Contours* contours) noexcept nogil
cdef void free_contours(Contours* contours) noexcept nogil
