"""Staging and committing: all or nothing, the order of slots, what a commit leaves alone."""

from __future__ import annotations

from random import Random

import pytest

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, LimitError, RangeError, TileFormatError
from onepath.mesh import CommitReport, MeshSettings, NavMesh, Tile
from tests.meshes import commit_short_of_memory, floor, open_mesh, rectangle, settings_of, tile_of
from tests.test_mesh_links import made_links, scanned_links

SETTINGS = settings_of()


def fingerprint(mesh: NavMesh) -> object:
    """Everything that can be read of a mesh's committed state."""
    return (
        mesh.edit_count,
        mesh.tile_count,
        mesh.polygon_count,
        mesh.bounds,
        mesh.walkable_area,
        [
            (v.tile, v.slot, v.generation, v.frontier_sides, v.areas.tolist(), v.flags.tolist(), v.links.tobytes())
            for v in mesh.tiles()
        ],
    )


def by_place(mesh: NavMesh) -> object:
    """The committed state without slots and generations: what a fresh mesh of the same tiles has too."""
    views = sorted(mesh.tiles(), key=lambda v: (v.column, v.row, v.layer))
    return [(v.tile, v.frontier_sides, made_links(mesh, v)) for v in views]


# --- staging


def test_what_is_staged_is_not_seen_before_the_commit() -> None:
    mesh = open_mesh(floor(0, 0))
    before = fingerprint(mesh)
    mesh.stage_tile(floor(1, 0))
    mesh.stage_tile(floor(0, 0, parts=2))
    assert fingerprint(mesh) == before
    assert mesh.staged_count == 2
    mesh.commit()
    assert mesh.polygon_count == 3
    assert mesh.staged_count == 0


def test_c22_a_mesh_is_empty_until_its_first_commit_and_whole_right_after_it() -> None:
    mesh = NavMesh(SETTINGS)
    assert (mesh.tile_count, mesh.bounds, mesh.walkable_area, mesh.tiles()) == (0, None, 0.0, [])
    mesh.stage_tile(floor(0, 0))
    assert (mesh.tile_count, mesh.edit_count, mesh.tiles()) == (0, 0, [])
    assert mesh.commit() == CommitReport(1, ((0, 0, 0),), (), ())
    assert (mesh.tile_count, mesh.edit_count, mesh.walkable_area) == (1, 1, 64.0)


def test_a_commit_without_changes_changes_nothing() -> None:
    mesh = open_mesh(floor(0, 0))
    report = mesh.commit()
    assert not report
    assert report.edit_count == 1


def test_bytes_may_be_staged() -> None:
    mesh = NavMesh(SETTINGS)
    mesh.stage_tile(floor(0, 0).to_bytes())
    mesh.stage_tile(bytearray(floor(1, 0).to_bytes()))
    assert len(mesh.commit().added) == 2


def test_the_last_tile_staged_for_a_place_counts() -> None:
    mesh = NavMesh(SETTINGS)
    mesh.stage_tile(floor(0, 0))
    mesh.stage_tile(floor(0, 0, parts=4))
    mesh.commit()
    assert mesh.polygon_count == 4


def test_a_staged_tile_can_be_taken_back_by_its_removal() -> None:
    mesh = NavMesh(SETTINGS)
    mesh.stage_tile(floor(0, 0))
    mesh.stage_tile_removal(0, 0)
    assert not mesh.commit()


def test_discarding_forgets_everything_staged() -> None:
    mesh = open_mesh(floor(0, 0))
    mesh.stage_tile(floor(1, 0))
    mesh.stage_tile_removal(0, 0)
    mesh.discard_staged()
    assert not mesh.commit()
    assert mesh.tile_count == 1


def test_removing_a_tile_that_is_not_there_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"no tile \(3, 4, 0\)"):
        NavMesh(SETTINGS).stage_tile_removal(3, 4)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (settings_of(max_climb=0.25), "max_climb 0.25; this mesh has 0.5"),
        (settings_of(16), "tile_cells 16; this mesh has 8"),
        (settings_of(vertical_origin=1.0), "vertical_origin 1.0; this mesh has 0.0"),
        (
            MeshSettings(cell_size=1.0, cell_height=0.25, tile_cells=8, agent=AgentShape(max_climb=0.5, radius=0.75)),
            f"agent_radius 0.75; this mesh has {SETTINGS.agent.radius}",
        ),
    ],
)
def test_a_tile_of_other_settings_is_refused_and_the_setting_named(other: MeshSettings, message: str) -> None:
    mesh = NavMesh(SETTINGS)
    tile = tile_of(0, 0, [rectangle(0, 1, 8, 8, y=1.0)], other)
    for staged in (tile, tile.to_bytes()):
        with pytest.raises(TileFormatError, match=r"tile \(0, 0, 0\) was made with " + message):
            mesh.stage_tile(staged)
    assert mesh.staged_count == 0


