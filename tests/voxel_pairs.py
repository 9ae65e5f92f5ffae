"""One scene through the fast code and the slow one: the same answers or a failed assertion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from onepath.build import (
    CompactHeightfield,
    HeightfieldFrame,
    SolidHeightfield,
    rasterize_height_grid,
    rasterize_triangles,
)
from onepath.errors import ArgumentError
from tests.oracles import voxel_compact, voxel_rasterize
from tests.oracles.voxel_compact import CompactColumns
from tests.oracles.voxel_rasterize import Frame
from tests.oracles.voxel_spans import SolidColumns, Span

HUMANOID_SLOPE = 0.70710677
HUMANOID_CLIMB = 4


def grid(
    width: int = 4,
    depth: int = 4,
    height: int = 8,
    *,
    cell: float = 1.0,
    row: float = 1.0,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Frame:
    return Frame(origin, np.float32(cell), np.float32(row), width, depth, height)


def fast_frame(frame: Frame) -> HeightfieldFrame:
    return HeightfieldFrame(
        frame.origin, float(frame.cell_size), float(frame.cell_height), frame.width, frame.depth, frame.height
    )


def rasterized(
    frame: Frame,
    vertices: Sequence[Sequence[float]] | np.ndarray,
    triangles: Sequence[Sequence[int]] | np.ndarray,
    *,
    areas: Sequence[int] | np.ndarray | None = None,
    slope_cosine: float = HUMANOID_SLOPE,
    threshold: int = HUMANOID_CLIMB,
    classify: bool | None = None,
) -> tuple[list[list[int]], int]:
    """([x, z, low, high, area] of every span, degenerate triangles) of a soup.

    Areas that are given are taken as they are, unless `classify` says that the slope can still close them.
    """
    classify = areas is None if classify is None else classify
    points = np.asarray(vertices, dtype=np.float64).reshape(-1, 3)
    corners = np.asarray(triangles, dtype=np.int32).reshape(-1, 3)
    fast, slow = SolidHeightfield(fast_frame(frame)), frame.empty()
    rasterize_triangles(
        fast,
        points,
        corners,
        areas=None if areas is None else np.asarray(areas, dtype=np.uint8),
        slope_cosine=slope_cosine,
        merge_threshold=threshold,
        classify=classify,
    )
    given = None if areas is None else [int(area) for area in areas]
    degenerate = voxel_rasterize.rasterize(
        frame, slow, points.tolist(), corners.tolist(), threshold, slope_cosine, given, classify
    )
    assert fast.spans().tolist() == slow.rows()
    assert fast.degenerate_triangles == degenerate
    return slow.rows(), degenerate


def columns_of(
    frame: Frame, triangles: Sequence[Sequence[Sequence[float]]], area: int | None = None, **numbers: float
) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
    """The touched columns of triangles given by their corners, all of one area id or by slope."""
    vertices = [corner for triangle in triangles for corner in triangle]
    indices = [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(triangles))]
    areas = None if area is None else [area] * len(triangles)
    columns: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for x, z, low, high, found in rasterized(frame, vertices, indices, areas=areas, **numbers)[0]:
        columns.setdefault((x, z), []).append((low, high, found))
    return columns


def heights_of(
    frame: Frame,
    heights: Sequence[Sequence[float]] | np.ndarray,
    corner: tuple[float, float],
    spacing: float,
    *,
    areas: Sequence[int] | None = None,
    slope_cosine: float = HUMANOID_SLOPE,
    threshold: int = HUMANOID_CLIMB,
) -> list[list[int]]:
    """Spans of a grid of heights[j][i] whose first point stands at `corner` in x and z."""
    values = np.asarray(heights, dtype=np.float64)
    fast, slow = SolidHeightfield(fast_frame(frame)), frame.empty()
    rasterize_height_grid(
        fast,
        values,
        spacing,
        origin=corner,
        areas=areas,
        slope_cosine=slope_cosine,
        merge_threshold=threshold,
        classify=areas is None,
    )
    vertices, triangles = voxel_rasterize.height_grid_triangles(values.tolist(), corner, spacing)
    degenerate = voxel_rasterize.rasterize(
        frame, slow, vertices, triangles, threshold, slope_cosine, areas, areas is None
    )
    assert fast.spans().tolist() == slow.rows()
    assert fast.degenerate_triangles == degenerate
    return slow.rows()


def solid_pair(frame: Frame, spans: Sequence[Sequence[int]]) -> tuple[SolidHeightfield, SolidColumns]:
    """Both solid fields of given [x, z, low, high, area] rows."""
    rows = np.asarray(spans, dtype=np.int32).reshape(-1, 5)
    fast, slow = SolidHeightfield.from_spans(fast_frame(frame), rows), frame.empty()
    for x, z, low, high, area in rows.tolist():
        slow.column(x, z).append(Span(low, high, area))
    assert fast.spans().tolist() == slow.rows()
    return fast, slow


def compact_pair(
    frame: Frame, spans: Sequence[Sequence[int]], height: int, climb: int
) -> tuple[CompactHeightfield, CompactColumns]:
    return compact_of(*solid_pair(frame, spans), height, climb)


def compact_of(
    fast: SolidHeightfield, slow: SolidColumns, height: int, climb: int
) -> tuple[CompactHeightfield, CompactColumns]:
    pair = CompactHeightfield.build(fast, height, climb), voxel_compact.build_compact(slow, height, climb)
    assert_same_compact(*pair)
    return pair


def assert_same_compact(fast: CompactHeightfield, slow: CompactColumns) -> None:
    spans = slow.spans()
    assert fast.span_count == len(spans)
    assert fast.cell_first.tolist() == slow.cell_first()
    assert fast.cell_count.tolist() == slow.cell_count()
    assert fast.y.tolist() == [s.y for s in spans]
    assert fast.height.tolist() == [s.height for s in spans]
    assert fast.area.tolist() == [s.area for s in spans]
    assert fast.links.tolist() == [s.links for s in spans]


def refused(
    error: type[Exception], call: Callable[..., object], *arguments: object, says: str | None = None, **named: object
) -> None:
    """The call raises exactly this kind of error, and its message names what is wrong."""
    with pytest.raises(ArgumentError) as caught:
        call(*arguments, **named)
    assert type(caught.value) is error, repr(caught.value)
    if says is not None:
        assert says in str(caught.value), str(caught.value)
