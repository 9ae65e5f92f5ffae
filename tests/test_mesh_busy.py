"""Who may do what at the same time: refused calls change nothing and are counted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from onepath.errors import BusyError
from onepath.mesh import NavMesh
from tests.meshes import floor, grid, rectangle, settings_of, tile_of

SETTINGS = settings_of()


@contextmanager
def reading(mesh: NavMesh) -> Iterator[None]:
    mesh._begin_reading()
    yield
    mesh._end_reading()


def test_a_commit_while_a_query_runs_is_refused_counted_and_can_be_repeated() -> None:
    mesh = NavMesh(SETTINGS)
    mesh.stage_tile(floor())
    with reading(mesh), reading(mesh):
        with pytest.raises(BusyError, match="commit while 2 queries run"):
            mesh.commit()
        assert (mesh.tile_count, mesh.staged_count, mesh.debug.misuse) == (0, 1, 1)
    assert mesh.commit().added == ((0, 0, 0),)
    assert mesh.debug.misuse == 1


def test_staging_while_a_query_runs_is_allowed() -> None:
    mesh = NavMesh(SETTINGS)
    with reading(mesh):
        mesh.stage_tile(floor())
        mesh.stage_tile_removal(0, 0)
        mesh.discard_staged()
    assert mesh.debug.misuse == 0


def test_staging_from_two_threads_is_refused_and_counted() -> None:
    """The check of large bytes lets other threads run, so two that keep staging soon meet."""
    mesh = NavMesh(SETTINGS)
    cells = [rectangle(i / 16, j / 16, (i + 1) / 16, (j + 1) / 16) for i in range(128) for j in range(64)]
    data = tile_of(0, 0, cells, SETTINGS).to_bytes()
    refused: list[str] = []

    def stage() -> None:
        for _ in range(2000):
            if refused:
                return
            try:
                mesh.stage_tile(data)
            except BusyError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=stage) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(refused) == {"stage_tile while another thread stages or commits"}
    assert mesh.debug.misuse == len(refused)
    mesh.stage_tile(floor())
    assert mesh.commit().added == ((0, 0, 0),)


def test_a_refused_stage_leaves_the_mesh_free_again() -> None:
    mesh = NavMesh(SETTINGS)
    with pytest.raises(ValueError, match="tile"):
        mesh.stage_tile(b"no tile")
    mesh.stage_tile(floor())
    mesh.commit()
    assert mesh.debug.misuse == 0


def test_threads_that_read_while_another_commits_see_all_of_a_change_or_none() -> None:
    mesh = grid(8, 8, grid_bounds=None)
    parts = [mesh.tile(0, 0).tile, floor()]
    counts: list[tuple[int, int]] = []
    refused: list[BusyError] = []
    done = threading.Event()

    def read() -> None:
        while not done.wait(0.0002):
            try:
                view = mesh.tile(0, 0)
                counts.append((view.polygon_count, len(view.areas)))
            except BusyError as error:
                refused.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in readers:
        thread.start()
    for i in range(2000):
        mesh.stage_tile(parts[i % 2])
        try:
            mesh.commit()
        except BusyError as error:
            refused.append(error)
    done.set()
    for thread in readers:
        thread.join()
    assert set(counts) <= {(1, 1), (64, 64)}
    assert mesh.edit_count > 1
    assert mesh.debug.misuse == len(refused)


def test_completion_on_a_mesh_shows_no_steps_of_its_own_work() -> None:
    internal = (
        "_reading",
        "_staging",
        "apply_",
        "open_",
        "close_",
        "narrow_",
        "slot",
        "limit_",
        "need_",
        "refuse_",
        "restore_",
    )
    names = [name for name in dir(NavMesh) if not name.startswith("_") and any(part in name for part in internal)]
    assert names == []
