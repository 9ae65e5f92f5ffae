"""Queries around places from Python, one call at a time, alone and beside the peers: circles, walls, random points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import onepath
from benchmarks.peers import Peer
from benchmarks.queries import HALF_EXTENTS, REPEATS
from benchmarks.subjects import SETTINGS, Subject, pairs_on_floors
from benchmarks.timing import beside_peers, microseconds_each, spread

#: How far all calls look, metres.
RADIUS = 3.0
#: What is timed beside peers; a peer that has no such call is left out.
BESIDE = ("circle", "random_around")

Place = tuple[int, tuple[float, float, float]]


def calls(mesh: onepath.NavMesh) -> dict[str, Callable[[Place], object]]:
    """What is timed, by name. All begin with the polygon at hand, as a game's next question does."""
    query, rng = onepath.NavMeshQuery(mesh), onepath.SeededRandom(1)
    return {
        "circle": lambda place: query.find_polygons_in_circle(place[0], place[1], RADIUS),
        "neighbourhood": lambda place: query.find_local_neighbourhood(place[0], place[1], RADIUS),
        "wall": lambda place: query.distance_to_wall(place[0], place[1], RADIUS),
        "walls": lambda place: query.find_walls(place[0], place[1], RADIUS),
        "random": lambda place: query.random_point(rng),
        "random_around": lambda place: query.random_point_around(rng, place[0], place[1], RADIUS),
    }


def places_of(mesh: onepath.NavMesh, subject: Subject, count: int) -> list[Place]:
    """The start of every pair with its polygon, or 0 where none is near."""
    query = onepath.NavMeshQuery(mesh)
    starts = [(x, y, z) for x, y, z in pairs_on_floors(subject, count)[:, :3].tolist()]
    found = [query.find_nearest_polygon(start, HALF_EXTENTS) for start in starts]
    return [(near.ref, near.point or start) for near, start in zip(found, starts, strict=True)]


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """Microseconds a call over `count` places on the level's floors."""
    mesh = onepath.bake(subject.level, SETTINGS)
    places = places_of(mesh, subject, count)
    query = onepath.NavMeshQuery(mesh)
    sizes = [len(query.find_polygons_in_circle(ref, point, RADIUS)) for ref, point in places]
    return {
        "radius": RADIUS,
        "polygons_mean": float(np.mean(sizes)),
        "us": {name: spread(microseconds_each(call, places, REPEATS)) for name, call in calls(mesh).items()},
    }


def compare(subject: Subject, peers: Sequence[Peer], count: int, rounds: int) -> dict[str, Any]:
    """Ours and every peer on the same places, in turns. Each peer must have baked the subject."""
    mesh = onepath.bake(subject.level, SETTINGS)
    places, ours = places_of(mesh, subject, count), calls(mesh)
    extents = dict(zip("xyz", HALF_EXTENTS, strict=True))
    for peer in peers:
        peer.pairs(pairs_on_floors(subject, count))
    result: dict[str, Any] = {"radius": RADIUS}
    for what in BESIDE:
        mine: list[float] = []
        theirs: dict[str, list[float]] = {}
        for _ in range(rounds):
            mine.append(float(np.median(microseconds_each(ours[what], places, REPEATS))))
            for peer in peers:
                answer = peer.ask("places", what=what, radius=RADIUS, half_extents=extents, repeats=REPEATS)
                if answer["us"] is not None:
                    theirs.setdefault(peer.name, []).append(float(np.median(answer["us"])))
        result[what] = beside_peers(spread(mine), {name: spread(times) for name, times in theirs.items()})
    return result
