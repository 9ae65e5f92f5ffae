"""Clocks: medians of repeated runs, and microseconds a call over many inputs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")


def milliseconds_once(run: Callable[[], object]) -> float:
    """Wall-clock milliseconds of one run, with the garbage of those before it gone."""
    gc.collect()
    begin = perf_counter()
    run()
    return (perf_counter() - begin) * 1e3


def milliseconds(run: Callable[[], object], repeats: int) -> list[float]:
    """Wall-clock milliseconds of each of `repeats` runs, after one that is not counted."""
    run()
    return [milliseconds_once(run) for _ in range(repeats)]


def microseconds_each(call: Callable[[T], object], inputs: Sequence[T], repeats: int) -> list[float]:
    """Microseconds a call for every input: each is called `repeats` times in a row, the mean of those kept."""
    rounds = range(repeats)
    times = []
    for item in inputs:
        begin = perf_counter()
        for _ in rounds:
            call(item)
        times.append((perf_counter() - begin) * 1e6 / repeats)
    return times


def beside_peers(ours: dict[str, float], theirs: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Our spread and each peer's, with the ratio of the medians: below 1 where ours is faster."""
    return {
        "onepath": ours,
        "peers": {name: {**row, "ratio": ours["median"] / row["median"]} for name, row in theirs.items()},
    }


def spread(times: Sequence[float]) -> dict[str, float]:
    """Median, least and 99th percentile of a list of times."""
    ordered = sorted(times)
    return {
        "median": median(ordered),
        "least": ordered[0],
        "p99": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))],
    }
