"""Straight paths through random corridors against the shortest line on the graph of portal ends.

Documents: queries, straight path; readings, straight path.
"""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from onepath.query import NavMeshQuery, NodeModel, PathMark, PathStatus
from onepath.query._funnel import pull_through
from tests.meshes import mesh_of
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import closest_point
from tests.oracles.query_portals import corridor_portals, expected_links, folds_back
from tests.oracles.query_straight import shortest_line
from tests.query_meshes import asked_corridors, random_mesh


def flat_length(points) -> float:
    return math.fsum(math.hypot(a[0] - b[0], a[2] - b[2]) for a, b in pairwise(points))


def distance_to_line(p, line) -> float:
    return min(_distance_to_piece(p, a, b) for a, b in zip(line, [*line[1:], line[-1]], strict=True))


def _distance_to_piece(p, a, b) -> float:
    ex, ez = b[0] - a[0], b[2] - a[2]
    squared = ex * ex + ez * ez
    t = 0.0 if squared == 0 else min(1.0, max(0.0, ((p[0] - a[0]) * ex + (p[2] - a[2]) * ez) / squared))
    return math.hypot(p[0] - a[0] - t * ex, p[2] - a[2] - t * ez)


def rounding(*points) -> float:
    """What a few roundings at these coordinates amount to, metres."""
    return 64 * 2.0**-53 * max(abs(value) for point in points for value in point)


def assert_shortest(portals, start, end, points) -> None:
    assert points[0] == start and points[-1] == end
    length, line = shortest_line(portals, start, end)
    assert flat_length(points) == pytest.approx(length, rel=1e-9, abs=rounding(start, end))
    assert all(distance_to_line(p, line) < 1e-5 for p in points)
    assert all(distance_to_line(p, points) < 1e-5 for p in line)
    for corner in points[1:-1]:
        assert any(_is_at(corner, spot) for portal in portals for spot in portal)


def _is_at(corner, spot) -> bool:
    flat = math.hypot(corner[0] - spot[0], corner[2] - spot[2])
    return flat <= rounding(corner) and abs(corner[1] - spot[1]) <= 1e-6


def compare_corridors(seed: int, count: int) -> int:
    """How many lines were compared: through the corridor as searched and through its bare list."""
    mesh = random_mesh(seed)
    plain = PlainMesh(mesh)
    draw = Random(seed)
    query = NavMeshQuery(mesh, draw.choice(list(NodeModel)))
    compared = 0
    for start, end, corridor in asked_corridors(draw, query, plain, count):
        refs = corridor.polygons.tolist()
        ends = [closest_point(plain.polygons[ref], p)[0] for ref, p in ((refs[0], start), (refs[-1], end))]
        for given, crossings in ((corridor, corridor.crossings.tolist()), (refs, None)):
            straight = query.find_straight_path(start, end, given)
            assert straight.status is PathStatus.SUCCESS and not straight.truncated
            portals = corridor_portals(plain, refs, crossings)
            assert portals is not None
            points = [tuple(p) for p in straight.points.tolist()]
            if not folds_back(portals):
                assert_shortest(portals, *ends, points)
                assert_marks(straight, refs, portals)
            assert_prefixes(draw, query, start, end, given, straight)
            compared += 1
    return compared


def assert_marks(straight, refs, portals) -> None:
    """A corner names a polygon that is entered through a portal ending there."""
    marks, polygons = straight.marks.tolist(), straight.polygons.tolist()
    assert marks[0] & PathMark.START and marks[-1] & PathMark.END
    assert not any(marks[1:-1])
    places = [refs.index(ref) for ref in polygons]
    assert places == sorted(places) and places[-1] == len(refs) - 1
    for corner, place in zip(straight.points.tolist()[1:-1], places[1:-1], strict=True):
        assert any(_is_at(corner, spot) for spot in portals[place - 1])


def assert_prefixes(draw, query, start, end, corridor, straight) -> None:
    limit = draw.randrange(2, len(straight) + 3)
    prefix = query.find_straight_path(start, end, corridor, max_corners=limit)
    count = min(limit, len(straight))
    assert prefix.truncated == (limit <= len(straight))
    assert np.array_equal(prefix.points, straight.points[:count])
    assert np.array_equal(prefix.marks, straight.marks[:count])
    assert np.array_equal(prefix.polygons, straight.polygons[:count])


