"""What is measured: levels, the settings both sides get, and start/end pairs on their floors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from onepath import levels
from onepath.build.settings import AgentShape, BakeSettings
from onepath.geometry import Level
from onepath.io import load_level

#: Levels of other projects, beside the repository; measured where they are there.
FOREIGN_LEVELS = Path(__file__).resolve().parents[2] / "shared" / "data" / "levels"

#: The levels of `onepath.levels`, at their default sizes.
GENERATORS: dict[str, Callable[[], Level]] = {
    "room": levels.room,
    "building": levels.building,
    "pillars": levels.pillars,
    "courtyards": levels.courtyards,
    "terrain": levels.terrain,
    "maze": levels.maze,
    "town": levels.town,
}

SETTINGS = BakeSettings(
    agent=AgentShape(radius=0.6, height=2.0, max_climb=0.9, max_slope=45.0),
    cell_size=0.3,
    cell_height=0.2,
    tile_cells=48,
    min_region_area=64 * 0.09,
    merge_region_area=400 * 0.09,
    max_edge_length=12.0,
    max_edge_error_cells=1.3,
    max_polygon_vertices=6,
    detail_sample_distance=6.0,
    detail_max_error=1.0,
)
#: The same with twice as many samples of height each way.
CLOSER_DETAIL = SETTINGS.replace(detail_sample_distance=3.0)
#: The same with heights sampled every three cells and followed to a row, which is where the peers spend most.
FINER_DETAIL = SETTINGS.replace(detail_sample_distance=3 * 0.3, detail_max_error=0.2)
#: Bakes that are compared, by the endings of their results' names.
DETAILS = {"": SETTINGS, "_closer_detail": CLOSER_DETAIL, "_finer_detail": FINER_DETAIL}


@dataclass(frozen=True)
class Subject:
    """A level as arrays: `vertices` (n, 3) float64, `triangles` (m, 3) int32."""

    name: str
    level: Level
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int32]


def subjects(only: str | None = None) -> Iterator[Subject]:
    """Every level, generated ones first; `only` keeps the names that contain it."""
    for name, make in GENERATORS.items():
        if only is None or only in name:
            yield _subject(name, make())
    for path in sorted(FOREIGN_LEVELS.glob("*.obj")):
        if only is None or only in path.stem:
            yield _subject(path.stem, load_level(path))


def at_origin(subject: Subject) -> Subject:
    """The level with its lowest corner at the origin.

    The peers' grids begin at a level's lowest corner and ours at multiples of the tile size: there they are the same.
    """
    level = Level()
    level.add(subject.vertices - subject.vertices.min(axis=0), subject.triangles)
    return _subject(subject.name, level)


def _subject(name: str, level: Level) -> Subject:
    vertices, triangles, _ = level.triangles()
    return Subject(name, level, vertices, triangles)


def pairs_on_floors(subject: Subject, count: int, seed: int = 1) -> NDArray[np.float64]:
    """(count, 6) start and end positions, spread by area over the triangles that are not steeper than 45 degrees."""
    rng = np.random.Generator(np.random.PCG64(seed))
    a, b, c = (subject.vertices[subject.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    weights = np.where(normals[:, 1] > 0.7072 * lengths, lengths, 0.0)
    chosen = rng.choice(len(weights), 2 * count, p=weights / weights.sum())
    along, across = np.sqrt(rng.random(2 * count))[:, None], rng.random(2 * count)[:, None]
    points = (1 - along) * a[chosen] + along * (1 - across) * b[chosen] + along * across * c[chosen]
    return np.ascontiguousarray(points.reshape(count, 6))


def settings_for_peers(settings: BakeSettings) -> dict[str, float]:
    """The same settings in metres and in cells and rows; the peers' worker takes those that its library wants."""
    cells, agent = settings.cells, settings.agent
    return {
        **asdict(agent),
        "cell_size": settings.cell_size,
        "cell_height": settings.cell_height,
        "tile_cells": cells.tile_cells,
        "height_rows": cells.span.height,
        "climb_rows": cells.span.climb,
        "radius_cells": cells.span.radius,
        "max_edge_cells": cells.max_edge,
        "max_edge_error_cells": cells.max_edge_error,
        "min_region_cells": cells.min_region,
        "merge_region_cells": cells.merge_region,
        "max_polygon_vertices": cells.max_polygon_vertices,
        "detail_sample_distance": settings.detail_sample_distance,
        "detail_max_error": settings.detail_max_error,
        "detail_sample_cells": settings.detail_sample_distance / settings.cell_size,
        "detail_error_rows": settings.detail_max_error / settings.cell_height,
    }
