"""Many queries in one call on one thread and on two, beside as many single calls; the peers have no such calls.

Two threads gain what the machine lets them: its second core may be half of one, or busy. So the same batches are also
answered in two processes at once, which share nothing but the machine: what those gain is as much as threads could.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from itertools import repeat, starmap
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import onepath
from benchmarks.places import RADIUS
from benchmarks.queries import HALF_EXTENTS, STEP
from benchmarks.subjects import SETTINGS, Subject, pairs_on_floors
from benchmarks.timing import milliseconds_once

#: Threads that answer a batch.
THREADS = (1, 2)
#: Batches are so many times as large as there are pairs, and timed so many times each way.
SIZES = {1: 31, 10: 15, 100: 5}
#: Of kinds that cost ten times as much a tenth is asked.
DEAR = ("path", "distance")
#: Of these sizes two processes answer a batch at once.
PROCESSES_SIZE = 10
PROCESSES_REPEATS = 9

Ask = Callable[[int], object]


class Questions:
    """Batches of every kind, and the same questions one by one."""

    def __init__(self, query: onepath.NavMeshQuery, subject: Subject, count: int) -> None:
        self._query, self._rng = query, onepath.SeededRandom(1)
        pairs = pairs_on_floors(subject, count)
        near = query.find_nearest_polygons(pairs[:, :3], HALF_EXTENTS)
        begun = near.ref != 0
        self._asked, self._refs, self._starts = pairs[begun, :3], near.ref[begun], near.point[begun]
        self._ends = pairs[begun, 3:]
        away = self._ends - self._starts
        length = np.maximum(np.hypot(away[:, 0], away[:, 2]), STEP)
        self._steps = self._starts + away * (STEP / length)[:, None]
        self._end_refs = query.find_nearest_polygons(self._ends, HALF_EXTENTS).ref

    def count(self, what: str) -> int:
        """How many questions a batch of this kind asks."""
        return max(len(self._refs) // 10, 1) if what in DEAR else len(self._refs)

    def batches(self) -> dict[str, Ask]:
        """What asks all of a kind, given how many threads are to answer."""
        query, refs, starts, ends = self._query, self._refs, self._starts, self._ends
        few = slice(self.count("path"))
        return {
            "nearest": lambda threads: query.find_nearest_polygons(self._asked, HALF_EXTENTS, threads=threads),
            "raycast": lambda threads: query.raycasts(refs, starts, ends, threads=threads),
            "move": lambda threads: query.move_along_surfaces(refs, starts, self._steps, threads=threads),
            "wall": lambda threads: query.distances_to_wall(refs, starts, RADIUS, threads=threads),
            "floor": lambda threads: query.are_on_mesh(starts, threads=threads),
            "random": lambda threads: query.random_points(self._rng, len(refs), threads=threads),
            "path": lambda threads: query.find_paths(starts[few], ends[few], threads=threads),
            "distance": lambda threads: query.path_distances(
                refs[few], starts[few], self._end_refs[few], ends[few], threads=threads
            ),
        }

    def singles(self) -> dict[str, Callable[[], object]]:
        """What asks the same in single calls, where there are such calls."""
        query, refs = self._query, self._refs.tolist()
        asked, starts, ends, steps = map(_points, (self._asked, self._starts, self._ends, self._steps))
        few = self.count("path")
        return {
            "nearest": _one_by_one(query.find_nearest_polygon, zip(asked, repeat(HALF_EXTENTS))),
            "raycast": _one_by_one(query.raycast, zip(refs, starts, ends, strict=True)),
            "move": _one_by_one(query.move_along_surface, zip(refs, starts, steps, strict=True)),
            "wall": _one_by_one(query.distance_to_wall, zip(refs, starts, repeat(RADIUS))),
            "random": _one_by_one(query.random_point, repeat((self._rng,), len(refs))),
            "path": _one_by_one(query.find_path, zip(starts[:few], ends[:few], strict=True)),
        }


def _points(array: NDArray[np.float64]) -> list[tuple[float, ...]]:
    return [tuple(row) for row in array.tolist()]


def _one_by_one(call: Callable[..., object], rows: Iterable[tuple[object, ...]]) -> Callable[[], object]:
    """What makes the call with every row of arguments, in a loop that takes as little time as there is."""
    held = list(rows)
    return lambda: deque(starmap(call, held), maxlen=0)


def measure(subject: Subject, count: int) -> dict[str, Any]:
    """By kind: microseconds a query in single calls, and in batches of each size by the threads that answer.

    `processes` is how many times as much two processes get done as one.
    """
    query = onepath.NavMeshQuery(onepath.bake(subject.level, SETTINGS))
    smallest = Questions(query, subject, count)
    result: dict[str, Any] = {what: {"single": None, "sizes": {}} for what in smallest.batches()}
    for what, ask in smallest.singles().items():
        result[what]["single"] = _each(_times([ask], SIZES[1])[0], smallest.count(what))
    for size, repeats in SIZES.items():
        questions = Questions(query, subject, size * count)
        for what, ask_many in questions.batches().items():
            times = _times([partial(ask_many, threads) for threads in THREADS], repeats)
            asked = questions.count(what)
            result[what]["sizes"][asked] = {
                threads: _each(row, asked) for threads, row in zip(THREADS, times, strict=True)
            }
    for what, gain in _gains_of_processes(subject, PROCESSES_SIZE * count).items():
        result[what]["processes"] = gain
    return result


def _times(calls: list[Callable[[], object]], repeats: int) -> list[list[float]]:
    """Milliseconds of each call, in turns, after a turn that is not counted."""
    for call in calls:
        call()
    turns = [[milliseconds_once(call) for call in calls] for _ in range(repeats)]
    return [list(row) for row in zip(*turns, strict=True)]


def _each(times: list[float], count: int) -> float:
    return median(times) * 1e3 / count


# --- Two processes


def _answer(subject: Subject, count: int, pipe: Connection) -> None:
    """What a process does: for every kind asked for, the milliseconds of batches on one thread."""
    batches = Questions(onepath.NavMeshQuery(onepath.bake(subject.level, SETTINGS)), subject, count).batches()
    pipe.send(None)
    while (what := pipe.recv()) is not None:
        pipe.send(median(_times([partial(batches[what], 1)], PROCESSES_REPEATS)[0]))


def _gains_of_processes(subject: Subject, count: int) -> dict[str, float]:
    context = get_context("spawn")
    with ExitStack() as stack:
        pipes = []
        for _ in range(2):
            pipe, theirs = context.Pipe()
            process = context.Process(target=_answer, args=(subject, count, theirs), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(pipe.send, None)
            pipes.append(pipe)
        for pipe in pipes:
            pipe.recv()
        return {what: _gain(pipes, what) for what in ("nearest", "raycast", "move", "wall", "floor", "random", *DEAR)}


def _gain(pipes: list[Connection], what: str) -> float:
    """How many times as much two processes get done as one."""
    alone = _ask(pipes[:1], what)[0]
    return sum(alone / together for together in _ask(pipes, what))


def _ask(pipes: list[Connection], what: str) -> list[float]:
    for pipe in pipes:
        pipe.send(what)
    return [pipe.recv() for pipe in pipes]
