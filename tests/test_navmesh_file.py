"""Navmesh files: what comes back of a mesh that was saved, mapped, copied or pickled."""

from __future__ import annotations

import copy
import math
import pickle
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from onepath import NavMesh
from onepath.errors import ArgumentError, BusyError, LimitError, TileFormatError
from onepath.io.navmesh_file import SECTIONS_AT, _decode, encode_navmesh
from onepath.mesh._state import restore_state
from onepath.mesh.link import LinkDef
from onepath.mesh.tier import Limits, Tier
from tests.meshes import rectangle, settings_of, strip, tile_of
from tests.navmesh_files import content, linked, named, resealed, scarred

# --- what comes back


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("grid_bounds", [None, (-3, -3, 5, 4)])
def test_a_saved_mesh_comes_back(tmp_path: Path, grid_bounds: tuple[int, int, int, int] | None, mmap: bool) -> None:
    mesh = strip(6, grid_bounds=grid_bounds)
    mesh.save(tmp_path / "level.navmesh")
    assert content(NavMesh.load(str(tmp_path / "level.navmesh"), mmap=mmap)) == content(mesh)


@pytest.mark.parametrize("mmap", [False, True])
def test_an_empty_mesh_comes_back(tmp_path: Path, mmap: bool) -> None:
    NavMesh(settings_of()).save(tmp_path / "empty.navmesh")
    assert content(NavMesh.load(tmp_path / "empty.navmesh", mmap=mmap)) == content(NavMesh(settings_of()))


def test_slots_and_generations_come_back() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [(v.column, v.slot, v.generation) for v in again.tiles()] == [(3, 0, 1), (1, 1, 3), (0, 3, 1)]


def test_a_reference_is_valid_or_stale_as_before() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    references = [generation << 41 | slot << 21 | p for generation in range(5) for slot in range(5) for p in range(3)]
    assert [again.is_valid(r) for r in references] == [mesh.is_valid(r) for r in references]
    assert 3 < sum(map(mesh.is_valid, references)) < len(references)


def test_the_next_tile_takes_the_same_slot_and_generation() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    for each in (mesh, again):
        each.stage_tile(tile_of(2, 0, [rectangle(16, 0, 24, 8)], settings_of()))
        each.commit()
    assert content(again) == content(mesh)
    assert again.tile(2, 0).generation == 2


def test_a_used_up_slot_stays_retired() -> None:
    mesh = strip(4, grid_bounds=None)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    data = bytearray(mesh.to_bytes())
    struct.pack_into("<i", data, SECTIONS_AT, 2**22)  # the generation of slot 0, now empty
    used_up = resealed(data)
    again = NavMesh.from_bytes(used_up)
    assert again.to_bytes() == used_up
    again.stage_tile(tile_of(3, 0, [], mesh.settings))
    again.commit()
    assert [v.slot for v in again.tiles()] == [1, 2]


def test_areas_and_flags_that_were_changed_come_back() -> None:
    mesh = named()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [(v.areas.tolist(), v.flags.tolist()) for v in again.tiles()] == [
        ([63, 63], [1, 1]),
        ([63, 2], [0x1234, 1]),
        ([63, 63], [1, 1]),
    ]


def test_named_areas_and_volumes_come_back() -> None:
    again = NavMesh.from_bytes(named().to_bytes())
    assert again.areas.to_dict() == {"ground": (63, 1), "water": (1, 4), "lava": (2, math.inf), "road": (7, 0.5)}
    assert again.volume_names == ("hall", "gate é")
    assert again.volume_area("gate é") == 1
    assert again.volume_area("hall") is None


def test_a_file_keeps_no_promises_and_copies_do(tmp_path: Path) -> None:
    mesh = NavMesh(settings_of(), tier=Tier.STATIC, limits=Limits(tiles=3))
    mesh.save(tmp_path / "level.navmesh")
    assert (copy.copy(mesh).tier, copy.copy(mesh).limits) == (Tier.STATIC, Limits(tiles=3))
    assert NavMesh.load(tmp_path / "level.navmesh").tier is Tier.DYNAMIC
    promised = NavMesh.load(tmp_path / "level.navmesh", tier=Tier.MODIFIERS, limits=Limits(tiles=1))
    assert (promised.tier, promised.limits) == (Tier.MODIFIERS, Limits(tiles=1))


def test_a_mesh_larger_than_the_limits_is_refused() -> None:
    data = strip(4).to_bytes()
    for limits in (Limits(tiles=1), Limits(polygons=3)):
        with pytest.raises(LimitError, match="limits"):
            NavMesh.from_bytes(data, limits=limits)
    assert NavMesh.from_bytes(data, limits=Limits(tiles=2, polygons=4)).tile_count == 2


