"""Scenarios of the queries, section by section of their document, over one mesh of floors, ramps, tiles and links.

Inputs are made by `random.Random` and + - * / alone, so that the same numbers go in everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

import numpy as np

from onepath import NavMesh
from onepath.mesh import LinkDef
from onepath.query import NavMeshQuery, NodeModel, QueryFilter, SeededRandom
from tests.hashes.scenarios import Scenarios
from tests.meshes import mesh_of, settings_of

scenario = Scenarios("queries")

SIZE = 24
Point = tuple[float, float, float]
PRICES = QueryFilter(costs={5: 2.5, 6: 0.75})


@cache
def _mesh() -> NavMesh:
    """Hills cut into squares and triangles with holes, a storey over a part of them, links up and down."""
    draw, polygons, areas = Random(1), [], []
    heights = [[draw.random() * 0.4 for _ in range(SIZE + 1)] for _ in range(SIZE + 1)]
    for x in range(SIZE):
        for z in range(SIZE):
            if draw.random() < 0.2:
                continue
            a, b, c, d = ((float(i), heights[i][j], float(j)) for i, j in _round(x, z))
            polygons += [[a, b, c], [a, c, d]] if draw.random() < 0.3 else [[a, b, c, d]]
    polygons += [[(float(i), 3.0, float(j)) for i, j in _round(x, z)] for x in range(6, 14) for z in range(5, 9)]
    areas = [draw.choice([63, 63, 63, 5, 6]) for _ in polygons]
    mesh = mesh_of(polygons, settings_of(8), areas=areas)
    for x, z in ((7.3, 6.2), (12.6, 8.1), (9.5, 5.4)):
        mesh.stage_link(LinkDef((x, 0.3, z), (x, 3.0, z), 2.0, 2.0, cost=0.5, bidirectional=x > 9.0))
    mesh.commit()
    return mesh


def _round(x: int, z: int) -> list[tuple[int, int]]:
    """The corners of a square, counter-clockwise seen from above."""
    return [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)]


def _anywhere(draw: Random) -> Point:
    """A position on and about the mesh, at times on its lattice."""
    x, z = draw.random() * (SIZE + 2) - 1, draw.random() * (SIZE + 2) - 1
    if draw.random() < 0.2:
        x, z = x // 1, z // 1
    return x, draw.random() * 4 - 0.5, z


def _places(seed: int, count: int) -> Iterator[tuple[int, Point]]:
    """Polygons and points on them."""
    draw, query = Random(seed), NavMeshQuery(_mesh())
    for _ in range(count):
        found = query.find_nearest_polygon(_anywhere(draw), (3.0, 4.0, 3.0))
        yield found.ref, found.point


def _pairs(seed: int, count: int) -> Iterator[tuple[int, Point, int, Point]]:
    for first, last in zip(_places(seed, count), _places(seed + 1000, count), strict=True):
        yield (*first, *last)


def _numbers(points: np.ndarray) -> np.ndarray:
    """Zeros where there is no point: a NaN has many bit patterns."""
    return np.where(np.isnan(points), 0.0, points)


@scenario("nearest")
def _nearest() -> Iterable[np.ndarray]:
    draw, query = Random(2), NavMeshQuery(_mesh())
    centers = [_anywhere(draw) for _ in range(2000)]
    found = query.find_nearest_polygons(centers)
    heights = [query.surface_height(int(ref), center) or 0.0 for ref, center in zip(found.ref, centers, strict=True)]
    return [found.ref, _numbers(found.point), found.distance_squared, np.array(heights)]


def _searches(model: NodeModel, filter: QueryFilter | None, max_nodes: int = 65536) -> Iterable[np.ndarray]:
    query = NavMeshQuery(_mesh(), model, max_nodes=max_nodes)
    for first, start, last, end in _pairs(3, 120):
        corridor = query.find_corridor(first, start, last, end, filter=filter)
        line = query.find_straight_path(start, end, corridor)
        yield corridor.polygons
        yield corridor.crossings
        yield np.array([corridor.cost, line.length])
        yield np.array([query.iterations, int(bool(corridor)), int(corridor.node_limit_reached)])
        yield from (line.points, line.marks, line.polygons, line.links)


@scenario("search/polygon")
def _polygon() -> Iterable[np.ndarray]:
    yield from _searches(NodeModel.POLYGON, None)
    yield from _searches(NodeModel.POLYGON, PRICES)


@scenario("search/crossing")
def _crossing() -> Iterable[np.ndarray]:
    yield from _searches(NodeModel.CROSSING, None)
    yield from _searches(NodeModel.CROSSING, PRICES)


@scenario("search/exact")
def _exact() -> Iterable[np.ndarray]:
    yield from _searches(NodeModel.EXACT, None)


@scenario("search/few_nodes")
def _few_nodes() -> Iterable[np.ndarray]:
    for model in NodeModel:
        yield from _searches(model, None, 40)


@scenario("costs")
def _costs() -> Iterable[np.ndarray]:
    for (_, start), seed in zip(_places(4, 20), range(20), strict=True):
        yield _mesh().distances(start, [point for _, point in _places(100 + seed, 30)])


@scenario("rays")
def _rays() -> Iterable[np.ndarray]:
    pairs = list(_pairs(5, 1000))
    hits = NavMeshQuery(_mesh()).raycasts([p[0] for p in pairs], [p[1] for p in pairs], [p[3] for p in pairs])
    return [hits.status, hits.t, hits.normal, hits.polygon, hits.edge, hits.visited, hits.offsets]


@scenario("moves")
def _moves() -> Iterable[np.ndarray]:
    pairs = list(_pairs(6, 1000))
    for slides in (1, 8):
        query, columns = NavMeshQuery(_mesh()), ([p[i] for p in pairs] for i in (0, 1, 3))
        moves = query.move_along_surfaces(*columns, slides=slides)
        yield from (moves.status, moves.ref, moves.point, moves.visited, moves.offsets)


@scenario("areas")
def _areas() -> Iterable[np.ndarray]:
    draw, query = Random(7), NavMeshQuery(_mesh())
    for ref, (x, y, z) in _places(7, 150):
        radius = draw.random() * 6
        corners = [(x - radius, y, z), (x, y, z + radius / 2), (x + radius, y, z), (x, y, z - radius)]
        for found in (
            query.find_polygons_in_circle(ref, (x, y, z), radius),
            query.find_polygons_in_shape(ref, corners),
            query.find_local_neighbourhood(ref, (x, y, z), radius),
        ):
            yield from (found.polygons, found.parents, found.distances_squared)


@scenario("walls")
def _walls() -> Iterable[np.ndarray]:
    query, places = NavMeshQuery(_mesh()), list(_places(8, 300))
    nearest = query.distances_to_wall([ref for ref, _ in places], [point for _, point in places], 3.0)
    yield from (nearest.distance, _numbers(nearest.point), nearest.normal, nearest.polygon, nearest.edge)
    for ref, point in places:
        walls = query.find_walls(ref, point, 2.0, PRICES)
        yield from (walls.segments, walls.polygons, walls.edges, walls.distances)


@scenario("random_points")
def _random_points() -> Iterable[np.ndarray]:
    query, rng = NavMeshQuery(_mesh()), SeededRandom(9)
    yield from query.random_points(rng, 1000, PRICES)
    for ref, point in _places(9, 300):
        found = query.random_point_around(rng, ref, point, 2.5)
        yield np.array([found.ref, rng.state & (2**63 - 1)])
        yield np.array(found.point or (0.0, 0.0, 0.0))
