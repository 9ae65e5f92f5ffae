# What a simplified edge has cut off must be empty.

from onepath.build._chains cimport Contours


# Looks for vertices between an edge and the corners it replaced, and refines those edges: with none left, everything
# lies on the side of every chain where its cells lie. 1 if something was refined, 0 if not, -1 without memory.
cdef int refine_slivers(Contours* contours) noexcept nogil
