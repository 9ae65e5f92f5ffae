"""The solid heightfield: columns of disjoint spans, and the rule by which a new span merges into a column."""

import cython
import numpy as np
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._frame import Frame, HeightfieldFrame
from cython.cimports.onepath.build._spans import SHALLOW, Span, SpanField, lowest_span, merged_area

from onepath.build.arguments import LARGEST_AREA, LARGEST_ROWS, whole_array, whole_number
from onepath.errors import ArgumentError, RangeError

#: `low` of an empty column, above every span's.
NO_ROW = cython.declare(cython.ushort, 65535)

# --- the field's memory


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve_columns(field: cython.pointer[SpanField], columns: cython.size_t) -> cython.int:
    if columns > field.column_capacity:
        resume: cython.p_int = cython.cast(cython.p_int, realloc(field.resume, columns * cython.sizeof(cython.int)))
        if resume == cython.NULL:
            return -1
        field.resume = resume
        field.column_capacity = columns
    while cython.cast(cython.size_t, field.span_capacity) < columns:
        if grow_pool(field) < 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reset_field(field: cython.pointer[SpanField], frame: cython.pointer[cython.const[Frame]]) -> cython.int:
    columns: cython.size_t = cython.cast(cython.size_t, frame.width) * cython.cast(cython.size_t, frame.depth)
    field.frame = frame[0]
    field.free = -1
    field.span_count = 0
    field.degenerate_triangles = 0
    field.steps = 0
    if _reserve_columns(field, columns) < 0:
        field.frame.width = field.frame.depth = 0
        return -1
    column: cython.size_t
    for column in range(columns):
        field.pool[column].next = -1
        field.pool[column].low = NO_ROW
        field.pool[column].high = 0
        field.pool[column].area = 0
    memset(field.resume, 0xFF, columns * cython.sizeof(cython.int))  # every column -1
    field.used = cython.cast(cython.int, columns)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_field(field: cython.pointer[SpanField]) -> cython.void:
    free(field.resume)
    free(field.pool)
    memset(field, 0, cython.sizeof(SpanField))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_pool(field: cython.pointer[SpanField]) -> cython.int:
    """Doubles the pool. A pool index is an int: above 2**30 spans there is no next size."""
    capacity: cython.int = 1024
    pool: cython.pointer[Span]
    if field.span_capacity > 0:
        if field.span_capacity >= 1 << 30:
            return -1
        capacity = field.span_capacity * 2
    pool = cython.cast(
        cython.pointer[Span], realloc(field.pool, cython.cast(cython.size_t, capacity) * cython.sizeof(Span))
    )
    if pool == cython.NULL:
        return -1
    field.pool = pool
    field.span_capacity = capacity
    return 0


