# XXH64 with seed 0 (Collet, xxHash fast digest algorithm), for lengths that are a multiple of 8 and data that are aligned
# to 8 bytes, which all our formats see to. About 10 GB/s without vector instructions, and thirty lines in any language.

from libc.stdint cimport uint64_t

cdef enum:
    STRIPE = 32

cdef extern from *:
    """
    #define ONEPATH_XXH_1 0x9E3779B185EBCA87ULL
    #define ONEPATH_XXH_2 0xC2B2AE3D27D4EB4FULL
    #define ONEPATH_XXH_3 0x165667B19E3779F9ULL
    #define ONEPATH_XXH_4 0x85EBCA77C2B2AE63ULL
    #define ONEPATH_XXH_5 0x27D4EB2F165667C5ULL
    """
    const uint64_t PRIME_1 "ONEPATH_XXH_1"
    const uint64_t PRIME_2 "ONEPATH_XXH_2"
    const uint64_t PRIME_3 "ONEPATH_XXH_3"
    const uint64_t PRIME_4 "ONEPATH_XXH_4"
    const uint64_t PRIME_5 "ONEPATH_XXH_5"


cdef inline uint64_t rotated(uint64_t value, int bits) noexcept nogil:
    return (value << bits) | (value >> (64 - bits))


cdef inline uint64_t mixed_in(uint64_t lane, uint64_t word) noexcept nogil:
    return rotated(lane + word * PRIME_2, 31) * PRIME_1


cdef inline uint64_t joined(uint64_t sum, uint64_t lane) noexcept nogil:
    return (sum ^ mixed_in(0, lane)) * PRIME_1 + PRIME_4


cdef inline uint64_t checksum(const unsigned char* data, long long size) noexcept nogil:
    cdef const uint64_t* word = <const uint64_t*>data
    cdef const uint64_t* end = word + (size >> 3)
    cdef uint64_t sum = PRIME_5
    cdef uint64_t a, b, c, d
    if size >= STRIPE:
        a = PRIME_1 + PRIME_2
        b = PRIME_2
        c = 0
        d = <uint64_t>0 - PRIME_1
        while end - word >= 4:
            a = mixed_in(a, word[0])
            b = mixed_in(b, word[1])
            c = mixed_in(c, word[2])
            d = mixed_in(d, word[3])
            word += 4
        sum = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18)
        sum = joined(joined(joined(joined(sum, a), b), c), d)
    sum += <uint64_t>size
    while word < end:
        sum = rotated(sum ^ mixed_in(0, word[0]), 27) * PRIME_1 + PRIME_4
        word += 1
    sum = (sum ^ (sum >> 33)) * PRIME_2
    sum = (sum ^ (sum >> 29)) * PRIME_3
    return sum ^ (sum >> 32)
