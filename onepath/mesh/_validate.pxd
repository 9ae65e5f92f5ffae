from onepath.mesh._format cimport SettingsRecord, TileHeader, TileLayout

cdef enum:
    FAULT_NONE = 0
    FAULT_SHORT
    FAULT_MAGIC
    FAULT_VERSION
    FAULT_BYTE_ORDER
    FAULT_CHECKSUM
    FAULT_SIZE
    FAULT_SETTINGS
    FAULT_PLACE
    FAULT_COUNT
    FAULT_PADDING
    FAULT_NOT_FINITE
    FAULT_OUTSIDE
    FAULT_OFFSETS
    FAULT_CORNERS
    FAULT_INDEX
    FAULT_REPEATED
    FAULT_ZERO_EDGE
    FAULT_WINDING
    FAULT_CONVEX
    FAULT_NEIGHBOUR
    FAULT_SIDE
    FAULT_DETAIL
    FAULT_UNMARKED


cdef struct Refusal:
    int fault
    int section
    int element                  # within the section, or -1
    int polygon                  # the polygon at fault, or -1


cdef inline int refuse(Refusal* refusal, int fault, int section, int element, int polygon) noexcept nogil:
    refusal.fault = fault
    refusal.section = section
    refusal.element = element
    refusal.polygon = polygon
    return fault


cdef int check_settings(const SettingsRecord* settings) noexcept nogil
cdef int check_place(const TileHeader* header) noexcept nogil
cdef int check_block(const unsigned char* block, long long size, TileLayout* layout, Refusal* refusal) noexcept nogil
