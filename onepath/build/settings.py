"""What a bake is told: the agent's body, the grid, the limits of its polygons; and the same in whole cells."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from onepath.build.arguments import (
    LARGEST_CELL,
    LARGEST_COORDINATE,
    LEAST_CELL,
    MOST_GRID_COLUMNS,
    MOST_GRID_ROWS,
    number_between,
    one_of,
    switch,
    whole_number,
)
from onepath.errors import ArgumentError, RangeError, shown
from onepath.geometry.angles import cosine
from onepath.names import checks_fields, checks_names, unknown_name

__all__ = [
    "EROSIONS",
    "PARTITIONS",
    "SOLID_INTERIORS",
    "WHERE_AGENT_FIELDS_ARE",
    "AgentShape",
    "BakeSettings",
    "CellSettings",
    "Erosion",
    "Partition",
    "SolidInterior",
    "SpanSettings",
    "bake_settings",
    "where_fields_are",
]

Partition = Literal["watershed", "monotone"]
Erosion = Literal["chamfer", "euclidean"]
SolidInterior = Literal["keep", "remove"]
#: How floors are cut into regions, and how distances to their boundaries are measured; kernels know their places.
PARTITIONS: tuple[Partition, ...] = ("watershed", "monotone")
EROSIONS: tuple[Erosion, ...] = ("chamfer", "euclidean")
SOLID_INTERIORS: tuple[SolidInterior, ...] = ("keep", "remove")

#: Slack of conversions to whole cells: 2.0 / 0.2 must mean ten rows although the division says 10.000000000000002.
CELL_SLACK = 1e-6
#: Keeps a slope of exactly `max_slope` walkable however its triangles are turned, against float32 rounding of normals.
SLOPE_SLACK = 2.0**-14
#: Of region areas, square metres, and edge lengths, metres: beyond every level, and their whole cells fit a double.
LARGEST_LIMIT = 2.0**40
#: Cells of padding around a tile beyond the radius, on each side.
LEAST_PADDING = 3
#: Cells along a tile with its padding, whose square is the most columns that a grid may have; and without.
LARGEST_SIDE = math.isqrt(MOST_GRID_COLUMNS)
LARGEST_TILE = LARGEST_SIDE - 2 * LEAST_PADDING


@checks_fields()
@dataclass(frozen=True, kw_only=True, slots=True)
class AgentShape:
    """The body a mesh is baked for: an upright cylinder that climbs steps and slopes.

    Lengths in metres, `max_slope` in degrees.

    Attributes:
        radius: distance kept from walls and ledges, 0 to 2**20.
        height: room needed above the floor, above 0, at most 2**21.
        max_climb: highest step taken, 0 to 2**21.
        max_slope: steepest walkable slope, 0 up to (not including) 90; a slope of exactly this angle is walkable.

    Raises:
        ArgumentError, RangeError, UnknownNameError: naming field, value and range.
    """

    radius: float = 0.4
    height: float = 1.8
    max_climb: float = 0.5
    max_slope: float = 45.0

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "radius", number_between("AgentShape.radius", self.radius, 0.0, LARGEST_CELL))
        put(self, "height", number_between("AgentShape.height", self.height, 0.0, LARGEST_COORDINATE, open_low=True))
        put(self, "max_climb", number_between("AgentShape.max_climb", self.max_climb, 0.0, LARGEST_COORDINATE))
        put(self, "max_slope", number_between("AgentShape.max_slope", self.max_slope, 0.0, 90.0, open_high=True))


#: For whoever gives the agent's body beside it, or the grid that follows from the body.
WHERE_AGENT_FIELDS_ARE = {field.name: f"give agent=AgentShape({field.name}=...)" for field in fields(AgentShape)}
WHERE_GRID_FIELDS_ARE = {
    name: f"it follows from the agent; change it by .replace({name}=...)"
    for name in ("cell_size", "cell_height", "tile_cells")
}


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanSettings:
    """The numbers of the span stage, in rows and cells (document: voxelization, sections 2, 3, 6 to 8, 10).

    Attributes:
        slope_cosine: a triangle is walkable when ny > slope_cosine * |n|; float32 value.
        height: rows an agent needs above a floor.
        climb: rows an agent steps up.
        radius: cells kept from boundaries.
        merge_threshold: rows within which the larger of two merging areas wins.
    """

    slope_cosine: float
    height: int
    climb: int
    radius: int
    merge_threshold: int

    @classmethod
    def humanoid(cls) -> SpanSettings:
        """45 degrees, 10 rows tall, 4 rows climb, 2 cells radius, merge threshold = climb.

        With cells of 0.3 and 0.2 m: about 2.0 m tall, 0.8 m step, 0.6 m radius.
        """
        return cls(slope_cosine=float(np.float32(0.70710677)), height=10, climb=4, radius=2, merge_threshold=4)


@checks_fields(WHERE_AGENT_FIELDS_ARE)
@dataclass(frozen=True, kw_only=True, slots=True)
class BakeSettings:
    """How a level becomes a mesh. `for_agent` chooses every field to suit an agent.

    Areas in square metres and lengths in metres reach to 2**40 where no range is named.

    Attributes:
        agent: the body the mesh is for.
        cell_size: edge of a voxel in X and Z, metres, 2**-20 to 2**20.
        cell_height: height of a voxel, metres, the same range.
        tile_cells: cells along a side of a tile, 8 to 4090; with radius + 3 cells on both sides at most 4096.
        partition: "watershed" regions, which keep rooms apart at their doors, or "monotone" ones, which are quicker to
            make and longer and thinner.
        min_region_area: islands smaller than this are left out, square metres, 0 keeps all.
        merge_region_area: regions smaller than this join a neighbour where they can, square metres.
        max_edge_length: longer edges along walls are halved, none below a cell, metres, 0 never.
        max_edge_error_cells: how far a simplified border may leave its cells, in cells, 0 to 64.
        max_polygon_vertices: corners of a polygon at most, 3 to 64.
        detail_sample_distance: where polygons get triangles that follow the floor's height, their vertices are tried
            this far apart first, metres; 0 leaves polygons flat.
        detail_max_error: how far a polygon's surface may be from the floor under it, beside one cell height, metres.
        merge_threshold: height within which stacked surfaces share the larger area id, metres, 0 to 2**21; None is the
            agent's climb.
        erosion: how the distance to walls and ledges is measured: "chamfer" is the voxelization document's and clears
            walls at 45 degrees by 6 per cent less than straight ones, "euclidean" is exact at every angle.
        solid_interior: "keep" leaves floors inside closed solids, such as the ground that a box stands on, as islands;
            "remove" takes them out, for every closed surface whose faces point outward.
        two_sided: triangles that face down are turned to face up, for levels whose windings cannot be trusted.

    Raises:
        ArgumentError, RangeError, UnknownNameError: naming field, value and range.
    """

    agent: AgentShape
    cell_size: float
    cell_height: float
    tile_cells: int = 48
    partition: Partition = "watershed"
    min_region_area: float = 0.0
    merge_region_area: float = 0.0
    max_edge_length: float = 0.0
    max_edge_error_cells: float = 1.3
    max_polygon_vertices: int = 6
    detail_sample_distance: float = 0.0
    detail_max_error: float = 0.0
    merge_threshold: float | None = None
    erosion: Erosion = "chamfer"
    solid_interior: SolidInterior = "keep"
    two_sided: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.agent, AgentShape):
            raise ArgumentError(f"BakeSettings.agent is {self.agent!r}, not an AgentShape")
        ranges = {
            "cell_size": (LEAST_CELL, LARGEST_CELL),
            "cell_height": (LEAST_CELL, LARGEST_CELL),
            "min_region_area": (0.0, LARGEST_LIMIT),
            "merge_region_area": (0.0, LARGEST_LIMIT),
            "max_edge_length": (0.0, LARGEST_LIMIT),
            "max_edge_error_cells": (0.0, 64.0),
            "detail_sample_distance": (0.0, LARGEST_LIMIT),
            "detail_max_error": (0.0, LARGEST_LIMIT),
        }
        if self.merge_threshold is not None:
            ranges["merge_threshold"] = (0.0, LARGEST_COORDINATE)
        put = object.__setattr__
        for field, (low, high) in ranges.items():
            put(self, field, number_between(f"BakeSettings.{field}", getattr(self, field), low, high))
        for field, least, most in (("tile_cells", 8, LARGEST_TILE), ("max_polygon_vertices", 3, 64)):
            put(self, field, whole_number(f"BakeSettings.{field}", getattr(self, field), least, most))
        one_of("BakeSettings.partition", self.partition, PARTITIONS)
        one_of("BakeSettings.erosion", self.erosion, EROSIONS)
        one_of("BakeSettings.solid_interior", self.solid_interior, SOLID_INTERIORS)
        put(self, "two_sided", switch("BakeSettings.two_sided", self.two_sided))
        self.cells  # noqa: B018  (derives every whole number now, so that one that does not fit is refused here)

    @classmethod
    @checks_names("BakeSettings.for_agent", WHERE_GRID_FIELDS_ARE)
    def for_agent(cls, agent: AgentShape, detail: Literal["draft", "normal", "fine"] = "normal") -> BakeSettings:
        """Settings that suit a body: cells of a half (draft), a third (normal) or a quarter (fine) of its radius.

        A body without radius is gridded by its height instead. A draft's polygons are flat; a normal mesh follows the
        floor to a cell (samples 6 cells apart), a fine one to a cell height. `replace` changes single fields.

        Args:
            agent: the body.
            detail: "draft", "normal" or "fine".

        Raises:
            ArgumentError, RangeError, UnknownNameError: naming argument, value and range; also cells that would be too
                small or too large for such a body.

        >>> BakeSettings.for_agent(AgentShape(radius=0.75)).cell_size
        0.25
        """
        return cls(**fields_for_agent(agent, detail))

    @property
    def cells(self) -> CellSettings:
        """The same settings in whole cells and rows, as the builder's stages use them."""
        return CellSettings.of(self)

    def replace(self, **changes: object) -> BakeSettings:
        """A copy with some fields changed, the others as they are: nothing is derived anew.

        Raises:
            ArgumentError, RangeError, UnknownNameError: as for the fields themselves.

        >>> BakeSettings.for_agent(AgentShape()).replace(tile_cells=64).tile_cells
        64
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in changes:
            if name not in values:
                raise unknown_name("BakeSettings", name, tuple(values), WHERE_AGENT_FIELDS_ARE)
        return BakeSettings(**{**values, **changes})


def bake_settings(value: object) -> BakeSettings:
    """The settings that a call takes as a whole."""
    if not isinstance(value, BakeSettings):
        made = "BakeSettings.for_agent(AgentShape(radius=0.5))"
        raise ArgumentError(f"settings is {shown(value)}, not BakeSettings, such as {made}")
    return value


def where_fields_are() -> dict[str, str]:
    """For calls that take a bake's settings as a whole: where each of their fields is given."""
    made = "settings=BakeSettings.for_agent(AgentShape(radius=...)).replace"
    return {field.name: f"give {made}({field.name}=...)" for field in fields(BakeSettings)}