@pytest.mark.parametrize("block", range(8))
def test_lines_through_random_corridors_are_the_shortest(block):
    assert sum(compare_corridors(seed, 12) for seed in range(block * 12, block * 12 + 12)) > 100


@pytest.mark.full
@pytest.mark.parametrize("block", range(30))
def test_many_lines_through_random_corridors_are_the_shortest(block):
    assert sum(compare_corridors(seed, 16) for seed in range(1000 + block * 50, 1050 + block * 50)) > 700


@pytest.mark.parametrize("block", range(4))
def test_links_between_random_tiles_are_the_overlaps_within_a_climb(block):
    """Ranges may differ by a step where rounding decides the floor or the ceiling."""
    found = 0
    for seed in range(block * 20, block * 20 + 20):
        plain = PlainMesh(random_mesh(seed))
        for polygon in plain.polygons.values():
            expected = expected_links(plain, polygon)
            assert sorted(link[:2] for link in polygon.links) == [link[:2] for link in expected]
            for link, (*_, low, high) in zip(sorted(polygon.links), expected, strict=True):
                assert -1e-9 <= low * 255 - link.range_min <= 1 + 1e-9
                assert -1e-9 <= link.range_max - high * 255 <= 1 + 1e-9
                found += 1
    assert found > 300


def test_start_and_end_beyond_a_shared_slanted_edge_are_joined_along_it():
    """Both are moved onto the edge, where rounding puts them on either side of it."""
    near = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (7.0, 0.0, 4.0), (7.0, 0.0, 0.0)]
    beyond = [(0.0, 0.0, 1.0), (0.0, 0.0, 8.0), (7.0, 0.0, 8.0), (7.0, 0.0, 4.0)]
    mesh = mesh_of([near, beyond])
    refs = mesh.tiles()[0].references.tolist()
    query = NavMeshQuery(mesh)
    draw = Random(1)
    for _ in range(300):
        start = (draw.uniform(1.0, 6.0), 0.0, draw.uniform(4.2, 6.0))
        end = (draw.uniform(1.0, 6.0), 0.0, draw.uniform(0.2, 1.2))
        assert len(query.find_straight_path(start, end, refs)) == 2
        assert len(query.find_straight_path(end, start, refs[::-1])) == 2


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("stays_below", [True, False])
def test_what_lies_on_the_line_of_a_slanted_portal_is_not_behind_a_start_on_it(stays_below, mirrored):
    """One polygon below the line from (1, 1) to (7, 3), two above it, joined at (4, 2); the start is on the first."""
    turn_over = (lambda corner: (8.0 - corner[0], corner[1], corner[2])) if mirrored else tuple
    first = [(1.0, 0.0, 1.0), (1.0, 0.0, 7.0), (4.0, 0.0, 7.0), (4.0, 0.0, 2.0)]
    second = [(4.0, 0.0, 2.0), (4.0, 1.0, 7.0), (7.0, 1.0, 7.0), (7.0, 0.0, 3.0)]
    below = [(1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (4.0, 0.0, 2.0), (7.0, 0.0, 3.0), (7.0, 0.0, 0.0)]
    mesh = mesh_of([[turn_over(corner) for corner in polygon] for polygon in (first, below, second)])
    refs = mesh.tiles()[0].references.tolist()[: 2 if stays_below else 3]
    query = NavMeshQuery(mesh)
    draw = Random(2)
    for _ in range(300):
        start = turn_over((draw.uniform(1.5, 3.5), 0.0, draw.uniform(0.2, 1.2)))
        end = turn_over((draw.uniform(4.6, 6.4), 0.0, draw.uniform(3.2, 4.0)))
        points = [tuple(p) for p in query.find_straight_path(start, end, refs).points.tolist()]
        if stays_below:
            assert flat_length(points) == pytest.approx(flat_length([points[0], points[-1]]), rel=1e-9)
        else:
            assert [p[::2] for p in points[1:-1]] == [(4.0, 2.0)]


def test_a_portal_that_a_bent_outline_shows_from_behind_is_passed_at_its_near_end():
    ahead = ((-4.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    from_behind = ((-3e-9, 0.0, 3.0), (-2.2e-9, 0.0, 2.0))
    line = [point for point, _, _ in pull_through([ahead, from_behind], (0.0, 0.0, 0.0), (1.0, 0.0, 1.5))]
    assert flat_length(line) == pytest.approx(2.0 + math.hypot(1.0, 0.5), rel=1e-8)
