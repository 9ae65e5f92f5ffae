"""Whether the mesh already walks from one place to another without much of a detour: a path search that gives up."""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.onepath.links._candidates import Candidate
from cython.cimports.onepath.links._walked import WalkScratch
from cython.cimports.onepath.mesh._filter_table import accept_everything
from cython.cimports.onepath.mesh._mesh import MeshState
from cython.cimports.onepath.query._buffers import PointBuffer, free_corridor, free_points
from cython.cimports.onepath.query._corridor import collect_corridor
from cython.cimports.onepath.query._nodes import MODEL_CROSSING, MODEL_POLYGON, SearchState
from cython.cimports.onepath.query._search import (
    SEARCH_FOUND,
    SEARCH_NO_MEMORY,
    SEARCH_RUNNING,
    begin_search,
    free_search,
    run_search,
)
from cython.cimports.onepath.query._straight_path import STRAIGHT_OK, straight_path
from cython.cimports.onepath.query._straight_state import free_straight

MOST_NODES = cython.declare(cython.int, 65536)
# Expansions between two looks at how long the walk has become at least.
SLICE = cython.declare(cython.longlong, 16)
# A search prices ways by where they cross edges, and the line pulled through is shorter by up to the polygons' size. It
# gives up only this far beyond the longest walk that counts: so many times the walk, and so many tiles.
MARGIN = cython.declare(cython.double, 1.5)
MARGIN_TILES = cython.declare(cython.double, 2.0)


def begin_walks(scratch):
    accept_everything(cython.address(scratch.table))
    scratch.table.costs[0] = INFINITY
    scratch.searches[0].model = MODEL_POLYGON
    scratch.searches[1].model = MODEL_CROSSING
    scratch.searches[0].max_nodes = MOST_NODES
    scratch.searches[1].max_nodes = MOST_NODES
    scratch.searches[0].max_cost = INFINITY
    scratch.searches[1].max_cost = INFINITY


def free_walks(scratch):
    free_search(cython.address(scratch.searches[0]))
    free_search(cython.address(scratch.searches[1]))
    free_corridor(cython.address(scratch.corridor))
    free_points(cython.address(scratch.line))
    free_straight(cython.address(scratch.straight))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def line_length(line: cython.pointer(cython.const[PointBuffer])) -> cython.double:
    length: cython.double = 0.0
    index: cython.int
    axis: cython.int
    square: cython.double
    change: cython.double
    for index in range(1, line.count):
        square = 0.0
        for axis in range(3):
            change = line.points[3 * index + axis] - line.points[3 * index - 3 + axis]
            square += change * change
        length += sqrt(square)
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def finds_walk(
    scratch: cython.pointer(WalkScratch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    candidate: cython.pointer(cython.const[Candidate]),
    longest: cython.double,
) -> cython.int:
    """Whether one search finds a walk that is short enough: 1, 0, or -1 without memory."""
    cost: cython.double = 0.0
    code: cython.int
    outcome: cython.int
    hopeless: cython.double = MARGIN * longest + MARGIN_TILES * mesh.tile_size
    # 1. The search, until it has found the end or has gone too far
    code = begin_search(
        search,
        mesh,
        cython.address(scratch.table),
        candidate.slot,
        candidate.polygon,
        candidate.start,
        candidate.end_slot,
        candidate.end_polygon,
        candidate.end,
    )
    if code != 0:
        return -1
    while True:
        outcome = run_search(search, mesh, cython.address(scratch.table), SLICE)
        if outcome != SEARCH_RUNNING:
            break
        if search.open.count > 0 and search.open.entries[0].total > hopeless:
            return 0
    if outcome == SEARCH_NO_MEMORY:
        return -1
    if outcome != SEARCH_FOUND:
        return 0
    # 2. The line through its corridor
    if collect_corridor(search, mesh, cython.address(scratch.corridor), cython.address(cost)) != 0:
        return -1
    scratch.line.count = 0
    scratch.line.step_count = 0
    code = straight_path(
        mesh,
        scratch.corridor.polygons,
        scratch.corridor.crossings,
        scratch.corridor.count,
        candidate.start,
        candidate.end,
        cython.address(scratch.table),
        0,
        cython.address(scratch.straight),
        cython.address(scratch.line),
    )
    if code != STRAIGHT_OK:
        return -1
    return line_length(cython.address(scratch.line)) <= longest


def is_walked(scratch, mesh, candidate, longest):
    # The node models price ways differently, and either may be led astray: the shorter line counts.
    found: cython.int = finds_walk(scratch, cython.address(scratch.searches[0]), mesh, candidate, longest)
    if found != 0:
        return found
    return finds_walk(scratch, cython.address(scratch.searches[1]), mesh, candidate, longest)
