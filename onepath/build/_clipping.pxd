# Convex polygons in cell units (u, v, w), split at integer planes in float32.
#
# Every operation here is fixed to the bit: an edge that crosses a plane is met at p + (q - p) * t with
# t = dp / (dp - dq), p the earlier end in the polygon's order, and its clipped coordinate is the plane itself; corners
# on the plane belong to both parts; both parts keep the polygon's order, the corner before the crossing that follows it.

# Room for any polygon that rounding could make of a triangle. Clipping to the grid keeps at most 13 corners of 3. A split
# adds two corners a crossed edge; those lie on the plane, a whole cell from the next one, so they add to one split only:
# at most 65 corners in a row's part, 195 in what remains of it between two cells. Exact arithmetic would make nine.
cdef enum:
    MOST_CORNERS = 256


cdef struct Corner:
    float u, v, w


cdef struct Polygon:
    int count
    Corner[MOST_CORNERS] corners


# What a cell's piece has to tell: the area of its fan (twice the footprint's) and the heights it reaches.
cdef struct Piece:
    int count
    float first_u, first_w       # the fan's first corner
    float last_u, last_w         # the corner last met, relative to the first
    float area
    float low, high              # least and largest v


cdef inline Corner crossing_u(const Corner* p, const Corner* q, float plane) noexcept nogil:
    cdef Corner met
    cdef float dp = p.u - plane
    cdef float dq = q.u - plane
    cdef float t = dp / (dp - dq)
    met.u = plane
    met.v = p.v + (q.v - p.v) * t
    met.w = p.w + (q.w - p.w) * t
    return met


cdef inline Corner crossing_w(const Corner* p, const Corner* q, float plane) noexcept nogil:
    cdef Corner met
    cdef float dp = p.w - plane
    cdef float dq = q.w - plane
    cdef float t = dp / (dp - dq)
    met.u = p.u + (q.u - p.u) * t
    met.v = p.v + (q.v - p.v) * t
    met.w = plane
    return met


cdef inline void put(Polygon* polygon, const Corner* corner) noexcept nogil:
    polygon.corners[polygon.count] = corner[0]
    polygon.count += 1


cdef inline void split_w(const Polygon* source, float plane, Polygon* below, Polygon* above) noexcept nogil:
    cdef const Corner* p
    cdef const Corner* q
    cdef Corner met
    cdef int i
    below.count = 0
    above.count = 0
    for i in range(source.count):
        p = &source.corners[i]
        q = &source.corners[i + 1 if i + 1 < source.count else 0]
        if p.w <= plane:
            put(below, p)
        if p.w >= plane:
            put(above, p)
        if (p.w < plane and q.w > plane) or (p.w > plane and q.w < plane):
            met = crossing_w(p, q, plane)
            put(below, &met)
            put(above, &met)


cdef inline void split_u(const Polygon* source, float plane, Polygon* below, Polygon* above) noexcept nogil:
    cdef const Corner* p
    cdef const Corner* q
    cdef Corner met
    cdef int i
    below.count = 0
    above.count = 0
    for i in range(source.count):
        p = &source.corners[i]
        q = &source.corners[i + 1 if i + 1 < source.count else 0]
        if p.u <= plane:
            put(below, p)
        if p.u >= plane:
            put(above, p)
        if (p.u < plane and q.u > plane) or (p.u > plane and q.u < plane):
            met = crossing_u(p, q, plane)
            put(below, &met)
            put(above, &met)


cdef inline void meet(Piece* piece, const Corner* corner) noexcept nogil:
    # Takes the piece's next corner. The terms of the first two corners are exact zeros.
    cdef float du, dw
    if piece.count == 0:
        piece.first_u = corner.u
        piece.first_w = corner.w
        piece.low = corner.v
        piece.high = corner.v
    piece.count += 1
    du = corner.u - piece.first_u
    dw = corner.w - piece.first_w
    piece.area += piece.last_u * dw - piece.last_w * du
    piece.last_u = du
    piece.last_w = dw
    piece.low = corner.v if corner.v < piece.low else piece.low
    piece.high = corner.v if corner.v > piece.high else piece.high


cdef inline void clear_piece(Piece* piece) noexcept nogil:
    piece.count = 0
    piece.last_u = 0
    piece.last_w = 0
    piece.area = 0
    piece.low = 0
    piece.high = 0


cdef inline void measure(const Polygon* polygon, Piece* piece) noexcept nogil:
    cdef int i
    clear_piece(piece)
    for i in range(polygon.count):
        meet(piece, &polygon.corners[i])


cdef inline void cut_cell(const Polygon* source, float plane, Piece* below, Polygon* above) noexcept nogil:
    # split_u, but the part below is measured on the way and not kept.
    cdef const Corner* p
    cdef const Corner* q
    cdef Corner met
    cdef int i
    clear_piece(below)
    above.count = 0
    for i in range(source.count):
        p = &source.corners[i]
        q = &source.corners[i + 1 if i + 1 < source.count else 0]
        if p.u <= plane:
            meet(below, p)
        if p.u >= plane:
            put(above, p)
        if (p.u < plane and q.u > plane) or (p.u > plane and q.u < plane):
            met = crossing_u(p, q, plane)
            meet(below, &met)
            put(above, &met)
