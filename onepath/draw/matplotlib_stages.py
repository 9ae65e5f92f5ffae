"""Top views of the builder's stages with matplotlib; without it MissingExtraError says what to install."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from onepath.debug import (
    LevelStages,
    TileStages,
    contour_edges,
    detail_triangles,
    floor_cells,
    polygon_outlines,
    seam_edges,
)
from onepath.draw.matplotlib import (
    DOTS_PER_INCH,
    LONGEST_SIDE,
    SHORTEST_SIDE,
    label_axes,
    picture_format,
)
from onepath.errors import ArgumentError
from onepath.mesh import NavMesh, TileView

# After the module that says what to install where it is missing.
import matplotlib  # isort: skip
from matplotlib import colors  # isort: skip
from matplotlib.collections import LineCollection, PolyCollection  # isort: skip
from matplotlib.figure import Figure  # isort: skip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIELD_STAGES", "MESH_STAGES", "plot_field_stage", "plot_mesh_stage", "save_stage"]

FieldStage = Literal["spans", "regions", "contours"]
MeshStage = Literal["polygons", "detail", "seams"]
#: Stages that are run again tile by tile, and those that a finished mesh holds.
FIELD_STAGES: tuple[FieldStage, ...] = ("spans", "regions", "contours")
MESH_STAGES: tuple[MeshStage, ...] = ("polygons", "detail", "seams")

ERODED_COLOUR = "#e7a977"
NOT_WALKABLE_COLOUR = "#d9d9d9"
FAINT = "#ececec"
WALL_COLOUR = "#1d1d1d"
#: Colour, mark and name of what is no height and no region.
FIELD_LEGENDS: dict[FieldStage, tuple[tuple[str, str, str], ...]] = {
    "spans": ((ERODED_COLOUR, "s", "taken by erosion"), (NOT_WALKABLE_COLOUR, "s", "not walkable")),
    "regions": ((NOT_WALKABLE_COLOUR, "s", "no region"),),
    "contours": ((WALL_COLOUR, "-", "wall"), ("#7f7f7f", "-", "between regions")),
}
#: Of the palette of regions, which greys for none.
GREYS = (14, 15)
#: By kind of seam: wall, joined, not loaded.
SEAM_COLOURS, SEAM_NAMES = ("#d7191c", "#1a9641", "#2b83ba"), ("wall", "joined", "not loaded")


def plot_field_stage(ax: Axes, tiles: Iterable[TileStages], stage: FieldStage, below: float = np.inf) -> None:
    """Draws a stage of some tiles from above; upper floors lie over lower ones.

    "spans": what is walkable by height, what erosion took in orange, other surfaces grey. "regions": each in a colour.
    "contours": outlines over their cells, walls thick, borders between regions thin.

    Args:
        ax: where to draw.
        tiles: their stages.
        stage: as above.
        below: floors at this height, metres, and above are left out.
    """
    draw = {"spans": _draw_spans, "regions": _draw_regions, "contours": _draw_contours}[stage]
    heights = [0.0, 1.0]
    drawn = list(tiles)
    if stage == "spans":
        tops = [floor_cells(tile.compact, tile.padding).corners[:, 0, 1] for tile in drawn]
        every = np.concatenate([*tops, np.zeros(0)])
        every = every[every < below]
        heights = [float(every.min()), float(every.max())] if len(every) else heights
    low, high = heights[0], max(heights[1], heights[0] + 0.5)
    for tile in drawn:
        draw(ax, tile, below, (low, high))
    if stage == "spans":
        scale = matplotlib.cm.ScalarMappable(colors.Normalize(low, high), "viridis")
        ax.figure.colorbar(scale, ax=ax, label="height, m", shrink=0.8)
    for colour, mark, name in FIELD_LEGENDS[stage]:
        ax.plot([], [], mark, color=colour, linewidth=1.8 if colour == WALL_COLOUR else 0.9, label=name)
    label_axes(ax)
    _show_legend(ax)


def plot_mesh_stage(
    ax: Axes, mesh: NavMesh, views: Sequence[TileView], stage: MeshStage, below: float = np.inf
) -> None:
    """Draws polygons, detail triangles or seams of some tiles of a mesh from above.

    "polygons" are coloured by area id, "detail" by height (where there is none the polygons are outlined); "seams" are
    edges on the sides of tiles: green where joined, red where a wall, blue where the next tile is not loaded.

    Args:
        ax: where to draw.
        mesh: the mesh.
        views: its tiles to draw.
        stage: as above.
        below: polygons that reach this height, metres, are left out.
    """
    if stage == "detail":
        _draw_detail(ax, views, below)
    else:
        _draw_polygons(ax, views, below, by_area=stage == "polygons")
    if stage == "seams":
        _draw_seams(ax, mesh, below)
    label_axes(ax)
    _show_legend(ax)


def save_stage(
    file: str | os.PathLike[str],
    stage: str,
    level: LevelStages,
    mesh: NavMesh | None,
    cells: Sequence[tuple[int, int]],
    *,
    below: float = np.inf,
    spot: Sequence[float] | None = None,
    title: str = "",
) -> None:
    """Writes the picture of a stage as PNG or SVG, as the file's suffix says; needs no display.

    Args:
        file: ends in .png or .svg.
        stage: one of FIELD_STAGES or MESH_STAGES.
        level: gives stages of tiles.
        mesh: baked from it, for MESH_STAGES.
        cells: (column, row) of the tiles to draw.
        below: what lies at this height, metres, and above is left out.
        spot: a position to mark.
        title: a line above the picture.

    Raises:
        ArgumentError: the suffix or the stage is another.
        OSError: the file cannot be written.
    """
    kind = picture_format(file)
    size = level.grid.tile_size
    columns, rows = [column for column, _ in cells], [row for _, row in cells]
    wide, deep = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    scale = LONGEST_SIDE / max(wide, deep)
    figure = Figure(
        figsize=(max(wide * scale, SHORTEST_SIDE) + 0.5, max(deep * scale, SHORTEST_SIDE)), layout="compressed"
    )
    ax = figure.add_subplot()
    if stage in FIELD_STAGES:
        plot_field_stage(ax, (level.tile(*cell) for cell in cells), stage, below)
    elif stage in MESH_STAGES and mesh is not None:
        views = [view for view in mesh.tiles() if (view.column, view.row) in set(cells)]
        plot_mesh_stage(ax, mesh, views, stage, below)
    else:
        raise ArgumentError(f"stage is {stage!r}, not one of {', '.join((*FIELD_STAGES, *MESH_STAGES))}")
    for column, row in cells:
        ax.plot(*_frame_of(column, row, size), color="#7f7f7f", linewidth=0.5, linestyle=(0, (4, 4)), zorder=0.5)
    if spot is not None:
        ax.plot(spot[0], spot[2], "x", color="#d7191c", markersize=11, markeredgewidth=2.5, zorder=5)
    ax.set_xlim(min(columns) * size, (max(columns) + 1) * size)
    ax.set_ylim((max(rows) + 1) * size, min(rows) * size)
    if title:
        ax.set_title(title, fontsize="medium", loc="left")
    with matplotlib.rc_context({"svg.hashsalt": "onepath"}):
        figure.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata={"Date": None} if kind == "svg" else None)


def _show_legend(ax: Axes) -> None:
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False, fontsize="small")


def _frame_of(column: int, row: int, size: float) -> tuple[list[float], list[float]]:
    x = [column * size, (column + 1) * size]
    z = [row * size, (row + 1) * size]
    return [x[0], x[1], x[1], x[0], x[0]], [z[0], z[0], z[1], z[1], z[0]]


# --- cells as pictures, a pixel each


def _draw_cells(
    ax: Axes, tile: TileStages, corners: NDArray[np.float64], colours: NDArray[np.float64], below: float
) -> None:
    """Squares of one tile as a picture: higher ones over lower ones."""
    side = tile.frame.width - 2 * tile.padding
    size = tile.frame.cell_size
    shown = np.flatnonzero(corners[:, 0, 1] < below)
    order = shown[np.argsort(corners[shown, 0, 1], kind="stable")]
    low = np.array([tile.frame.origin[0], tile.frame.origin[2]]) + tile.padding * size
    cells = np.floor((corners[order].mean(axis=1)[:, [0, 2]] - low) / size).astype(int)
    picture = np.zeros((side, side, 4))
    for (x, z), colour in zip(cells.tolist(), colours[order], strict=True):
        picture[z, x] = colour
    ax.imshow(
        picture,
        extent=(low[0], low[0] + side * size, low[1] + side * size, low[1]),
        interpolation="nearest",
        zorder=0.4,
    )


def _rgba(colour: str) -> NDArray[np.float64]:
    return np.array(colors.to_rgba(colour))


def _draw_spans(ax: Axes, tile: TileStages, below: float, heights: tuple[float, float]) -> None:
    frame, padding = tile.frame, tile.padding
    spans = tile.rasterized.spans()
    inside = ((spans[:, :2] >= padding) & (spans[:, :2] < frame.width - padding)).all(axis=1)
    x, z, _, top, _ = spans[inside].T
    place = np.stack([x + 0.5, top, z + 0.5], axis=1)
    middle = np.array(frame.origin) + place * [frame.cell_size, frame.cell_height, frame.cell_size]
    others = np.tile(_rgba(NOT_WALKABLE_COLOUR), (len(middle), 1))
    cells = floor_cells(tile.eroded, padding)
    shades = matplotlib.colormaps["viridis"]((cells.corners[:, 0, 1] - heights[0]) / (heights[1] - heights[0]))
    shades[cells.areas == 0] = _rgba(ERODED_COLOUR)
    corners = np.concatenate([np.repeat(middle[:, None], 4, axis=1), cells.corners])
    _draw_cells(ax, tile, corners, np.concatenate([others, shades]), below)


def _region_shades(tile: TileStages, regions: NDArray[np.int32]) -> NDArray[np.float64]:
    """Neighbouring numbers differ, as do the first ones of neighbouring tiles; 0 is grey."""
    palette = np.delete(matplotlib.colormaps["tab20"](np.arange(20)), GREYS, axis=0)
    shades: NDArray[np.float64] = palette[(regions * 7 + tile.column * 5 + tile.row * 3) % len(palette)]
    shades[regions == 0] = _rgba(NOT_WALKABLE_COLOUR)
    return shades


def _draw_regions(ax: Axes, tile: TileStages, below: float, heights: tuple[float, float]) -> None:
    cells = floor_cells(tile.compact, tile.padding)
    _draw_cells(ax, tile, cells.corners, _region_shades(tile, cells.regions), below)


def _draw_contours(ax: Axes, tile: TileStages, below: float, heights: tuple[float, float]) -> None:
    cells = floor_cells(tile.compact, tile.padding)
    _draw_cells(ax, tile, cells.corners, np.tile(_rgba(FAINT), (len(cells.areas), 1)), below)
    edges = contour_edges(tile)
    shown = edges.ends[:, :, 1].max(axis=1) < below
    for is_wall, width, order in ((False, 0.9, 1), (True, 1.8, 2)):
        chosen = shown & ((edges.behind == 0) == is_wall)
        lines = LineCollection(
            edges.ends[chosen][:, :, [0, 2]],
            colors=_rgba(WALL_COLOUR) if is_wall else _region_shades(tile, edges.regions[chosen]),
            linewidths=width,
            zorder=order,
        )
        ax.add_collection(lines)


# --- what a mesh holds


def _draw_polygons(ax: Axes, views: Sequence[TileView], below: float, *, by_area: bool) -> None:
    palette = matplotlib.colormaps["tab20"](np.arange(20))
    rings: list[NDArray[np.float64]] = []
    shades: list[NDArray[np.float64]] = []
    for view in views:
        outlines = polygon_outlines(view)
        for area, ring in zip(outlines.areas, np.split(outlines.corners, outlines.offsets[1:-1]), strict=False):
            rings.append(ring)
            shades.append(0.55 + 0.45 * palette[2 * (int(area) % 10) + 1] if by_area else _rgba(FAINT))
    order = [
        k for k in np.argsort([ring[:, 1].mean() for ring in rings], kind="stable") if rings[k][:, 1].max() < below
    ]
    collection = PolyCollection(
        [rings[k][:, [0, 2]] for k in order],
        facecolors=[shades[k] for k in order],
        edgecolors=WALL_COLOUR if by_area else "#bdbdbd",
        linewidths=0.6,
        zorder=1,
    )
    ax.add_collection(collection)


def _draw_detail(ax: Axes, views: Sequence[TileView], below: float) -> None:
    triangles = np.concatenate([np.zeros((0, 3, 3)), *map(detail_triangles, views)])
    triangles = triangles[triangles[:, :, 1].max(axis=1) < below] if len(triangles) else triangles
    _draw_polygons(ax, views, below, by_area=False)
    if len(triangles) == 0:
        ax.text(0.5, 0.5, "no height detail", ha="center", va="center", transform=ax.transAxes)
        return
    heights = triangles[:, :, 1].mean(axis=1)
    order = np.argsort(heights, kind="stable")
    collection = PolyCollection(
        list(triangles[order][:, :, [0, 2]]), array=heights[order], edgecolors=WALL_COLOUR, linewidths=0.3, zorder=2
    )
    ax.add_collection(collection)
    ax.figure.colorbar(collection, ax=ax, label="height, m", shrink=0.8)


def _draw_seams(ax: Axes, mesh: NavMesh, below: float) -> None:
    seams = seam_edges(mesh)
    shown = seams.ends[:, :, 1].max(axis=1) < below if len(seams.ends) else np.zeros(0, bool)
    for kind, (colour, name) in enumerate(zip(SEAM_COLOURS, SEAM_NAMES, strict=True)):
        chosen = shown & (seams.kinds == kind)
        ax.add_collection(LineCollection(seams.ends[chosen][:, :, [0, 2]], colors=colour, linewidths=2.0, zorder=3))
        if chosen.any():
            ax.plot([], [], color=colour, label=name)
