"""Least costs from a place to everywhere by the crossing model, plain Dijkstra (queries document, cost model)."""

from __future__ import annotations

import heapq
import math

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point
from tests.oracles.query_search import PlainSearch, distance

Entries = dict[int, list[tuple[float, Point]]]


def entries_from(mesh: PlainMesh, start: PlainPolygon, position: Point, accepts: PlainFilter) -> Entries:
    """Per polygon the places at which routes enter it, each with the least cost of getting there."""
    search = PlainSearch(mesh, start, position, start, position, accepts, True)
    entries: Entries = {}
    settled: set[object] = set()
    heap: list[tuple[float, int, object, PlainPolygon, Point]] = [(0.0, 0, None, start, position)]
    count = 0
    while heap:
        cost, _, key, polygon, at = heapq.heappop(heap)
        if key in settled:
            continue
        settled.add(key)
        entries.setdefault(polygon.ref, []).append((cost, at))
        for way in polygon.exits:
            target = mesh.polygons[way.target]
            if not search.passes(way, target):
                continue
            there = search.crossing_point(polygon, way)
            count += 1
            beyond = search.cost_through(cost, at, accepts.cost(polygon.area), way, there)
            heapq.heappush(heap, (beyond, count, (polygon.ref, way.edge, way.link), target, there))
    return entries


def cost_to(entries: Entries, goal: PlainPolygon, position: Point, accepts: PlainFilter) -> float:
    rate = accepts.cost(goal.area)
    return min((cost + distance(at, position) * rate for cost, at in entries.get(goal.ref, [])), default=math.inf)
