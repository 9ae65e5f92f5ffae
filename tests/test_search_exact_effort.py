"""How much exact searches expand where windows might multiply: floors over each other, outlines bent by roundings.

Each floor over another is a way round that costs the same, and each corner of a bent outline one that costs hardly
more. Searches that followed them all came to the node limit, and were PARTIAL although a way exists. What they find is
compared with the way back and with what another model reaches, which takes little time.
"""

from __future__ import annotations

from random import Random

import pytest

from onepath.query import NavMeshQuery, NodeModel
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import closest_point
from tests.query_meshes import bent_mesh, random_position, random_strips
from tests.test_straight_path_folds import strips_over_each_other


def most_expansions(mesh, seed: int, count: int) -> float:
    """The most nodes that random searches, there and back, expanded for each polygon of the mesh."""
    draw, most = Random(seed), 0
    polygons = [polygon for polygon in PlainMesh(mesh).polygons.values() if PlainFilter().passes(polygon)]
    exact, other = NavMeshQuery(mesh, NodeModel.EXACT), NavMeshQuery(mesh, NodeModel.POLYGON)
    for _ in range(count if polygons else 0):
        ends = [draw.choice(polygons) for _ in range(2)]
        places = [closest_point(polygon, random_position(draw, [polygon]))[0] for polygon in ends]
        costs = []
        for first, last in ((0, 1), (1, 0)):
            question = ends[first].ref, places[first], ends[last].ref, places[last]
            corridor = exact.find_corridor(*question)
            most = max(most, exact.iterations)
            assert not corridor.node_limit_reached
            assert corridor.status is other.find_corridor(*question).status
            costs.append(corridor.cost if corridor else None)
        if None not in costs:
            assert costs[0] == pytest.approx(costs[1], rel=1e-9, abs=1e-8)
    return most / max(mesh.polygon_count, 1)


@pytest.mark.parametrize(
    ("build", "seeds"),
    [(strips_over_each_other, (40, 112, 214, 218, 244, 299)), (random_strips, (65, 66, 112, 167, 175, 180, 221, 224))],
    ids=["two sides", "rows"],
)
def test_strips_over_each_other_are_not_searched_in_every_order(build, seeds):
    assert max(most_expansions(build(seed), seed, 10) for seed in seeds) < 100


@pytest.mark.parametrize(("chords", "most"), [(20, 8), (60, 16), (150, 40)])
def test_bent_outlines_are_not_searched_from_every_corner(chords, most):
    assert max(most_expansions(bent_mesh(seed, chords), seed, 8) for seed in range(8)) < most


@pytest.mark.full
@pytest.mark.parametrize("build", [strips_over_each_other, random_strips])
@pytest.mark.parametrize("block", range(10))
def test_many_strips_over_each_other_are_not_searched_in_every_order(build, block):
    seeds = range(2000 + block * 50, 2050 + block * 50)
    assert max(most_expansions(build(seed), seed, 10) for seed in seeds) < 200


@pytest.mark.full
@pytest.mark.parametrize("chords", [12, 40, 150, 250])
@pytest.mark.parametrize("block", range(4))
def test_many_bent_outlines_are_not_searched_from_every_corner(chords, block):
    seeds = range(3000 + block * 25, 3025 + block * 25)
    assert max(most_expansions(bent_mesh(seed, chords), seed, 10) for seed in seeds) < 100
