# Portals that lie on one line (readings, straight path: the line is the shortest inside the corridor).

from onepath.query._straight_state cimport FoldScratch, StraightScratch

# Narrows the portals of each row of folds, and their images, to what a shortest line uses of them.
cdef void share_lines(StraightScratch* scratch, FoldScratch* folds) noexcept nogil
