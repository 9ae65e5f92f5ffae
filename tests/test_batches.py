"""Batches of rays and moves: the bits of the single calls at every thread count, and what their arrays may be."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from onepath.errors import ArgumentError, BusyError, RangeError
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, QueryFilter, RaycastHits, RaycastStatus, SurfaceMoves
from tests.meshes import grid, strip
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh, random_position

THREADS = [1, 2, 3, 8]
# The questions are asked so many times over, for a batch to have enough for all threads.
OVER = 6


def questions(mesh: NavMesh, draw: Random, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    polygons = list(PlainMesh(mesh).polygons.values())
    chosen = [draw.choice(polygons) for _ in range(count)]
    refs = [polygon.ref if draw.random() < 0.97 else 12345 for polygon in chosen]
    starts = [random_position(draw, [polygon]) for polygon in chosen]
    ends = [random_position(draw, polygons) for _ in chosen]
    return np.array(refs), np.array(starts), np.array(ends)


def row_of(question: int) -> int:
    """One of the rows where a question is asked: all of a batch's parts are looked at."""
    return question + 700 * (question % OVER)


def as_singles(hits: RaycastHits | SurfaceMoves, index: int) -> tuple[object, ...]:
    """Everything a batch says about one question, as comparable values."""
    visited = hits.visited[hits.offsets[index] : hits.offsets[index + 1]].tolist()
    status = hits.status_of(index)
    if isinstance(hits, RaycastHits):
        edge = int(hits.edge[index])
        normal = tuple(hits.normal[index].tolist()) if edge >= 0 else None
        return status, bool(hits.blocked[index]), float(hits.t[index]), normal, int(hits.polygon[index]), edge, visited
    ref = int(hits.ref[index])
    return status, bool(hits.blocked[index]), ref, tuple(hits.point[index].tolist()) if ref else None, visited


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("seed", [3, 5, 26])
def test_rays_have_the_bits_of_single_calls(threads: int, seed: int) -> None:
    mesh, draw = random_mesh(seed), Random(seed)
    query = NavMeshQuery(mesh)
    refs, starts, ends = questions(mesh, draw, 700)
    chosen = random_filter(draw)[0]
    hits = query.raycasts(
        np.tile(refs, OVER), np.tile(starts, (OVER, 1)), np.tile(ends, (OVER, 1)), chosen, threads=threads
    )
    for i in range(700):
        hit = query.raycast(int(refs[i]), tuple(starts[i]), tuple(ends[i]), chosen)
        single = (hit.status, hit.blocked, hit.t, hit.normal, hit.polygon, hit.edge, hit.visited.tolist())
        assert as_singles(hits, row_of(i)) == single


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("slides", [1, 5])
def test_moves_have_the_bits_of_single_calls(threads: int, slides: int) -> None:
    mesh, draw = random_mesh(26), Random(26)
    query = NavMeshQuery(mesh)
    refs, starts, ends = questions(mesh, draw, 700)
    moves = query.move_along_surfaces(
        np.tile(refs, OVER), np.tile(starts, (OVER, 1)), np.tile(ends, (OVER, 1)), slides=slides, threads=threads
    )
    for i in range(700):
        went = query.move_along_surface(int(refs[i]), tuple(starts[i]), tuple(ends[i]), slides=slides)
        assert as_singles(moves, row_of(i)) == (went.status, went.blocked, went.ref, went.point, went.visited.tolist())


def test_references_and_points_go_in_again_where_they_came_out() -> None:
    mesh, draw = grid(12, 12, holes=[(3, 3), (8, 6)]), Random(1)
    query = NavMeshQuery(mesh)
    polygons = list(PlainMesh(mesh).polygons.values()) * 4
    refs = np.array([polygon.ref for polygon in polygons])
    starts = np.array([np.mean(polygon.corners, axis=0) for polygon in polygons])
    for _ in range(20):
        steps = np.array([(draw.uniform(-0.5, 0.5), 0, draw.uniform(-0.5, 0.5)) for _ in refs])
        moves = query.move_along_surfaces(refs, starts, starts + steps, slides=4, threads=2)
        assert (moves.ref != 0).all()
        refs, starts = moves.ref, moves.point


def test_one_start_serves_many_rays() -> None:
    mesh = grid(8, 8, holes=[(4, 4)])
    query = NavMeshQuery(mesh)
    ref = mesh.snap((1.5, 0, 1.5)).ref
    ends = [(i + 0.5, 0, j + 0.5) for i in range(8) for j in range(8)]
    hits = query.raycasts(ref, (1.5, 0, 1.5), ends)
    assert len(hits) == 64
    assert hits.blocked.tolist() == [query.raycast(ref, (1.5, 0, 1.5), end).blocked for end in ends]
    assert "64 rays" in repr(hits)


def test_nothing_asked_is_nothing_answered() -> None:
    hits = NavMeshQuery(strip(1)).raycasts([], [], [], threads=4)
    assert (len(hits), hits.offsets.tolist(), hits.visited.size, hits.normal.shape) == (0, [0], 0, (0, 3))


def test_the_filter_holds_for_all() -> None:
    mesh = strip(2, areas=[63, 5])
    closed = QueryFilter(predicate=lambda flags, area: area != 5)
    hits = NavMeshQuery(mesh).raycasts(
        mesh.reference(0, 0, 0), (1, 0, 1), [(2, 0, 1)] * 300 + [(6, 0, 1)] * 300, closed
    )
    assert hits.blocked.tolist() == [False] * 300 + [True] * 300
    assert hits.status_of(599) is RaycastStatus.BLOCKED


