"""Meshes built from plain lists of polygons, for the tests of mesh and queries.

A polygon is a list of world (x, y, z) corners, of either winding in X/Z; every polygon lies within one tile. `mesh_of`
sorts polygons into tiles and turns them our way round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from onepath import NavMesh
from onepath.build.settings import AgentShape
from onepath.mesh._tile import Tile
from onepath.mesh.settings import MeshSettings

Corner = tuple[float, float, float]
Polygon = Sequence[Corner]


def settings_of(tile_size: int = 8, max_climb: float = 0.5, vertical_origin: float = 0.0) -> MeshSettings:
    """Cells of a metre, rows of a quarter."""
    return MeshSettings(
        agent=AgentShape(max_climb=max_climb),
        cell_size=1.0,
        cell_height=0.25,
        tile_cells=tile_size,
        vertical_origin=vertical_origin,
    )


def rectangle(x0: float, z0: float, x1: float, z1: float, y: float = 0.0) -> list[Corner]:
    """A flat rectangle, counter-clockwise seen from above."""
    return [(x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)]


def turned(polygon: Polygon) -> list[Corner]:
    """The polygon counter-clockwise seen from above."""
    area = sum(a[2] * b[0] - a[0] * b[2] for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    return list(polygon) if area > 0 else list(polygon)[::-1]


def tile_of(
    column: int,
    row: int,
    polygons: Iterable[Polygon],
    settings: MeshSettings,
    *,
    layer: int = 0,
    areas: Sequence[int] | None = None,
    flags: Sequence[int] | None = None,
) -> Tile:
    """One tile from world polygons."""
    origin = (column * settings.tile_size, settings.vertical_origin, row * settings.tile_size)
    vertices: list[Corner] = []
    offsets = [0]
    for polygon in polygons:
        vertices += [(x - origin[0], y - origin[1], z - origin[2]) for x, y, z in turned(polygon)]
        offsets.append(len(vertices))
    corners = list(range(len(vertices)))
    return Tile.from_arrays(column, row, vertices, offsets, corners, settings, layer, areas, flags)


def floor(column: int = 0, row: int = 0, *, layer: int = 0, height: float = 0.0, parts: int = 1) -> Tile:
    """A tile of 8 m that is walkable all over, in bands along x."""
    cuts = [8 * column + 8 * i / parts for i in range(parts + 1)]
    bands = [rectangle(cuts[i], 8 * row, cuts[i + 1], 8 * row + 8, height) for i in range(parts)]
    return tile_of(column, row, bands, settings_of(), layer=layer)


def open_mesh(*tiles: Tile, **options: object) -> NavMesh:
    """A mesh without bounds of tiles of 8 m, in one commit."""
    mesh = NavMesh(settings_of(), **options)  # type: ignore[arg-type]
    for tile in tiles:
        mesh.stage_tile(tile)
    mesh.commit()
    return mesh


def commit_short_of_memory(mesh: NavMesh, unchanged: Callable[[], bool]) -> int:
    """Commits with memory for no block, for one and so on, up to the first that is enough: how many have failed.

    Each of them must leave the mesh unchanged.
    """
    for blocks in count():
        mesh._limit_allocations(blocks)
        try:
            mesh.commit()
            return blocks
        except MemoryError:
            assert unchanged()
        finally:
            mesh._limit_allocations(-1)
    raise AssertionError


def cell_of(polygon: Polygon, settings: MeshSettings) -> tuple[int, int]:
    """The cell in which the middle of the polygon's box lies."""
    size = settings.tile_size
    middle_x = (min(c[0] for c in polygon) + max(c[0] for c in polygon)) / 2
    middle_z = (min(c[2] for c in polygon) + max(c[2] for c in polygon)) / 2
    return math.floor(middle_x / size), math.floor(middle_z / size)


