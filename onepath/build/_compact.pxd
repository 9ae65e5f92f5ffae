# The compact heightfield as the stages behind it see it.


cdef struct CompactField:
    int width, depth             # cells in x and z; a column is x + z * width
    int span_count
    int* cell_first              # (width * depth) index of the column's first span
    int* cell_count              # (width * depth)
    int* y                       # (span_count) floor row
    int* height                  # (span_count) open rows above the floor, at most 65535
    unsigned char* area          # (span_count) 0 to 63, 0 is not walkable
    int* region                  # (span_count) 0 is none
    int* neighbours              # (span_count, 4) span index in direction 0 -x, 1 +z, 2 +x, 3 -z, or -1


cdef class CompactHeightfield:
    cdef CompactField field
