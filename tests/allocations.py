"""What queries ask of the C heap: `python -m tests.allocations CALLS` under the counter says it for each kind of call.

Each call is made over and over with the caller's buffers. After a warm-up it may ask for nothing more, and the process
may not grow. Small Python objects come from Python's own arenas, not from the C heap; larger ones would be counted.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from onepath import NavMeshQuery, bake, levels
from onepath.query import NodeModel, SeededRandom

WARM_UP = 2_000
#: Small arrays and tuples that the loop itself uses come and go; none of it may add up.
PLACES = 64


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


def calls() -> Iterator[tuple[str, Callable[[int], object]]]:
    """Every query that can be asked with buffers of the caller's, by number of the place where it is asked."""
    mesh = bake(levels.building(seed=1))
    query = NavMeshQuery(mesh)
    corners = [tuple((view.vertices[0] + view.origin).tolist()) for view in mesh.tiles() if len(view.vertices)]
    places = [mesh.snap(corner) for corner in corners]
    starts = [places[i % len(places)] for i in range(PLACES)]
    refs = [place.ref for place in starts]
    points = [place.point for place in starts]
    ends = [(x + 3.0, y, z + 1.5) for x, y, z in points]
    polygons = np.zeros(256, np.int64)
    yield "control", lambda i: bytes(1000)
    yield "find_nearest_polygon", lambda i: query.find_nearest_polygon(points[i])
    yield "surface_height", lambda i: query.surface_height(refs[i], points[i])
    yield "raycast", lambda i: query.raycast(refs[i], points[i], ends[i], out=polygons)
    yield "move_along_surface", lambda i: query.move_along_surface(refs[i], points[i], ends[i], out=polygons)
    square = np.array([(-2.0, 0.0, -2.0), (-2.0, 0.0, 2.0), (2.0, 0.0, 2.0), (2.0, 0.0, -2.0)])
    shapes = [square + point for point in points]
    yield "find_polygons_in_circle", lambda i: query.find_polygons_in_circle(refs[i], points[i], 3.0, out=polygons)
    yield "find_polygons_in_shape", lambda i: query.find_polygons_in_shape(refs[i], shapes[i], out=polygons)
    yield "find_local_neighbourhood", lambda i: query.find_local_neighbourhood(refs[i], points[i], 3.0, out=polygons)
    yield "distance_to_wall", lambda i: query.distance_to_wall(refs[i], points[i], 3.0)
    walls = np.zeros((256, 2, 3))
    yield "find_walls", lambda i: query.find_walls(refs[i], points[i], 3.0, out=walls)
    corridors = [
        query.find_corridor(refs[i], points[i], refs[i - 1], points[i - 1]).polygons.copy() for i in range(PLACES)
    ]
    line = np.zeros((256, 3))
    for model in NodeModel:
        searcher = NavMeshQuery(mesh, model)
        yield (
            f"find_corridor, {model.name}",
            lambda i, searcher=searcher: searcher.find_corridor(
                refs[i], points[i], refs[i - 1], points[i - 1], out=polygons
            ),
        )
    yield (
        "find_straight_path",
        lambda i: query.find_straight_path(points[i], points[i - 1], corridors[i], out=line),
    )
    rng = SeededRandom(1)
    yield "random_point", lambda i: query.random_point(rng)
    yield "random_point_around", lambda i: query.random_point_around(rng, refs[i], points[i], 3.0)


def count(call: Callable[[int], object], times: int, allocations: Callable[[], int]) -> tuple[int, int]:
    """(asked of the C heap, pages grown) by so many calls after a warm-up."""
    for i in range(WARM_UP):
        call(i % PLACES)
    pages = resident_pages()
    before = allocations()
    for i in range(times):
        call(i % PLACES)
    return allocations() - before, resident_pages() - pages


def main(times: int) -> None:
    allocations = ctypes.CDLL(None).allocation_count
    allocations.restype = ctypes.c_longlong
    wanted = None if len(sys.argv) < 3 else sys.argv[2]
    print(json.dumps({name: count(call, times, allocations) for name, call in calls() if wanted in (None, name)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