@pytest.mark.parametrize("promise", [{"tier": 2}, {"limits": 5}])
def test_a_wrong_promise_is_the_caller_s_mistake(promise: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(promise))) as caught:
        NavMesh.from_bytes(strip(2).to_bytes(), **promise)  # type: ignore[arg-type]
    assert not isinstance(caught.value, TileFormatError)


def test_links_come_back_with_their_ids_disabled_ones_too() -> None:
    mesh = linked()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [link.id for link in again.link_records()] == [1, 2, 4, 5, 6, 7, 8]
    assert [link.enabled for link in again.link_records()][:3] == [True, False, True]
    assert [type(link.definition.data) for link in again.link_records()][:4] == [type(None), int, str, bytes]


def test_an_id_that_was_given_away_is_not_given_again() -> None:
    mesh = linked()
    link = LinkDef((6, 0, 2), (12, 0, 2), 1, 1)
    assert NavMesh.from_bytes(mesh.to_bytes()).stage_link(link) == mesh.stage_link(link) == 10


def test_a_link_that_hung_attaches_when_its_tile_comes_after_loading() -> None:
    mesh = linked()
    mesh.stage_tile_removal(2, 0)
    mesh.commit()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert not again.link_state(1).attached
    again.stage_tile(strip(8).tile(2, 0).tile)
    again.commit()
    assert again.link_state(1).attached


def test_what_is_staged_is_left_out() -> None:
    mesh = strip(4)
    data = mesh.to_bytes()
    mesh.stage_tile_removal(0, 0)
    assert mesh.to_bytes() == data


@pytest.mark.parametrize("make", [scarred, linked, named, lambda: NavMesh(settings_of())])
def test_a_second_save_gives_the_same_bytes(make: Callable[[], NavMesh]) -> None:
    mesh = make()
    assert NavMesh.from_bytes(mesh.to_bytes()).to_bytes() == mesh.to_bytes()


def test_tiles_begin_on_eight_bytes() -> None:
    data = scarred().to_bytes()
    places = [at for at in range(len(data)) if data.startswith(b"ONEPTILE", at)]
    assert len(places) == 3
    assert all(at % 8 == 0 for at in places)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda mesh: pickle.loads(pickle.dumps(mesh))])
def test_copies_and_pickles_are_meshes_of_their_own(copied: object) -> None:
    mesh = scarred()
    mesh.report = {"tiles": 3}
    again = copied(mesh)  # type: ignore[operator]
    assert content(again) == content(mesh)
    assert again.report == mesh.report
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    assert (mesh.tile_count, again.tile_count) == (2, 3)


def test_a_subclass_loads_itself(tmp_path: Path) -> None:
    class World(NavMesh):
        pass

    strip(2).save(tmp_path / "level.navmesh")
    loaded = World.load(tmp_path / "level.navmesh")
    assert type(loaded) is World
    assert type(World.from_bytes(loaded.to_bytes())) is World


def test_saving_counts_as_a_query() -> None:
    mesh = strip(2)
    mesh._begin_reading()
    mesh.to_bytes()
    with pytest.raises(BusyError):
        mesh.commit()
    mesh._end_reading()


def test_arrays_of_a_mapped_mesh_outlive_it(tmp_path: Path) -> None:
    strip(4).save(tmp_path / "level.navmesh")
    vertices = NavMesh.load(tmp_path / "level.navmesh", mmap=True).tile(0, 0).vertices
    (tmp_path / "level.navmesh").unlink()
    assert vertices.tolist() == strip(4).tile(0, 0).vertices.tolist()


def test_tiles_of_a_mapped_mesh_are_tiles_like_others(tmp_path: Path) -> None:
    strip(4).save(tmp_path / "level.navmesh")
    mapped, copied = (NavMesh.load(tmp_path / "level.navmesh", mmap=mmap).tile(0, 0).tile for mmap in (True, False))
    assert mapped == copied
    assert hash(mapped) == hash(copied)
    assert mapped.to_bytes() == copied.to_bytes()
    assert pickle.loads(pickle.dumps(mapped)) == copied
    assert not mapped.section("vertices").flags.writeable


def test_a_restoring_that_runs_out_of_memory_leaves_the_mesh_as_it_was() -> None:
    source = linked()
    data = encode_navmesh(source)
    contents = _decode(data)
    rest = (contents.generations, contents.tiles, b"", b"", source.edit_count, source.link_records(), 10)
    mesh = NavMesh(source.settings, source.grid_bounds)
    failures = 0
    for allowed in range(100):
        mesh._limit_allocations(allowed)
        try:
            restore_state(mesh, data, *rest)
            break
        except MemoryError:
            failures += 1
            assert (mesh.tile_count, mesh.polygon_count, mesh.tiles(), mesh.staged_count) == (0, 0, [], 0)
            assert mesh.link_records() == []
    assert failures > 8
    assert content(mesh) == content(source)


# --- what is refused
