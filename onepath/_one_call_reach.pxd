from onepath.query._query_core cimport QueryCore, Reach
from onepath.query._results cimport NavPoint

# The place on an island nearest to a position, within reach.
cdef NavPoint snap_to_island(QueryCore query, object position, object filter, const Reach* reach, object island)
