"""What a bake tells about itself: counts, what was left out and why, warnings, times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from onepath.answers import Answer, counted
from onepath.build.settings import BakeSettings

__all__ = ["BakeReport", "BakeStatus", "look_at_level"]

#: A level is called suspicious when more than this share of its triangles faces down.
MOSTLY = 0.5


class BakeStatus(Answer):
    """How a bake ended."""

    OK = "ok", "There are polygons to walk on."
    NO_GEOMETRY = "no_geometry", "The source holds no triangle. Load or build a level first."
    NOTHING_WALKABLE = (
        "nothing_walkable",
        "There are triangles, but nothing to walk on. The report's warnings say what is suspicious about the level.",
    )


@dataclass(frozen=True, kw_only=True)
class BakeReport:
    """The account of one bake; `mesh.report`.

    Attributes:
        status: OK, NO_GEOMETRY or NOTHING_WALKABLE.
        tiles: tiles committed, `empty_tiles` of them without a polygon.
        polygons: polygons of all tiles.
        walkable_area: their area seen from above, square metres.
        triangles: triangles of the level; `degenerate_triangles` of them have no area and were left out.
        facing_down: triangles whose normal points down; `too_steep` are above the slope limit, facing up.
        largest_detail_error: where height detail was asked for, the metres between a polygon's surface and the floor
            under it at the worst cell of the level, else 0. `largest_detail_error_at` is that place, (x, y, z) on the
            floor; None without detail and where every floor is flat.
        unkept_contours: contours that could not be made polygons, 0 unless something is wrong; the warnings name their
            tiles and reasons.
        open_surfaces: with `solid_interior="remove"`, the first triangle of every connected surface that is not closed
            and therefore keeps what is inside it; `Level.parts` says which part a triangle belongs to.
        warnings: sentences about what looks wrong, empty when nothing does.
        seconds: wall-clock time of the bake; `stage_seconds` splits it by stage.
    """

    status: BakeStatus
    tiles: int = 0
    empty_tiles: int = 0
    polygons: int = 0
    walkable_area: float = 0.0
    triangles: int = 0
    degenerate_triangles: int = 0
    facing_down: int = 0
    too_steep: int = 0
    largest_detail_error: float = 0.0
    largest_detail_error_at: tuple[float, float, float] | None = None
    unkept_contours: int = 0
    open_surfaces: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    stage_seconds: dict[str, float] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        lines = [
            f"{counted(self.polygons, 'polygon')} in {counted(self.tiles, 'tile')} ({self.empty_tiles} empty), "
            f"{self.walkable_area:.1f} square metres, {self.seconds * 1e3:.1f} ms",
            f"{counted(self.triangles, 'triangle')}, {self.degenerate_triangles} without area",
            *self._detail_lines(),
            *(f"warning: {warning}" for warning in self.warnings),
        ]
        return "\n".join(lines)

    def _detail_lines(self) -> Iterator[str]:
        if self.largest_detail_error_at is not None:
            x, y, z = self.largest_detail_error_at
            yield f"at most {self.largest_detail_error:.3f} m off the floor, at ({x:.2f}, {y:.2f}, {z:.2f})"


@dataclass(frozen=True)
class LevelLook:
    """What can be told about a level before anything is baked."""

    degenerate: int
    facing_down: int
    too_steep: int
    warnings: tuple[str, ...]


def look_at_level(vertices: NDArray[np.float64], triangles: NDArray[np.int32], settings: BakeSettings) -> LevelLook:
    """Counts triangles by the way they face and says what is suspicious about the level as a whole.

    Every vertex counts for the level's size, so all must belong to triangles, as a `Level`'s do.
    """
    # By axes: arrays of three short columns take NumPy several times as long.
    axes = np.ascontiguousarray(vertices.T)
    a, b, c = (axes[:, triangles[:, corner]] for corner in range(3))
    (ux, uy, uz), (vx, vy, vz) = b - a, c - a
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    lengths = np.sqrt(nx * nx + ny * ny + nz * nz)
    flat = lengths == 0.0
    down = ny < 0.0
    walkable = ny > settings.cells.span.slope_cosine * lengths
    steep = ~down & ~walkable & ~flat
    counts = int(flat.sum()), int(down.sum()), int(steep.sum())
    return LevelLook(*counts, tuple(_warnings(vertices, triangles, settings, counts[1], int(walkable.sum()))))


def _warnings(
    vertices: NDArray[np.float64], triangles: NDArray[np.int32], settings: BakeSettings, down: int, walkable: int
) -> list[str]:
    width, height, depth = (float(np.ptp(axis)) for axis in vertices.T)
    agent = settings.agent
    found = []
    # A closed box has as many downward as upward faces.
    if down > MOSTLY * len(triangles):
        found.append(f"{down} of {counted(len(triangles), 'triangle')} face down: the winding may be reversed")
    elif walkable == 0:
        found.append(f"none of {len(triangles)} triangles is flatter than max_slope {agent.max_slope:g} degrees")
    if max(width, depth) < 2.0 * max(agent.radius, settings.cell_size):
        found.append(
            f"the level measures {width:g} by {depth:g} metres and the agent {2 * agent.radius:g} across: "
            "the level may be in other units"
        )
    if height > 4.0 * max(width, depth):
        found.append(f"the level is {height:g} high and {max(width, depth):g} wide: up may not be Y")
    return found
