"""Top views of a mesh with matplotlib: its polygons coloured by height or area id, off-mesh links and a path over them.

Importing this module imports matplotlib; without it, MissingExtraError says what to install.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from onepath.errors import ArgumentError, MissingExtraError
from onepath.mesh import LinkKind, NavMesh
from onepath.query import Path

try:
    import matplotlib
    from matplotlib import colors, patheffects
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch
except ImportError as error:
    raise MissingExtraError('plots take matplotlib; install it with: pip install "onepath[plot]"') from error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["label_axes", "picture_format", "plot_mesh", "save_plot"]

ColourBy = Literal["height", "area"]
Route = Path | NDArray[np.float64] | Sequence[Sequence[float]]

FORMATS = (".png", ".svg")
#: Colour of area 0, which nobody walks on.
NO_AREA_COLOUR = "#b8b8b8"
#: By kind of link: jump, drop, climb, ladder, door, teleport; the host's kinds go round.
LINK_COLOURS = ("#d7191c", "#08306b", "#7a0177", "#8c510a", "#000000", "#00838f")
#: How far colours go towards white, so that dark edges and the path show on all of them.
PALER = 0.4
#: Longer and shorter side of a saved picture at most and at least, inches.
LONGEST_SIDE, SHORTEST_SIDE = 11.0, 4.5
DOTS_PER_INCH = 150


def plot_mesh(
    mesh: NavMesh, ax: Axes | None = None, by: ColourBy = "height", path: Route | None = None, links: bool = False
) -> Axes:
    """Draws the mesh from above: X to the right, Z down the page, metres; upper floors lie over lower ones.

    Args:
        mesh: its committed polygons are drawn, each in one colour.
        ax: where to draw; None makes a figure with pyplot.
        by: "height" colours by the mean height of a polygon's corners, "area" by its area id.
        path: a `Path` or its points, (n, 3), drawn over everything, with marks at start and end.
        links: draws the committed off-mesh links as arrows coloured by kind, with two heads where they go both ways.

    Returns:
        The axes.

    Raises:
        ArgumentError: `by` or `path` makes no sense.
    """
    if by not in ("height", "area"):
        raise ArgumentError(f"by is {by!r}, not 'height' or 'area'")
    line = None if path is None else _points_of(path)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots()[1]
    outlines, heights, areas = _polygons(mesh)
    if outlines:
        # One collection draws its members in order: what lies higher comes later and covers what lies under it.
        order = np.argsort(heights, kind="stable")
        collection = PolyCollection([outlines[i] for i in order], edgecolors="#1d1d1d", linewidths=0.4)
        ax.add_collection(collection)
        (_colour_by_height if by == "height" else _colour_by_area)(ax, collection, heights[order], areas[order])
    else:
        ax.text(0.5, 0.5, "no polygons", ha="center", va="center", transform=ax.transAxes)
    if links:
        _draw_links(ax, mesh)
    if line is not None and len(line):
        _draw_line(ax, line, "end" if not isinstance(path, Path) or path else "stops short")
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=6, frameon=False, fontsize="small")
    label_axes(ax)
    return ax


def save_plot(
    mesh: NavMesh,
    file: str | os.PathLike[str],
    by: ColourBy = "height",
    path: Route | None = None,
    title: str = "",
    links: bool = False,
) -> None:
    """Writes a top view as PNG or SVG, as the file's suffix says; needs no display. Equal input gives equal bytes.

    Args:
        mesh, by, path, links: as for `plot_mesh`.
        file: ends in .png or .svg.
        title: a line above the picture.

    Raises:
        ArgumentError: the suffix is another, or as `plot_mesh`.
        OSError: the file cannot be written.
    """
    kind = picture_format(file)
    figure = Figure(figsize=_figure_size(mesh), layout="compressed")
    ax = plot_mesh(mesh, figure.add_subplot(), by, path, links)
    if title:
        ax.set_title(title, fontsize="medium", loc="left")
    with matplotlib.rc_context({"svg.hashsalt": "onepath"}):
        figure.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata={"Date": None} if kind == "svg" else None)


def picture_format(file: str | os.PathLike[str]) -> str:
    """ "png" or "svg", by a file's suffix.

    Raises:
        ArgumentError: it has another.
    """
    suffix = FilePath(file).suffix.lower()
    if suffix not in FORMATS:
        raise ArgumentError(f"{os.fspath(file)}: pictures end in {' or '.join(FORMATS)}, not in {suffix!r}")
    return suffix[1:]


def _polygons(mesh: NavMesh) -> tuple[list[NDArray[np.float64]], NDArray[np.float64], NDArray[np.uint8]]:
    """Outlines (k, 2) in X/Z, mean heights and area ids of all polygons of the mesh."""
    outlines: list[NDArray[np.float64]] = []
    heights, areas = [np.zeros(0)], [np.zeros(0, np.uint8)]
    for view in mesh.tiles():
        if view.polygon_count:
            corners = (view.vertices.astype(np.float64) + view.origin)[view.polygon_vertices]
            starts = view.polygon_offsets[:-1]
            outlines += np.split(corners[:, [0, 2]], starts[1:])
            heights.append(np.add.reduceat(corners[:, 1], starts) / np.diff(view.polygon_offsets))
            areas.append(view.areas)
    return outlines, np.concatenate(heights), np.concatenate(areas)


def _paler(shades: NDArray[np.float64]) -> NDArray[np.float64]:
    return shades + PALER * (1.0 - shades)


def _colour_by_height(
    ax: Axes, collection: PolyCollection, heights: NDArray[np.float64], areas: NDArray[np.uint8]
) -> None:
    shades = _paler(matplotlib.colormaps["viridis"](np.arange(256)))
    collection.set(array=heights, cmap=colors.ListedColormap(shades))
    low, high = float(heights.min()), float(heights.max())
    # A flat floor's rounding must not fill the whole scale.
    middle, half = (low + high) / 2.0, max((high - low) / 2.0, 0.5)
    collection.set_clim(middle - half, middle + half)
    ax.figure.colorbar(collection, ax=ax, label="height, m", shrink=0.8)


def _colour_by_area(
    ax: Axes, collection: PolyCollection, heights: NDArray[np.float64], areas: NDArray[np.uint8]
) -> None:
    """Each id keeps its colour whatever other ids the mesh has."""
    ids, index = np.unique(areas, return_inverse=True)
    # Ten colours, then the same ones lighter: ids less than 20 apart differ. Id 63, plain ground, is green.
    palette = _paler(matplotlib.colormaps["tab20"](np.arange(20)))
    places = [2 * ((int(area) - 1) % 10) + (int(area) - 1) // 10 % 2 for area in ids]
    shades = [NO_AREA_COLOUR if area == 0 else palette[place] for area, place in zip(ids, places, strict=True)]
    collection.set(array=index.reshape(-1).astype(float), cmap=colors.ListedColormap(shades))
    collection.set_norm(colors.BoundaryNorm(np.arange(len(ids) + 1) - 0.5, len(ids)))
    bar = ax.figure.colorbar(collection, ax=ax, label="area id", shrink=0.8, ticks=np.arange(len(ids)))
    bar.ax.set_yticklabels([str(area) for area in ids])
    bar.minorticks_off()
    bar.ax.tick_params(length=0)


def _draw_links(ax: Axes, mesh: NavMesh) -> None:
    kinds: set[int] = set()
    for record in mesh.link_records():
        link = record.definition
        kinds.add(link.kind)
        arrow = FancyArrowPatch(
            (link.start[0], link.start[2]),
            (link.end[0], link.end[2]),
            arrowstyle="<->" if link.bidirectional else "->",
            color=_link_colour(link.kind),
            mutation_scale=5.0,
            linewidth=0.9,
            shrinkA=0.0,
            shrinkB=0.0,
            zorder=2.5,
        )
        ax.add_patch(arrow)
    for kind in sorted(kinds):
        name = LinkKind(kind).name.lower() if kind <= max(LinkKind) else f"kind {kind}"
        ax.plot([], [], color=_link_colour(kind), label=name)


def _link_colour(kind: int) -> str:
    return LINK_COLOURS[kind % len(LINK_COLOURS)]


def _draw_line(ax: Axes, points: NDArray[np.float64], last: str) -> None:
    halo = [patheffects.withStroke(linewidth=4.5, foreground="white")]
    ax.plot(points[:, 0], points[:, 2], color="#d7191c", linewidth=2.2, path_effects=halo, zorder=3, label="path")
    for point, marker, name in ((points[0], "o", "start"), (points[-1], "X", last)):
        ax.plot(
            point[0], point[2], marker, markersize=9, color="#d7191c", markeredgecolor="white", zorder=4, label=name
        )


def label_axes(ax: Axes) -> None:
    """Sets up axes for a view from above: X to the right, Z down, equal scales, metres."""
    ax.set_aspect("equal")
    ax.margins(0.02)
    ax.autoscale_view()
    # Seen from above with X to the right, Z comes towards the viewer; upwards it would be a mirror image.
    if not ax.yaxis_inverted():
        ax.invert_yaxis()
    ax.set_xlabel("x, m")
    ax.set_ylabel("z, m")


def _points_of(path: Route) -> NDArray[np.float64]:
    given: Any = path.points if isinstance(path, Path) else path
    points = np.asarray(given, dtype=np.float64)
    if points.size == 0:
        return np.zeros((0, 3))
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise ArgumentError(f"path has shape {points.shape}, not (n, 3) finite numbers")
    return points


def _figure_size(mesh: NavMesh) -> tuple[float, float]:
    """Inches: the mesh's proportions, so that neither long halls nor towers leave most of the picture white."""
    low, high = mesh.bounds or ((0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
    width, depth = max(high[0] - low[0], 1e-3), max(high[2] - low[2], 1e-3)
    scale = LONGEST_SIDE / max(width, depth)
    return max(width * scale, SHORTEST_SIDE) + 1.2, max(depth * scale, SHORTEST_SIDE)
