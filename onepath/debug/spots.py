"""Why an agent may or may not stand at a spot: the stages of its tile are run again and read one after the other."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.answers import Answer
from onepath.build import (
    BakeSettings,
    CompactHeightfield,
    ConvexVolume,
    SolidHeightfield,
    apply_volume,
    erode_walkable_area,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
)
from onepath.build.arguments import instance_of, several
from onepath.build.arguments import point as checked_point
from onepath.build.settings import bake_settings
from onepath.debug.spot_geometry import distance_outside, height_over, highest_within, island_cells
from onepath.debug.stages import LevelStages, TileStages
from onepath.errors import ArgumentError
from onepath.geometry.areas import Areas
from onepath.io.sources import LevelSource, as_level
from onepath.mesh._tile import Tile, tile_from_cells
from onepath.mesh.navmesh import NavMesh, checked_areas
from onepath.mesh.settings import MeshSettings
from onepath.query import NavMeshQuery

__all__ = ["SpotExplanation", "SpotReason", "explain_spot"]


class SpotReason(Answer):
    """Why a spot is walkable or not; the first stage that says no gives the reason."""

    WALKABLE = "walkable", "A polygon covers the spot."
    OUTSIDE = "outside", "The level does not reach there. Check the position, its units and its axes."
    NO_GROUND = (
        "no_ground",
        "No triangle lies at that height. Move the spot up or down, or add a floor.",
    )
    FACES_DOWN = "faces_down", "The surface faces down. Turn its triangles over, or bake with two_sided=True."
    TOO_STEEP = "too_steep", "The slope is above the agent's max_slope."
    NO_AREA = "no_area", "The triangle or a volume has area 0, which nobody walks on."
    LOW_CEILING = "low_ceiling", "There is less room above the floor than the agent is tall."
    LEDGE = "ledge", "The ground beside drops, or differs from side to side, by more than the agent's max_climb."
    IN_SOLID = "in_solid", "The spot lies within a wall or the ground, or inside a closed solid that the bake removes."
    ERODED = "eroded", "The spot lies nearer to a wall or ledge than the agent's radius."
    SMALL_REGION = "small_region", "The spot belongs to an island smaller than min_region_area."
    UNREACHABLE = "unreachable", "No way leads there from the seeds of the bake. Add a seed, a way or an off-mesh link."
    PRUNED = (
        "pruned",
        "The bake makes a polygon there that the mesh lacks: prune_islands took it out, or the tile is another one.",
    )
    SIMPLIFIED = "simplified", "The simplified border leaves the spot out; it lies within max_edge_error_cells of it."


@dataclass(frozen=True, slots=True)
class SpotExplanation:
    """The answer of `explain_spot`. True if the spot is walkable.

    Attributes:
        reason: the SpotReason.
        text: the same in a sentence with the numbers.
        point: the position asked for.
        height: of the surface that was judged, metres; None where there is none.
        measured, limit: what was measured there and what it was held against, in degrees, metres or square metres;
            None where nothing is.
        triangle: number of the level's triangle to blame, or None.
        tile: (column, row) of the tile, or None outside the level.
        area: area id of a walkable spot, else 0.
    """

    reason: SpotReason
    text: str
    point: tuple[float, float, float]
    height: float | None = None
    measured: float | None = None
    limit: float | None = None
    triangle: int | None = None
    tile: tuple[int, int] | None = None
    area: int = 0

    def __bool__(self) -> bool:
        return self.reason is SpotReason.WALKABLE

    def __str__(self) -> str:
        return self.text


def explain_spot(
    source: LevelSource,
    settings: BakeSettings,
    point: Sequence[float],
    *,
    volumes: Sequence[ConvexVolume] = (),
    areas: Areas | None = None,
    classify: bool = True,
    mesh: NavMesh | None = None,
) -> SpotExplanation:
    """Why an agent may or may not stand at a point of a level, by running the builder's stages on its tile again.

    Of the surfaces at that place the one nearest in height is judged, from the agent's height below the point to its
    climb above. Heights and distances are those of the bake, in whole cells.

    Args:
        source: as for `bake`.
        settings: those of the bake.
        point: any sequence of three floats, metres.
        volumes, areas, classify: as for `bake`.
        mesh: the mesh, for what the builder's stages do not know: ground that seeds left out, and pruned islands.

    Raises:
        LevelError, ArgumentError, RangeError: naming what is wrong, such as a mesh of another grid.

    >>> from onepath import AgentShape, Level
    >>> level = Level()
    >>> level.add_plane((0, 0), (10, 10))
    >>> level.add_box((4, 1, 4), (6, 2, 6))
    >>> print(explain_spot(level, BakeSettings.for_agent(AgentShape(radius=0.3)), (5, 0, 5)))
    (5, 0, 5) is not walkable: the ceiling is 0.95 m above the floor, the agent is 1.80 m tall
    """
    bake_settings(settings)
    spot = checked_point("point", point)
    level = as_level(source)
    known = Areas() if areas is None else checked_areas(areas)
    given = several("volumes", volumes, ConvexVolume)
    if len(level) == 0:
        return _Spot.outside(spot, "the level holds no triangles")
    stages = LevelStages(level, settings, given, known, classify)
    if mesh is not None:
        _check_mesh(mesh, MeshSettings.of_grid(settings.agent, stages.grid))
    size, grid = stages.grid.tile_size, stages.grid
    column, row = math.floor(spot[0] / size), math.floor(spot[2] / size)
    if not (grid.first_column <= column <= grid.last_column and grid.first_row <= row <= grid.last_row):
        low, high = stages.vertices.min(axis=0), stages.vertices.max(axis=0)
        reach = f"x from {low[0]:g} to {high[0]:g} and z from {low[2]:g} to {high[2]:g}"
        return _Spot.outside(spot, f"the level has {reach}")
    found = _Spot(stages, stages.tile(column, row), spot)
    why = found.explained()
    taken = found.judge_mesh(mesh) if why and mesh is not None else None
    return why if taken is None else taken


def _check_mesh(mesh: NavMesh, wanted: MeshSettings) -> None:
    instance_of("mesh", mesh, NavMesh)._check_initialised()
    for name in ("agent", "cell_size", "cell_height", "tile_cells", "vertical_origin"):
        there, here = getattr(mesh.settings, name), getattr(wanted, name)
        if there != here:
            raise ArgumentError(f"mesh has {name} {there!r}; level and settings give {here!r}")


class _Spot:
    """The column of cells at a spot, seen stage by stage."""

    def __init__(self, level: LevelStages, tile: TileStages, spot: tuple[float, float, float]) -> None:
        self.level, self.tile, self.spot = level, tile, spot
        self.settings, self.span = level.settings, level.grid.cells.span
        frame = tile.frame
        self.cell_size, self.row_height = frame.cell_size, frame.cell_height
        cells = [(spot[axis] - frame.origin[axis]) / frame.cell_size for axis in (0, 2)]
        last = frame.width - tile.padding - 1
        self.x, self.z = (min(max(math.floor(cell), tile.padding), last) for cell in cells)
        self.top = -1  # the row that the judged surface fills up to
        self.surface = -1.0  # the same, or that of a polygon over another surface

    @staticmethod
    def outside(spot: tuple[float, float, float], what: str) -> SpotExplanation:
        return SpotExplanation(SpotReason.OUTSIDE, f"{_named(spot)} is not walkable: {what}", spot)

    def explained(self) -> SpotExplanation:
        """The first stage that says no, in the builder's order."""
        for judge in (
            self._judge_ground,
            self._judge_surface,
            self._judge_ledge,
            self._judge_headroom,
            self._judge_solid,
            self._judge_erosion,
            self._judge_volumes,
            self._judge_region,
            self._judge_border,
        ):
            found = judge()
            if found is not None:
                return self._covered_anyway() or found
        area = int(self.tile.compact.area[self._open_space(self.tile.compact)])
        return self._answer(SpotReason.WALKABLE, f"area {area}", area=area)

    def judge_mesh(self, mesh: NavMesh) -> SpotExplanation | None:
        """What a mesh of a walkable spot says: whether seeds chose it, and whether it is there still."""
        if mesh.floor_mask is not None:
            polygon = min(self._polygons_over(), key=lambda over: abs(over[1] - self.surface))[0]
            if not mesh.floor_mask.kept(self._written(mesh.settings))[polygon]:
                return self._answer(SpotReason.UNREACHABLE, "it is not reachable from the seeds")
        query, (x, y, z) = NavMeshQuery(mesh), self.spot
        reach = self.settings.agent.height / 2.0 + self.settings.detail_max_error
        # A polygon without detail may be farther from its floor than that, and the spot be meant on the polygon.
        for height, near in ((self._height(self.surface), reach), (y, self.row_height)):
            if query.find_nearest_polygon((x, height, z), (0.0, near, 0.0)).over_polygon:
                return None
        return self._answer(SpotReason.PRUNED, "its island was taken out of the mesh, or its tile is another one now")

    def _written(self, settings: MeshSettings) -> Tile:
        """The tile's polygons without detail."""
        made = self.tile.polymesh
        return tile_from_cells(
            self.tile.column,
            self.tile.row,
            made.vertices,
            made.polygon_offsets,
            made.polygon_vertices,
            made.polygon_neighbours,
            made.border_sides,
            made.areas,
            settings,
        )

    def _covered_anyway(self) -> SpotExplanation | None:
        """Where a stage said no but a polygon lies over the judged surface, or nearer to the spot than that: simplified
        borders reach over cells beside their region, over those of the next one and over holes."""
        tops = [high for _, high, _ in self._column(self.tile.rasterized)]
        wanted = (self.spot[1] - self.tile.frame.origin[1]) / self.row_height
        for polygon, height in sorted(self._polygons_over(), key=lambda over: abs(over[1] - wanted)):
            off = abs(height - wanted)
            nearer = self._within_reach(height) and (self.top < 0 or off < abs(self.top - wanted))
            if nearer or (self.top >= 0 and min(tops, key=lambda top: (abs(top - height), top)) == self.top):
                self.surface = height if nearer else self.top
                area = int(self.tile.polymesh.areas[polygon])
                return self._answer(SpotReason.WALKABLE, f"area {area}, a simplified border reaches over it", area=area)
        return None

    def _within_reach(self, row: float) -> bool:
        """Whether a height is one that the spot may mean: from the agent's height below it to its climb above."""
        agent, off = self.settings.agent, self._height(row) - self.spot[1]
        return -agent.height - self.row_height <= off <= agent.max_climb + self.row_height

    def _polygons_over(self) -> Iterator[tuple[int, float]]:
        """Polygons that cover the spot, and the row that their surface has there."""
        mesh = self.tile.polymesh
        u, w = self._place()
        for polygon in range(mesh.polygon_count):
            ring = mesh.vertices[mesh.polygon_vertices[slice(*mesh.polygon_offsets[polygon : polygon + 2])]].astype(
                float
            )
            if distance_outside(ring[:, [0, 2]], u, w) <= 1e-6:
                yield polygon, height_over(self._surface(polygon, ring), u, w)

    def _surface(self, polygon: int, ring: NDArray[np.float64]) -> NDArray[np.float64]:
        """(t, 3, 3) triangles of a polygon: its detail, or the fan from its first corner."""
        detail = self.tile.detail
        if detail is not None and detail.offsets[polygon] < detail.offsets[polygon + 1]:
            vertices = np.concatenate([self.tile.polymesh.vertices, detail.vertices])
            return vertices[detail.triangles[slice(*detail.offsets[polygon : polygon + 2])]]
        return np.stack([np.broadcast_to(ring[0], ring[2:].shape), ring[1:-1], ring[2:]], axis=1)

    def _place(self) -> tuple[float, float]:
        """The spot in cells from the low corner of the tile's square."""
        origin, padding = self.tile.frame.origin, self.tile.padding
        u, w = ((self.spot[axis] - origin[axis]) / self.cell_size - padding for axis in (0, 2))
        return u, w

    def _answer(
        self,
        reason: SpotReason,
        what: str,
        *,
        measured: float | None = None,
        limit: float | None = None,
        triangle: int | None = None,
        area: int = 0,
    ) -> SpotExplanation:
        word = "is walkable" if reason is SpotReason.WALKABLE else "is not walkable"
        return SpotExplanation(
            reason,
            f"{_named(self.spot)} {word}: {what}",
            self.spot,
            None if self.surface < 0 else self._height(self.surface),
            measured,
            limit,
            triangle,
            (self.tile.column, self.tile.row),
            area,
        )

    def _height(self, row: float) -> float:
        return self.tile.frame.origin[1] + row * self.row_height

    # --- spans of the column

    def _column(self, field: SolidHeightfield, dx: int = 0, dz: int = 0) -> list[tuple[int, int, int]]:
        """(low, high, area) of the spans of this column, or of one beside it."""
        spans = field.spans()
        own = (spans[:, 0] == self.x + dx) & (spans[:, 1] == self.z + dz)
        return [(low, high, area) for _, _, low, high, area in spans[own].tolist()]

    def _area(self, field: SolidHeightfield) -> int:
        """The judged span's area at a stage."""
        return next(area for _, high, area in self._column(field) if high == self.top)

    def _open_space(self, compact: CompactHeightfield) -> int:
        column = self.x + self.z * self.tile.frame.width
        first, count = compact.cell_first[column], compact.cell_count[column]
        return int(first + np.flatnonzero(compact.y[first : first + count] == self.top)[0])

    # --- stages

    def _judge_ground(self) -> SpotExplanation | None:
        column = self._column(self.tile.rasterized)
        y = self.spot[1]
        heights = [(abs(self._height(top) - y), top) for _, top, _ in column]
        near = [(distance, top) for distance, top in heights if self._within_reach(top)]
        if near:
            self.top = self.surface = min(near)[1]
            return None
        around = [(top, area) for low, top, area in column if self._height(low) <= y <= self._height(top)]
        if around:
            self.top, area = around[0]
            self.surface = self.top
            if area == 0:
                return self._judge_surface()
            return self._answer(SpotReason.IN_SOLID, f"it is solid there up to y = {self._height(self.top):.2f}")
        if not heights:
            return self._answer(SpotReason.NO_GROUND, "no triangle lies above or below it")
        distance, top = min(heights)
        way = "above" if self._height(top) > y else "below"
        return self._answer(SpotReason.NO_GROUND, f"the nearest surface lies {distance:.2f} m {way}", measured=distance)

    def _judge_surface(self) -> SpotExplanation | None:
        """What the triangles say, once low obstacles have been stepped onto."""
        field = SolidHeightfield.from_spans(self.tile.frame, self.tile.rasterized.spans())
        filter_low_hanging_obstacles(field, self.span.climb)
        if self._area(field) > 0:
            return None
        triangle, slope = self._triangle_on_top()
        limit = self.settings.agent.max_slope
        if slope > 90.0 and not self.settings.two_sided:
            return self._answer(SpotReason.FACES_DOWN, f"triangle {triangle} there faces down", triangle=triangle)
        slope = min(slope, 180.0 - slope)
        if slope > limit:
            text = f"the slope is {slope:.1f} degrees, more than max_slope {limit:g} (triangle {triangle})"
            return self._answer(SpotReason.TOO_STEEP, text, measured=slope, limit=limit, triangle=triangle)
        return self._answer(
            SpotReason.NO_AREA, f"triangle {triangle} or one merged with it has area 0", triangle=triangle
        )

    def _triangle_on_top(self) -> tuple[int, float]:
        """The triangle whose plane lies nearest to the judged surface within the cell, and its slope: above 90 degrees
        it faces down."""
        level, height = self.level, self._height(self.top)
        corners = level.vertices[level.triangles[self.tile.chosen]]
        low, high = self._cell_box()
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.sqrt((normal * normal).sum(axis=1))
        meets = np.all((corners.min(1)[:, [0, 2]] <= high) & (corners.max(1)[:, [0, 2]] >= low), axis=1)
        # What is rounded to the grid may fill a cell that it does not quite reach.
        sound = (length > 0) & meets if ((length > 0) & meets).any() else length > 0
        chosen, corners, normal = self.tile.chosen[sound], corners[sound], normal[sound] / length[sound, None]
        off = np.abs(highest_within(corners, normal, low, high) - height)
        best = int(np.argmin(off))
        return int(chosen[best]), math.degrees(math.acos(min(1.0, max(-1.0, float(normal[best, 1])))))

    def _cell_box(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        origin = self.tile.frame.origin
        low = np.array([origin[0] + self.x * self.cell_size, origin[2] + self.z * self.cell_size])
        return low, low + self.cell_size

    def _judge_headroom(self) -> SpotExplanation | None:
        above = [low for low, _, _ in self._column(self.tile.rasterized) if low >= self.top]
        if not above or above[0] - self.top >= self.span.height:
            return None
        room, tall = (above[0] - self.top) * self.row_height, self.settings.agent.height
        text = f"the ceiling is {room:.2f} m above the floor, the agent is {tall:.2f} m tall"
        return self._answer(SpotReason.LOW_CEILING, text, measured=room, limit=tall)

    def _judge_ledge(self) -> SpotExplanation | None:
        field = SolidHeightfield.from_spans(self.tile.frame, self.tile.rasterized.spans())
        filter_low_hanging_obstacles(field, self.span.climb)
        filter_ledge_spans(field, self.span.height, self.span.climb)
        if self._area(field) > 0:
            return None
        climb = self.settings.agent.max_climb
        drop = self._lowest_beside()
        if drop is None:
            return self._answer(SpotReason.LEDGE, "the ground ends beside it", limit=climb)
        if drop > self.span.climb:
            text = f"the ground beside it drops by {drop * self.row_height:.2f} m, more than max_climb {climb:g}"
            return self._answer(SpotReason.LEDGE, text, measured=drop * self.row_height, limit=climb)
        text = f"the ground on its sides differs in height by more than max_climb {climb:g}"
        return self._answer(SpotReason.LEDGE, text, limit=climb)

    def _lowest_beside(self) -> int | None:
        """Rows down to the lowest floor beside that can be fallen onto; None where there is nothing to fall onto."""
        column = self._column(self.tile.rasterized)
        ceiling = min((low for low, _, _ in column if low >= self.top), default=2**30)
        lowest = 0
        for dx, dz in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            spans = self._column(self.tile.rasterized, dx, dz)
            floors = [-(2**20), *(high for _, high, _ in spans)]
            ceilings = [*(low for low, _, _ in spans), 2**30]
            for floor, top in zip(floors, ceilings, strict=True):
                if min(ceiling, top) - max(self.top, floor) >= self.span.height:
                    lowest = max(lowest, self.top - floor)
                    break
        return None if lowest > 2**19 else lowest

    def _judge_solid(self) -> SpotExplanation | None:
        if self._area(self.tile.solid) > 0:
            return None
        return self._answer(SpotReason.IN_SOLID, "it lies inside a closed solid")

    def _judge_erosion(self) -> SpotExplanation | None:
        span = self._open_space(self.tile.eroded)
        if self.tile.eroded.area[span] > 0:
            return None
        kept = 0
        for radius in range(1, self.span.radius):
            again = copy.copy(self.tile.open_floor)
            erode_walkable_area(again, radius, metric=self.settings.erosion)
            if again.area[span] == 0:
                break
            kept = radius
        distance, radius_metres = kept * self.cell_size, self.settings.agent.radius
        text = f"a wall or ledge is within {distance + self.cell_size:.2f} m, nearer than the radius {radius_metres:g}"
        return self._answer(SpotReason.ERODED, text, measured=distance, limit=radius_metres)

    def _judge_volumes(self) -> SpotExplanation | None:
        again, span = copy.copy(self.tile.eroded), self._open_space(self.tile.compact)
        if self.tile.compact.area[span] > 0:
            return None
        for number, volume in enumerate(self.level.volumes):
            apply_volume(again, volume)
            if again.area[span] == 0:
                name = f"volume {number}" if volume.name is None else f"volume {volume.name!r}"
                return self._answer(SpotReason.NO_AREA, f"{name} gives it area 0")
        raise AssertionError("only volumes take areas after erosion")

    def _judge_region(self) -> SpotExplanation | None:
        span = self._open_space(self.tile.compact)
        if self.tile.compact.region[span] > 0:
            return None
        area = island_cells(self.tile.compact, span, self.tile.padding) * self.cell_size**2
        limit = self.settings.min_region_area
        text = f"its island has {area:.2f} square metres, fewer than min_region_area {limit:g}"
        return self._answer(SpotReason.SMALL_REGION, text, measured=area, limit=limit)

    def _judge_border(self) -> SpotExplanation | None:
        mesh = self.tile.polymesh
        region = self.tile.compact.region[self._open_space(self.tile.compact)]
        u, w = self._place()
        outside = math.inf
        for polygon in np.flatnonzero(mesh.regions == region).tolist():
            corners = mesh.vertices[mesh.polygon_vertices[slice(*mesh.polygon_offsets[polygon : polygon + 2])]]
            outside = min(outside, distance_outside(corners[:, [0, 2]].astype(float), u, w))
        if outside <= 1e-6:
            return None
        off = outside * self.cell_size
        text = f"the simplified border leaves it out by {off:.2f} m"
        return self._answer(SpotReason.SIMPLIFIED, text, measured=off, limit=0.0)


def _named(spot: tuple[float, float, float]) -> str:
    return "(" + ", ".join(f"{coordinate:g}" for coordinate in spot) + ")"
