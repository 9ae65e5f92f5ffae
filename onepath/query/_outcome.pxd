# What a path search between placed ends has come to, as statuses.

from onepath.query._nodes cimport SearchState
from onepath.query._results cimport (
    PATH_IN_PROGRESS,
    PATH_NOT_LOADED,
    PATH_PARTIAL,
    PATH_SUCCESS,
    QUERY_COST_LIMIT,
    QUERY_END_NOT_LOADED,
    QUERY_EXACT_NOT_UNIFORM,
    QUERY_FRONTIER,
    QUERY_IN_PROGRESS,
    QUERY_NODE_LIMIT,
    QUERY_PARTIAL,
    QUERY_SUCCESS,
    SearchAnswer,
)
from onepath.query._search cimport SEARCH_FOUND, SEARCH_RUNNING


# `has_end`: the end lies on a polygon; `not_uniform`: crossings stood in for an exact search.
cdef inline SearchAnswer outcome_of(const SearchState* search, bint has_end, bint not_uniform) noexcept nogil:
    cdef SearchAnswer answer
    answer.status = PATH_IN_PROGRESS
    answer.detail = QUERY_IN_PROGRESS
    answer.cost = 0.0
    answer.node_limit = search.max_nodes if search.node_limit_reached else 0
    if search.outcome == SEARCH_FOUND:
        answer.status = PATH_SUCCESS
        answer.detail = QUERY_SUCCESS
    elif search.outcome != SEARCH_RUNNING:
        answer.status = PATH_PARTIAL
        answer.detail = QUERY_PARTIAL
        if search.node_limit_reached:
            answer.detail = QUERY_NODE_LIMIT
        elif not has_end:
            answer.status = PATH_NOT_LOADED
            answer.detail = QUERY_END_NOT_LOADED
        elif search.tables.frontier_count > 0:
            answer.status = PATH_NOT_LOADED
            answer.detail = QUERY_FRONTIER
        elif search.cost_limit_reached:
            answer.detail = QUERY_COST_LIMIT
    if search.outcome != SEARCH_RUNNING and not_uniform:
        answer.detail = QUERY_EXACT_NOT_UNIFORM
    return answer
