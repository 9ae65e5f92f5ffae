"""What opens from a room: a root in a polygon, or on its outline, from which lines go anywhere."""

import cython
from cython.cimports.onepath.query._exact_bent import go_to_ends, lies_along
from cython.cimports.onepath.query._exact_bounds import Bounds, lies_between, node_bounds, turn
from cython.cimports.onepath.query._exact_nodes import (
    add_room,
    leads_back,
    look_through,
    pass_edge_on,
)
from cython.cimports.onepath.query._exact_state import (
    NODE_ROOM,
    ExactNode,
    ExactPolygon,
    ExactSearch,
    Exit,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def was_entered(exact: cython.pointer(ExactSearch), index: cython.int, way: cython.pointer(Exit)) -> cython.bint:
    """Whether the rooms that led to this one from the same root include the polygon behind an exit."""
    number: cython.int = exact.nodes[index].number
    record: cython.pointer(ExactPolygon)
    while index >= 0 and exact.nodes[index].kind == NODE_ROOM and exact.nodes[index].number == number:
        record = exact.polygons + exact.nodes[index].record
        if record.polygon == way.polygon and record.slot == way.slot:
            return True
        index = exact.nodes[index].parent
    return False


def expand_room(work, index):
    """From a root in the polygon: where it lies on an exit, what is behind that is a room as well."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    record: ExactPolygon = work.exact.polygons[node.record]
    way: cython.pointer(Exit)
    facing: cython.double
    limits: ExactNode = node[0]
    exit: cython.int
    # Both bounds of every window are the exit's own.
    limits.left = node.root
    limits.right = node.root
    bounds: Bounds = node_bounds(cython.address(limits))
    for exit in range(record.first, record.links):
        way = work.exact.exits + exit
        facing = turn(way.right, way.left, node.root)
        if facing > 0.0:
            if not leads_back(work.exact, index, way):
                look_through(work, index, exit, cython.address(bounds), False, False)
            if record.bent and lies_along(work.exact, node.root, way) and go_to_ends(work, index, exit) != 0:
                return -1
        elif lies_between(way.right, way.left, node.root):
            if not was_entered(work.exact, index, way):
                add_room(work, index, exit, node.cost, node.number, node.root)
        elif facing < 0.0 or record.bent:
            # The root lies behind the exit or on its line by a rounding.
            if go_to_ends(work, index, exit) != 0:
                return -1
        elif pass_edge_on(work, index, exit) != 0:
            return -1
    return 0