@pytest.mark.parametrize(
    ("refs", "starts", "ends", "what"),
    [
        ([1, 2], [(0, 0, 0)] * 3, (0, 0, 0), "start_refs has 2 rows, starts has 3"),
        ([1.5], (0, 0, 0), (0, 0, 0), "start_refs"),
        ([[1]], (0, 0, 0), (0, 0, 0), "start_refs"),
        ("x", (0, 0, 0), (0, 0, 0), "start_refs"),
        (1, (0, 0), (0, 0, 0), "starts"),
        (1, (0, 0, 0), [(0, 0, 0), (0, 0)], "ends"),
        (1, (0, 0, 0), ["abc"], "ends"),
        (1, (0, 0, 0), [(0, 0, 0), (0, math.nan, 0)], r"ends\[1\]\[1\] is NaN"),
    ],
)
def test_arrays_that_ask_nothing_sound_are_refused(refs: object, starts: object, ends: object, what: str) -> None:
    with pytest.raises(ArgumentError, match=what):
        NavMeshQuery(strip(1)).raycasts(refs, starts, ends)


def test_positions_out_of_range_are_refused_by_row() -> None:
    with pytest.raises(RangeError, match=r"starts\[2\]\[0\]"):
        NavMeshQuery(strip(1)).raycasts(1, [(0, 0, 0), (0, 0, 0), (2.0**21, 0, 0)], (0, 0, 0))


@pytest.mark.parametrize("threads", [0, 65, True, 2.0])
def test_thread_counts_out_of_range_are_refused(threads: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="threads"):
        NavMeshQuery(strip(1)).raycasts(1, (0, 0, 0), (0, 0, 0), threads=threads)


def test_other_python_threads_run_while_a_batch_does() -> None:
    mesh = grid(30, 30)
    query, ref = NavMeshQuery(mesh), mesh.snap((0.5, 0, 0.5)).ref
    ends = np.tile([(29.5, 0.0, 29.3)], (30000, 1))
    turns, done = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before = turns
        hits = query.raycasts(ref, (0.5, 0, 0.5), ends)
        assert turns > before
    finally:
        done.set()
        counter.join()
    assert not hits.blocked.any()


def test_a_commit_is_refused_while_a_batch_runs_and_queries_of_one_object_too() -> None:
    mesh = grid(30, 30)
    query, ref = NavMeshQuery(mesh), mesh.snap((0.5, 0, 0.5)).ref
    ends = np.tile([(29.5, 0.0, 29.3)], (40000, 1))
    worker = threading.Thread(target=lambda: query.raycasts(ref, (0.5, 0, 0.5), ends, threads=2))
    worker.start()
    refused = set()
    while worker.is_alive():
        try:
            query.raycast(ref, (0.5, 0, 0.5), (1, 0, 1))
        except BusyError:
            refused.add("query")
        mesh.stage_area(ref, 7)
        try:
            mesh.commit()
        except BusyError:
            refused.add("commit")
    worker.join()
    assert refused == {"query", "commit"}


def test_threads_that_begin_late_find_nothing_to_do_and_change_nothing() -> None:
    # Refused starts are answered faster than threads begin.
    query = NavMeshQuery(strip(1))
    for _ in range(200):
        hits = query.raycasts(np.full(4096, 12345), (0, 0, 0), (1, 0, 0), threads=8)
        assert (hits.status == list(RaycastStatus).index(RaycastStatus.INVALID_START)).all()
        assert not hits.polygon.any()


def test_the_box_tree_is_built_once_by_several_threads() -> None:
    # Every thread asks a mesh whose trees and grids nobody has built yet.
    for seed in (5, 8):
        mesh, draw = random_mesh(seed), Random(seed)
        refs, starts, ends = questions(mesh, draw, 4100)
        first = NavMeshQuery(random_mesh(seed)).move_along_surfaces(refs, starts, ends)
        many = NavMeshQuery(mesh).move_along_surfaces(refs, starts, ends, threads=8)
        assert (first.point == many.point).all()
        assert (first.ref == many.ref).all()


def test_answers_of_batches_are_values_as_single_answers_are() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    place = mesh.snap((1.0, 0.0, 1.0))
    places = np.array([(1.0, 0.0, 1.0), (9.0, 0.0, 1.0), (900.0, 0.0, 1.0)])
    asks: tuple[Callable[[], Any], ...] = (
        lambda: query.raycasts(place.ref, place.point, places),
        lambda: query.move_along_surfaces(place.ref, place.point, places),
        lambda: query.find_nearest_polygons(places),
        lambda: query.distances_to_wall(place.ref, places, 2.0),
        lambda: query.find_paths(places[0], places),
    )
    answers = [ask() for ask in asks]
    for ask, many in zip(asks, answers, strict=True):
        for same in (ask(), copy.copy(many), copy.deepcopy(many), pickle.loads(pickle.dumps(many))):
            assert same == many and hash(same) == hash(many)
            arrays = [getattr(same, field.name) for field in dataclasses.fields(same)]
            assert not any(array.flags.writeable for array in arrays)
        assert [many == other for other in answers].count(True) == 1
    assert query.find_nearest_polygons(places) != query.find_nearest_polygons(places[:2])
