"""Queries from Python, one call at a time, alone and beside the peers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
Calls = dict[str, Callable[["Question"], object]]


@dataclass(frozen=True, slots=True)
class Question:
    """A pair of positions, and the ray and the step from the first towards the second.

    Where those begin is looked up before the clock runs, on either side: a game has it at hand.
    """

    pair: Pair
    ref: int
    start: Point
    end: Point
    step: Point


def as_pairs(array: NDArray[np.float64]) -> list[Pair]:
    """Tuples of floats, as a game holds them."""
    rows: list[list[float]] = array.tolist()
    return [((a, b, c), (d, e, f)) for a, b, c, d, e, f in rows]


def step_to(a: Point, b: Point) -> Point:
    """A step from one point towards another, in X/Z."""
    part = STEP / max(math.hypot(b[0] - a[0], b[2] - a[2]), STEP)
    return a[0] + (b[0] - a[0]) * part, a[1], a[2] + (b[2] - a[2]) * part


def questions_of(mesh: onepath.NavMesh, pairs: Sequence[Pair]) -> list[Question]:
    """The pairs with the polygon nearest to each one's start; a pair without one asks with the reference 0."""
    query = onepath.NavMeshQuery(mesh)
    found = [query.find_nearest_polygon(start, HALF_EXTENTS) for start, _ in pairs]
    starts = [near.point or pair[0] for near, pair in zip(found, pairs, strict=True)]
    return [
        Question(pair, near.ref, start, pair[1], step_to(start, pair[1]))
        for near, start, pair in zip(found, starts, pairs, strict=True)
    ]


def calls(mesh: onepath.NavMesh) -> Calls:
    """What is timed, by name; `COMPARED` have counterparts in the peers."""
    query = onepath.NavMeshQuery(mesh)
    crossing = onepath.NavMeshQuery(mesh, node_model=onepath.NodeModel.CROSSING)
    return {
        "nearest": lambda asked: query.find_nearest_polygon(asked.pair[0], HALF_EXTENTS),
        "raycast": lambda asked: query.raycast(asked.ref, asked.start, asked.end),
        "move": lambda asked: query.move_along_surface(asked.ref, asked.start, asked.step),
        "path": lambda asked: query.find_path(*asked.pair),
        "path_one_call": lambda asked: mesh.find_path(*asked.pair),
        "path_crossing": lambda asked: crossing.find_path(*asked.pair),
    }


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """Microseconds a call over `count` pairs of positions on the level's floors."""
    mesh = onepath.bake(subject.level, SETTINGS)
    pairs = as_pairs(pairs_on_floors(subject, count))
    questions = questions_of(mesh, pairs)
    found = sum(bool(mesh.find_path(*pair)) for pair in pairs)
    return {
        "pairs": count,
        "reached": found,
        "us": {name: spread(microseconds_each(call, questions, REPEATS)) for name, call in calls(mesh).items()},
    }


def compare(subject: Subject, peers: Sequence[Peer], count: int, rounds: int) -> dict[str, Any]:
    """Ours and every peer on the same pairs, in turns. Each peer must have baked the subject."""
    mesh = onepath.bake(subject.level, SETTINGS)
    array = pairs_on_floors(subject, count)
    pairs, ours = as_pairs(array), calls(mesh)
    questions = questions_of(mesh, pairs)
    extents = dict(zip("xyz", HALF_EXTENTS, strict=True))
    result: dict[str, Any] = {"pairs": count, "half_extents": HALF_EXTENTS, "repeats": REPEATS}
    result["lengths"] = _compare_lengths(mesh, pairs, array, peers, extents)
    for what in COMPARED:
        mine: list[list[float]] = []
        theirs: dict[str, list[list[float]]] = {peer.name: [] for peer in peers}
        for _ in range(rounds):
            mine.append(microseconds_each(ours[what], questions, REPEATS))
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