def test_a_tile_outside_the_bounds_is_refused() -> None:
    mesh = NavMesh(SETTINGS, grid_bounds=(0, 0, 1, 1))
    mesh.stage_tile(floor(1, 1))
    with pytest.raises(RangeError, match=r"outside the mesh's bounds \(0, 0, 1, 1\)"):
        mesh.stage_tile(floor(2, 1))


def test_bytes_that_are_no_tile_are_refused_and_leave_nothing_staged() -> None:
    mesh = NavMesh(SETTINGS)
    with pytest.raises(TileFormatError):
        mesh.stage_tile(floor(0, 0).to_bytes()[:-8])
    with pytest.raises(ArgumentError):
        mesh.stage_tile("tile")  # type: ignore[arg-type]
    assert mesh.staged_count == 0


@pytest.mark.parametrize("bounds", [(0, 0, -1, 0), (0, 0, 1), 5, (0, 0, 0.5, 1), (0, 0, 2**30, 0), "abcd"])
def test_bad_bounds_are_refused(bounds: object) -> None:
    with pytest.raises(ArgumentError, match=r"grid_bounds|column|row"):
        NavMesh(SETTINGS, bounds)  # type: ignore[arg-type]


def test_a_mesh_needs_settings() -> None:
    with pytest.raises(ArgumentError, match="settings is None"):
        NavMesh(None)  # type: ignore[arg-type]


# --- slots and generations


def test_slots_follow_the_tiles_places_whatever_order_they_were_staged_in() -> None:
    tiles = [floor(c, r, layer=layer) for c in (0, 1) for r in (0, 1) for layer in (0, 2)]
    mesh = open_mesh(*Random(3).sample(tiles, len(tiles)))
    assert [(v.column, v.row, v.layer) for v in mesh.tiles()] == [(t.column, t.row, t.layer) for t in tiles]


def test_a_replaced_tile_keeps_its_slot_and_moves_its_generation() -> None:
    mesh = open_mesh(floor(0, 0), floor(1, 0))
    old, kept = mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)
    mesh.stage_tile(floor(0, 0))
    assert mesh.commit().replaced == ((0, 0, 0),)
    assert (mesh.tile(0, 0).slot, mesh.tile(0, 0).generation) == (0, 2)
    assert not mesh.is_valid(old)
    assert mesh.is_valid(kept)


def test_a_removed_tile_s_slot_is_used_again_the_lowest_first() -> None:
    mesh = open_mesh(*(floor(column, 0) for column in range(4)))
    old = mesh.reference(1, 0, 0)
    mesh.stage_tile_removal(2, 0)
    mesh.stage_tile_removal(1, 0)
    assert mesh.commit().removed == ((1, 0, 0), (2, 0, 0))
    assert not mesh.is_valid(old)
    mesh.stage_tile(floor(9, 0))
    mesh.commit()
    assert (mesh.tile(9, 0).slot, mesh.tile(9, 0).generation) == (1, 2)
    assert not mesh.is_valid(old)


def test_a_slot_freed_in_a_commit_may_be_taken_in_the_same() -> None:
    mesh = open_mesh(floor(0, 0))
    mesh.stage_tile_removal(0, 0)
    mesh.stage_tile(floor(5, 0))
    mesh.commit()
    assert (mesh.tile(5, 0).slot, mesh.tile(5, 0).generation) == (0, 2)


def test_a_slot_out_of_generations_is_retired() -> None:
    mesh = NavMesh(SETTINGS)
    mesh._narrow_limits(generations=2)
    slots = []
    for _ in range(5):
        mesh.stage_tile(floor(0, 0))
        mesh.commit()
        slots.append((mesh.tile(0, 0).slot, mesh.tile(0, 0).generation))
    assert slots == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1)]
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    mesh.stage_tile(floor(0, 0))
    mesh.commit()
    assert (mesh.tile(0, 0).slot, mesh.tile(0, 0).generation) == (2, 2)


