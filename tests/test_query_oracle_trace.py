"""Rays and moves over random meshes against a plain transcription of the document, to the bit.

Documents: queries, raycast and move along surface; readings, "Raycast, move"; mesh decisions, bounds.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_trace import PlainHit, PlainMove, move, raycast
from tests.query_meshes import random_mesh
from tests.query_places import question_start, start_at, target_from, zeros_turned
from tests.test_query_oracle_links import linked_mesh


def compare_traces(mesh, draw: Random, count: int) -> Counter:
    """How many rays and moves were compared, by how they ended."""
    plain, query, ends = PlainMesh(mesh), NavMeshQuery(mesh), Counter()
    polygons = list(plain.polygons.values())
    for _ in range(count if polygons else 0):
        ref, polygon, fast, slow = question_start(draw, mesh, plain)
        start = start_at(draw, polygon)
        end = target_from(draw, plain, polygon, start, polygons)
        start, end = zeros_turned(draw, start), zeros_turned(draw, end)
        expected = raycast(plain, ref, start, end, slow)
        assert_same_hit(draw, query.raycast, (ref, start, end, fast), expected)
        assert_same_move(draw, query.move_along_surface, (ref, start, end, fast), move(plain, ref, start, end, slow))
        ends[expected.status] += 2
        ends["crossings"] += max(len(expected.visited) - 1, 0)
    return ends


def assert_same_hit(draw: Random, ask, question, expected: PlainHit) -> None:
    hit = ask(*question)
    assert (hit.status.name, hit.t, hit.polygon, hit.edge) == (
        expected.status,
        expected.t,
        expected.polygon,
        expected.edge,
    )
    assert hit.normal == expected.normal
    assert hit.blocked == (expected.status != "CLEAR")
    assert_same_visits(draw, ask, question, hit, expected.visited)


def assert_same_move(draw: Random, ask, question, expected: PlainMove) -> None:
    moved = ask(*question)
    assert (moved.status.name, moved.point, moved.ref) == (expected.status, expected.point, expected.polygon)
    assert moved.blocked == (expected.status != "CLEAR")
    assert_same_visits(draw, ask, question, moved, expected.visited)


def assert_same_visits(draw: Random, ask, question, answer, visited: list[int]) -> None:
    assert answer.visited.tolist() == visited and not answer.truncated
    if draw.random() < 0.3:
        room = draw.choice([0, 1, 2, max(len(visited) - 1, 0), len(visited), 50])
        out = np.full(room, -7, np.int64)
        again = ask(*question, out=out)
        written = len(again.visited)
        assert written == min(room, len(visited)) and again.truncated == (room < len(visited))
        assert out.tolist() == visited[:written] + [-7] * (room - written)


def total(meshes, count: int) -> Counter:
    ends = Counter()
    for seed, mesh in meshes:
        ends += compare_traces(mesh, Random(seed), count)
    return ends


def comparisons(ends: Counter) -> int:
    return sum(number for end, number in ends.items() if end != "crossings")


@pytest.mark.parametrize("block", range(5))
def test_rays_and_moves_of_random_meshes(block):
    ends = total(((seed, random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 20)
    assert comparisons(ends) > 600 and ends["crossings"] > 100
    assert min(ends[name] for name in ("CLEAR", "BLOCKED", "INVALID_START", "START_OUTSIDE_POLYGON")) > 5


def test_rays_and_moves_end_at_what_is_not_loaded():
    assert total(((seed, random_mesh(seed)) for seed in range(100, 160)), 8)["NOT_LOADED"] > 40


def test_rays_and_moves_do_not_take_off_mesh_links():
    assert comparisons(total(((seed, linked_mesh(seed)) for seed in range(20)), 10)) > 250


@pytest.mark.parametrize("name", ["room", "building"])
def test_rays_and_moves_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert comparisons(compare_traces(mesh, Random(3), 150)) == 300


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_rays_and_moves_of_many_random_meshes(block):
    seeds = range(60_000 + block * 50, 60_050 + block * 50)
    assert comparisons(total(((seed, random_mesh(seed)) for seed in seeds), 40)) > 3000