# --- merging


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _last_below(field: cython.pointer[SpanField], column: cython.int, low: cython.int) -> cython.int:
    """The last span of a column whose top lies under `low`, -1 for none."""
    pool: cython.pointer[Span] = field.pool
    below: cython.int = -1
    following: cython.int = lowest_span(field, column)
    steps: cython.int = 0
    _step: cython.int
    for _step in range(SHALLOW):
        if following < 0 or pool[following].high >= low:
            return below
        below = following
        following = pool[below].next

    # A deep column: levels come storey by storey, so the walk goes on near where the last one ended.
    if field.resume[column] >= 0 and pool[field.resume[column]].high < low:
        below = field.resume[column]
    behind: cython.int = below
    following = pool[below].next
    while following >= 0 and pool[following].high < low:
        below = following
        following = pool[below].next
        steps += 1
        if steps > SHALLOW:  # the next one begins some spans lower: a storey's spans may come from its top down
            behind = pool[behind].next
    field.resume[column] = behind
    field.steps += steps
    return below


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _take_span(field: cython.pointer[SpanField]) -> cython.int:
    """Takes a span from the pool, which has an unused one."""
    taken: cython.int = field.free
    if taken >= 0:
        field.free = field.pool[taken].next
    else:
        taken = field.used
        field.used += 1
    return taken


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _insert_above(field: cython.pointer[SpanField], column: cython.int, below: cython.int) -> cython.int:
    """Makes room for a span above `below`, at the bottom for -1; the caller fills it. What lies above it comes next."""
    pool: cython.pointer[Span] = field.pool
    inserted: cython.int = column
    field.span_count += 1
    if below >= 0:
        inserted = _take_span(field)
        pool[inserted].next = pool[below].next
        pool[below].next = inserted
    elif pool[column].high > 0:  # the lowest span so far makes way
        moved: cython.int = _take_span(field)
        pool[moved] = pool[column]
        pool[column].next = moved
    return inserted


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_span(
    field: cython.pointer[SpanField],
    column: cython.int,
    low: cython.int,
    high: cython.int,
    area: cython.int,
    threshold: cython.int,
) -> cython.int:
    """The merge rule of the voxelization document, section 3: bottom up, one overlapping or touching span at a time."""
    if field.free < 0 and field.used == field.span_capacity and grow_pool(field) < 0:
        return -1
    pool: cython.pointer[Span] = field.pool
    below: cython.int = _last_below(field, column, low)
    at: cython.int = lowest_span(field, column) if below < 0 else pool[below].next

    # Swallow what overlaps or touches; the first span swallowed is reused for the result, the others become free.
    result: cython.int = -1
    following: cython.int
    while at >= 0 and pool[at].low <= high:
        area = merged_area(high, area, pool[at].high, pool[at].area, threshold)
        if pool[at].high > high:
            high = pool[at].high
        if pool[at].low < low:
            low = pool[at].low
        following = pool[at].next
        if result < 0:
            result = at
        else:
            if field.resume[column] == at:
                field.resume[column] = -1  # its index may be given to another column
            pool[at].next = field.free
            field.free = at
            field.span_count -= 1
        at = following

    if result < 0:
        result = _insert_above(field, column, below)
    else:
        pool[result].next = at
    pool[result].low = cython.cast(cython.ushort, low)
    pool[result].high = cython.cast(cython.ushort, high)
    pool[result].area = cython.cast(cython.uchar, area)
    return 0


# --- rows of five numbers


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_spans(field: cython.pointer[cython.const[SpanField]], rows: cython.p_int) -> cython.void:
    x: cython.int
    z: cython.int
    at: cython.int
    for z in range(field.frame.depth):
        for x in range(field.frame.width):
            at = lowest_span(field, x + z * field.frame.width)
            while at >= 0:
                rows[0] = x
                rows[1] = z
                rows[2] = field.pool[at].low
                rows[3] = field.pool[at].high
                rows[4] = field.pool[at].area
                rows += 5
                at = field.pool[at].next


@cython.cfunc
def _check_rows(frame: Frame, spans: cython.longlong[:, ::1]) -> object:
    """Refuses rows that no field can hold: outside the grid, out of order, overlapping or touching."""
    row: cython.Py_ssize_t
    before: cython.longlong
    column: cython.longlong
    for row in range(spans.shape[0]):
        if (
            not (0 <= spans[row, 0] < frame.width and 0 <= spans[row, 1] < frame.depth)
            or not (0 <= spans[row, 2] < spans[row, 3] <= frame.rows)
            or not (0 <= spans[row, 4] <= 63)
        ):
            raise RangeError(
                f"spans[{row}] is {tuple(spans[row])}, outside x [0, {frame.width}), z [0, {frame.depth}),"
                f" rows 0 <= min < max <= {frame.rows}, area [0, {LARGEST_AREA}]"
            )
        if row > 0:
            before = spans[row - 1, 0] + spans[row - 1, 1] * frame.width
            column = spans[row, 0] + spans[row, 1] * frame.width
            if column < before:
                raise ArgumentError(f"spans[{row}] is {tuple(spans[row])}, not in the order z, x, min")
            if column == before and spans[row, 2] <= spans[row - 1, 3]:
                raise ArgumentError(f"spans[{row}] is {tuple(spans[row])}, not above and apart from the span before")