def test_more_tiles_than_slots_are_refused_by_name() -> None:
    mesh = open_mesh(floor(0, 0))
    mesh._narrow_limits(slots=3)
    before = fingerprint(mesh)
    for column in range(-2, 3):
        mesh.stage_tile(floor(column, 0, parts=2))
    with pytest.raises(LimitError, match="tile slots: the mesh may have 3"):
        mesh.commit()
    assert fingerprint(mesh) == before
    assert mesh.staged_count == 5
    mesh._narrow_limits(slots=5)
    mesh.commit()
    assert by_place(mesh) == by_place(open_mesh(*(floor(column, 0, parts=2) for column in range(-2, 3))))


# --- all or nothing


def test_a_commit_that_runs_out_of_memory_anywhere_changes_nothing_and_can_be_repeated() -> None:
    mesh = open_mesh(*(floor(c, r, layer=layer) for c in range(3) for r in range(3) for layer in (0, 1)))
    mesh.stage_tile_removal(1, 1, 0)
    mesh.stage_tile_removal(0, 2, 1)
    mesh.stage_tile(floor(1, 1, layer=1, height=0.25, parts=3))
    mesh.stage_tile(floor(2, 0, parts=2))
    mesh.stage_tile(floor(3, 0))
    mesh.stage_tile(floor(-1, 0, layer=4))
    before = fingerprint(mesh)
    assert commit_short_of_memory(mesh, lambda: fingerprint(mesh) == before and mesh.staged_count == 6) > 10
    fresh = open_mesh(*(view.tile for view in mesh.tiles()))
    assert by_place(mesh) == by_place(fresh)
    assert mesh.edit_count == 2


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_a_mesh_is_as_a_fresh_one_of_the_same_tiles(seed: int) -> None:
    random = Random(seed)
    mesh = NavMesh(SETTINGS, random.choice((None, (-1, -1, 2, 2))))
    expected: dict[tuple[int, int, int], Tile] = {}
    for step in range(25):
        staged = dict(expected)
        for _ in range(random.randrange(1, 6)):
            key = (random.randrange(-1, 3), random.randrange(-1, 3), random.choice((0, 0, 3)))
            if key in staged and random.random() < 0.5:
                mesh.stage_tile_removal(*key)
                del staged[key]
            elif key not in staged or key in expected:
                heights, parts = random.choice((0.0, 0.4, 0.8)), random.randrange(4)
                staged[key] = floor(key[0], key[1], layer=key[2], height=heights, parts=max(parts, 1))
                if parts == 0:
                    staged[key] = tile_of(key[0], key[1], [], SETTINGS, layer=key[2])
                mesh.stage_tile(staged[key])
        if random.random() < 0.2:
            mesh._limit_allocations(random.randrange(4))
            try:
                mesh.commit()
            except MemoryError:
                mesh.discard_staged()
                staged = expected
            mesh._limit_allocations(-1)
        mesh.commit()
        expected = staged
        if step % 4:
            continue
        fresh = NavMesh(SETTINGS, mesh.grid_bounds)
        for tile in expected.values():
            fresh.stage_tile(tile)
        fresh.commit()
        assert by_place(mesh) == by_place(fresh)
        assert mesh.polygon_count == sum(tile.polygon_count for tile in expected.values())
    for view in mesh.tiles():
        assert made_links(mesh, view) == scanned_links(mesh, view)


def test_thousands_of_cells_are_found_and_their_gaps_close() -> None:
    mesh = NavMesh(SETTINGS)
    places = [(17 * i % 211 - 100, 31 * i % 197 - 90) for i in range(800)]
    for column, row in places:
        mesh.stage_tile(tile_of(column, row, [], SETTINGS))
    mesh.commit()
    for column, row in places[::2]:
        mesh.stage_tile_removal(column, row)
    mesh.commit()
    assert all(mesh._slot_of(*place) >= 0 for place in places[1::2])
    assert all(mesh._slot_of(*place) < 0 for place in places[::2])
    assert mesh.tile_count == 400


@pytest.mark.full
def test_the_last_generation_is_the_last_a_slot_has() -> None:
    mesh, tile = NavMesh(SETTINGS), tile_of(0, 0, [], SETTINGS)
    for _ in range(2**22 - 1):
        mesh.stage_tile(tile)
        mesh._apply_changes()
    assert (mesh.tile(0, 0).slot, mesh.tile(0, 0).generation) == (0, 2**22 - 1)
    mesh.stage_tile(tile)
    mesh.commit()
    assert (mesh.tile(0, 0).slot, mesh.tile(0, 0).generation) == (1, 1)
