"""Where agents may go: the level's named places, or spots of the mesh where a level names none."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

import numpy as np

from onepath import Level, NavMesh

__all__ = ["STOREYS", "Place", "find_places", "spot_near"]

Point = tuple[float, float, float]

#: Agents are told apart by the storey they walk to; what lies higher counts as the last.
STOREYS = 3
#: A place that names its storey, as the generated houses do: "west house 0 floor 2", "bridge 1".
NUMBERED = re.compile(r"\b(?:floor|bridge)\b.*?(\d+)$")
#: Spots tried, and routes tried from one of them, in a level without places.
SPOTS, ROOTS = 48, 4


class Place(NamedTuple):
    """A spot on the mesh, with its name and its storey, 0 to 2."""

    name: str
    point: Point
    storey: int


def find_places(level: Level, mesh: NavMesh, seed: int) -> list[Place]:
    """Places that can all be reached from each other, the same for the same arguments; empty if nothing is walkable."""
    named: dict[str, Point] = getattr(level, "places", {})
    snapped = [(name, mesh.snap(point).point) for name, point in named.items()]
    spots = [(name, point) for name, point in snapped if point is not None] or _spots(mesh, seed)
    best: list[tuple[str, Point]] = []
    for _, root in spots[:ROOTS]:
        met = [(name, point) for name, point in spots if mesh.find_path(root, point)]
        best = max(best, met, key=len)
        if 2 * len(best) > len(spots):
            break
    levels = _storeys_by_height([point[1] for _, point in best])
    places = []
    for (name, point), by_height in zip(best, levels, strict=True):
        number = NUMBERED.search(name)
        storey = (int(number[1]) if number else 0) if named else by_height
        places.append(Place(name, point, min(storey, STOREYS - 1)))
    return places


def spot_near(mesh: NavMesh, point: Point, radius: float, random: Random) -> Point:
    """A random spot on the same floor, so that those who share a place do not stand in each other."""
    for _ in range(4):
        x, z = random.uniform(-radius, radius), random.uniform(-radius, radius)
        found = mesh.snap((point[0] + x, point[1], point[2] + z), up=0.4, down=0.4, horizontal=0.3)
        if found.point is None:
            continue
        path = mesh.find_path(point, found)
        if path and path.length < 3.0 * radius:
            return found.point
    return point


def _spots(mesh: NavMesh, seed: int) -> list[tuple[str, Point]]:
    """Middles of polygons, larger ones more often."""
    references = np.concatenate([np.asarray(tile.references) for tile in mesh.tiles()] or [np.zeros(0, np.int64)])
    corners = [mesh.polygon(int(reference)) for reference in references]
    if not corners:
        return []
    areas = [_area(polygon) for polygon in corners]
    chosen = Random(f"{seed}/spots").choices(range(len(corners)), areas, k=SPOTS)
    middles = [corners[index].mean(axis=0) for index in dict.fromkeys(chosen)]
    return [(f"spot {number}", (float(x), float(y), float(z))) for number, (x, y, z) in enumerate(middles)]


def _area(polygon: np.ndarray) -> float:
    x, z = polygon[:, 0], polygon[:, 2]
    return float(abs(np.dot(z, np.roll(x, -1)) - np.dot(x, np.roll(z, -1)))) / 2.0


def _storeys_by_height(heights: list[float]) -> list[int]:
    """Thirds of the height between the lowest and the highest."""
    low, high = min(heights, default=0.0), max(heights, default=0.0)
    third = (high - low) / STOREYS or 1.0
    return [int((height - low) / third) for height in heights]
