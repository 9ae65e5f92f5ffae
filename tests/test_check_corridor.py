"""How far a corridor still stands after commits, and what ends it."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from onepath import Areas, NavMesh, NavMeshQuery, QueryFilter
from onepath.errors import ArgumentError, BusyError
from onepath.mesh import LinkDef
from onepath.query import Corridor, CorridorCheck, CorridorStatus
from tests.meshes import mesh_of, rectangle, settings_of, strip, tile_of

STANDS, STALE, REFUSED, NOT_LINKED, EMPTY = CorridorStatus


def corridor_of(mesh: NavMesh, start: float = 1.0, end: float = 31.0, filter: QueryFilter | None = None) -> Corridor:
    return NavMeshQuery(mesh).find_path((start, 0, 2), (end, 0, 2), filter).corridor


def answer(check: CorridorCheck) -> tuple[int, CorridorStatus]:
    return check.standing, check.status


def islands(**link: object) -> tuple[NavMesh, int]:
    """Two floors of two polygons each, joined by a link from the second to the third."""
    floors = [rectangle(x, 0, x + 4, 4) for x in (0, 4, 16, 20)]
    mesh = mesh_of(floors, grid_bounds=None)
    return mesh, mesh.add_link(LinkDef((6, 0, 2), (18, 0, 2), 0.5, 0.5, **link))  # type: ignore[arg-type]


def replace_tile(mesh: NavMesh, column: int) -> None:
    mesh.stage_tile(mesh.tile(column, 0).tile)
    mesh.commit()


@pytest.mark.parametrize("bare", [False, True])
def test_an_untouched_corridor_stands(bare: bool) -> None:
    mesh = strip(8)
    corridor = corridor_of(mesh)
    check = mesh.check_corridor(corridor.polygons if bare else corridor)
    assert check
    assert answer(check) == (8, STANDS)


@pytest.mark.parametrize("bare", [False, True])
def test_it_stands_up_to_a_tile_that_was_replaced(bare: bool) -> None:
    mesh = strip(8)
    corridor = corridor_of(mesh)
    replace_tile(mesh, 2)
    check = mesh.check_corridor(corridor.polygons if bare else corridor)
    assert not check
    assert answer(check) == (4, STALE)


def test_a_removed_tile_ends_it_and_one_put_back_does_not_make_it_whole_again() -> None:
    mesh = strip(8)
    corridor, tile = corridor_of(mesh), mesh.tile(1, 0).tile
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    assert answer(mesh.check_corridor(corridor)) == (2, STALE)
    mesh.stage_tile(tile)
    mesh.commit()
    assert answer(mesh.check_corridor(corridor)) == (2, STALE)


def test_a_blocked_polygon_ends_it_until_it_opens_again() -> None:
    mesh = strip(8)
    corridor = corridor_of(mesh)
    blocked = int(corridor.polygons[5])
    mesh.set_area(blocked, 0)
    assert answer(mesh.check_corridor(corridor)) == (5, REFUSED)
    mesh.set_area(blocked, "ground")
    assert answer(mesh.check_corridor(corridor)) == (8, STANDS)


def test_changed_flags_end_it_for_filters_that_look_at_them() -> None:
    mesh = strip(8)
    corridor = corridor_of(mesh)
    mesh.stage_flags(int(corridor.polygons[3]), 0b10)
    mesh.commit()
    assert mesh.check_corridor(corridor)
    assert answer(mesh.check_corridor(corridor, QueryFilter(exclude_flags=0b10))) == (3, REFUSED)
    assert answer(mesh.check_corridor(corridor, QueryFilter(predicate=lambda flags, area: flags == 1))) == (3, REFUSED)


def test_no_filter_is_the_mesh_s_default_and_names_are_the_mesh_s() -> None:
    mesh = NavMesh(settings_of(), areas=Areas(lava=math.inf))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], settings_of(), areas=[63, 1]))
    mesh.commit()
    refs = mesh.tile(0, 0).references
    assert answer(mesh.check_corridor(refs)) == (1, REFUSED)
    assert mesh.check_corridor(refs, QueryFilter())
    assert answer(mesh.check_corridor(refs, QueryFilter(avoid=["ground"]))) == (0, REFUSED)


def test_polygons_that_do_not_touch_are_not_linked() -> None:
    mesh = strip(8)
    refs = corridor_of(mesh).polygons
    assert answer(mesh.check_corridor(refs[[0, 2]])) == (1, NOT_LINKED)
    assert answer(mesh.check_corridor([refs[0], refs[1], refs[1]])) == (2, NOT_LINKED)
    assert mesh.check_corridor(refs[::-1])


def test_a_tile_that_no_longer_meets_its_neighbour_ends_it() -> None:
    mesh = strip(8)
    corridor = corridor_of(mesh, 17.0, 31.0)
    assert mesh.check_corridor(corridor)
    mesh.stage_tile(tile_of(2, 0, [rectangle(16, 0, 20, 4), rectangle(20, 0, 23, 4)], settings_of()))
    mesh.commit()
    there = [int(ref) for ref in (*mesh.tile(2, 0).references, *mesh.tile(3, 0).references)]
    assert answer(mesh.check_corridor(there)) == (2, NOT_LINKED)


# --- off-mesh links


def test_a_corridor_over_a_link_stands_while_that_is_open() -> None:
    mesh, link = islands()
    corridor = corridor_of(mesh, 1.0, 23.0)
    assert len(corridor.polygons) == 4
    for given in (corridor, corridor.polygons):
        assert answer(mesh.check_corridor(given)) == (4, STANDS)
        mesh.stage_link_enable(link, False)
        mesh.commit()
        assert answer(mesh.check_corridor(given)) == (2, NOT_LINKED)
        mesh.stage_link_enable(link, True)
        mesh.commit()


def test_a_corridor_whose_link_is_gone_ends_before_it_even_where_another_leads_there() -> None:
    mesh, link = islands()
    corridor = corridor_of(mesh, 1.0, 23.0)
    mesh.stage_link_removal(link)
    mesh.stage_link(LinkDef((6, 0, 3), (18, 0, 3), 0.5, 0.5))
    mesh.commit()
    assert answer(mesh.check_corridor(corridor)) == (2, NOT_LINKED)
    assert mesh.check_corridor(corridor.polygons)


def test_a_link_that_the_filter_refuses_ends_it() -> None:
    mesh, _ = islands(area=9)
    corridor = corridor_of(mesh, 1.0, 23.0)
    assert answer(mesh.check_corridor(corridor, QueryFilter(avoid=[9]))) == (2, REFUSED)
    assert not mesh.check_corridor(corridor.polygons, QueryFilter(predicate=lambda flags, area: area != 9))


# --- arguments and values


def test_an_empty_corridor_does_not_stand() -> None:
    mesh = strip(2)
    assert answer(mesh.check_corridor([])) == (0, EMPTY)
    assert not mesh.check_corridor(np.zeros(0, np.int64))


@pytest.mark.parametrize("reference", [0, -1, 1 << 62, 5])
def test_what_never_was_a_reference_is_stale(reference: int) -> None:
    assert answer(strip(2).check_corridor([reference])) == (0, STALE)


@pytest.mark.parametrize("corridor", [5, "abc", [1.5], None, [[1, 2]]])
def test_what_is_no_corridor_is_refused(corridor: object) -> None:
    with pytest.raises(ArgumentError, match="corridor is"):
        strip(2).check_corridor(corridor)


def test_it_is_no_time_for_checks_while_a_commit_runs() -> None:
    mesh = strip(2)
    refs = corridor_of(mesh, 1.0, 7.0).polygons
    seen: list[object] = []

    def predicate(flags: int, area: int) -> bool:
        with pytest.raises(BusyError):
            mesh.commit()
        seen.append(area)
        return True

    mesh.stage_area(int(refs[0]), 5)
    assert mesh.check_corridor(refs, QueryFilter(predicate=predicate))
    assert seen == [63]
    assert mesh.commit()


def test_checks_are_values() -> None:
    mesh = strip(4)
    corridor = corridor_of(mesh, 1.0, 15.0)
    replace_tile(mesh, 1)
    check = mesh.check_corridor(corridor)
    assert pickle.loads(pickle.dumps(check)) == check
    assert hash(pickle.loads(pickle.dumps(check))) == hash(check)
    assert check != mesh.check_corridor([])
    assert repr(check) == "CorridorCheck(standing=2, status=STALE)"
    match check:
        case CorridorCheck(2, CorridorStatus.STALE):
            pass
        case _:
            raise AssertionError
    with pytest.raises(TypeError):
        CorridorCheck()
