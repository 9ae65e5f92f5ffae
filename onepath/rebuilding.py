"""Single tiles, baked as a bake of everything makes them: for levels that change, worlds that stream, bakes on many
machines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from onepath._one_call import NavMesh
from onepath.baking import BakeJob
from onepath.build import BakeSettings, ConvexVolume
from onepath.build.arguments import MOST_GRID_ROWS, instance_of, point, several, switch
from onepath.build.grid import TileGrid
from onepath.build.settings import bake_settings, fields_for_agent, where_fields_are
from onepath.errors import ArgumentError, RangeError
from onepath.geometry import Areas, Level
from onepath.io.sources import LevelSource, as_level
from onepath.mesh._tile import Tile
from onepath.mesh.floor_mask import FloorMask
from onepath.mesh.navmesh import checked_areas, checked_mask
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tile_arrays import arrange_place
from onepath.names import checks_names

__all__ = ["bake_tile", "rebuild_tile", "rebuild_tiles"]


@checks_names("bake_tile", where_fields_are())
def bake_tile(
    source: LevelSource,
    settings: BakeSettings,
    column: int,
    row: int,
    *,
    frame: MeshSettings | None = None,
    volumes: Iterable[ConvexVolume] = (),
    volume_names: Sequence[str] | None = None,
    areas: Areas | None = None,
    classify: bool = True,
    floor_mask: FloorMask | None = None,
) -> Tile:
    """The tile of one grid cell, byte for byte the one that `bake` makes of the same level in the same frame.

    Args:
        source: the level, as for `bake`. What lies farther from the cell than the padding does not matter.
        settings: as for `bake`.
        column, row: the grid cell.
        frame: `mesh.settings` of the mesh that the tile is for, whose vertical origin all its tiles share; None takes
            what `bake` would give this level. The level may have grown taller; what lies below the vertical origin is
            not seen.
        volumes, areas, classify: as for `bake`.
        volume_names: `mesh.volume_names` of that mesh; None takes the names of `volumes`, in order.
        floor_mask: `mesh.floor_mask` of that mesh, where seeds chose its ground; None leaves out nothing.

    Raises:
        LevelError, ArgumentError, RangeError: naming what is wrong; settings that do not agree with the frame, and
            volumes whose names it does not know, are ArgumentErrors.

    >>> from onepath import AgentShape
    >>> level = Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> settings = BakeSettings.for_agent(AgentShape(radius=0.5))
    >>> bake_tile(level, settings, 1, 0).polygon_count
    1
    """
    bake_settings(settings)
    level = as_level(source)
    known = Areas() if areas is None else checked_areas(areas)
    kept = tuple(volume.resolved(known) for volume in several("volumes", volumes, ConvexVolume))
    names = tuple(dict.fromkeys(volume.name for volume in kept if volume.name is not None))
    if volume_names is not None:
        listed = several("volume_names", volume_names, str)
        unknown = [name for name in names if name not in listed]
        if unknown:
            raise ArgumentError(f"volumes: the mesh has no volume {unknown[0]!r}; it knows {listed}")
        names = listed
    if frame is None:
        frame = _frame_of(level, settings, known)
    elif not isinstance(frame, MeshSettings):
        raise ArgumentError(f"frame is {frame!r}, not MeshSettings")
    place = arrange_place(column, row, 0, frame)
    grid = _cell_grid(settings, frame, place[0], place[1], level)
    job = BakeJob(settings, level, switch("classify", classify), kept, names, known, (frame, grid))
    tile = job.tile(place[0], place[1])
    return tile if floor_mask is None else checked_mask(floor_mask, frame).applied(tile)


@checks_names("rebuild_tile", where_fields_are())
def rebuild_tile(
    mesh: NavMesh,
    source: LevelSource,
    column: int,
    row: int,
    settings: BakeSettings | None = None,
    *,
    volumes: Iterable[ConvexVolume] = (),
    classify: bool = True,
) -> Tile:
    """Bakes one tile of a mesh again, from the level as it is now, and stages it: `commit` puts it in.

    A change of the level concerns all tiles whose square it comes nearer to than the padding, the agent's radius and
    three cells. Frame, areas and volume names are the mesh's, and so is the ground that seeds chose: see `FloorMask`.
    Islands that `mesh.prune_islands` took out of the tile are there again: prune once more after the commit.

    Args:
        mesh: the mesh; it may have been loaded. `rebuild_tiles` finds the cells that a change concerns.
        source: the whole level, or as much of it as lies around the tile.
        column, row: the grid cell.
        settings: those that the mesh was baked with; None is the default for the mesh's agent, with its cells.
        volumes, classify: as they were given to `bake`.

    Returns:
        The tile, empty where nothing is walkable.

    Raises:
        As `bake_tile` does; RangeError: the cell lies outside the mesh's bounds; BusyError: another thread stages or
        commits; UnsupportedError: the mesh's tier takes no such change. Nothing is staged then.

    >>> import onepath
    >>> level = Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> mesh = onepath.bake(level)
    >>> level.add_box((5, 0, 5), (15, 2, 15), name="crate")
    >>> for column, row in [(0, 0), (1, 0), (0, 1), (1, 1)]:
    ...     tile = rebuild_tile(mesh, level, column, row)
    >>> mesh.commit().replaced
    ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0))
    """
    settings = _settings_of(mesh, settings)
    tile = _baked_again(mesh, source, column, row, settings, volumes, classify)
    mesh.stage_tile(tile)
    return tile


@checks_names("rebuild_tiles", where_fields_are())
def rebuild_tiles(
    mesh: NavMesh,
    source: LevelSource,
    low: Sequence[float],
    high: Sequence[float],
    settings: BakeSettings | None = None,
    *,
    volumes: Iterable[ConvexVolume] = (),
    classify: bool = True,
) -> list[Tile]:
    """Bakes again all tiles of a mesh that a change of the level within a box concerns, and stages them.

    These are the committed tiles of layer 0 whose squares come nearer to the box, in X and Z, than the padding, the
    agent's radius and three cells. For something that was moved give the box around where it was and where it is.

    Args:
        low, high: corners of the box around what has changed, metres; their heights do not matter.
        mesh, source, settings, volumes, classify: as for `rebuild_tile`, `source` for all tiles.

    Returns:
        The tiles by column and row; none where the box is far from all of them.

    Raises:
        As `rebuild_tile` does, before any tile is staged; ArgumentError: `low` lies above `high`.

    >>> import onepath
    >>> level = Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> mesh = onepath.bake(level)
    >>> level.add_box((5, 0, 5), (7, 2, 6), name="crate")
    >>> [(tile.column, tile.row) for tile in rebuild_tiles(mesh, level, (5, 0, 5), (7, 2, 6))]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> len(mesh.commit().replaced)
    4
    """
    settings = _settings_of(mesh, settings)
    reach, size = settings.cells.padding * settings.cells.cell_size, mesh.settings.tile_size
    corners = point("low", low), point("high", high)
    for axis, name in ((0, "x"), (2, "z")):
        if corners[0][axis] > corners[1][axis]:
            raise ArgumentError(f"low is {corners[0]} and high {corners[1]}: inverted in {name}")
    level, listed = as_level(source), several("volumes", volumes, ConvexVolume)
    near = [
        (view.column, view.row)
        for view in mesh.tiles()
        if view.layer == 0
        and _is_near(view.column * size, size, corners[0][0] - reach, corners[1][0] + reach)
        and _is_near(view.row * size, size, corners[0][2] - reach, corners[1][2] + reach)
    ]
    tiles = [_baked_again(mesh, level, column, row, settings, listed, classify) for column, row in sorted(near)]
    for tile in tiles:
        mesh.stage_tile(tile)
    return tiles


def _is_near(start: float, size: float, low: float, high: float) -> bool:
    """Whether a tile's side touches a stretch of its axis."""
    return low <= start + size and start <= high


