# Exact geometry on the integer corners of the cells: coordinates below 2^24, so that every product fits 64 bits.


# Positive: the turn a, b, c is counter-clockwise seen from above, ((b - a) x (c - a)).y > 0.
cdef inline long long turn(int ax, int az, int bx, int bz, int cx, int cz) noexcept nogil:
    return <long long>(bz - az) * (cx - ax) - <long long>(bx - ax) * (cz - az)


cdef inline long long squared_length(int ax, int az, int bx, int bz) noexcept nogil:
    return <long long>(bx - ax) * (bx - ax) + <long long>(bz - az) * (bz - az)


# Whether q, seen from the corner v between its neighbours p and n, lies strictly within the polygon's angle. A spike
# (p and n in one direction) counts as a full turn; along the spike itself the answer is no.
cdef inline bint in_corner(
    int px, int pz, int vx, int vz, int nx, int nz, int qx, int qz
) noexcept nogil:
    cdef long long before = turn(px, pz, vx, vz, qx, qz)
    cdef long long after = turn(vx, vz, nx, nz, qx, qz)
    if turn(px, pz, vx, vz, nx, nz) > 0:
        return before > 0 and after > 0
    return before > 0 or after > 0
