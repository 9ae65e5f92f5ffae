"""Filters on solid spans: where an agent may stand, judged by the room above, the drop beside and the step below."""

import cython
from cython.cimports.onepath.build._filters import Gap
from cython.cimports.onepath.build._spans import UNBOUNDED, SolidHeightfield, Span, SpanField, lowest_span

from onepath.build.arguments import LARGEST_ROWS, whole_number

#: Rows that are free above every span without one over it, whatever its own row.
MOST_HEADROOM = cython.declare(cython.int, UNBOUNDED - 65535)

# --- kernels


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ceiling(pool: cython.pointer[cython.const[Span]], above: cython.int) -> cython.int:
    """Where the room below span `above` ends. (A conditional expression would take the 16 bits of `low` as type.)"""
    if above < 0:
        return UNBOUNDED
    return pool[above].low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def low_hanging_obstacles(field: cython.pointer[SpanField], climb: cython.int) -> cython.void:
    pool: cython.pointer[Span] = field.pool
    column: cython.int
    at: cython.int
    below_high: cython.int
    below_area: cython.int
    own_area: cython.int
    for column in range(field.frame.width * field.frame.depth):
        at = lowest_span(field, column)
        below_area = 0
        below_high = 0
        while at >= 0:
            own_area = pool[at].area
            if own_area == 0 and below_area != 0 and pool[at].high - below_high <= climb:
                pool[at].area = cython.cast(cython.uchar, below_area)
            # The next span looks at what this one was, so that one obstacle does not lift a whole stack.
            below_area = own_area
            below_high = pool[at].high
            at = pool[at].next


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _look_beside(
    field: cython.pointer[cython.const[SpanField]],
    lowest: cython.pointer[Gap],
    floor: cython.int,
    ceiling: cython.int,
    height: cython.int,
    climb: cython.int,
    reached: cython.p_int,
) -> cython.bint:
    """Whether a gap of the neighbouring column is a drop; widens reached[0..1] by the floors that can be stepped to.

    `lowest` moves past the gaps that end too low for this floor, and so for every floor above it.
    """
    pool: cython.pointer[Span] = field.pool
    at: cython.int = lowest.above
    gap_floor: cython.int = lowest.floor
    gap_ceiling: cython.int
    while at >= 0 and pool[at].low - floor < height:
        gap_floor = pool[at].high
        at = pool[at].next
    lowest.above = at
    lowest.floor = gap_floor
    while True:
        gap_ceiling = _ceiling(pool, at)
        if ceiling - height < gap_floor:  # the difference of the two can leave the range of int
            return False  # gaps higher up share even less with this one
        if (ceiling if ceiling < gap_ceiling else gap_ceiling) - (floor if floor > gap_floor else gap_floor) >= height:
            if gap_floor - floor < -climb:
                return True
            if gap_floor - floor <= climb:
                reached[0] = gap_floor if gap_floor < reached[0] else reached[0]
                reached[1] = gap_floor if gap_floor > reached[1] else reached[1]
        if at < 0:
            return False
        gap_floor = pool[at].high
        at = pool[at].next


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_gaps(
    field: cython.pointer[cython.const[SpanField]],
    column: cython.int,
    climb: cython.int,
    gaps: cython.pointer[Gap],
) -> cython.void:
    """The lowest gap of each of the four columns beside a column that has them all."""
    width: cython.int = field.frame.width
    gaps[0].above = lowest_span(field, column - 1)
    gaps[1].above = lowest_span(field, column + width)
    gaps[2].above = lowest_span(field, column + 1)
    gaps[3].above = lowest_span(field, column - width)
    gaps[0].floor = gaps[1].floor = gaps[2].floor = gaps[3].floor = -climb


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_ledge(
    field: cython.pointer[cython.const[SpanField]],
    gaps: cython.pointer[Gap],
    floor: cython.int,
    ceiling: cython.int,
    height: cython.int,
    climb: cython.int,
) -> cython.bint:
    """Of a span in a column that has all four neighbours, whose gaps are asked from the lowest span up."""
    reached: cython.int[2]
    # The span's own floor is within climb of every floor reached: it cannot make the range too wide.
    reached[0] = reached[1] = floor
    return (
        _look_beside(field, gaps, floor, ceiling, height, climb, reached)
        or _look_beside(field, gaps + 1, floor, ceiling, height, climb, reached)
        or _look_beside(field, gaps + 2, floor, ceiling, height, climb, reached)
        or _look_beside(field, gaps + 3, floor, ceiling, height, climb, reached)
        or reached[1] - reached[0] > climb
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _highest(pool: cython.pointer[Span], column: cython.int) -> cython.pointer[Span]:
    """The highest span of a column; of an empty one what stands for none, with high 0."""
    at: cython.int = column
    while pool[at].next >= 0:
        at = pool[at].next
    return pool + at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _goes_on_all_round(
    field: cython.pointer[cython.const[SpanField]],
    column: cython.int,
    floor: cython.int,
    height: cython.int,
    climb: cython.int,
) -> cython.bint:
    """Whether a column's highest span is plainly no ledge: on all sides the highest spans are within a step.

    Where these leave no room to stand below them, no gap further down counts. That finds nearly all floors under the
    sky; False where it cannot tell.
    """
    x_low: cython.pointer[Span] = _highest(field.pool, column - 1)
    x_high: cython.pointer[Span] = _highest(field.pool, column + 1)
    z_low: cython.pointer[Span] = _highest(field.pool, column - field.frame.width)
    z_high: cython.pointer[Span] = _highest(field.pool, column + field.frame.width)
    least: cython.int = min(x_low.high, x_high.high, z_low.high, z_high.high)
    largest: cython.int = max(x_low.high, x_high.high, z_low.high, z_high.high)
    underside: cython.int = max(x_low.low, x_high.low, z_low.low, z_high.low)
    return (
        least > 0
        and height <= MOST_HEADROOM
        and underside - floor < height
        and max(largest, floor) - min(least, floor) <= climb
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ledge_spans(field: cython.pointer[SpanField], height: cython.int, climb: cython.int) -> cython.void:
    pool: cython.pointer[Span] = field.pool
    width: cython.int = field.frame.width
    depth: cython.int = field.frame.depth
    x: cython.int
    z: cython.int
    at: cython.int
    above: cython.int
    border: cython.bint
    gaps: Gap[4]
    for z in range(depth):
        for x in range(width):
            # Beyond the grid is a drop.
            border = x == 0 or z == 0 or x == width - 1 or z == depth - 1
            at = lowest_span(field, x + z * width)
            if at >= 0 and not border:
                _first_gaps(field, x + z * width, climb, gaps)
            while at >= 0:
                above = pool[at].next
                if pool[at].area != 0 and (
                    border or _is_ledge(field, gaps, pool[at].high, _ceiling(pool, above), height, climb)
                ):
                    pool[at].area = 0
                at = above


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def low_height(field: cython.pointer[SpanField], height: cython.int) -> cython.void:
    pool: cython.pointer[Span] = field.pool
    column: cython.int
    at: cython.int
    above: cython.int
    for column in range(field.frame.width * field.frame.depth):
        at = lowest_span(field, column)
        while at >= 0:
            above = pool[at].next
            if above >= 0 and pool[above].low - pool[at].high < height:
                pool[at].area = 0
            at = above


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def filter_spans(field: cython.pointer[SpanField], height: cython.int, climb: cython.int) -> cython.void:
    """All three in one pass over the columns.

    The first filter reads the areas of its own column only and the others read none but the span's own: a column can go
    through all three before the next. The last two only take areas away, so the cheaper one goes first.
    """
    pool: cython.pointer[Span] = field.pool
    width: cython.int = field.frame.width
    depth: cython.int = field.frame.depth
    x: cython.int
    z: cython.int
    at: cython.int
    above: cython.int
    high: cython.int
    own_area: cython.int
    below_high: cython.int
    below_area: cython.int
    border: cython.bint
    started: cython.bint
    gaps: Gap[4]
    for z in range(depth):
        for x in range(width):
            at = lowest_span(field, x + z * width)
            border = x == 0 or z == 0 or x == width - 1 or z == depth - 1
            started = False
            below_area = 0
            below_high = 0
            while at >= 0:
                above = pool[at].next
                high = pool[at].high
                own_area = pool[at].area
                if own_area == 0 and below_area != 0 and high - below_high <= climb:
                    pool[at].area = cython.cast(cython.uchar, below_area)
                below_area = own_area
                below_high = high
                if pool[at].area == 0:
                    pass
                elif border or (above >= 0 and pool[above].low - high < height):
                    pool[at].area = 0
                elif above >= 0 or not _goes_on_all_round(field, x + z * width, high, height, climb):
                    if not started:
                        _first_gaps(field, x + z * width, climb, gaps)
                        started = True
                    if _is_ledge(field, gaps, high, _ceiling(pool, above), height, climb):
                        pool[at].area = 0
                at = above


# --- the public calls


@cython.cfunc
def _rows(name, value) -> cython.int:
    return whole_number(name, value, 0, LARGEST_ROWS)


def filter_low_hanging_obstacles(field: SolidHeightfield, climb):
    """A span that is not walkable takes the area of a walkable one below whose top is at most `climb` rows lower.

    Curbs and lying trunks can so be walked over (voxelization document, section 6).

    Raises:
        ArgumentError, RangeError: naming argument, value and range (0 to 2**30).
    """
    low_hanging_obstacles(cython.address(field.field), _rows("climb", climb))


def filter_ledge_spans(field: SolidHeightfield, height, climb):
    """Spans beside a drop of more than `climb` rows, or on too steep a stair, get area 0.

    Only gaps in which `height` rows are free count. Beyond the grid is a drop (voxelization document, section 6).

    Raises:
        ArgumentError, RangeError: naming argument, value and range (0 to 2**30).
    """
    rows: cython.int = _rows("height", height)
    ledge_spans(cython.address(field.field), rows, _rows("climb", climb))


def filter_low_height(field: SolidHeightfield, height):
    """Spans with fewer than `height` free rows above them get area 0 (voxelization document, section 6).

    Raises:
        ArgumentError, RangeError: naming argument, value and range (0 to 2**30).
    """
    low_height(cython.address(field.field), _rows("height", height))


def apply_span_filters(field: SolidHeightfield, height, climb):
    """The three filters in the document's order: low-hanging obstacles, ledges, low height.

    Raises:
        ArgumentError, RangeError: naming argument, value and range (0 to 2**30). Nothing has changed.
    """
    rows: cython.int = _rows("height", height)
    step: cython.int = _rows("climb", climb)
    filter_spans(cython.address(field.field), rows, step)
