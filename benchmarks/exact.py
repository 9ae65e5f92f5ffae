"""The exact search beside the other node models: what it takes, and by how much their lines exceed the shortest."""

from __future__ import annotations

import itertools
import math
from functools import partial
from statistics import fmean, median
from typing import Any

import onepath
from benchmarks.queries import Pair, as_pairs
from benchmarks.subjects import SETTINGS, Subject, pairs_on_floors
from benchmarks.timing import microseconds_each

REPEATS = 5
ROUNDS = 3


def ask(query: onepath.NavMeshQuery, pair: Pair) -> onepath.Path:
    return query.find_path(*pair)


def flat_length(path: onepath.Path) -> float:
    """In X/Z, as the exact search measures."""
    return math.fsum(math.hypot(b[0] - a[0], b[2] - a[2]) for a, b in itertools.pairwise(path.points.tolist()))


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """Search and straight path in every node model, in turns, and by what part the lines exceed the shortest."""
    mesh = onepath.bake(subject.level, SETTINGS)
    pairs = as_pairs(pairs_on_floors(subject, count))
    queries = {model.name: onepath.NavMeshQuery(mesh, model) for model in onepath.NodeModel}
    least: dict[str, list[float]] = {name: [math.inf] * count for name in queries}
    for _ in range(ROUNDS):
        for name, query in queries.items():
            times = microseconds_each(partial(ask, query), pairs, REPEATS)
            least[name] = [min(both) for both in zip(least[name], times, strict=True)]
    return {
        "us_median": {name: median(times) for name, times in least.items()},
        "exact_to_polygon": median(least["EXACT"]) / median(least["POLYGON"]),
        "exact_to_polygon_mean": fmean(least["EXACT"]) / fmean(least["POLYGON"]),
        "excess": {name: excess_of(query, queries["EXACT"], pairs) for name, query in queries.items()},
    }


def excess_of(query: onepath.NavMeshQuery, exact: onepath.NavMeshQuery, pairs: list[Pair]) -> dict[str, float]:
    """Mean and worst excess over the pairs that are joined and apart."""
    parts = []
    for pair in pairs:
        shortest = exact.find_path(*pair)
        if shortest and flat_length(shortest) > 0.0:
            parts.append(flat_length(query.find_path(*pair)) / flat_length(shortest) - 1.0)
    return {"mean": fmean(parts), "worst": max(parts)} if parts else {"mean": 0.0, "worst": 0.0}