def fields_for_agent(agent: AgentShape, detail: str = "normal") -> dict[str, Any]:
    """What `BakeSettings.for_agent` chooses, before it is held to any range: other cells may make it fit."""
    if not isinstance(agent, AgentShape):
        raise ArgumentError(f"agent is {shown(agent)}, not an AgentShape, such as AgentShape(radius=0.5)")
    parts = {"draft": 2, "normal": 3, "fine": 4}
    one_of("detail", detail, tuple(parts))
    reach = agent.radius if agent.radius > 0.0 else agent.height / 4.0
    cell_size = reach / parts[detail]
    return dict(
        agent=agent,
        cell_size=cell_size,
        cell_height=cell_size / 2.0,
        min_region_area=min(LARGEST_LIMIT, 8.0 * reach * reach),
        merge_region_area=min(LARGEST_LIMIT, 50.0 * reach * reach),
        max_edge_length=20.0 * reach,
        detail_sample_distance=0.0 if detail == "draft" else 6.0 * cell_size,
        detail_max_error={"draft": 0.0, "normal": cell_size, "fine": cell_size / 2.0}[detail],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class CellSettings:
    """A bake's settings in whole cells, computed in float64 from the numbers as they were typed.

    Attributes:
        span: numbers of the span stage.
        cell_size, cell_height: rounded to float32 (held as Python floats).
        tile_cells, padding: cells along a tile's side, cells of padding around it (radius + 3).
        partition, erosion: as in the settings.
        min_region, merge_region: cells.
        max_edge: cells, 0 never splits.
        max_edge_error: cells.
        max_polygon_vertices: corners.
        detail_spacing: cells between samples of height, 0 for polygons without detail.
        detail_error: rows.
    """

    span: SpanSettings
    cell_size: float
    cell_height: float
    tile_cells: int
    padding: int
    partition: Partition
    erosion: Erosion
    min_region: int
    merge_region: int
    max_edge: int
    max_edge_error: float
    max_polygon_vertices: int
    detail_spacing: int
    detail_error: float

    @property
    def tile_size(self) -> float:
        """Side of a tile in metres: the float32 product of cells and cell size, as a double."""
        return float(np.float32(self.tile_cells) * np.float32(self.cell_size))

    @classmethod
    def of(cls, settings: BakeSettings) -> CellSettings:
        """Rounds lengths to cells: heights up, climb down, radius up, each with a slack of 1e-6 of a cell.

        Raises:
            RangeError: a height or climb of more than 65535 rows, a tile with its padding of more than 4096 cells.
        """
        agent, size, height = settings.agent, settings.cell_size, settings.cell_height
        climb = math.floor(agent.max_climb / height + CELL_SLACK)
        threshold = (
            climb if settings.merge_threshold is None else math.floor(settings.merge_threshold / height + CELL_SLACK)
        )
        radius = math.ceil(agent.radius / size - CELL_SLACK)
        padding = radius + LEAST_PADDING
        rows = max(1, math.ceil(agent.height / height - CELL_SLACK))
        for field, value, limit in (
            ("agent.height / cell_height", rows, MOST_GRID_ROWS),
            ("agent.max_climb / cell_height", climb, MOST_GRID_ROWS),
            ("tile_cells + 2 * (agent.radius / cell_size + 3)", settings.tile_cells + 2 * padding, LARGEST_SIDE),
        ):
            if value > limit:
                raise RangeError(f"BakeSettings: {field} is {value} cells, more than {limit}; choose larger cells")
        return cls(
            span=SpanSettings(
                slope_cosine=float(np.float32(cosine(agent.max_slope) * (1.0 - SLOPE_SLACK))),
                height=rows,
                climb=climb,
                radius=radius,
                merge_threshold=min(MOST_GRID_ROWS, threshold),
            ),
            cell_size=float(np.float32(size)),
            cell_height=float(np.float32(height)),
            tile_cells=settings.tile_cells,
            padding=padding,
            partition=settings.partition,
            erosion=settings.erosion,
            min_region=min(2**31 - 1, math.ceil(settings.min_region_area / (size * size) - CELL_SLACK)),
            merge_region=min(2**31 - 1, math.ceil(settings.merge_region_area / (size * size) - CELL_SLACK)),
            max_edge=_edge_cells(settings.max_edge_length, size),
            max_edge_error=settings.max_edge_error_cells,
            max_polygon_vertices=settings.max_polygon_vertices,
            detail_spacing=_spacing_cells(settings.detail_sample_distance, size),
            detail_error=min(float(MOST_GRID_ROWS), settings.detail_max_error / height),
        )


def _edge_cells(length: float, cell_size: float) -> int:
    """Cells of the longest edge: no edge is shorter than a cell, and 0 would let all of them be."""
    if length == 0.0:
        return 0
    return max(1, min(2**20, math.floor(length / cell_size + CELL_SLACK)))


def _spacing_cells(distance: float, cell_size: float) -> int:
    """Cells between samples of height; a distance of less than a cell samples every one, however small it is."""
    if distance == 0.0:
        return 0
    return max(1, min(2**20, math.ceil(distance / cell_size - CELL_SLACK)))
