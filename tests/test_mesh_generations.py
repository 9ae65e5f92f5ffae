"""Generations: a reference once stale is stale for ever, however often its tile comes and goes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath import NavMeshQuery, PathStatus
from onepath.errors import ArgumentError
from onepath.mesh import NavMesh
from tests.meshes import floor, open_mesh, settings_of, strip

SETTINGS = settings_of()


def test_c21_no_stale_reference_is_accepted_in_100_000_replacements_of_one_tile() -> None:
    mesh, tile = open_mesh(floor()), floor()
    first = mesh.reference(0, 0, 0)
    seen = {first}
    for _ in range(100_000):
        mesh.stage_tile(tile)
        mesh._apply_changes()
        assert not mesh.is_valid(first)
        seen.add(mesh.reference(0, 0, 0))
    assert len(seen) == 100_001
    assert [reference for reference in seen if mesh.is_valid(reference)] == [mesh.reference(0, 0, 0)]


@pytest.mark.parametrize("last_generation", [1, 2, 7])
def test_none_is_accepted_either_when_slots_run_out_of_generations(last_generation: int) -> None:
    mesh, random = NavMesh(SETTINGS), Random(last_generation)
    mesh._narrow_limits(generations=last_generation)
    stale: set[int] = set()
    current: dict[int, int] = {}
    for _ in range(400):
        column = random.randrange(3)
        if column in current and random.random() < 0.4:
            mesh.stage_tile_removal(column, 0)
        else:
            mesh.stage_tile(floor(column))
        report = mesh.commit()
        if report.removed or report.replaced:
            stale.add(current.pop(column))
        if not report.removed:
            current[column] = mesh.reference(column, 0, 0)
        assert not stale & set(current.values())
        assert all(mesh.is_valid(reference) for reference in current.values())
        assert not any(mesh.is_valid(reference) for reference in stale)
        assert all(view.generation <= last_generation for view in mesh.tiles())


def test_c21_stale_references_are_refused_by_every_call_that_takes_one() -> None:
    mesh = strip(4)
    query, place = NavMeshQuery(mesh), mesh.snap((1, 0, 2))
    old, end = mesh.reference(0, 0, 0), mesh.snap((15, 0, 2))
    mesh.stage_tile(mesh.tile(0, 0).tile)
    mesh.commit()
    assert not mesh.is_valid(old)
    for read in (mesh.polygon, mesh.area, mesh.flags):
        with pytest.raises(ArgumentError, match="stale"):
            read(old)
    for edit in (lambda: mesh.stage_area(old, 5), lambda: mesh.stage_flags(old, 5), lambda: mesh.set_area(old, 5)):
        with pytest.raises(ArgumentError, match=f"reference {old} names no committed polygon"):
            edit()
    assert mesh.find_path(place, end).status is PathStatus.INVALID_START
    assert mesh.find_path(end, place).status is PathStatus.INVALID_END
    assert query.find_straight_path((1, 0, 2), (7, 0, 2), [old]).status is PathStatus.INVALID_CORRIDOR
    assert mesh.check_corridor([old]).standing == 0


def test_c21_so_it_is_refused_by_every_query_that_starts_from_one() -> None:
    mesh = strip(4)
    query, point = NavMeshQuery(mesh), (1.0, 0.0, 2.0)
    old, end = mesh.reference(0, 0, 0), mesh.snap((15, 0, 2))
    mesh.stage_tile(mesh.tile(0, 0).tile)
    mesh.commit()
    assert query.surface_height(old, point) is None
    assert query.find_corridor(old, point, end.ref, end.point).status is PathStatus.INVALID_START
    assert query.find_corridor(end.ref, end.point, old, point).status is PathStatus.INVALID_END
    square = [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0)]
    answers = [
        query.raycast(old, point, end.point),
        query.move_along_surface(old, point, end.point),
        query.find_polygons_in_circle(old, point, 3.0),
        query.find_polygons_in_shape(old, square),
        query.find_local_neighbourhood(old, point, 3.0),
        query.distance_to_wall(old, point, 3.0),
        query.find_walls(old, point, 3.0),
    ]
    assert {answer.status.name for answer in answers} == {"INVALID_START"}
    assert query.begin_area_search(old, point, 3.0).name == "INVALID_START"
    assert not query.random_point_around(1, old, point, 3.0)
    rows = [query.raycasts(old, point, [end.point]), query.move_along_surfaces(old, point, [end.point])]
    assert all(row.status_of(0).name == "INVALID_START" for row in rows)
    assert np.isinf(query.path_distances(old, point, end.ref, end.point)).all()
