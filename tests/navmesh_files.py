"""Meshes to save, what a loaded one must have in common with them, and files with right checksums over wrong bytes."""

from __future__ import annotations

import math
import struct

from onepath import NavMesh
from onepath.geometry.areas import Areas
from onepath.io.navmesh_file import SECTIONS, SECTIONS_AT
from onepath.mesh._checksum import checksum_of
from onepath.mesh.link import LinkDef
from tests.meshes import rectangle, settings_of, strip, tile_of
from tests.test_mesh_links import made_links

DIRECTORY_AT = SECTIONS_AT - len(SECTIONS) * 24


def resealed(data: bytes | bytearray) -> bytes:
    """The file with the checksum that its header and sections should have, where the header can still be read."""
    data = bytearray(data)
    _, at, length = struct.unpack_from("<8sQQ", data, SECTIONS_AT - 24)
    blocks_at = at + (length + 7 & ~7)
    if blocks_at <= len(data) and blocks_at % 8 == 0:
        struct.pack_into("<Q", data, 16, checksum_of(bytes(data[24:blocks_at])))
    return bytes(data)


def content(mesh: NavMesh) -> object:
    tiles = [
        (v.slot, v.generation, v.tile, v.frontier_sides, v.areas.tolist(), v.flags.tolist(), made_links(mesh, v))
        for v in mesh.tiles()
    ]
    named = mesh.areas, mesh.volume_names, mesh._modifiers.volumes()
    return mesh.settings, mesh.grid_bounds, mesh.edit_count, tiles, link_content(mesh), named


def link_content(mesh: NavMesh) -> object:
    listed = [repr(v.links.tolist()) for v in mesh.tiles()]
    return mesh.link_records(), [mesh.link_state(link.id) for link in mesh.link_records()], listed


def linked() -> NavMesh:
    """Links of all sorts: attached, hanging, wide, disabled, dearer than at first, removed, with data of each type."""
    mesh = strip(8, grid_bounds=(0, -1, 8, 0))
    data = [None, -5, 0.5, "a gate é", b"\x00\xff", ""]
    ids = [
        mesh.stage_link(
            LinkDef(
                (2 + i, 0.1, 2), (20 + i, 0.1, 2), 0.5, 0.5, cost=i, kind=i, flags=i + 1, capacity=i or None, data=d
            )
        )
        for i, d in enumerate(data)
    ]
    wide = mesh.stage_link(LinkDef((6, 0, 2), (12, 0, 2), 1, 1, width=3.0, kind=63, area=9, bidirectional=True))
    mesh.stage_link(LinkDef((6, 0, 2), (12, 9, 2), 1, 1))
    mesh.commit()
    mesh.stage_link_enable(ids[1], False)
    mesh.stage_link_cost(wide, 2.5)
    mesh.stage_link_removal(ids[2])
    mesh.stage_link_removal(mesh.stage_link(LinkDef((6, 0, 2), (12, 9, 2), 1, 1)))
    mesh.commit()
    return mesh


def scarred() -> NavMesh:
    """A mesh whose slots are in disorder: three tiles, one replaced twice, a slot that is free and used up once."""
    mesh, settings = NavMesh(settings_of(), (0, 0, 3, 0)), settings_of()
    for column in (3, 1, 2, 0):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
        mesh.commit()
    for _ in range(2):
        mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 16, 8), rectangle(9, 1, 10, 2, y=3)], settings))
        mesh.commit()
    mesh.stage_tile_removal(2, 0)
    mesh.commit()
    return mesh


def named() -> NavMesh:
    """Three named areas, two volumes one of which was given an area, and polygons whose area and flags were changed."""
    areas = Areas.with_ids({"road": 7}, water=4.0, lava=math.inf, road=0.5)
    mesh = NavMesh(settings_of(), areas=areas, volume_names=["hall", "gate é"])
    for column in range(3):
        squares = [rectangle(8 * column, 0, 8 * column + 8, 4), rectangle(8 * column, 4, 8 * column + 8, 8)]
        mesh.stage_tile(tile_of(column, 0, squares, settings_of()))
    mesh.commit()
    mesh.stage_area(mesh.reference(1, 0, 1), "lava")
    mesh.stage_flags(mesh.reference(1, 0, 0), 0x1234)
    mesh.stage_volume_area("gate é", "water")
    mesh.commit()
    return mesh