class SolidHeightfield:
    """Columns of solid spans (voxelization document, section 3).

    A span (x, z, min, max, area) fills the rows min <= row < max of its column; its surface is its top. The spans of a
    column are disjoint, do not touch and are sorted from the lowest up.

    Args:
        frame: the grid.

    Attributes:
        frame: the grid.
        span_count: spans in all columns.
        degenerate_triangles: triangles without area that rasterization skipped since the field was empty.
        steps: spans that merging walked past in columns of many since the field was empty: a measure of the work, the
            same on every machine. Not pickled.

    >>> from onepath.build._frame import HeightfieldFrame
    >>> field = SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 2, 2, 8))
    >>> field.add_span(1, 0, 0, 2, 63)
    >>> field.add_span(1, 0, 2, 3, 0, merge_threshold=1)
    >>> field.spans().tolist()
    [[1, 0, 0, 3, 63]]
    """

    def __cinit__(self, frame: HeightfieldFrame):
        self.frame = frame
        if reset_field(cython.address(self.field), cython.address(frame.frame)) < 0:
            raise MemoryError(f"no memory for {frame.width} * {frame.depth} columns")

    def __dealloc__(self):
        free_field(cython.address(self.field))

    @staticmethod
    def from_spans(frame: HeightfieldFrame, spans):
        """A field with exactly these spans, an (n, 5) array of whole numbers as `spans()` gives it.

        Raises:
            ArgumentError: wrong shape or dtype, spans out of order, overlapping or touching.
            RangeError: a span outside the grid or an area outside 0 to 63.
        """
        rows = whole_array("spans", spans)
        if rows.size == 0 and rows.ndim == 1:
            rows = rows.reshape(0, 5)
        if rows.ndim != 2 or rows.shape[1] != 5:
            raise ArgumentError(f"spans has shape {rows.shape}, not (n, 5)")
        made: SolidHeightfield = SolidHeightfield(frame)
        checked: cython.longlong[:, ::1] = np.ascontiguousarray(rows, dtype=np.int64)
        _check_rows(made.field.frame, checked)
        row: cython.Py_ssize_t
        column: cython.int
        for row in range(checked.shape[0]):
            column = cython.cast(cython.int, checked[row, 0] + checked[row, 1] * made.field.frame.width)
            if (
                merge_span(
                    cython.address(made.field),
                    column,
                    cython.cast(cython.int, checked[row, 2]),
                    cython.cast(cython.int, checked[row, 3]),
                    cython.cast(cython.int, checked[row, 4]),
                    0,
                )
                < 0
            ):
                raise MemoryError("no memory for spans")
        return made

    def reset(self, frame: HeightfieldFrame):
        """Empties the field for a grid, the same or another; its memory is kept for reuse."""
        if reset_field(cython.address(self.field), cython.address(frame.frame)) < 0:
            raise MemoryError(f"no memory for {frame.width} * {frame.depth} columns")
        self.frame = frame

    def add_span(self, x, z, low, high, area, merge_threshold=4):
        """Merges the span of rows low <= row < high into column (x, z).

        Where tops differ by at most `merge_threshold` rows the larger area id wins, else that of the higher top. The
        result depends on the order in which spans are added.

        Raises:
            ArgumentError: low is not below high, something is no whole number.
            RangeError: a cell, row, area (0 to 63) or threshold (0 to 2**30) outside its range.
        """
        x = whole_number("x", x, 0, self.field.frame.width - 1)
        z = whole_number("z", z, 0, self.field.frame.depth - 1)
        low = whole_number("low", low, 0, self.field.frame.rows)
        high = whole_number("high", high, 0, self.field.frame.rows)
        if low >= high:
            raise ArgumentError(f"low is {low} and high is {high}, an empty span")
        area = whole_number("area", area, 0, LARGEST_AREA)
        threshold = whole_number("merge_threshold", merge_threshold, 0, LARGEST_ROWS)
        if merge_span(cython.address(self.field), x + z * self.field.frame.width, low, high, area, threshold) < 0:
            raise MemoryError("no memory for spans")

    def spans(self):
        """All spans as an (n, 5) int32 array of x, z, min, max, area, ordered by z, x, min."""
        rows = np.empty((self.field.span_count, 5), dtype=np.int32)
        view: cython.int[:, ::1] = rows
        if self.field.span_count > 0:
            _write_spans(cython.address(self.field), cython.address(view[0, 0]))
        return rows

    @property
    def span_count(self):
        return self.field.span_count

    @property
    def degenerate_triangles(self):
        return self.field.degenerate_triangles

    @property
    def steps(self):
        return self.field.steps

    def __repr__(self):
        return (
            f"SolidHeightfield({self.frame!r}, span_count={self.field.span_count},"
            f" degenerate_triangles={self.field.degenerate_triangles})"
        )

    def __reduce__(self):
        return _restore, (self.frame, self.spans(), self.field.degenerate_triangles)


def _restore(frame, spans, degenerate_triangles):
    """Unpickles a field."""
    field: SolidHeightfield = SolidHeightfield.from_spans(frame, spans)
    field.field.degenerate_triangles = degenerate_triangles
    return field
