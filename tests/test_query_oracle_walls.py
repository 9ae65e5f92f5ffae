"""The nearest wall and all walls over random meshes against a plain scan, to the bit.

Documents: queries, distance to wall and all walls near a position; readings, "Area searches, walls, random points".
"""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery
from tests.meshes import mesh_of, rectangle
from tests.oracles.query_areas import Circle, PlainAreaSearch
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_walls import PlainWall, distance_to_wall, meets_frontier, nearest_walls, pieces
from tests.query_meshes import random_mesh
from tests.query_places import question_start, start_at, target_from, zeros_turned
from tests.test_query_oracle_areas import LIMITS, random_radius
from tests.test_query_oracle_links import linked_mesh

PLENTY = 10**6


class Question:
    """A random place, with the plain circle search round it (None for a start that is none)."""

    def __init__(self, draw: Random, mesh, plain: PlainMesh, max_nodes: int) -> None:
        polygons = list(plain.polygons.values())
        self.plain = plain
        self.ref, start, self.filter, self.accepts = question_start(draw, mesh, plain)
        place = start_at(draw, start)
        centre = place if draw.random() < 0.8 else target_from(draw, plain, start, place, polygons)
        centre = zeros_turned(draw, centre)
        self.circle = Circle(centre, random_radius(draw, plain, centre, polygons))
        self.arguments = (self.ref, centre, self.circle.radius, self.filter)
        self.search = None
        if self.ref in plain.polygons and self.accepts.passes(plain.polygons[self.ref]):
            self.search = PlainAreaSearch(plain, start, self.circle, self.accepts, False, max_nodes)

    @property
    def polygons(self) -> list:
        return [node.polygon for node in self.search.expanded]

    @property
    def status(self) -> str:
        if self.search is None:
            return "INVALID_START"
        if self.search.status != "SUCCESS":
            return self.search.status
        if self.search.node_limit_reached:
            return "NODE_LIMIT"
        return "NOT_LOADED" if meets_frontier(self.plain, self.polygons, self.circle) else "SUCCESS"

    def nearest(self) -> PlainWall:
        if self.search is None:
            return PlainWall(False, self.circle.radius, None, None, 0, -1, False)
        return distance_to_wall(self.plain, self.polygons, self.circle, self.accepts)


def assert_same_wall(answer, question: Question) -> None:
    expected = question.nearest()
    assert (bool(answer), answer.distance, answer.point, answer.polygon, answer.edge) == (
        expected.found,
        expected.distance,
        expected.point,
        expected.polygon,
        expected.edge,
    )
    assert answer.normal == expected.normal
    assert (answer.status.name, answer.not_loaded) == (question.status, expected.not_loaded)


