"""The clearance test of a link generation: what it is asked, and what it may do to the mesh."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

import onepath
from onepath.errors import ArgumentError, BusyError
from onepath.links import LinkGeneration, generate_links
from onepath.mesh import LinkKind, NavMesh
from tests.links import DROPS_ONLY, JUMPS_ONLY, ledge, link, on_a_big_tile, two_rooms
from tests.meshes import Corner, mesh_of, rectangle, settings_of, tile_of


def test_the_clearance_test_gets_ends_and_kind_and_decides() -> None:
    mesh = on_a_big_tile([*ledge(2.0), rectangle(14, 0, 16, 4)])
    asked: list[tuple[Corner, Corner, int]] = []

    def no_jumps(start: Corner, end: Corner, kind: int) -> bool:
        asked.append((start, end, kind))
        return kind != LinkKind.JUMP

    found = generate_links(mesh, LinkGeneration(spacing=4.0), clearance=no_jumps)
    assert [made.kind for made in found.links] == [LinkKind.DROP]
    assert {kind for _, _, kind in asked} == {LinkKind.DROP, LinkKind.JUMP}
    assert (found.links[0].start, found.links[0].end, LinkKind.DROP) in asked


def test_a_refused_candidate_is_no_earlier_link() -> None:
    mesh = on_a_big_tile(ledge(2.0, wide=12.0))
    settings = LinkGeneration(spacing=1.0, filter_distance=100.0, **DROPS_ONLY)
    found = generate_links(mesh, settings, clearance=lambda start, end, kind: start[2] > 6.0)
    assert len(found.links) == 1
    assert found.links[0].start[2] > 6.0


def test_an_answer_that_is_no_bool_and_an_exception_end_the_generation_and_leave_the_mesh_free() -> None:
    mesh = two_rooms()
    with pytest.raises(ArgumentError, match="clearance's answer is None"):
        generate_links(mesh, clearance=lambda start, end, kind: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        generate_links(mesh, clearance=lambda start, end, kind: 1 / 0 > 0)
    mesh.add_link(link((0, 0, 0), (6, 0, 0)))
    assert mesh.debug.misuse == 0


# --- what a clearance test may do to the mesh


def test_a_clearance_test_may_query_and_stage_tiles_and_their_removal() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(6, 0, 8, 4), rectangle(8, 0, 16, 4)])
    tile = tile_of(0, 0, [], settings_of())
    whole = generate_links(mesh)
    query = onepath.NavMeshQuery(mesh)

    def test(start: Corner, end: Corner, kind: int) -> bool:
        mesh.stage_tile(tile)
        mesh.stage_tile_removal(1, 0)
        return bool(query.find_nearest_polygon(end)) and bool(mesh.snap(start)) and len(mesh.tiles()) == 2

    assert generate_links(mesh, clearance=test) == whole
    assert (mesh.staged_count, mesh.debug.misuse) == (2, 0)
    assert mesh.commit().removed == ((1, 0, 0),)


REFUSED: dict[str, Callable[[NavMesh, int, int], object]] = {
    "stage_link ": lambda mesh, link_id, ref: mesh.stage_link(link((0, 0, 0), (6, 0, 0))),
    "stage_link_removal": lambda mesh, link_id, ref: mesh.stage_link_removal(link_id),
    "stage_link_enable": lambda mesh, link_id, ref: mesh.stage_link_enable(link_id, False),
    "stage_link_cost": lambda mesh, link_id, ref: mesh.stage_link_cost(link_id, 2.0),
    "stage_area": lambda mesh, link_id, ref: mesh.stage_area(ref, 0),
    "stage_flags": lambda mesh, link_id, ref: mesh.stage_flags(ref, 0),
    "discard_staged": lambda mesh, link_id, ref: mesh.discard_staged(),
    "commit": lambda mesh, link_id, ref: mesh.commit(),
    "edit": lambda mesh, link_id, ref: mesh.edit().__enter__(),
    "generate_links": lambda mesh, link_id, ref: generate_links(mesh),
}


@pytest.mark.parametrize("call", REFUSED)
def test_whatever_else_a_clearance_test_does_is_refused_and_counted(call: str) -> None:
    mesh = two_rooms()
    link_id = mesh.add_link(link((0, 0, 0), (1, 0, 0)))
    reference = mesh.reference(0, 0, 0)
    whole = generate_links(mesh)
    refused: list[str] = []

    def test(start: Corner, end: Corner, kind: int) -> bool:
        with pytest.raises(BusyError) as caught:
            REFUSED[call](mesh, link_id, reference)
        refused.append(str(caught.value))
        return True

    assert generate_links(mesh, clearance=test) == whole
    assert refused
    assert all(call in message for message in refused)
    assert (mesh.debug.misuse, mesh.staged_count, mesh.edit_count) == (len(refused), 0, 2)
    mesh.stage_link_removal(link_id)
    assert mesh.commit().links_removed == (link_id,)


def test_while_a_clearance_test_runs_other_threads_stage_as_they_may_and_generate_nothing() -> None:
    mesh = two_rooms()
    said: list[str] = []

    def elsewhere() -> None:
        mesh.stage_link(link((0, 0, 0), (6, 0, 0)))
        for call in (mesh.commit, lambda: generate_links(mesh)):
            with pytest.raises(BusyError) as caught:
                call()
            said.append(str(caught.value))

    def test(start: Corner, end: Corner, kind: int) -> bool:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return False

    assert not generate_links(mesh, LinkGeneration(spacing=4.0, **JUMPS_ONLY), clearance=test)
    assert set(said) == {"commit while 1 queries run", "generate_links while links are generated on this mesh"}
    assert mesh.debug.misuse == len(said)
    assert len(mesh.commit().links_added) == len(said) / 2


def test_links_of_another_mesh_may_be_generated_in_a_clearance_test() -> None:
    mesh, other = two_rooms(), two_rooms()
    whole = generate_links(mesh)
    inner = generate_links(mesh, clearance=lambda start, end, kind: generate_links(other) == whole)
    assert inner == whole