def mesh_of(
    polygons: Sequence[Polygon],
    settings: MeshSettings | None = None,
    *,
    areas: Sequence[int] | None = None,
    flags: Sequence[int] | None = None,
    grid_bounds: tuple[int, int, int, int] | str | None = "fitting",
) -> NavMesh:
    """A committed mesh of all polygons, those of a tile in the order given.

    `grid_bounds="fitting"` bounds the mesh by its tiles and commits empty ones for the other cells; None leaves it
    open.
    """
    settings = settings or settings_of()
    by_cell: dict[tuple[int, int], list[int]] = {}
    for index, polygon in enumerate(polygons):
        by_cell.setdefault(cell_of(polygon, settings), []).append(index)
    fitting = isinstance(grid_bounds, str)
    if isinstance(grid_bounds, str):
        columns, rows = [c for c, _ in by_cell], [r for _, r in by_cell]
        grid_bounds = (min(columns), min(rows), max(columns), max(rows))
        for column in range(grid_bounds[0], grid_bounds[2] + 1):
            for row in range(grid_bounds[1], grid_bounds[3] + 1):
                by_cell.setdefault((column, row), [])
    mesh = NavMesh(settings, grid_bounds)
    for (column, row), members in by_cell.items():
        mesh.stage_tile(
            tile_of(
                column,
                row,
                [polygons[i] for i in members],
                settings,
                areas=None if areas is None else [areas[i] for i in members],
                flags=None if flags is None else [flags[i] for i in members],
            )
        )
    mesh.commit()
    assert not fitting or mesh.tile_count == len(by_cell)
    return mesh


# --- scenes


def strip(count: int, side: float = 4.0, **options: object) -> NavMesh:
    """`count` squares in a row along +x, across tiles of 8 m."""
    return mesh_of([rectangle(i * side, 0, (i + 1) * side, side) for i in range(count)], **options)  # type: ignore[arg-type]


def grid(
    columns: int, rows: int, side: float = 1.0, *, holes: Iterable[tuple[int, int]] = (), **options: object
) -> NavMesh:
    """Squares of `side` metres, row by row along +x, without those at `holes` (column, row of squares)."""
    left_out = set(holes)
    squares = [
        rectangle(i * side, j * side, (i + 1) * side, (j + 1) * side)
        for j in range(rows)
        for i in range(columns)
        if (i, j) not in left_out
    ]
    return mesh_of(squares, **options)  # type: ignore[arg-type]


def two_floors(height: float = 3.0, **options: object) -> NavMesh:
    """Two floors of 16 x 8 m over each other, two polygons each, across two tiles; nothing joins the floors."""
    floors = [rectangle(x, 0, x + 8, 8, y) for y in (0.0, height) for x in (0, 8)]
    return mesh_of(floors, **options)  # type: ignore[arg-type]


def fan(triangles: int = 8, radius: float = 3.0, **options: object) -> NavMesh:
    """Triangles round (4, 0, 4), within one tile."""
    rim = [
        (4 + radius * math.sin(2 * math.pi * i / triangles), 0.0, 4 + radius * math.cos(2 * math.pi * i / triangles))
        for i in range(triangles)
    ]
    return mesh_of(
        [[(4.0, 0.0, 4.0), rim[i], rim[(i + 1) % triangles]] for i in range(triangles)],
        **options,  # type: ignore[arg-type]
    )


def seam(
    left: Sequence[tuple[float, float, float]], right: Sequence[tuple[float, float, float]], **options: object
) -> NavMesh:
    """Two tiles that meet at x = 8, their polygons given as (z0, z1, y) bands of [0, 8] and [8, 16]."""
    bands = [rectangle(0, z0, 8, z1, y) for z0, z1, y in left] + [rectangle(8, z0, 16, z1, y) for z0, z1, y in right]
    return mesh_of(bands, **options)  # type: ignore[arg-type]


def slanted_seam(right: Polygon | None = None, **options: object) -> NavMesh:
    """A flat floor at [0, 8] x [0, 8]; beyond x = 8 the plane y = -1 + z / 4 or the polygon given (case C16)."""
    plane: Polygon = right or [(8, -1.0, 0), (8, 1.0, 8), (16, 1.0, 8), (16, -1.0, 0)]
    return mesh_of([rectangle(0, 0, 8, 8), plane], **options)  # type: ignore[arg-type]


def tiled_floor(tile_size: int, side: int = 20, other: tuple[int, int] | None = None) -> NavMesh:
    """A square floor of side * side metres cut by tiles of tile_size, one polygon a tile or part of one."""
    polygons, areas = [], []
    for z in range(0, side, tile_size):
        for x in range(0, side, tile_size):
            polygons.append(rectangle(x, z, min(x + tile_size, side), min(z + tile_size, side)))
            areas.append(2 if other and other[0] <= x < other[1] and other[0] <= z < other[1] else 1)
    return mesh_of(polygons, settings_of(tile_size), areas=areas)
