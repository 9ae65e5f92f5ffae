"""The compact heightfield: the open spaces above walkable spans, and how they join their neighbours."""

import cython
import numpy as np
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.onepath.build._arrays import int_array
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._frame import HeightfieldFrame
from cython.cimports.onepath.build._spans import SolidHeightfield, Span, SpanField

from onepath.build.arguments import LARGEST_ROWS, whole_number
from onepath.errors import ArgumentError

#: Open rows are stored up to this; the space above a column's top span counts as this many.
TALLEST = cython.declare(cython.int, 65535)
#: A link names its target by the index within the target's cell, of which six bits hold 0 to 62.
LAST_LINKED = cython.declare(cython.int, 62)

# --- memory


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve(array: cython.pointer[cython.p_void], count: cython.size_t, size: cython.size_t) -> cython.int:
    grown: cython.p_void = realloc(array[0], count * size)
    if grown == cython.NULL:
        return -1
    array[0] = grown
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve_columns(compact: cython.pointer[CompactField], columns: cython.size_t) -> cython.int:
    if columns <= compact.column_capacity:
        return 0
    number: cython.size_t = cython.sizeof(cython.int)
    if (
        _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.cell_first)), columns, number) < 0
        or _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.cell_count)), columns, number) < 0
    ):
        return -1
    compact.column_capacity = columns
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve_spans(compact: cython.pointer[CompactField], spans: cython.size_t) -> cython.int:
    if spans <= compact.span_capacity:
        return 0
    number: cython.size_t = cython.sizeof(cython.int)
    if (
        _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.y)), spans, number) < 0
        or _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.height)), spans, number) < 0
        or _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.area)), spans, 1) < 0
        or _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.region)), spans, number) < 0
        or _reserve(cython.cast(cython.pointer[cython.p_void], cython.address(compact.neighbours)), spans, 4 * number)
        < 0
    ):
        return -1
    compact.span_capacity = spans
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_compact(compact: cython.pointer[CompactField]) -> cython.void:
    free(compact.cell_first)
    free(compact.cell_count)
    free(compact.y)
    free(compact.height)
    free(compact.area)
    free(compact.region)
    free(compact.neighbours)
    memset(compact, 0, cython.sizeof(CompactField))


