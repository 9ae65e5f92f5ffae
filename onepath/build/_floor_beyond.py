"""What a polygon covers or touches behind its border: what links lead straight on to, and where there is no floor."""

import cython
from cython.cimports.onepath.build._buffers import push_int
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._floor_border import FloorBorder, push_slot
from cython.cimports.onepath.build._floor_bounds import floor_beside, step_x, step_z
from cython.cimports.onepath.build._floor_heights import FloorHeights, is_touched, span_at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_outward(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    slot: cython.int,
    x: cython.int,
    z: cython.int,
    reach: cython.int,
) -> cython.int:
    """Gives cells behind a boundary edge their rows, as far as links lead straight on within the polygon."""
    span: cython.int = slot >> 2
    edge: cython.int = slot & 3
    cell: cython.int
    _step: cython.int
    for _step in range(reach):
        span = floor_beside(field, span, edge)
        x += step_x(edge)
        z += step_z(edge)
        if span < 0 or not is_touched(floors, x, z):
            return 0
        cell = x + z * floors.width
        if floors.row.data[cell] != -1:
            continue
        floors.row.data[cell] = field.y[span]
        floors.missing.data[z] -= 1
        if field.area[span] == 0:
            floors.row.data[cell] = -2 - field.y[span]
            if push_int(cython.address(floors.rim), cell) < 0:
                return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _extend_outward(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    slot: cython.int,
    x: cython.int,
    z: cython.int,
    distance: cython.int,
) -> cython.int:
    """Gives the cell so far behind a boundary edge, if it has no row, that of the cell before it."""
    edge: cython.int = slot & 3
    row: cython.int = field.y[slot >> 2]
    cell: cython.int
    x += step_x(edge) * distance
    z += step_z(edge) * distance
    if not is_touched(floors, x, z):
        return 0
    cell = x + z * floors.width
    if floors.row.data[cell] != -1:
        return 0
    if distance > 1:
        if not is_touched(floors, x - step_x(edge), z - step_z(edge)):
            return 0
        row = floors.row.data[cell - step_x(edge) - step_z(edge) * floors.width]
        row = row if row >= 0 else -2 - row
    floors.row.data[cell] = -2 - row
    return push_int(cython.address(floors.beyond), cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_from_end(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    x: cython.int,
    z: cython.int,
    edge: cython.int,
    reach: cython.int,
) -> cython.int:
    """Walks over an edge of a cell as over a boundary edge, if the cell's row is that of the region."""
    span: cython.int = span_at(field, floors, region, x, z)
    if span < 0 or field.y[span] != floors.row.data[x + z * floors.width]:
        return 0
    if push_slot(cython.address(floors.border), 4 * span + edge, x, z) < 0:
        return -1
    return _walk_outward(field, floors, 4 * span + edge, x, z, reach)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_from_ends(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    reach: cython.int,
) -> cython.int:
    """Walks on where rows still end among the cells that a polygon touches.

    Mostly that is at a wall. But the border of a polygon beside may have left the floor by more than that is wide.
    """
    x: cython.int
    z: cython.int
    width: cython.int = floors.width
    line: cython.p_int
    for z in range(floors.first_row, floors.last_row + 1):
        line = floors.row.data + cython.cast(cython.size_t, z) * cython.cast(cython.size_t, width)
        for x in range(floors.begin.data[z], floors.end.data[z] if floors.missing.data[z] > 0 else 0):
            if (line[x] == -1) == (line[x + 1] == -1):
                continue
            if line[x] == -1:
                if _walk_from_end(field, floors, region, x + 1, z, 0, reach) < 0:
                    return -1
            elif _walk_from_end(field, floors, region, x, z, 2, reach) < 0:
                return -1
        if z == floors.last_row:
            break
        if floors.missing.data[z] == 0 and floors.missing.data[z + 1] == 0:
            continue
        for x in range(
            max(floors.begin.data[z], floors.begin.data[z + 1]), min(floors.end.data[z], floors.end.data[z + 1]) + 1
        ):
            if (line[x] == -1) == (line[x + width] == -1):
                continue
            if line[x] == -1:
                if _walk_from_end(field, floors, region, x, z + 1, 3, reach) < 0:
                    return -1
            elif _walk_from_end(field, floors, region, x, z, 1, reach) < 0:
                return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_beyond(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    reach: cython.int,
) -> cython.int:
    """Fills what a polygon covers or touches behind its border."""
    border: cython.pointer[FloorBorder] = cython.address(floors.border)
    k: cython.int
    z: cython.int
    distance: cython.int
    missing: cython.int = 0
    for k in range(border.slot.count):
        if _walk_outward(field, floors, border.slot.data[k], border.slot_x.data[k], border.slot_z.data[k], reach) < 0:
            return -1
    if _walk_from_ends(field, floors, region, reach) < 0:
        return -1
    for z in range(floors.first_row, floors.last_row + 1):
        missing += floors.missing.data[z]
    if missing == 0:
        return 0
    # What is nearest to a cell without floor says more of the border beside it than what comes along from its end.
    for distance in range(1, reach + 1):
        for k in range(border.slot.count):
            if (
                _extend_outward(
                    field, floors, border.slot.data[k], border.slot_x.data[k], border.slot_z.data[k], distance
                )
                < 0
            ):
                return -1
    return 0
