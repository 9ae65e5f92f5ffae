"""The one portal function: the same bits from both sides, cut by climb, in groups."""

from __future__ import annotations

import struct
from random import Random

import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.mesh import NavMesh
from onepath.mesh._reading import portals_between
from onepath.mesh._tile import tile_from_cells
from tests.meshes import mesh_of, rectangle, seam, settings_of, slanted_seam
from tests.test_mesh_links import STEPS, jagged_mesh, overlap_of, side_edges


def intervals(mesh: NavMesh, source: int, target: int, side: int) -> list[tuple[bytes, bytes]]:
    """The portals' ends to the bit."""
    return [(struct.pack("<d", p[0]), struct.pack("<d", p[1])) for p in portals_between(mesh, source, target, side)]


def facing_polygons(mesh: NavMesh) -> list[tuple[int, int, int]]:
    """(reference, reference, side of the first) of all pairs of polygons in facing cells."""
    tiles = mesh.tiles()
    return [
        (int(near), int(far), side)
        for side, (x, z) in enumerate(STEPS)
        for a in tiles
        for b in tiles
        if (b.column, b.row) == (a.column + x, a.row + z)
        for near in a.references
        for far in b.references
    ]


@pytest.mark.parametrize("seed", range(12))
def test_swapping_the_two_polygons_gives_the_same_bits(seed: int) -> None:
    mesh = jagged_mesh(Random(seed))
    for near, far, side in facing_polygons(mesh):
        assert intervals(mesh, near, far, side) == intervals(mesh, far, near, side ^ 2)


@pytest.mark.parametrize("seed", range(8))
def test_polygons_have_a_portal_exactly_where_they_have_a_link(seed: int) -> None:
    mesh = jagged_mesh(Random(seed))
    linked = {
        (int(view.references[link["polygon"]]), int(link["target"])) for view in mesh.tiles() for link in view.links
    }
    assert {
        (near, far) for near, far, side in facing_polygons(mesh) if portals_between(mesh, near, far, side)
    } == linked


@pytest.mark.parametrize("seed", range(8))
def test_quadrilaterals_have_the_portal_of_a_plain_computation(seed: int) -> None:
    mesh = jagged_mesh(Random(seed))
    climb = mesh.settings.agent.max_climb + 1e-3 * mesh.settings.cell_height
    on_side = {(v.slot, side): side_edges(v, side) for v in mesh.tiles() for side in range(4)}
    for near, far, side in facing_polygons(mesh):
        edges = [
            [sorted(e[2]) for e in on_side[r >> 21 & 0xFFFFF, s] if e[0] == r & 0x1FFFFF]
            for r, s in ((near, side), (far, side ^ 2))
        ]
        expected = [
            overlap
            for a in edges[0]
            for b in edges[1]
            if (overlap := overlap_of(a, b, climb, 1e-3 * mesh.settings.cell_size)) is not None
        ]
        assert [p[:2] for p in portals_between(mesh, near, far, side)] == expected


def test_a_portal_is_cut_to_where_the_step_can_be_climbed() -> None:
    mesh = slanted_seam()
    ((low, high, _, _),) = portals_between(mesh, mesh.reference(0, 0, 0), mesh.reference(1, 0, 0), 2)
    slack = 4 * 1e-3 * mesh.settings.cell_height
    assert (low, high) == (pytest.approx(2 - slack), pytest.approx(6 + slack))


def test_a_climb_that_is_too_high_in_the_middle_leaves_two_portals() -> None:
    ridge = [(8, 0.0, 0), (8, 2.0, 4), (8, 0.0, 8), (16, 0.0, 8), (16, 0.0, 0)]
    mesh = slanted_seam(ridge)
    left, right = mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)
    first, second = portals_between(mesh, left, right, 2)
    assert first[:2] == (0, pytest.approx(1, abs=0.01))
    assert second[:2] == (pytest.approx(7, abs=0.01), 8)
    assert [p[:2] for p in portals_between(mesh, right, left, 0)] == [first[:2], second[:2]]
    # Edges are counted within the polygon asked for: 0 and 1 of the ridge, up along the side.
    assert [p[2:] for p in portals_between(mesh, right, left, 0)] == [(0, 0), (1, 1)]


