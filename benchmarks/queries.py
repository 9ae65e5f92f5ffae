"""Queries from Python, one call at a time, alone and beside the peers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import onepath
from benchmarks.peers import Peer
from benchmarks.subjects import SETTINGS, Subject, pairs_on_floors
from benchmarks.timing import beside_peers, microseconds_each, spread

#: Box in which both sides look for the nearest polygon, half extents in metres.
HALF_EXTENTS = (2.0, 4.0, 2.0)
#: Times each pair is asked in a row.
REPEATS = 10

#: What the peers are asked as well.
COMPARED = ("nearest", "raycast", "move", "path")
#: A step along the surface, metres.
STEP = 0.2

Point = tuple[float, float, float]
Pair = tuple[Point, Point]
Trace = tuple[int, Point, Point, Point]
Calls = dict[str, Callable[[Pair], object]]


def as_pairs(array: NDArray[np.float64]) -> list[Pair]:
    """Tuples of floats, as a game holds them."""
    rows: list[list[float]] = array.tolist()
    return [((a, b, c), (d, e, f)) for a, b, c, d, e, f in rows]


def step_to(a: Point, b: Point) -> Point:
    """A step from one point towards another, in X/Z."""
    part = STEP / max(math.hypot(b[0] - a[0], b[2] - a[2]), STEP)
    return a[0] + (b[0] - a[0]) * part, a[1], a[2] + (b[2] - a[2]) * part


def calls(mesh: onepath.NavMesh) -> Calls:
    """What is timed, by name; `COMPARED` have counterparts in the peers."""
    query = onepath.NavMeshQuery(mesh)
    asked: dict[Pair, Trace] = {}

    def trace_of(pair: Pair) -> Trace:
        """Where a ray and a step begin and end; found once a pair, since that is no part of either."""
        if pair not in asked:
            found = query.find_nearest_polygon(pair[0], HALF_EXTENTS)
            start = found.point or pair[0]
            asked[pair] = found.ref, start, pair[1], step_to(start, pair[1])
        return asked[pair]

    def cast(pair: Pair) -> object:
        ref, start, end, _ = trace_of(pair)
        return query.raycast(ref, start, end)

    def step(pair: Pair) -> object:
        ref, start, _, end = trace_of(pair)
        return query.move_along_surface(ref, start, end)

    crossing = onepath.NavMeshQuery(mesh, node_model=onepath.NodeModel.CROSSING)
    return {
        "nearest": lambda pair: query.find_nearest_polygon(pair[0], HALF_EXTENTS),
        "raycast": cast,
        "move": step,
        "path": lambda pair: query.find_path(pair[0], pair[1]),
        "path_one_call": lambda pair: mesh.find_path(pair[0], pair[1]),
        "path_crossing": lambda pair: crossing.find_path(pair[0], pair[1]),
    }


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """Microseconds a call over `count` pairs of positions on the level's floors."""
    mesh = onepath.bake(subject.level, SETTINGS)
    pairs = as_pairs(pairs_on_floors(subject, count))
    found = sum(bool(mesh.find_path(*pair)) for pair in pairs)
    return {
        "pairs": count,
        "reached": found,
        "us": {name: spread(microseconds_each(call, pairs, REPEATS)) for name, call in calls(mesh).items()},
    }


def compare(subject: Subject, peers: Sequence[Peer], count: int, rounds: int) -> dict[str, Any]:
    """Ours and every peer on the same pairs, in turns. Each peer must have baked the subject."""
    mesh = onepath.bake(subject.level, SETTINGS)
    array = pairs_on_floors(subject, count)
    pairs, ours = as_pairs(array), calls(mesh)
    extents = dict(zip("xyz", HALF_EXTENTS, strict=True))
    result: dict[str, Any] = {"pairs": count, "half_extents": HALF_EXTENTS, "repeats": REPEATS}
    result["lengths"] = _compare_lengths(mesh, pairs, array, peers, extents)
    for what in COMPARED:
        mine: list[list[float]] = []
        theirs: dict[str, list[list[float]]] = {peer.name: [] for peer in peers}
        for _ in range(rounds):
            mine.append(microseconds_each(ours[what], pairs, REPEATS))
            for peer in peers:
                theirs[peer.name].append(peer.ask("time", what=what, half_extents=extents, repeats=REPEATS)["us"])
        result[what] = beside_peers(
            _spread_of_medians(mine), {name: _spread_of_medians(times) for name, times in theirs.items()}
        )
    return result


def _spread_of_medians(rounds: list[list[float]]) -> dict[str, float]:
    """Spread over the pairs, each by its median over the rounds."""
    return spread(np.median(np.array(rounds), axis=0).tolist())


def _compare_lengths(
    mesh: onepath.NavMesh,
    pairs: list[Pair],
    array: NDArray[np.float64],
    peers: Sequence[Peer],
    extents: dict[str, float],
) -> dict[str, Any]:
    """That all sides answer the same questions: paths found by ours, and lengths beside the peers' where both reach."""
    query = onepath.NavMeshQuery(mesh)  # it looks for ends as far away as the peers are told to
    paths = [query.find_path(*pair) for pair in pairs]
    own = np.array([path.length if path else np.nan for path in paths])
    summary: dict[str, Any] = {"onepath": {"reached": int(np.isfinite(own).sum()), "mean": float(np.nanmean(own))}}
    for peer in peers:
        peer.pairs(array)
        lengths = np.array(peer.ask("lengths", half_extents=extents)["lengths"])
        both = np.isfinite(own) & (lengths >= 0)
        summary[peer.name] = {
            "reached": int((lengths >= 0).sum()),
            "mean_where_both": float(lengths[both].mean()),
            "onepath_mean_where_both": float(own[both].mean()),
            "pairs_where_both": int(both.sum()),
        }
    return summary