# --- building


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _copy_walkable(
    compact: cython.pointer[CompactField], pool: cython.pointer[cython.const[Span]], column: cython.int
) -> cython.void:
    """One open space per walkable span of a column, bottom up."""
    count: cython.int = compact.span_count
    at: cython.int = column
    above: cython.int
    gap: cython.int
    while at >= 0:
        above = pool[at].next
        if pool[at].area != 0:
            gap = TALLEST
            if above >= 0:
                gap = pool[above].low - pool[at].high
            compact.y[count] = pool[at].high
            compact.height[count] = gap
            compact.area[count] = pool[at].area
            count += 1
        at = above
    compact.cell_first[column] = compact.span_count
    compact.cell_count[column] = count - compact.span_count
    compact.span_count = count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lowest_linked(
    compact: cython.pointer[cython.const[CompactField]],
    span: cython.int,
    column: cython.int,
    height: cython.int,
    climb: cython.int,
) -> cython.int:
    """The lowest span of a neighbouring column that the span joins, as an absolute index, or -1."""
    floor: cython.int = compact.y[span]
    ceiling: cython.int = floor + compact.height[span]
    first: cython.int = compact.cell_first[column]
    other: cython.int
    bottom: cython.int
    top: cython.int
    for other in range(first, first + compact.cell_count[column]):
        bottom = compact.y[other]
        if bottom - floor > climb:
            return -1  # floors only rise from here
        if floor - bottom > climb:
            continue
        top = bottom + compact.height[other]
        if (ceiling if ceiling < top else top) - (floor if floor > bottom else bottom) >= height:
            return other if other - first <= LAST_LINKED else -1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _link_one_way(
    compact: cython.pointer[CompactField],
    column: cython.int,
    other: cython.int,
    direction: cython.int,
    height: cython.int,
    climb: cython.int,
) -> cython.void:
    """The links of a column's spans toward another column."""
    span: cython.int
    for span in range(compact.cell_first[column], compact.cell_first[column] + compact.cell_count[column]):
        compact.neighbours[4 * cython.cast(cython.size_t, span) + direction] = _lowest_linked(
            compact, span, other, height, climb
        )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _links_are_returned(
    compact: cython.pointer[cython.const[CompactField]], column: cython.int, direction: cython.int
) -> cython.bint:
    span: cython.int
    other: cython.int
    back: cython.int = direction ^ 2
    for span in range(compact.cell_first[column], compact.cell_first[column] + compact.cell_count[column]):
        other = compact.neighbours[4 * cython.cast(cython.size_t, span) + direction]
        if other >= 0 and compact.neighbours[4 * cython.cast(cython.size_t, other) + back] != span:
            return False
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _link_columns(
    compact: cython.pointer[CompactField],
    column: cython.int,
    other: cython.int,
    direction: cython.int,
    height: cython.int,
    climb: cython.int,
) -> cython.void:
    """Links between the spans of a column and of another one beside it, both ways; there are none yet."""
    if compact.cell_count[column] == 1 and compact.cell_count[other] == 1:
        # Single spans link both ways or not at all.
        low: cython.int = compact.cell_first[other]
        high: cython.int = compact.cell_first[column]
        rise: cython.int = compact.y[high] - compact.y[low]
        top: cython.int = compact.y[high] + compact.height[high]
        other_top: cython.int = compact.y[low] + compact.height[low]
        floor: cython.int = compact.y[high] if rise > 0 else compact.y[low]
        if -climb <= rise <= climb and (top if top < other_top else other_top) - floor >= height:
            compact.neighbours[4 * cython.cast(cython.size_t, high) + direction] = low
            compact.neighbours[4 * cython.cast(cython.size_t, low) + (direction ^ 2)] = high
    elif compact.cell_count[other] > 0:
        _link_one_way(compact, column, other, direction, height, climb)
        _link_one_way(compact, other, column, direction ^ 2, height, climb)
        if not _links_are_returned(compact, column, direction) or not _links_are_returned(
            compact, other, direction ^ 2
        ):
            compact.mutual = False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_and_link(
    compact: cython.pointer[CompactField],
    solid: cython.pointer[cython.const[SpanField]],
    height: cython.int,
    climb: cython.int,
) -> cython.void:
    """Columns in order, each linked to those before it while they are near."""
    width: cython.int = compact.width
    x: cython.int
    z: cython.int
    column: cython.int
    for z in range(compact.depth):
        for x in range(width):
            column = x + z * width
            _copy_walkable(compact, solid.pool, column)
            if compact.cell_count[column] == 0:
                continue
            if x > 0:
                _link_columns(compact, column, column - 1, 0, height, climb)
            if z > 0:
                _link_columns(compact, column, column - width, 3, height, climb)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def build_compact(
    compact: cython.pointer[CompactField],
    solid: cython.pointer[cython.const[SpanField]],
    height: cython.int,
    climb: cython.int,
) -> cython.int:
    """Voxelization document, section 7."""
    spans: cython.size_t = cython.cast(cython.size_t, solid.span_count)
    compact.span_count = 0
    compact.width = compact.depth = 0
    # Room for every solid span: a little more than the walkable ones need, and no pass to count them.
    if (
        _reserve_columns(
            compact, cython.cast(cython.size_t, solid.frame.width) * cython.cast(cython.size_t, solid.frame.depth)
        )
        < 0
        or _reserve_spans(compact, spans) < 0
    ):
        return -1
    compact.frame = solid.frame
    compact.width = solid.frame.width
    compact.depth = solid.frame.depth
    compact.mutual = True
    if solid.span_count > 0:  # without spans there may be no arrays
        memset(compact.region, 0, spans * cython.sizeof(cython.int))
        memset(compact.neighbours, 0xFF, 4 * spans * cython.sizeof(cython.int))  # every link -1
    _copy_and_link(compact, solid, height, climb)
    return 0


# --- the public class