def _settings_of(mesh: NavMesh, settings: BakeSettings | None) -> BakeSettings:
    """Those given, or the default for the mesh's agent, with its cells."""
    instance_of("mesh", mesh, NavMesh)._check_initialised()
    frame = mesh.settings
    if settings is not None:
        return bake_settings(settings)
    cells = {name: getattr(frame, name) for name in ("cell_size", "cell_height", "tile_cells")}
    return BakeSettings(**{**fields_for_agent(frame.agent), **cells})


def _baked_again(
    mesh: NavMesh,
    source: LevelSource,
    column: int,
    row: int,
    settings: BakeSettings,
    volumes: Iterable[ConvexVolume],
    classify: bool,
) -> Tile:
    """A tile of the level as it is now, for a mesh."""
    return bake_tile(
        source,
        settings,
        column,
        row,
        frame=mesh.settings,
        volumes=volumes,
        volume_names=mesh.volume_names,
        areas=mesh.areas,
        classify=classify,
        floor_mask=mesh.floor_mask,
    )


def _frame_of(level: Level, settings: BakeSettings, areas: Areas) -> MeshSettings:
    """What the tiles of a bake of the level record."""
    vertices, _, _ = level.triangles(areas)
    if len(vertices) == 0:
        raise ArgumentError("frame is None and the level has no triangles to make one of")
    grid = TileGrid.over(settings, vertices.min(axis=0), vertices.max(axis=0))
    return MeshSettings.of_grid(settings.agent, grid)


def _cell_grid(settings: BakeSettings, frame: MeshSettings, column: int, row: int, level: Level) -> TileGrid:
    """The grid of one cell in a frame that the settings agree with, as tall as the level now is."""
    grid = TileGrid(
        cells=settings.cells,
        tile_size=settings.cells.tile_size,
        vertical_origin=frame.vertical_origin,
        height_rows=_rows(frame, level),
        first_column=column,
        first_row=row,
        last_column=column,
        last_row=row,
    )
    given = MeshSettings.of_grid(settings.agent, grid)
    for name in ("agent", "cell_size", "cell_height", "tile_cells"):
        if getattr(given, name) != getattr(frame, name):
            raise ArgumentError(
                f"settings have {name} {getattr(given, name)!r}; the mesh's are made with {getattr(frame, name)!r}"
            )
    return grid


def _rows(frame: MeshSettings, level: Level) -> int:
    """The frame's rows, or as many as there are up to the level's top: a crate on a flat floor stands above the rows
    that the floor alone had."""
    bounds = level.bounds
    if bounds is None:
        return frame.rows
    top = bounds[1][1]
    needed = math.ceil((top - frame.vertical_origin) / frame.cell_height) + 1
    if needed > MOST_GRID_ROWS:
        raise RangeError(
            f"the level reaches up to y = {top:.16g}: {needed} rows of {frame.cell_height:g} metres above the mesh's "
            f"vertical origin, more than {MOST_GRID_ROWS}"
        )
    return max(frame.rows, needed)
