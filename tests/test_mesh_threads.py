"""Threads: a loader stages while others query; misuse is refused and counted, and nothing is ever half changed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from onepath import NavMeshQuery, QueryFilter
from onepath.errors import BusyError
from onepath.mesh import LinkDef, NavMesh, Tile
from tests.meshes import grid, rectangle, settings_of, tile_of
from tests.test_mesh_links import made_links, scanned_links

SETTINGS = settings_of()
ROUNDS = 400


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def floor(column: int, row: int, parts: int = 1, area: int = 63) -> Tile:
    cuts = [8 * column + 8 * i / parts for i in range(parts + 1)]
    bands = [rectangle(cuts[i], 8 * row, cuts[i + 1], 8 * row + 8) for i in range(parts)]
    marks = [1 + i % 2 for i in range(parts)]
    plain = tile_of(column, row, bands, SETTINGS, areas=[area] * parts)
    return Tile.from_arrays(
        column,
        row,
        plain.section("vertices"),
        plain.section("polygon_offsets"),
        plain.section("polygon_vertices"),
        SETTINGS,
        areas=[area] * parts,
        volumes=marks,
    )


def mesh_of_floors(columns: int = 4, rows: int = 2) -> NavMesh:
    mesh = NavMesh(SETTINGS, volume_names=("odd", "even"))
    for column in range(columns):
        for row in range(rows):
            mesh.stage_tile(floor(column, row, parts=2))
    mesh.commit()
    return mesh


def run_together(*works: Callable[[], None]) -> None:
    """Runs each in a thread of its own; an exception of one is raised here."""
    failures: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_a_loader_stages_while_queries_run_and_the_frame_commits_between_them() -> None:
    """The way it is meant: one thread stages, the frame's thread queries and commits, and nobody is refused."""
    mesh = mesh_of_floors()
    free = threading.Lock()
    done = threading.Event()
    staged = 0

    def loader() -> None:
        nonlocal staged
        random = Random(1)
        for _ in range(ROUNDS):
            tile = floor(random.randrange(4), random.randrange(2), parts=random.randrange(1, 5))
            with free:  # staging and committing exclude each other; querying does not take part
                mesh.stage_tile(tile)
                staged += 1
        done.set()

    def frame() -> None:
        query = NavMeshQuery(mesh)
        while not done.is_set():
            for _ in range(5):
                assert query.find_path((1, 0, 1), (31, 0, 15))
            with free:
                mesh.commit()

    run_together(loader, frame)
    mesh.commit()
    assert staged == ROUNDS
    assert mesh.debug.misuse == 0
    assert mesh.edit_count > 2
    assert all(made_links(mesh, view) == scanned_links(mesh, view) for view in mesh.tiles())


def test_only_the_thread_with_an_edit_block_open_stages() -> None:
    mesh = mesh_of_floors()
    refused: list[str] = []

    def other() -> None:
        for call in (lambda: mesh.stage_tile(floor(0, 0)), mesh.commit, mesh.discard_staged, mesh.edit().__enter__):
            try:
                call()
            except BusyError as error:
                refused.append(str(error))

    with mesh.edit() as edit:
        edit.stage_tile(floor(9, 9))
        run_together(other)
    assert [message.split(" while ")[0] for message in refused] == ["stage_tile", "commit", "discard_staged", "edit"]
    assert mesh.debug.misuse == 4
    assert edit.report is not None
    assert edit.report.added == ((9, 9, 0),)
    run_together(lambda: mesh.stage_tile(floor(0, 0)))


def misuse_from_all_sides(rounds: int, seed: int) -> None:
    """Threads stage, edit, commit and query as they like. Refusals are counted, one each, and the mesh stays sound."""
    mesh = mesh_of_floors()
    refusals = [0] * 5
    stop, pause = threading.Event(), threading.Event()  # nobody sets the second: waiting for it lets others run

    def repeat(number: int, act: Callable[[Random], object], count: int | None = None) -> Callable[[], None]:
        def work() -> None:
            random = Random(seed + number)
            turns = 0
            while turns != count and (count is not None or not stop.is_set()):
                turns += 1
                pause.wait(random.random() * 3e-4)
                try:
                    act(random)
                except BusyError:
                    refusals[number] += 1
            if count is not None:
                stop.set()

        return work

    def stage(random: Random) -> None:
        mesh.stage_tile(floor(random.randrange(4), random.randrange(2), random.randrange(1, 4)).to_bytes())

    def change(random: Random) -> None:
        with mesh.edit() as edit:
            for view in mesh.tiles()[:3]:
                edit.stage_area(int(view.references[0]), random.choice((0, 5, 63)))
            edit.stage_volume_area(random.choice(("odd", "even")), random.choice((5, 63, None)))
            edit.stage_link(LinkDef((1, 0, 1), (30, 0, 14), 1.0, 1.0))
            if random.random() < 0.3:
                raise BusyError("the block is left")

    def commit(random: Random) -> None:
        mesh.commit()

    def ask(random: Random) -> None:
        query = NavMeshQuery(mesh)
        ends = (random.random() * 32, 0, random.random() * 16), (random.random() * 32, 0, random.random() * 16)
        path = query.find_path(*ends, QueryFilter(predicate=lambda flags, area: area != 5))
        mesh.check_corridor(path.corridor)

    def read(random: Random) -> None:
        for view in mesh.tiles():
            assert len(view.areas) == view.polygon_count == len(view.volumes)

    run_together(repeat(0, stage), repeat(1, change), repeat(2, commit, rounds), repeat(3, ask), repeat(4, read))
    mesh.discard_staged()
    for record in mesh.link_records():
        mesh.stage_link_removal(record.id)
    mesh.commit()
    assert mesh.edit_count > 2
    assert mesh.debug.misuse <= sum(refusals)
    assert {(view.column, view.row) for view in mesh.tiles()} == {(c, r) for c in range(4) for r in range(2)}
    assert all(made_links(mesh, view) == scanned_links(mesh, view) for view in mesh.tiles())
    assert mesh.polygon_count == sum(view.polygon_count for view in mesh.tiles())


def test_misuse_from_all_sides_is_counted_and_corrupts_nothing() -> None:
    misuse_from_all_sides(ROUNDS, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_long_misuse_corrupts_nothing(seed: int) -> None:
    misuse_from_all_sides(20_000 if os.environ.get("ONEPATH_BUILD") != "sanitizer" else 4_000, seed)


def test_a_filter_that_learns_more_does_not_disturb_a_batch_that_reads_it() -> None:
    mesh = grid(24, 24)
    query = NavMeshQuery(mesh)
    random = np.random.default_rng(3)
    starts, ends = (np.insert(random.uniform(0.01, 23.9, (40_000, 2)), 1, 0.0, axis=1) for _ in range(2))
    refs = query.find_nearest_polygons(starts).ref
    expected = query.raycasts(refs, starts, ends).t
    for _ in range(4):
        shared = QueryFilter(predicate=lambda _flags, _area: True)

        def learn(shared: QueryFilter = shared) -> None:
            for flags in range(20_000):
                shared.passes(flags, 5)

        learner = threading.Thread(target=learn)
        learner.start()
        found = query.raycasts(refs, starts, ends, shared, threads=2).t
        learner.join()
        assert np.array_equal(found, expected)
