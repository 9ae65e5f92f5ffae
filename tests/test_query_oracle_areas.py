"""Circles, shapes and neighbourhoods over random meshes against a plain best-first search, to the bit, and a plain set.

Documents: queries, polygon-set queries; readings, area searches.
"""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

import onepath
from onepath import levels
from onepath.query import AreaSearchStatus, NavMeshQuery
from tests.oracles.query_areas import Circle, PlainAreaSearch, reachable, shape_of
from tests.oracles.query_mesh import PlainMesh, Point, lerp
from tests.oracles.query_trace import is_frontier
from tests.query_meshes import LARGEST, random_mesh
from tests.query_places import inside, question_start, start_at, target_from, zeros_turned
from tests.test_query_oracle_links import linked_mesh

NO_LIMIT = 65536
LIMITS = (NO_LIMIT, NO_LIMIT, NO_LIMIT, 1, 2, 3, 5, 9)
RADII = (0.0, 5e-324, 1e-9, 0.5, 1.0, 2.5, 4.0, 8.0, 20.0, 2.0**22)


def random_radius(draw: Random, plain: PlainMesh, centre: Point, polygons: list) -> float:
    """Any; often one that ends exactly at a corner."""
    if draw.random() < 0.3:
        corner = draw.choice(draw.choice(polygons).corners)
        return min(math.hypot(corner[0] - centre[0], corner[2] - centre[2]), 2.0**22)
    return draw.choice([*RADII, plain.tile_size, draw.uniform(0.0, 2 * plain.tile_size)])


def random_points(draw: Random, plain: PlainMesh, centre: Point, polygons: list) -> list[Point]:
    """Points of a convex polygon, mostly; either winding, at times with corners in a line, at times none."""
    kind = draw.randrange(12)
    if kind < 3:
        corners = list(draw.choice(polygons).corners)
        return corners[::-1] if draw.random() < 0.5 else corners
    size = draw.choice([1e-12, 0.1, 1.0, 3.0, plain.tile_size, 1e5])
    if kind < 6:
        low = [round(value) if draw.random() < 0.5 else value for value in (centre[0] - size / 2, centre[2] - size / 2)]
        x0, z0, x1, z1 = low[0], low[1], low[0] + size, low[1] + size
        points = [(x0, 0.0, z0), (x0, 0.0, z1), (x1, 0.0, z1), (x1, 0.0, z0)]
        for _ in range(draw.choice([0, 0, 1, 3])):
            at = draw.randrange(len(points))
            points.insert(at, lerp(points[at - 1], points[at], 0.5))
    elif kind < 10:
        count = draw.choice([3, 4, 5, 8, 13, 40, 64])
        angles = sorted(draw.uniform(0, 2 * math.pi) for _ in range(count))
        points = [(centre[0] + size * math.cos(a), draw.uniform(-9, 9), centre[2] + size * math.sin(a)) for a in angles]
    else:
        points = [tuple(value + draw.uniform(-size, size) for value in centre) for _ in range(draw.choice([3, 4, 5]))]
        points += draw.choice([[], points[:1], [lerp(points[0], points[1], 2.0)]])
    if draw.random() < 0.5:
        points.reverse()
    return [zeros_turned(draw, inside(p)) for p in points]


class Question:
    """A random question of one of the three kinds, for the query and for the plain search."""

    def __init__(self, draw: Random, mesh, plain: PlainMesh, max_nodes: int) -> None:
        polygons = list(plain.polygons.values())
        self.ref, start, fast, slow = question_start(draw, mesh, plain)
        place = start_at(draw, start)
        centre = place if draw.random() < 0.7 else target_from(draw, plain, start, place, polygons)
        self.filter = fast
        self.kind = draw.choice(["circle", "circle", "shape", "neighbourhood"])
        self.shape: object
        if self.kind == "shape":
            self.points = random_points(draw, plain, centre, polygons)
            self.shape = shape_of(self.points)
            self.arguments = {"points": self.points}
        else:
            self.shape = Circle(centre, random_radius(draw, plain, centre, polygons))
            self.arguments = {"center": centre, "radius": self.shape.radius}
        usable = self.ref in plain.polygons and slow.passes(plain.polygons[self.ref])
        self.invalid = "INVALID_SHAPE" if self.shape is None else None if usable else "INVALID_START"
        self.search = None
        if not self.invalid:
            sparse = self.kind == "neighbourhood"
            self.search = PlainAreaSearch(plain, plain.polygons[self.ref], self.shape, slow, sparse, max_nodes)

    def ask(self, query: NavMeshQuery, **outs):
        name = {"circle": "polygons_in_circle", "shape": "polygons_in_shape", "neighbourhood": "local_neighbourhood"}
        return getattr(query, "find_" + name[self.kind])(self.ref, *self.arguments.values(), self.filter, **outs)

    def begin(self, query: NavMeshQuery) -> AreaSearchStatus:
        more = {"neighbourhood": True} if self.kind == "neighbourhood" else {}
        return query.begin_area_search(self.ref, **self.arguments, filter=self.filter, **more)


def meets_frontier(question: Question, plain: PlainMesh) -> bool:
    """Whether the shape touches an edge beyond which nothing is loaded, of a polygon that was found."""
    return any(
        is_frontier(plain, node.polygon, edge) and question.shape.touches(node.polygon.edge(edge))
        for node in question.search.expanded
        for edge in range(len(node.polygon.corners))
    )


