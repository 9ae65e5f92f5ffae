"""Small heightfields for tests of the builder's front half: grids of unit cells, columns written as lists of spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from onepath.build import CompactHeightfield, HeightfieldFrame, SolidHeightfield, rasterize_triangles

Point = Sequence[float]
Cell = tuple[int, int]


def unit_frame(width: int = 8, depth: int = 8, rows: int = 16, origin: Point = (0.0, 0.0, 0.0)) -> HeightfieldFrame:
    """A grid of cells of one metre in all directions."""
    return HeightfieldFrame(origin, 1.0, 1.0, width, depth, rows)


def solid(frame: HeightfieldFrame, columns: Mapping[Cell, Iterable[tuple[int, int, int]]]) -> SolidHeightfield:
    """A field from {(x, z): [(min, max, area), ...]}."""
    rows = [(x, z, *span) for (x, z), spans in columns.items() for span in spans]
    return SolidHeightfield.from_spans(frame, sorted(rows, key=lambda row: (row[1], row[0], row[2])))


def columns_of(field: SolidHeightfield) -> dict[Cell, list[tuple[int, int, int]]]:
    """The reverse of `solid`."""
    found: dict[Cell, list[tuple[int, int, int]]] = {}
    for x, z, low, high, area in field.spans().tolist():
        found.setdefault((x, z), []).append((low, high, area))
    return found


def rasterized(frame: HeightfieldFrame, *triangles: Sequence[Point], **options: object) -> SolidHeightfield:
    """A new field with triangles given by their corners."""
    field = SolidHeightfield(frame)
    corners = np.array(triangles, dtype=np.float64).reshape(-1, 3)
    rasterize_triangles(field, corners, np.arange(len(corners)).reshape(-1, 3), **options)
    return field


def quad(a: Point, b: Point, c: Point, d: Point) -> tuple[Sequence[Point], Sequence[Point]]:
    """Two triangles from four corners, which run counter-clockwise seen from the side that the quad faces."""
    return (a, b, c), (a, c, d)


def floor(low_x: float, low_z: float, high_x: float, high_z: float, y: float) -> tuple[Sequence[Point], ...]:
    """A level rectangle that faces up."""
    return quad((low_x, y, low_z), (low_x, y, high_z), (high_x, y, high_z), (high_x, y, low_z))


def flat_columns(width: int, depth: int, top: int = 1, area: int = 63) -> dict[Cell, list[tuple[int, int, int]]]:
    """One span [0, top) in every column."""
    return {(x, z): [(0, top, area)] for z in range(depth) for x in range(width)}


def compact_areas(compact: CompactHeightfield) -> np.ndarray:
    """Areas of a field with exactly one open space a column, as a (depth, width) array."""
    assert (compact.cell_count == 1).all()
    return compact.area.reshape(compact.frame.depth, compact.frame.width)


def box(low: Point, high: Point) -> np.ndarray:
    """The twelve outward-facing triangles of a closed box, (12, 3, 3)."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    sides = (
        ((x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0)),
        ((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)),
        ((x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)),
        ((x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)),
        ((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)),
        ((x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)),
    )
    return np.array([triangle for side in sides for triangle in quad(*side)], dtype=np.float64)
