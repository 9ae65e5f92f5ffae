# What threads without the GIL share: counters they take numbers from, and blocks that are built on first use.
#
# A block built on first use is built by whoever needs it first, by two threads perhaps; the first to publish wins, and
# the other frees its own and takes the winner's. A block is whole before it is published, and never changed after:
# where more is to be in it, a larger one is published in its place and the old one stays for who still reads it.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
        #define ONEPATH_READ_PUBLISHED(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
        #define ONEPATH_TAKE(counter, step) __atomic_fetch_add(counter, step, __ATOMIC_RELAXED)
        static inline void *onepath_publish(void **place, void *block) {
            void *none = NULL;
            if (__atomic_compare_exchange_n(place, &none, block, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return block;
            return none;
        }
        #define ONEPATH_REPLACE(place, block) __atomic_store_n(place, block, __ATOMIC_RELEASE)
    #else
        #include <intrin.h>
        #define ONEPATH_READ_PUBLISHED(place) (*(void *volatile *)(place))
        #define ONEPATH_TAKE(counter, step) _InterlockedExchangeAdd64(counter, step)
        static __inline void *onepath_publish(void **place, void *block) {
            void *before = _InterlockedCompareExchangePointer(place, block, NULL);
            return before ? before : block;
        }
        #define ONEPATH_REPLACE(place, block) ((void)_InterlockedExchangePointer(place, block))
    #endif
    """
    # The published block, or NULL
    void* read_published "ONEPATH_READ_PUBLISHED"(void** place) noexcept nogil
    # Publishes a block unless there is one already; the one that is published now
    void* publish "onepath_publish"(void** place, void* block) noexcept nogil
    # Publishes a block in place of the one there is, which readers may go on reading
    void replace_published "ONEPATH_REPLACE"(void** place, void* block) noexcept nogil
    # Adds to a counter; what it held before
    long long take "ONEPATH_TAKE"(long long* counter, long long step) noexcept nogil
