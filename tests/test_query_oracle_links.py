"""Off-mesh links on random meshes against plain versions: where they attach, searches of both models, lines over them.

Documents: mesh decisions, link price; queries, cost model and straight path; readings, off-mesh terms.
"""

from __future__ import annotations

import math
from random import Random

import pytest

from onepath.mesh import LinkDef, LinkEndStatus, NavMesh
from onepath.query import LinkLeg, NavMeshQuery, NodeModel, PathMark, PathStatus, WalkLeg
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import nearest_polygon
from tests.oracles.query_portals import corridor_portals, folds_back
from tests.query_meshes import AREAS, FLAGS, random_filter, random_mesh, random_position
from tests.test_query_oracle_search import compare_searches, compare_slices
from tests.test_query_oracle_straight import assert_shortest


class Anything:
    """No filter at all."""

    def passes(self, _polygon) -> bool:
        return True


def linked_mesh(seed: int) -> NavMesh:
    """A random mesh with links from anywhere to anywhere; some are wide, some closed, some attach nowhere."""
    mesh, draw = random_mesh(seed), Random(seed + 7)
    polygons = list(PlainMesh(mesh).polygons.values())
    made = []
    for _ in range(draw.randint(1, 14) if polygons else 0):
        start, end = random_position(draw, polygons), random_position(draw, polygons)
        flat = start[0] == end[0] and start[2] == end[2]
        made.append(
            mesh.stage_link(
                LinkDef(
                    start,
                    end,
                    draw.choice([0.0, 0.3, 2.0]),
                    draw.choice([0.1, 1.0, 4.0]),
                    cost=draw.choice([0.0, 0.0, 0.7, 5.0]),
                    bidirectional=draw.random() < 0.5,
                    width=0.0 if flat else draw.choice([0.0, 0.0, 0.0, 1.0, 3.3]),
                    area=draw.choice(AREAS),
                    flags=draw.choice(FLAGS),
                )
            )
        )
    mesh.commit()
    for link_id in made:
        if draw.random() < 0.15:
            mesh.stage_link_enable(link_id, False)
    mesh.commit()
    return mesh


def plain_crossings(mesh: NavMesh, definition: LinkDef) -> list[tuple[tuple, tuple]]:
    """Where the crossings of a link lie before they snap."""
    radius = mesh.settings.agent.radius
    count = 1 if definition.width == 0 else max(2, math.ceil(definition.width / radius - 1e-6) + 1)
    (sx, sy, sz), (ex, ey, ez) = definition.start, definition.end
    length = math.sqrt((ex - sx) * (ex - sx) + (ez - sz) * (ez - sz))
    found = []
    for i in range(count):
        along = 0.0 if count == 1 else definition.width * (i / (count - 1) - 0.5)
        across = (0.0, 0.0) if count == 1 else (-along * ((ez - sz) / length), along * ((ex - sx) / length))
        found.append(((sx + across[0], sy, sz + across[1]), (ex + across[0], ey, ez + across[1])))
    return found


def compare_attachment(mesh: NavMesh) -> int:
    """How many ends were compared with the plain nearest polygon."""
    plain, compared = PlainMesh(mesh), 0
    for record in mesh.link_records():
        state = mesh.link_state(record.id)
        places = plain_crossings(mesh, record.definition)
        assert len(state.ends) == len(places)
        for ends, positions in zip(state.ends, places, strict=True):
            snaps = record.definition.start_snap, record.definition.end_snap
            for end, position, snap in zip(ends, positions, snaps, strict=True):
                nearest = nearest_polygon(plain, position, (snap, snap, snap), Anything())
                close = bool(nearest.ref) and nearest.distance_squared <= snap * snap
                assert bool(end) == close
                if close:
                    assert end.polygon == nearest.ref
                    assert end.point == nearest.point
                else:
                    assert end.status is not LinkEndStatus.SNAPPED and end.polygon == 0
                compared += 1
    return compared


@pytest.mark.parametrize("block", range(4))
def test_ends_snap_where_the_plain_nearest_polygon_is(block):
    assert sum(compare_attachment(linked_mesh(seed)) for seed in range(block * 15, block * 15 + 15)) > 150


@pytest.mark.parametrize("block", range(6))
def test_searches_over_random_links(block):
    seeds = range(block * 15, block * 15 + 15)
    assert sum(compare_searches(linked_mesh(seed), Random(seed), 6) for seed in seeds) > 150


@pytest.mark.parametrize("block", range(2))
def test_slices_over_random_links(block):
    assert sum(compare_slices(linked_mesh(seed), Random(seed), 4) for seed in range(block * 15, block * 15 + 15)) > 80


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_searches_over_many_random_links(block):
    seeds = range(50_000 + block * 50, 50_050 + block * 50)
    assert sum(compare_searches(linked_mesh(seed), Random(seed), 10) for seed in seeds) > 1000


def compare_lines(mesh: NavMesh, draw: Random, count: int) -> int:
    """How many lines over links were compared, walk by walk."""
    plain, compared = PlainMesh(mesh), 0
    polygons = list(plain.polygons.values())
    query = NavMeshQuery(mesh, draw.choice(list(NodeModel)))
    for _ in range(count if polygons else 0):
        path = query.find_path(random_position(draw, polygons), random_position(draw, polygons), random_filter(draw)[0])
        if path.links.any():
            assert path.status is not PathStatus.INVALID_CORRIDOR
            compare_legs(plain, path)
            compared += 1
    return compared


def compare_legs(plain: PlainMesh, path) -> None:
    """Each walk is the shortest line through its polygons, each link leads from entry to exit."""
    refs, crossings = path.corridor.polygons.tolist(), path.corridor.crossings.tolist()
    points = [tuple(point) for point in path.points.tolist()]
    first, at = 0, 0
    steps = [leg for leg in path.legs if isinstance(leg, LinkLeg)]
    leaps = [i for i, (edge, _) in enumerate(crossings) if edge < 0]
    assert [crossings[i][1] for i in leaps] == [leg.id for leg in steps]
    for place, leg in zip([*leaps, len(refs) - 1], [*steps, None], strict=True):
        last = len(points) - 1 if leg is None else leg.first
        walk = refs[first : place + 1]
        portals = corridor_portals(plain, walk, crossings[first:place])
        if not folds_back(portals) and last > at:
            assert_shortest(portals, points[at], points[last], points[at : last + 1])
        if leg is not None:
            ways = plain.polygons[refs[place]].leaps
            leap = next(w for w in ways if w.id == leg.id and -1 - w.way == crossings[place][0])
            assert (leg.entry, leg.exit, leap.target) == (leap.start, leap.end, refs[place + 1])
            assert leap.enabled and path.marks[leg.first] & PathMark.OFF_MESH
            first, at = place + 1, leg.last
    assert [leg for leg in path.legs if isinstance(leg, WalkLeg) and leg.first >= leg.last] == []


@pytest.mark.parametrize("block", range(4))
def test_lines_over_random_links_are_shortest_between_them(block):
    assert sum(compare_lines(linked_mesh(seed), Random(seed), 12) for seed in range(block * 20, block * 20 + 20)) > 15
