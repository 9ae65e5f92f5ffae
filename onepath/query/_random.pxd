# The generator of random points: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).

cimport cython

ctypedef unsigned long long uint64

cdef enum:
    DRAWS_A_POINT = 4


cdef inline uint64 draw_bits(uint64* state) noexcept nogil:
    cdef uint64 z
    state[0] += <uint64>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline double draw_double(uint64* state) noexcept nogil:
    # In [0, 1), one of 2^53 evenly spaced values.
    return <double>(draw_bits(state) >> 11) * 1.1102230246251565e-16


cdef inline void draw_four(uint64* state, double* draws) noexcept nogil:
    cdef int i
    for i in range(DRAWS_A_POINT):
        draws[i] = draw_double(state)


cdef inline uint64 state_after(uint64 state, uint64 draws) noexcept nogil:
    # The state that so many draws lead to: it moves by the same step each time.
    return state + draws * <uint64>0x9E3779B97F4A7C15


@cython.final
cdef class SeededRandom:
    cdef uint64 bits


# What a call takes for a generator: a SeededRandom is used itself, an int seeds a new one, a NumPy generator gives one draw
# that does.
cdef SeededRandom read_random(object rng, str name)
