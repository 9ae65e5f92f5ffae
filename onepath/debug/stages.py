"""The builder's stages of one tile, run one by one so that each can be looked at."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.build import (
    BakeSettings,
    CompactHeightfield,
    ContourSet,
    ConvexVolume,
    DetailMesh,
    HeightfieldFrame,
    PolyMesh,
    RegionSet,
    SolidHeightfield,
    apply_span_filters,
    apply_volume,
    build_contours,
    build_detail,
    build_polymesh,
    build_regions,
    erode_walkable_area,
    rasterize_triangles,
)
from onepath.build._interiors import clear_closed_surfaces
from onepath.build._volumes import apply_kind
from onepath.build.arguments import LARGEST_AREA, instance_of, several, switch, whole_number
from onepath.build.grid import LARGEST_TILE_CELL, TileGrid
from onepath.build.settings import bake_settings
from onepath.errors import ArgumentError
from onepath.geometry.areas import Areas
from onepath.geometry.level import Level
from onepath.geometry.surfaces import connected_surfaces
from onepath.geometry.triangles import turned_up
from onepath.mesh.navmesh import checked_areas

__all__ = ["LevelStages", "TileStages"]


class LevelStages:
    """A level and how it is baked: gives the stages of any of its tiles.

    Args:
        level: the level; it has triangles.
        settings: those of the bake.
        volumes: area volumes of the bake, in order.
        areas: what names of areas mean; None knows "ground" only.
        classify: as for `bake`.

    Raises:
        ArgumentError: what is no such thing, or a level without triangles.

    Attributes:
        settings, classify: as given.
        grid: the tiles over the level.
        vertices, triangles: the level's, as it winds them.
        volumes: with the ids of their areas.

    >>> from onepath import AgentShape, BakeSettings, Level
    >>> level = Level()
    >>> level.add_plane((0, 0), (6, 6))
    >>> level.add_box((2, 0, 2), (4, 1, 4))
    >>> settings = BakeSettings.for_agent(AgentShape(radius=0.25))
    >>> tile = LevelStages(level, settings).tile(0, 0)
    >>> tile.regions.count, tile.polymesh.polygon_count
    (2, 4)
    """

    def __init__(
        self,
        level: Level,
        settings: BakeSettings,
        volumes: Sequence[ConvexVolume] = (),
        areas: Areas | None = None,
        classify: bool = True,
    ) -> None:
        bake_settings(settings)
        if len(instance_of("level", level, Level)) == 0:
            raise ArgumentError("level holds no triangles, so that there are no stages to look at")
        known = Areas() if areas is None else checked_areas(areas)
        given = several("volumes", volumes, ConvexVolume)
        self.settings, self.classify = settings, switch("classify", classify)
        self.vertices, self.triangles, self._areas = level.triangles(known)
        self.grid = TileGrid.over(settings, self.vertices.min(axis=0), self.vertices.max(axis=0))
        self.volumes = tuple(volume.resolved(known) for volume in given)
        self._solids = (
            connected_surfaces(self.vertices, self.triangles).closed_names
            if settings.solid_interior == "remove"
            else None
        )
        corners = self.vertices[self.triangles]
        self._low, self._high = corners.min(axis=1), corners.max(axis=1)

    def tile(self, column: int, row: int) -> TileStages:
        """The stages of a tile, which need not lie in the grid.

        Raises:
            ArgumentError, RangeError: a place that is no whole number from -2**28 to 2**28.
        """
        return TileStages(self, column, row)

    def near(self, column: int, row: int) -> NDArray[np.int64]:
        """The triangles, ascending, that may reach a tile or the margin around it."""
        size, margin = self.grid.tile_size, self.grid.padding + self.grid.cells.cell_size
        near = np.ones(len(self.triangles), bool)
        for axis, cell in ((0, column), (2, row)):
            near &= self._low[:, axis] <= (cell + 1) * size + margin
            near &= self._high[:, axis] >= cell * size - margin
        return np.flatnonzero(near)

    def solids(self, chosen: NDArray[np.int64]) -> NDArray[np.int32] | None:
        """The closed surfaces of some triangles, -1 for none; None where insides stay. The whole level decides."""
        return None if self._solids is None else self._solids[chosen]

    def area_ids(self, chosen: NDArray[np.int64]) -> NDArray[np.uint8] | None:
        """Area ids of some triangles, None for plain ground everywhere."""
        return None if self._areas is None else self._areas[chosen]


class TileStages:
    """What each stage of the builder makes of one tile, as `LevelStages.tile` gives it.

    Attributes:
        column, row: the tile.
        frame: its grid with the margin around the square.
        chosen: the triangles that may reach it, numbers of the level's.
        rasterized: solid spans as the triangles leave them.
        solid: solid spans filtered, insides of solids taken out where the settings say so.
        open_floor: the open space above them, before erosion.
        eroded: after erosion, before volumes.
        compact: with volumes' areas and the regions.
        regions, contours, polymesh: of the tile's square; x and z in cells from its low corner, y in rows.
        detail: triangles of its polygons that follow the floor; None where the settings ask for none.
    """

    def __init__(self, level: LevelStages, column: int, row: int) -> None:
        grid = instance_of("level", level, LevelStages).grid
        cells, span = grid.cells, grid.cells.span
        column = whole_number("column", column, -LARGEST_TILE_CELL, LARGEST_TILE_CELL)
        row = whole_number("row", row, -LARGEST_TILE_CELL, LARGEST_TILE_CELL)
        self.column, self.row = column, row
        side = cells.tile_cells + 2 * cells.padding
        origin = (column * grid.tile_size - grid.padding, grid.vertical_origin, row * grid.tile_size - grid.padding)
        self.frame = HeightfieldFrame(origin, cells.cell_size, cells.cell_height, side, side, grid.height_rows)
        self.padding = cells.padding
        self.chosen = level.near(column, row)

        # Solid spans
        triangles = level.triangles[self.chosen]
        walked = turned_up(level.vertices, triangles) if level.settings.two_sided else triangles
        self.rasterized = SolidHeightfield(self.frame)
        rasterize_triangles(
            self.rasterized,
            level.vertices,
            walked,
            level.area_ids(self.chosen),
            slope_cosine=span.slope_cosine,
            merge_threshold=span.merge_threshold,
            classify=level.classify,
        )
        self.solid = SolidHeightfield.from_spans(self.frame, self.rasterized.spans())
        apply_span_filters(self.solid, span.height, span.climb)
        solids = level.solids(self.chosen)
        if solids is not None:
            clear_closed_surfaces(self.solid, level.vertices, triangles, solids)

        # Open space
        self.open_floor = CompactHeightfield.build(self.solid, span.height, span.climb)
        self.eroded = copy.copy(self.open_floor)
        erode_walkable_area(self.eroded, span.radius, metric=cells.erosion)
        self.compact = copy.copy(self.eroded)

        # Regions, outlines, polygons
        _apply_kinds(self.compact, level.volumes)
        self.regions: RegionSet = build_regions(
            self.compact,
            partition=cells.partition,
            padding=cells.padding,
            min_region=cells.min_region,
            merge_region=cells.merge_region,
        )
        for volume in level.volumes:
            apply_volume(self.compact, volume)
        self.contours: ContourSet = build_contours(
            self.regions, max_edge_error=cells.max_edge_error, max_edge=cells.max_edge
        )
        self.polymesh: PolyMesh = build_polymesh(self.contours, max_polygon_vertices=cells.max_polygon_vertices)
        self.detail: DetailMesh | None = None
        if cells.detail_spacing > 0:
            self.detail = build_detail(
                self.contours, self.polymesh, sample_distance=cells.detail_spacing, max_error=cells.detail_error
            )


def _apply_kinds(compact: CompactHeightfield, volumes: Sequence[ConvexVolume]) -> None:
    """Marks spans by area and name of the volumes they lie in, which is where regions end."""
    kinds: dict[tuple[int | str, str], int] = {}
    for volume in volumes:
        kind = int(volume.area)
        if volume.name is None or kind == 0:
            apply_kind(compact, volume, kind)
            continue
        kind = kinds.get((volume.area, volume.name), LARGEST_AREA + 1 + len(kinds))
        if apply_kind(compact, volume, kind) > 0:
            kinds[volume.area, volume.name] = kind