def test_touching_overlaps_of_collinear_edges_are_one_portal() -> None:
    split = [(8, 0.0, 0), (8, 0.0, 3), (8, 0.0, 8), (16, 0.0, 8), (16, 0.0, 0)]
    mesh = slanted_seam(split)
    left, right = mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)
    assert portals_between(mesh, left, right, 2) == [(0, 8, 2, 2)]
    assert portals_between(mesh, right, left, 0) == [(0, 8, 0, 1)]
    assert len(mesh.tile(0, 0).links) == 2


@pytest.mark.parametrize("side", range(4))
def test_split_edges_are_walked_up_the_side_whichever_it_is(side: int) -> None:
    def outline(cuts: list[float], depth: float) -> list[tuple[float, float, float]]:
        near = [(cut, 0.0) for cut in cuts]
        far = [(cuts[-1], depth), (cuts[0], depth)]
        return [(8 + d, 0.0, a) if side in (0, 2) else (a, 0.0, 8 + d) for a, d in [*near, *far]]

    mesh = mesh_of([outline([0, 1, 5, 8], -8), outline([0, 2, 5, 6, 8], 8)])
    low, high = mesh.tiles()[0], mesh.tiles()[-1]
    near, far = int(low.references[0]), int(high.references[0])
    if side in (0, 3):
        near, far = far, near
    ((begin, end, low_edge, high_edge),) = portals_between(mesh, near, far, side)
    assert (begin, end) == (0, 8)
    view = mesh.tile(0, 0) if side in (1, 2) else high
    ends = {edge: sorted(along for along, _ in pair) for _, edge, pair in side_edges(view, side)}
    assert ends[low_edge][0] == 0
    assert ends[high_edge][1] == 8


@pytest.mark.parametrize("side", range(4))
def test_a_wall_along_the_side_parts_the_portal(side: int) -> None:
    """Both tiles have three edges in a row on their common side, and the middle one of one tile is a wall."""
    column, row = STEPS[side]
    mesh = NavMesh(settings_of(8))
    for place, own_side, wall in (((0, 0), side, True), ((column, row), side ^ 2, False)):
        ring = [(0, 0, 0), (0, 0, 2), (0, 0, 5), (0, 0, 8), (8, 0, 8), (8, 0, 0)]
        for _ in range(own_side):
            ring = [(z, y, 8 - x) for x, y, z in ring]
        sides = [own_side, -1 if wall else own_side, own_side, -1, -1, -1]
        mesh.stage_tile(
            tile_from_cells(*place, ring, [0, 6], range(6), [-1] * 6, sides, [63], mesh.settings)  # type: ignore[arg-type]
        )
    mesh.commit()
    near, far = mesh.reference(0, 0, 0), mesh.reference(column, row, 0)
    expected = [(0, 2), (5, 8)] if side < 2 else [(0, 3), (6, 8)]
    assert [p[:2] for p in portals_between(mesh, near, far, side)] == expected
    assert [p[:2] for p in portals_between(mesh, far, near, side ^ 2)] == expected
    assert {p[2] for p in portals_between(mesh, near, far, side)} == {0, 2}


def test_tiles_that_do_not_face_each_other_have_no_portal() -> None:
    mesh = seam([(0, 8, 0)], [(0, 8, 0)])
    left, right = mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)
    assert portals_between(mesh, left, right, 0) == []
    assert portals_between(mesh, left, left, 2) == []


def test_bad_arguments_are_refused() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8)])
    reference = mesh.reference(0, 0, 0)
    with pytest.raises(RangeError, match="side is 4"):
        portals_between(mesh, reference, reference, 4)
    with pytest.raises(ArgumentError, match="reference 5 "):
        portals_between(mesh, 5, reference, 0)
