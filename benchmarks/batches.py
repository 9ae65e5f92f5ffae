"""Many queries in one call, beside as many single calls; the peers have nothing to set beside it."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import onepath
from benchmarks.queries import HALF_EXTENTS, STEP
from benchmarks.subjects import SETTINGS, Subject, pairs_on_floors
from benchmarks.timing import milliseconds

#: Threads that answer a batch.
THREADS = (1, 2)
REPEATS = 9


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """Microseconds a query in batches of up to `count` places, by what is asked and the threads that answer."""
    query = onepath.NavMeshQuery(onepath.bake(subject.level, SETTINGS))
    pairs = pairs_on_floors(subject, count)
    found = [query.find_nearest_polygon(tuple(start), HALF_EXTENTS) for start in pairs[:, :3].tolist()]
    begun = np.array([bool(near) for near in found])
    refs = np.array([near.ref for near in found])[begun]
    starts = np.array([near.point for near in found if near])
    ends = pairs[begun, 3:]
    away = ends - starts
    length = np.maximum(np.hypot(away[:, 0], away[:, 2]), STEP)
    steps = starts + away * (STEP / length)[:, None]
    asked: dict[str, Callable[[int], object]] = {
        "nearest": lambda threads: query.find_nearest_polygons(pairs[begun, :3], HALF_EXTENTS, threads=threads),
        "raycast": lambda threads: query.raycasts(refs, starts, ends, threads=threads),
        "move": lambda threads: query.move_along_surfaces(refs, starts, steps, threads=threads),
    }
    return {
        "count": len(refs),
        **{name: {threads: _each(call, threads, len(refs)) for threads in THREADS} for name, call in asked.items()},
    }


def _each(call: Callable[[int], object], threads: int, count: int) -> float:
    return median(milliseconds(lambda: call(threads), REPEATS)) * 1e3 / count