def assert_same(answer, question: Question, plain: PlainMesh) -> None:
    if question.invalid:
        assert (answer.status.name, len(answer)) == (question.invalid, 0)
        return
    search = question.search
    rows = [answer.polygons.tolist(), answer.parents.tolist(), answer.distances_squared.tolist()]
    assert list(zip(*rows, strict=True)) == search.found()
    assert answer.node_limit_reached == search.node_limit_reached
    assert answer.not_loaded == meets_frontier(question, plain)
    status = search.status
    if status == "SUCCESS" and search.node_limit_reached:
        status = "NODE_LIMIT"
    elif status == "SUCCESS" and answer.not_loaded:
        status = "NOT_LOADED"
    assert answer.status.name == status and not answer.truncated


def assert_same_in_buffers(draw: Random, query: NavMeshQuery, question: Question, whole) -> None:
    """Each buffer is as long as it likes; what lies beyond the shortest of polygons truncates."""
    rooms = [draw.choice([0, 1, 2, len(whole), len(whole) + 3]) for _ in range(3)]
    outs = [np.full(rooms[0], -7, np.int64), np.full(rooms[1], -7, np.int64), np.full(rooms[2], -7.0)]
    answer = question.ask(query, out=outs[0], parents_out=outs[1], distances_out=outs[2])
    assert answer.truncated == (rooms[0] < len(whole)) and answer.status is whole.status
    count = min(rooms[0], len(whole))
    for room, out, values in zip(rooms, outs, (whole.polygons, whole.parents, whole.distances_squared), strict=True):
        written = min(room, count)
        assert out.tolist() == values.tolist()[:written] + [-7] * (room - written)


def compare_areas(mesh, draw: Random, count: int) -> Counter:
    """How many searches were compared, by kind and by how they ended."""
    plain, ends = PlainMesh(mesh), Counter()
    limit = draw.choice(LIMITS)
    query = NavMeshQuery(mesh, max_nodes=limit)
    for _ in range(count if plain.polygons else 0):
        question = Question(draw, mesh, plain, limit)
        answer = question.ask(query)
        if question.search:
            question.search.run()
        assert_same(answer, question, plain)
        if question.search and not question.search.sparse and not question.search.node_limit_reached:
            start, accepts = question.search.start, question.search.accepts
            assert set(answer.polygons.tolist()) == reachable(plain, start, question.shape, accepts)
        if draw.random() < 0.2:
            assert_same_in_buffers(draw, query, question, answer)
        ends += Counter([question.kind, answer.status.name])
        ends["found"] += len(answer)
    return ends


def total(meshes, count: int) -> Counter:
    ends = Counter()
    for seed, mesh in meshes:
        ends += compare_areas(mesh, Random(seed), count)
    return ends


def comparisons(ends: Counter) -> int:
    return ends["circle"] + ends["shape"] + ends["neighbourhood"]


@pytest.mark.parametrize("block", range(5))
def test_areas_of_random_meshes(block):
    ends = total(((seed, random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 12)
    assert comparisons(ends) > 180 and ends["found"] > 400
    assert min(ends[name] for name in ("SUCCESS", "NODE_LIMIT", "INVALID_START", "INVALID_SHAPE")) > 2


def test_areas_of_meshes_with_off_mesh_links():
    assert comparisons(total(((seed, linked_mesh(seed)) for seed in range(15)), 10)) > 120


@pytest.mark.parametrize("name", ["room", "building"])
def test_areas_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert comparisons(compare_areas(mesh, Random(3), 60)) == 60


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_areas_of_many_random_meshes(block):
    seeds = range(70_000 + block * 50, 70_050 + block * 50)
    assert comparisons(total(((seed, random_mesh(seed)) for seed in seeds), 20)) > 800


def compare_slices(mesh, draw: Random, count: int) -> int:
    """How many slices were compared: after each the status and the lists so far."""
    plain, slices = PlainMesh(mesh), 0
    limit = draw.choice(LIMITS)
    query = NavMeshQuery(mesh, max_nodes=limit)
    for _ in range(count if plain.polygons else 0):
        question = Question(draw, mesh, plain, limit)
        status = question.begin(query)
        if question.invalid:
            assert status.name == question.invalid
            continue
        assert status is AreaSearchStatus.IN_PROGRESS
        while question.search.status == "IN_PROGRESS":
            budget = draw.choice([0, 1, 1, 2, 3, 7])
            question.search.run(budget)
            status = query.update_area_search(budget)
            answer = query.finish_area_search()
            assert_same(answer, question, plain)
            assert status is answer.status
            slices += 1
        assert query.finish_area_search() == question.ask(NavMeshQuery(mesh, max_nodes=limit))
    return slices


@pytest.mark.parametrize("block", range(2))
def test_slices_of_area_searches_pause_where_the_plain_search_pauses(block):
    assert sum(compare_slices(random_mesh(seed), Random(seed), 5) for seed in range(block * 20, block * 20 + 20)) > 150


@pytest.mark.full
@pytest.mark.parametrize("block", range(10))
def test_many_slices_of_area_searches_pause_where_the_plain_search_pauses(block):
    seeds = range(80_000 + block * 40, 80_040 + block * 40)
    assert sum(compare_slices(random_mesh(seed), Random(seed), 10) for seed in seeds) > 800


def test_what_lies_beyond_the_range_of_positions_is_refused():
    """Shapes near the limit are asked about like any other."""
    mesh = next(mesh for mesh in map(random_mesh, range(50)) if mesh.tile_count)
    query, ref = NavMeshQuery(mesh), int(mesh.tiles()[0].references[0])
    for bad in (2.0**21, -(2.0**21), math.inf, math.nan):
        with pytest.raises(onepath.errors.ArgumentError):
            query.find_polygons_in_circle(ref, (bad, 0.0, 0.0), 1.0)
    query.find_polygons_in_circle(ref, (LARGEST, 0.0, -LARGEST), 2.0**22)
