# What outlines become: triangles as half edges, then convex polygons, then flat arrays.

from onepath.build._box_tree cimport BoxTree
from onepath.build._buffers cimport IntBuffer, KeyBuffer


cdef struct Polygons:
    # The outline of one region with its holes joined in: a ring of visits. The code of a visit says what lies across
    # the edge that leaves it: the half edge of a triangle already cut off, or -1 - (2 * edge + direction) of a contour.
    # Bridges to holes are edges numbered after those of the contours, with both directions in one region.
    IntBuffer visit_vertex, visit_next, visit_before, visit_code
    int visit_count              # visits in the ring (the buffers keep those cut off)
    int bridge_edge              # number of the next bridge
    int first_bridge             # number of edges of the contours
    KeyBuffer hole_order
    BoxTree near                 # visits by place: while holes are joined those of the ring, each for the edge that
                                 # leaves it; while ears are cut those that may be in the way, not strictly convex ones
    KeyBuffer ear                # squared length of the cut if a visit is an ear, else -1
    KeyBuffer shortest           # heap of (length, visit); of a visit looked at again older entries stay, to be skipped

    # Half edges, three a triangle; a merged one has next = -1.
    IntBuffer half_vertex, half_next, half_before
    IntBuffer half_twin          # -1 along contours
    IntBuffer half_code          # 2 * edge + direction along contours and bridges, else -1
    IntBuffer edge_half          # (2 * edges) the half edge along each direction of an edge, -1 for none
    IntBuffer piece              # (triangles) the triangle whose polygon this one has joined
    IntBuffer piece_corners      # (triangles) corners of its polygon
    IntBuffer piece_polygon      # (triangles)
    IntBuffer piece_region       # (triangles)
    KeyBuffer diagonals

    # Result; vertices are those of the contours.
    int polygon_count
    int failed_regions           # outlines that could not be cut into triangles: none, while contours are sound
    IntBuffer polygon_offset     # (polygons + 1)
    IntBuffer polygon_region     # (polygons)
    IntBuffer polygon_area       # (polygons)
    IntBuffer polygon_half       # (corners)
    IntBuffer polygon_vertex     # (corners)
    IntBuffer polygon_neighbour  # (corners)
    IntBuffer border_side        # (corners)
