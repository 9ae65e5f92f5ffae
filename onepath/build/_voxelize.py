"""Rasterization from Python: triangles and height grids are checked here, then handed to the kernel."""

import cython
import numpy as np
from cython.cimports.onepath.build._rasterize import TriangleSoup, rasterize_soup
from cython.cimports.onepath.build._spans import SolidHeightfield

from onepath.build.arguments import (
    LARGEST_COORDINATE,
    LARGEST_ROWS,
    area_ids,
    coordinate,
    number_between,
    switch,
    triangle_indices,
    vertex_array,
    whole_number,
)
from onepath.errors import ArgumentError, RangeError
from onepath.geometry.triangles import as_array

HUMANOID_SLOPE_COSINE = 0.70710677
HUMANOID_CLIMB = 4


@cython.cfunc
def _first_bad_corner(
    vertices: cython.const[cython.double][:, ::1], triangles: cython.const[cython.int][:, ::1]
) -> cython.Py_ssize_t:
    """3 * triangle + corner of the first vertex that is NaN, infinite or too far, or -1."""
    at: cython.Py_ssize_t
    corner: cython.int
    axis: cython.int
    value: cython.double
    bound: cython.double = LARGEST_COORDINATE
    for at in range(triangles.shape[0]):
        for corner in range(3):
            for axis in range(3):
                value = vertices[triangles[at, corner], axis]
                if not (-bound <= value <= bound):
                    return 3 * at + corner
    return -1


def rasterize_triangles(
    field: SolidHeightfield,
    vertices,
    triangles,
    areas=None,
    *,
    slope_cosine=HUMANOID_SLOPE_COSINE,
    merge_threshold=HUMANOID_CLIMB,
    classify=True,
):
    """Adds every cell that the triangles touch to the field (voxelization document, section 2).

    Triangles are added in order, which matters where areas merge. A triangle is seen from the side on which its
    corners run counter-clockwise. Triangles without area are skipped and counted in `field.degenerate_triangles`.

    Args:
        field: what to add to.
        vertices: (n, 3) world coordinates; those that a triangle names lie within 2**21 of zero.
        triangles: (m, 3) or flat (3 * m) vertex indices; may be empty.
        areas: (m,) area ids 0 to 63, by default 63 for all.
        slope_cosine: a triangle is walkable when the upward part of its unit normal is above this, -1 to 1; rounded to
            float32.
        merge_threshold: rows within which the larger area of two merging spans wins, 0 to 2**30.
        classify: give triangles that are not walkable area 0; False takes `areas` as they are.

    Raises:
        ArgumentError: NaN, a wrong shape or dtype, areas of another length than triangles. The triangle is named.
        RangeError: an index, coordinate, area or number outside its range, a number of indices that is no multiple of
            3. Nothing has been added.

    >>> from onepath.build import HeightfieldFrame, SolidHeightfield
    >>> field = SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 2, 2, 8))
    >>> rasterize_triangles(field, [(0, 1.5, 0), (0, 1.5, 2), (2, 1.5, 0)], [(0, 1, 2)])
    >>> field.spans().tolist()
    [[0, 0, 1, 2, 63], [1, 0, 1, 2, 63], [0, 1, 1, 2, 63]]
    """
    judged: cython.bint = switch("classify", classify)
    cosine: cython.double = number_between("slope_cosine", slope_cosine, -1.0, 1.0)
    threshold: cython.int = whole_number("merge_threshold", merge_threshold, 0, LARGEST_ROWS)
    points: cython.const[cython.double][:, ::1] = vertex_array("vertices", vertices)
    indices: cython.const[cython.int][:, ::1] = triangle_indices("triangles", triangles, points.shape[0])
    count: cython.int = cython.cast(cython.int, indices.shape[0])
    ids: cython.const[cython.uchar][::1] = area_ids("areas", areas, count) if areas is not None else None
    bad: cython.Py_ssize_t = _first_bad_corner(points, indices)
    if bad >= 0:
        vertex = indices[bad // 3, bad % 3]
        for axis, value in zip("xyz", points[vertex], strict=True):
            coordinate(f"triangle {bad // 3}: vertices[{vertex}].{axis}", value)
    if count == 0:
        return

    soup: TriangleSoup
    soup.vertices = cython.address(points[0, 0])
    soup.triangles = cython.address(indices[0, 0])
    soup.areas = cython.address(ids[0]) if areas is not None else cython.NULL
    soup.slope_cosine = cython.cast(cython.float, cosine)
    soup.classify = judged
    soup.merge_threshold = threshold
    if rasterize_soup(cython.address(field.field), cython.address(soup), cython.NULL, count) < 0:
        raise MemoryError(f"no memory for more than {field.field.span_count} spans")


def rasterize_height_grid(
    field: SolidHeightfield,
    heights,
    spacing,
    origin=(0.0, 0.0),
    areas=None,
    *,
    slope_cosine=HUMANOID_SLOPE_COSINE,
    merge_threshold=HUMANOID_CLIMB,
    classify=True,
):
    """Adds a terrain of heights on a regular grid, two upward triangles a square (voxelization document, section 4).

    Args:
        field: what to add to.
        heights: (count_z, count_x) world heights, two or more a side.
        spacing: metres between neighbouring points, above 0.
        origin: world (x, z) of heights[0, 0].
        areas: area ids of the triangles, (2 * (count_z - 1) * (count_x - 1),), squares along x first, in each the
            triangle at its lower x first.
        slope_cosine, merge_threshold, classify: as in `rasterize_triangles`.

    Raises:
        ArgumentError: NaN, a wrong shape or dtype.
        RangeError: fewer than two points on a side, a point or number outside its range. Nothing has been added.
    """
    grid = as_array("heights", heights)
    if grid.dtype.kind not in "fiu":
        raise ArgumentError(f"heights has dtype {grid.dtype}, not numbers")
    if grid.ndim != 2:
        raise ArgumentError(f"heights has shape {grid.shape}, not (count_z, count_x)")
    count_z, count_x = grid.shape
    if count_x < 2 or count_z < 2:
        raise RangeError(f"heights has shape {grid.shape}, fewer than two points on a side")
    step = number_between("spacing", spacing, 0.0, 2.0 * LARGEST_COORDINATE, open_low=True)
    try:
        origin_x, origin_z = origin
    except (TypeError, ValueError):
        raise ArgumentError(f"origin is {origin!r}, not (x, z)") from None
    origin_x, origin_z = coordinate("origin.x", origin_x), coordinate("origin.z", origin_z)

    vertices = np.empty((count_z, count_x, 3))
    vertices[:, :, 0] = origin_x + np.arange(count_x) * step
    vertices[:, :, 1] = grid
    vertices[:, :, 2] = (origin_z + np.arange(count_z) * step)[:, None]
    corner = np.arange(count_x * count_z, dtype=np.int64).reshape(count_z, count_x)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    rasterize_triangles(
        field,
        vertices.reshape(-1, 3),
        np.stack([a, c, d, a, d, b], axis=-1).reshape(-1, 3),
        areas,
        slope_cosine=slope_cosine,
        merge_threshold=merge_threshold,
        classify=classify,
    )