class CompactHeightfield:
    """The open space above every walkable span, with links to the spaces beside it (voxelization document, section 7).

    Made by `CompactHeightfield.build`; erosion, volumes and regions change its areas and regions. The arrays are copies
    of its state at the moment they are asked for.

    Attributes:
        frame: the grid.
        span_count: number of open spaces, n below.
        cell_first: (width * depth,) int32, index of a column's first space; of an empty column the running index.
        cell_count: (width * depth,) int32.
        y: (n,) int32, floor row.
        height: (n,) int32, open rows above the floor, at most 65535.
        area: (n,) uint8, 0 to 63, 0 is not walkable.
        region: (n,) int32, 0 is none.
        links: (n, 4) int32, index within the neighbouring column of the space joined toward -x, +z, +x, -z, or -1.
    """

    def __cinit__(self, frame):
        self.frame = frame

    def __init__(self, frame):
        raise TypeError("use CompactHeightfield.build(field, height, climb)")

    def __dealloc__(self):
        free_compact(cython.address(self.field))

    @staticmethod
    def build(field: SolidHeightfield, height, climb):
        """The open spaces of a solid heightfield, in column order, each column bottom up.

        Args:
            field: the solid spans, filtered.
            height: rows that two neighbouring spaces must share to be joined, 0 to 2**30.
            climb: rows that their floors may differ by, 0 to 2**30.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        height = whole_number("height", height, 0, LARGEST_ROWS)
        climb = whole_number("climb", climb, 0, LARGEST_ROWS)
        made: CompactHeightfield = CompactHeightfield.__new__(CompactHeightfield, field.frame)
        if build_compact(cython.address(made.field), cython.address(field.field), height, climb) < 0:
            raise MemoryError(f"no memory for {field.field.span_count} open spans")
        return made

    @property
    def span_count(self):
        return self.field.span_count

    @property
    def cell_first(self):
        return int_array(self.field.cell_first, self.field.width * self.field.depth)

    @property
    def cell_count(self):
        return int_array(self.field.cell_count, self.field.width * self.field.depth)

    @property
    def y(self):
        return int_array(self.field.y, self.field.span_count)

    @property
    def height(self):
        return int_array(self.field.height, self.field.span_count)

    @property
    def region(self):
        return int_array(self.field.region, self.field.span_count)

    @property
    def area(self):
        array = np.empty(self.field.span_count, dtype=np.uint8)
        view: cython.uchar[::1] = array
        if self.field.span_count > 0:
            memcpy(cython.address(view[0]), self.field.area, cython.cast(cython.size_t, self.field.span_count))
        return array

    @property
    def links(self):
        absolute = int_array(self.field.neighbours, 4 * self.field.span_count).reshape(-1, 4)
        width, depth = self.field.width, self.field.depth
        column = np.repeat(np.arange(width * depth, dtype=np.int64), self.cell_count)
        beside = column[:, None] + np.array([-1, width, 1, -width])
        first = self.cell_first[np.clip(beside, 0, max(0, width * depth - 1))]
        return np.where(absolute >= 0, absolute - first, -1).astype(np.int32)

    def __repr__(self):
        return f"CompactHeightfield({self.frame!r}, span_count={self.field.span_count})"

    def __reduce__(self):
        state = (self.cell_first, self.cell_count, self.y, self.height, self.area, self.region)
        return _restore, (self.frame, *state, int_array(self.field.neighbours, 4 * self.field.span_count))


def _restore(frame: HeightfieldFrame, cell_first, cell_count, y, height, area, region, neighbours):
    """Unpickles a field."""
    made: CompactHeightfield = CompactHeightfield.__new__(CompactHeightfield, frame)
    field: cython.pointer[CompactField] = cython.address(made.field)
    columns: cython.Py_ssize_t = frame.frame.width * frame.frame.depth
    count: cython.Py_ssize_t = len(y)
    lengths = [len(array) for array in (cell_first, cell_count, height, area, region, neighbours)]
    if lengths != [columns, columns, count, count, count, 4 * count]:
        raise ArgumentError(f"arrays of a compact heightfield have unequal lengths {lengths}")
    if _reserve_columns(field, columns) < 0 or _reserve_spans(field, count) < 0:
        raise MemoryError(f"no memory for {count} open spans")
    field.frame = frame.frame
    field.width, field.depth = frame.frame.width, frame.frame.depth
    field.span_count = cython.cast(cython.int, count)
    field.mutual = False  # not known
    _fill(field.cell_first, cell_first)
    _fill(field.cell_count, cell_count)
    _fill(field.y, y)
    _fill(field.height, height)
    _fill(field.region, region)
    _fill(field.neighbours, neighbours)
    areas: cython.const[cython.uchar][::1] = area
    if count > 0:
        memcpy(field.area, cython.address(areas[0]), count)
    return made


@cython.cfunc
def _fill(target: cython.p_int, array) -> object:
    values: cython.const[cython.int][::1] = array
    if values.shape[0] > 0:
        memcpy(target, cython.address(values[0]), values.shape[0] * cython.sizeof(cython.int))
