"""Erosion: walkable spans nearer to a boundary than the agent's radius are given up."""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, reserve_ints
from cython.cimports.onepath.build._compact import CompactField, CompactHeightfield
from cython.cimports.onepath.build._erosion import ErosionScratch
from cython.cimports.onepath.build._euclidean import erode_round

from onepath.build.arguments import one_of, whole_number
from onepath.build.settings import EROSIONS

LARGEST_RADIUS = 2**20
#: Radius up to which spreading takes less time than sweeps: it looks through all spans for each distance.
LARGEST_SPREAD = cython.declare(cython.int, 8)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_erosion(scratch: cython.pointer[ErosionScratch]) -> cython.void:
    free_ints(cython.address(scratch.distance))


# --- distances


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _links(compact: cython.pointer[cython.const[CompactField]], span: cython.int) -> cython.p_int:
    return cython.address(compact.neighbours[4 * cython.cast(cython.size_t, span)])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_boundary(
    compact: cython.pointer[cython.const[CompactField]], distance: cython.p_int, cap: cython.int
) -> cython.void:
    """0 for spans of area 0 and spans that lack a walkable neighbour somewhere, `cap` for the others."""
    span: cython.int
    links: cython.p_int
    area: cython.p_uchar = compact.area
    for span in range(compact.span_count):
        links = _links(compact, span)
        distance[span] = 0
        if (
            (links[0] | links[1] | links[2] | links[3]) >= 0
            and area[span]
            and area[links[0]]
            and area[links[1]]
            and area[links[2]]
            and area[links[3]]
        ):
            distance[span] = cap


# --- where links lead both ways: outward from the boundary


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lower(distance: cython.p_int, span: cython.int, value: cython.int) -> cython.void:
    """A span's distance by a path of this cost; -1 is no span."""
    if span >= 0 and distance[span] > value:
        distance[span] = value


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _step_out(
    compact: cython.pointer[cython.const[CompactField]], distance: cython.p_int, span: cython.int, cap: cython.int
) -> cython.void:
    """Lowers the distances of all spans a step from this one, whose own is final. Links lead both ways."""
    straight: cython.int = distance[span] + 2
    diagonal: cython.int = distance[span] + 3
    links: cython.p_int = _links(compact, span)
    links_over: cython.p_int
    edge: cython.int
    for edge in range(4):
        if links[edge] < 0:
            continue
        _lower(distance, links[edge], straight)
        if diagonal < cap:
            links_over = _links(compact, links[edge])
            _lower(distance, links_over[(edge + 1) & 3], diagonal)
            _lower(distance, links_over[(edge + 3) & 3], diagonal)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread_outward(
    compact: cython.pointer[cython.const[CompactField]], distance: cython.p_int, cap: cython.int
) -> cython.void:
    """Distance after distance, each final once the lesser ones have been stepped out from."""
    level: cython.int
    span: cython.int
    for level in range(cap - 2):
        if level == 1:
            continue  # no path costs so little
        for span in range(compact.span_count):
            if distance[span] == level:
                _step_out(compact, distance, span, cap)


# --- where some do not: sweeps


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _by_steps_over(
    compact: cython.pointer[cython.const[CompactField]],
    distance: cython.p_int,
    over: cython.int,
    side: cython.int,
    other_side: cython.int,
    best: cython.int,
) -> cython.int:
    """The least of `best` and the distances by a step onto span `over`, or diagonally over it to either side."""
    links: cython.p_int = _links(compact, over)
    if distance[over] + 2 < best:
        best = distance[over] + 2
    if links[side] >= 0 and distance[links[side]] + 3 < best:
        best = distance[links[side]] + 3
    if links[other_side] >= 0 and distance[links[other_side]] + 3 < best:
        best = distance[links[other_side]] + 3
    return best


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _improve(
    compact: cython.pointer[cython.const[CompactField]],
    distance: cython.p_int,
    span: cython.int,
    x_side: cython.int,
    z_side: cython.int,
) -> cython.bint:
    """Lowers a span's distance by steps whose first half goes to x_side (0 or 2) or z_side (1 or 3)."""
    best: cython.int = distance[span]
    if best <= 2:
        return False  # no step costs less
    links: cython.p_int = _links(compact, span)
    # A span that is no boundary has all four links.
    best = _by_steps_over(compact, distance, links[x_side], 1, 3, best)
    best = _by_steps_over(compact, distance, links[z_side], 0, 2, best)
    if best == distance[span]:
        return False
    distance[span] = best
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sweep_to_fixed_point(
    compact: cython.pointer[cython.const[CompactField]], distance: cython.p_int, radius: cython.int
) -> cython.void:
    """Sweeps to and fro until neither direction improves anything: then every distance is the shortest path.

    Once to and fro finds all paths that are a step longer, and paths below the cap have fewer steps than the radius.
    """
    span: cython.int
    changed: cython.bint = True
    rounds: cython.int = radius - 1
    while changed and rounds > 0:
        changed = False
        rounds -= 1
        for span in range(compact.span_count):
            if _improve(compact, distance, span, 0, 3):
                changed = True
        for span in range(compact.span_count - 1, -1, -1):
            if _improve(compact, distance, span, 2, 1):
                changed = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _erode_by_chamfer(
    compact: cython.pointer[CompactField], radius: cython.int, scratch: cython.pointer[ErosionScratch]
) -> cython.int:
    """Voxelization document, section 8."""
    span: cython.int
    cap: cython.int = 2 * radius
    if reserve_ints(cython.address(scratch.distance), cython.cast(cython.size_t, compact.span_count)) < 0:
        return -1
    distance: cython.p_int = scratch.distance.data
    _mark_boundary(compact, distance, cap)
    if compact.mutual and radius <= LARGEST_SPREAD:
        _spread_outward(compact, distance, cap)
    else:
        _sweep_to_fixed_point(compact, distance, radius)
    for span in range(compact.span_count):
        if distance[span] < cap:
            compact.area[span] = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def erode(
    compact: cython.pointer[CompactField],
    radius: cython.int,
    metric: cython.int,
    scratch: cython.pointer[ErosionScratch],
) -> cython.int:
    if radius == 0 or compact.span_count == 0:
        return 0
    if metric == EUCLIDEAN:
        return erode_round(compact, radius, cython.address(scratch.distance))
    return _erode_by_chamfer(compact, radius, scratch)


def erode_walkable_area(compact: CompactHeightfield, radius, *, metric="chamfer"):
    """Gives area 0 to every span nearer than `radius` cells to a boundary of its floor.

    "chamfer" is the rule of the voxelization document, section 8: a boundary span has area 0, or in some direction no
    walkable neighbour; distances are shortest paths along links in half cells, a straight step costing 2 and a diagonal
    one 3, so that walls at 45 degrees are cleared by 6 per cent less than straight ones. "euclidean" takes exact
    distances, of a cell's square from the sides of cells across which the floor ends: what is left keeps the radius
    from walls at every angle.

    Args:
        compact: changed in place.
        radius: cells, 0 to 2**20; 0 changes nothing.
        metric: "chamfer" or "euclidean".

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """
    cells: cython.int = whole_number("radius", radius, 0, LARGEST_RADIUS)
    kind: cython.int = EROSIONS.index(one_of("metric", metric, EROSIONS))
    scratch: ErosionScratch
    memset(cython.address(scratch), 0, cython.sizeof(ErosionScratch))
    result: cython.int = erode(cython.address(compact.field), cells, kind, cython.address(scratch))
    free_erosion(cython.address(scratch))
    if result < 0:
        raise MemoryError(f"no memory for the distances of {compact.field.span_count} spans")
