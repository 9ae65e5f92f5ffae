"""Places to ask about that are easy to get wrong: corners, edges, lines through them, tile sides, hairs beside them."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from onepath.mesh import NavMesh
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point, lerp
from tests.oracles.query_nearest import closest_point
from tests.query_meshes import LARGEST, random_filter, random_position

LEAST = 1e-280
"""Sides are exact as long as products stay above 2^-1000."""


def inside(p: Point) -> Point:
    """With coordinates that a position may have."""
    return tuple(min(max(value, -LARGEST), LARGEST) for value in p)


def place_in(draw: Random, polygon: PlainPolygon) -> Point:
    """A place in a polygon or on its outline; heights vary, they do not matter."""
    p = closest_point(polygon, random_position(draw, [polygon]))[0]
    return p[0], p[1] + draw.choice([0.0, 0.0, 100.0, -3.0]), p[2]


def start_at(draw: Random, polygon: PlainPolygon) -> Point:
    """A place in a polygon, or a hair or more beside it."""
    kind = draw.randrange(10)
    if kind == 0:
        return inside(random_position(draw, [polygon]))
    p = place_in(draw, polygon)
    if kind == 1:
        hair = draw.choice([LEAST, 1e-9, 9.9e-7, 1e-6, 1.1e-6])
        return inside((p[0] + draw.choice([-hair, 0, hair]), p[1], p[2] + draw.choice([-hair, 0, hair])))
    if kind == 2:
        return inside(tuple(next_to(draw, value) for value in p))
    return p


def next_to(draw: Random, value: float) -> float:
    return float(np.nextafter(value, draw.choice([-math.inf, math.inf]))) if value else draw.choice([-LEAST, LEAST])


def target_from(draw: Random, mesh: PlainMesh, polygon: PlainPolygon, start: Point, polygons: list) -> Point:
    """Where to go from a start: anywhere, to and through corners, along edges, across tile sides, nowhere, far away."""
    kind = draw.randrange(14)
    corner = draw.choice(draw.choice([polygon, draw.choice(polygons)]).corners)
    if kind == 0:
        return corner
    if kind in (1, 2):
        return inside(lerp(start, corner, draw.choice([2.0, 1.5, 3.0, draw.uniform(1, 9)])))
    if kind == 3:
        a, b = draw.choice([polygon, draw.choice(polygons)]).edge(draw.randrange(3))
        step = draw.choice([-1.0, 1.0, 0.5, 4.0])
        return inside(tuple(s + (q - p) * step for s, p, q in zip(start, a, b, strict=True)))
    if kind == 4:
        size = mesh.tile_size
        side = round(start[0] / size) * size, round(start[2] / size) * size
        return inside(draw.choice([(side[0], 0.0, start[2]), (start[0], 0.0, side[1]), (side[0], 0.0, side[1])]))
    if kind == 5:
        hair = draw.choice([0.0, LEAST, 1e-300, 1e-12, 1e-7])
        return inside((start[0] + hair, start[1], start[2] - hair))
    if kind == 6:
        return inside(tuple(value + draw.choice([-1, 0, 1]) * 1e6 for value in start))
    if kind == 7:
        turn = draw.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1)])
        length = draw.choice([1.0, mesh.tile_size, 20.0])
        return inside((start[0] + turn[0] * length, start[1], start[2] + turn[1] * length))
    if kind >= 12:
        return inside(lerp(start, spot_on_edge(draw, polygon), draw.choice([1.0, 1.5, 2.0, 40.0])))
    return inside(random_position(draw, [draw.choice(polygons)]))


def spot_on_edge(draw: Random, polygon: PlainPolygon) -> Point:
    """Close to a corner, or about where the range of a link ends, a step of 1/255 before or behind it."""
    if polygon.links and draw.random() < 0.7:
        link = draw.choice(polygon.links)
        step = draw.choice([link.range_min - 1, link.range_max + 1]) + draw.choice([0.0, 0.5, -0.5, 1e-9, -1e-9])
        return lerp(*polygon.edge(link.edge), step / 255)
    edge = polygon.edge(draw.randrange(len(polygon.corners)))
    return lerp(*edge, draw.choice([1e-12, 1e-10, 1e-8, 1e-4, 1e-2, 1 - 1e-2, 1 - 1e-4, 1 - 1e-10]))


def zeros_turned(draw: Random, p: Point) -> Point:
    """Now and then with -0.0 for 0.0: they are the same place."""
    return tuple(-0.0 if value == 0 and draw.random() < 0.5 else value for value in p)


def bad_references(draw: Random, mesh: NavMesh, plain: PlainMesh) -> int:
    """None, of another generation, of no slot, of no polygon, negative."""
    ref = draw.choice(list(plain.polygons))
    return draw.choice([0, ref + 2**41, ref + 2**36, ref + 2**20, -ref, 1, 2**63 - 1])


def question_start(draw: Random, mesh: NavMesh, plain: PlainMesh):
    """(reference, polygon or None, filter, plain filter): mostly polygons that pass."""
    fast, slow = random_filter(draw)
    polygons = list(plain.polygons.values())
    allowed = [polygon for polygon in polygons if slow.passes(polygon)]
    if allowed and draw.random() < 0.94:
        polygon = draw.choice(allowed)
        return polygon.ref, polygon, fast, slow
    if draw.random() < 0.5:
        polygon = draw.choice(polygons)
        return polygon.ref, polygon, fast, slow
    return bad_references(draw, mesh, plain), draw.choice(polygons), fast, slow
