"""Strongly connected components of a directed graph in flat arrays (Tarjan 1972), without recursion."""

import cython
from cython.cimports.onepath.build._buffers import reserve_ints, sort_keys


def sort_ways(ways):
    kept: cython.int = 0
    i: cython.int
    sort_keys(ways.data, ways.count)
    for i in range(ways.count):
        if kept == 0 or ways.data[i] != ways.data[kept - 1]:
            ways.data[kept] = ways.data[i]
            kept += 1
    ways.count = kept


def index_ways(ways, node_count, first):
    node: cython.int
    i: cython.int = 0
    if reserve_ints(first, cython.cast(cython.size_t, node_count) + 1) != 0:
        return -1
    for node in range(node_count + 1):
        while i < ways.count and ways.data[i] >> 32 < node:
            i += 1
        first.data[node] = i
    return 0


def strong_components(ways, first, node_count, component, scratch):
    nodes: cython.size_t = node_count
    order: cython.p_int  # when a node was met, from 1; 0 is not yet
    low: cython.p_int  # the earliest met node of the same component that is known
    waiting: cython.p_int  # nodes met whose component is still open
    trail: cython.p_int  # the nodes that led to the present one
    next_way: cython.p_int
    waiting_count: cython.int = 0
    depth: cython.int
    met: cython.int = 0
    count: cython.int = 0
    root: cython.int
    node: cython.int
    target: cython.int
    if reserve_ints(scratch, 5 * nodes) != 0:
        return -1
    order = scratch.data
    low = order + nodes
    waiting = low + nodes
    trail = waiting + nodes
    next_way = trail + nodes
    for node in range(node_count):
        order[node] = 0
        component[node] = -1
    for root in range(node_count):
        if order[root] != 0:
            continue
        depth = 0
        node = root
        while True:
            # 1. A node that is met for the first time
            if order[node] == 0:
                met += 1
                order[node] = met
                low[node] = met
                next_way[node] = first.data[node]
                waiting[waiting_count] = node
                waiting_count += 1
                trail[depth] = node
                depth += 1
            # 2. Its next way
            if next_way[node] < first.data[node + 1]:
                target = cython.cast(cython.int, ways.data[next_way[node]] & 0x7FFFFFFF)
                next_way[node] += 1
                if order[target] == 0:
                    node = target
                elif component[target] < 0 and order[target] < low[node]:
                    low[node] = order[target]
                continue
            # 3. All its ways are done
            if low[node] == order[node]:
                while component[node] < 0:
                    waiting_count -= 1
                    component[waiting[waiting_count]] = count
                count += 1
            depth -= 1
            if depth == 0:
                break
            target = node
            node = trail[depth - 1]
            if low[target] < low[node]:
                low[node] = low[target]
    return count