def assert_same_walls(draw: Random, query: NavMeshQuery, question: Question) -> int:
    """All of them, then as many as buffers of any length hold."""
    answer = query.find_walls(*question.arguments)
    assert answer.status.name == question.status and not answer.truncated
    if question.search is None:
        assert len(answer) == 0
        return 0
    walls, _ = nearest_walls(question.plain, question.polygons, question.circle, question.accepts, PLENTY)
    assert lists_of(answer) == rows_of(walls)
    if draw.random() < 0.4:
        room = draw.choice([0, 1, 2, len(walls) // 2, max(len(walls) - 1, 0), len(walls), len(walls) + 2])
        kept, truncated = nearest_walls(question.plain, question.polygons, question.circle, question.accepts, room)
        outs = {"out": np.full((room, 2, 3), -7.0), "polygons_out": np.full(room, -7, np.int64)}
        outs |= {"distances_out": np.full(room, -7.0), "edges_out": np.full(room, -7, np.int32)}
        answer = query.find_walls(*question.arguments, **outs)
        assert answer.truncated == truncated
        segments, polygons, edges, distances = rows_of(kept)
        assert outs["out"][: len(kept)].tolist() == segments
        assert outs["polygons_out"][: len(kept)].tolist() == polygons
        assert outs["edges_out"][: len(kept)].tolist() == edges
        assert outs["distances_out"][: len(kept)].tolist() == distances
        assert all((out[len(kept) :] == -7).all() for out in outs.values())
    return len(walls)


def lists_of(answer) -> tuple[list, ...]:
    return answer.segments.tolist(), answer.polygons.tolist(), answer.edges.tolist(), answer.distances.tolist()


def rows_of(walls) -> tuple[list, ...]:
    return (
        [[list(end) for end in wall.ends] for wall in walls],
        [wall.polygon.ref for wall in walls],
        [wall.edge for wall in walls],
        [math.sqrt(wall.distance_squared) for wall in walls],
    )


def compare_walls(mesh, draw: Random, count: int) -> Counter:
    """How many calls were compared, by status; how many walls there were, and how many nearest ones had an equal."""
    plain, ends = PlainMesh(mesh), Counter()
    limit = draw.choice(LIMITS)
    query = NavMeshQuery(mesh, max_nodes=limit)
    for _ in range(count if plain.polygons else 0):
        question = Question(draw, mesh, plain, limit)
        if question.search:
            question.search.run()
        assert_same_wall(query.distance_to_wall(*question.arguments), question)
        ends["walls"] += assert_same_walls(draw, query, question)
        ends[question.status] += 2
        if question.search:
            gaps = [p.distance_squared for p in pieces(plain, question.polygons, question.circle, question.accepts)]
            ends["ties"] += gaps.count(min(gaps, default=0)) > 1
            ends["partial"] += any(
                (p.first, p.last) != (0, 255)
                for p in pieces(plain, question.polygons, question.circle, question.accepts)
            )
    return ends


def total(meshes, count: int) -> Counter:
    ends = Counter()
    for seed, mesh in meshes:
        ends += compare_walls(mesh, Random(seed), count)
    return ends


def comparisons(ends: Counter) -> int:
    return sum(ends[name] for name in ("SUCCESS", "NODE_LIMIT", "NOT_LOADED", "INVALID_START"))


@pytest.mark.parametrize("block", range(5))
def test_walls_of_random_meshes(block):
    ends = total(((seed, random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 10)
    assert comparisons(ends) > 300 and ends["walls"] > 500
    assert ends["ties"] > 20 and ends["partial"] > 10 and ends["NOT_LOADED"] > 10


def test_off_mesh_links_are_no_way_through_a_wall():
    assert comparisons(total(((seed, linked_mesh(seed)) for seed in range(15)), 10)) > 200


@pytest.mark.parametrize("name", ["room", "building"])
def test_walls_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert comparisons(compare_walls(mesh, Random(3), 60)) == 120


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_walls_of_many_random_meshes(block):
    seeds = range(100_000 + block * 50, 100_050 + block * 50)
    assert comparisons(total(((seed, random_mesh(seed)) for seed in seeds), 15)) > 1000


def test_a_gap_of_the_smallest_width_is_a_wall():
    """Ranges are rounded outward, and 1/255 of the edge is left between them."""
    edge = 8.0
    low, high = 100.2 / 255 * edge, 102.8 / 255 * edge
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 0, 12, low), rectangle(8, high, 12, 8)])
    links = mesh.tiles()[0].links
    assert sorted(zip(links["range_min"].tolist(), links["range_max"].tolist(), strict=True)) in (
        [(0, 101), (102, 255)],
        [(0, 153), (154, 255)],
    )
    square = int(mesh.tiles()[0].references[0])
    wall = NavMeshQuery(mesh).distance_to_wall(square, (7.5, 0.0, (low + high) / 2), 2.0)
    assert (wall.polygon, wall.distance, wall.point[0]) == (square, 0.5, 8.0)


def test_a_wall_is_looked_for_on_the_polygons_expanded_so_far():
    compared = 0
    for seed in range(60):
        mesh, draw = random_mesh(seed), Random(seed)
        plain, query = PlainMesh(mesh), NavMeshQuery(mesh)
        for _ in range(3 if plain.polygons else 0):
            question = Question(draw, mesh, plain, 65536)
            if question.search is None:
                continue
            query.begin_area_search(*question.arguments[:3], filter=question.filter)
            while question.search.status == "IN_PROGRESS":
                budget = draw.choice([1, 2, 3, 5])
                question.search.run(budget)
                query.update_area_search(budget)
                assert_same_wall(query.finish_distance_to_wall(), question)
                compared += 1
    assert compared > 200
