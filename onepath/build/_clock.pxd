# Wall-clock time inside kernels, for reports only: C11's timespec_get, which every platform's C library has.

cdef extern from "<time.h>" nogil:
    struct timespec:
        long long tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec* ts, int base)


cdef inline double seconds_now() noexcept nogil:
    cdef timespec now
    timespec_get(&now, TIME_UTC)
    return <double>now.tv_sec + <double>now.tv_nsec * 1e-9
