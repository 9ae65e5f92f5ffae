"""What the lists of polygons that rays, moves and searches go through have in common."""

from __future__ import annotations

import itertools

from tests.oracles.query_mesh import PlainMesh


def are_linked(plain: PlainMesh, visited: list[int]) -> bool:
    """Whether each polygon leads to the next over an edge."""
    return all(
        any(way.target == b and way.leap is None for way in plain.polygons[a].exits)
        for a, b in itertools.pairwise(visited)
    )
