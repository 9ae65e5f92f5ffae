# Exact orientation of three points of the X/Z plane, in doubles.
#
# The sign decides everything a query answers about sides: left, right, inside, outside. A plain determinant gets it
# wrong near zero, so the filter below accepts it only when its error bound says so and otherwise sums the exact
# expansion of the six products (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
# Predicates", 1997; two_sum, two_product by Dekker's splitting: + - * only).
#
# Positive: counter-clockwise seen from above, ((b - a) x (c - a)).y > 0, the winding of every polygon here.

from libc.math cimport fabs

# Keeps the long way out of the loops that call orientation: inlined there, it costs them their registers.
cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
        #define ONEPATH_RARELY(test) __builtin_expect(!!(test), 0)
    #else
        #define ONEPATH_RARELY(test) (test)
    #endif
    """
    bint rarely "ONEPATH_RARELY"(bint test) noexcept nogil


cdef inline void two_sum(double a, double b, double* high, double* low) noexcept nogil:
    cdef double s = a + b
    cdef double bb = s - a
    high[0] = s
    low[0] = (a - (s - bb)) + (b - bb)


cdef inline void two_product(double a, double b, double* high, double* low) noexcept nogil:
    cdef double p = a * b
    cdef double c = 134217729.0 * a
    cdef double a_high = c - (c - a)
    cdef double a_low = a - a_high
    c = 134217729.0 * b
    cdef double b_high = c - (c - b)
    cdef double b_low = b - b_high
    high[0] = p
    low[0] = a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


cdef inline int grow_expansion(double* terms, int count, double value) noexcept nogil:
    # Adds a double to an expansion of `count` terms (smallest first), exactly; zero terms are dropped.
    cdef double carry = value
    cdef double high, low
    cdef int i
    cdef int kept = 0
    for i in range(count):
        two_sum(carry, terms[i], &high, &low)
        carry = high
        if low != 0.0:
            terms[kept] = low
            kept += 1
    if carry != 0.0 or kept == 0:
        terms[kept] = carry
        kept += 1
    return kept


cdef inline void add_product(double* terms, int* count, double a, double b) noexcept nogil:
    cdef double high, low
    two_product(a, b, &high, &low)
    count[0] = grow_expansion(terms, count[0], low)
    count[0] = grow_expansion(terms, count[0], high)


cdef inline double exact_orientation(
    double ax, double az, double bx, double bz, double cx, double cz
) noexcept nogil:
    # (bz - az)(cx - ax) - (bx - ax)(cz - az), multiplied out so that no difference is rounded.
    cdef double[16] terms
    cdef int count = 0
    add_product(terms, &count, bz, cx)
    add_product(terms, &count, -bz, ax)
    add_product(terms, &count, -az, cx)
    add_product(terms, &count, -bx, cz)
    add_product(terms, &count, bx, az)
    add_product(terms, &count, ax, cz)
    return terms[count - 1]


cdef inline double orientation(
    double ax, double az, double bx, double bz, double cx, double cz
) noexcept nogil:
    # The sign is exact, the magnitude approximate. Inputs below 2^21 neither overflow nor underflow to a wrong sign
    # as long as their nonzero products stay above 2^-1000.
    cdef double left = (bz - az) * (cx - ax)
    cdef double right = (bx - ax) * (cz - az)
    cdef double determinant = left - right
    # One test that nearly always holds, whatever the two signs are: they are hard to predict, this is not.
    cdef double bound = (fabs(left) + fabs(right)) * 3.3306690738754716e-16
    if rarely(fabs(determinant) < bound):
        return exact_orientation(ax, az, bx, bz, cx, cz)
    return determinant
