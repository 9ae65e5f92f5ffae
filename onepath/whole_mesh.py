"""The forms of NavMesh that are about all of it: save, load, to_bytes, from_bytes, pickling, from_polygons."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from onepath.errors import ArgumentError
from onepath.io.navmesh_file import decode_navmesh, encode_navmesh, load_navmesh, save_navmesh
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.tier import Limits, Tier

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from onepath.io.polygons import Polygons


def save(self: NavMesh, path: str | os.PathLike[str]) -> None:
    """Writes everything committed to a file: tiles, references, areas and flags as they are now. What is only staged is
    left out.

    The file appears whole or not at all: readers, and a process that is killed, find the old one or the new one.

    Raises:
        OSError: the file cannot be written; the old one stands.
        BusyError: a commit runs on another thread.
    """
    save_navmesh(self, path)


def load(
    cls: type[NavMesh],
    path: str | os.PathLike[str],
    *,
    tier: Tier = Tier.DYNAMIC,
    limits: Limits | None = None,
    mmap: bool = False,
) -> NavMesh:
    """The mesh in a file that `save` wrote; `report` is None.

    A reference is valid or stale in it as it was in the saved mesh, and `save` writes the same bytes again.

    Args:
        path: the file.
        tier, limits: what the host promises of the mesh from now on, as for NavMesh; a file does not keep promises.
        mmap: whether the tiles are read where they lie in the file, mapped into memory. Processes that map the same
            file share its pages, which come from the disk as they are needed. The file must then not be changed in
            place; `save` never does that, it puts another file in its place.

    Raises:
        OSError: the file cannot be read.
        TileFormatError: it is not a navmesh file of this version, or a part of it is not sound; its `section` and
            `element` say which.
        LimitError: the mesh is larger than `limits`.
    """
    return load_navmesh(path, bool(mmap), tier, limits, cls)


def to_bytes(self: NavMesh) -> bytes:
    """What `save` writes, as bytes.

    Raises:
        BusyError: a commit runs on another thread.
    """
    return encode_navmesh(self)


def from_bytes(
    cls: type[NavMesh],
    data: bytes | bytearray | memoryview,
    *,
    tier: Tier = Tier.DYNAMIC,
    limits: Limits | None = None,
) -> NavMesh:
    """The mesh in what `to_bytes` gave or `save` wrote: bytes or any contiguous buffer, copied.

    Raises:
        ArgumentError: `data` is not a buffer.
        TileFormatError, LimitError: as for `load`.
    """
    try:
        taken: bytes = data if type(data) is bytes else memoryview(data).tobytes()
    except TypeError:
        raise ArgumentError(f"data is a {type(data).__name__}, not bytes or a buffer") from None
    return decode_navmesh(taken, tier, limits, cls)


def from_polygons(
    cls: type[NavMesh],
    vertices: ArrayLike,
    polygons: Polygons,
    areas: ArrayLike | None = None,
    flags: ArrayLike | None = None,
    max_climb: float = 0.5,
) -> NavMesh:
    """A mesh of ready convex polygons.

    Neighbours are found by place, whatever indices they use: equal positions are one corner, and edges that run along
    one line are split where the neighbour's corners lie on them (T-junctions) and joined where their heights differ by
    at most `max_climb`. There a shared corner takes the middle of the heights it joins; the surfaces that agents stand
    on keep theirs. Floors farther apart in height stay apart, also exactly above each other.

    Positions in X and Z are put on multiples of 2**-24 of the tile size, a power of two at most 8 times the extent and
    2**21, so whole numbers and their halves, quarters and so on stay exact. One tile holds everything where such a tile
    can lie around it; otherwise polygons are cut at the grid lines through it, into at most four tiles.

    Args:
        vertices: (n, 3) finite positions within 2**21 of zero, metres.
        polygons: a list of index lists, a (m, k) array, or a tuple of two arrays (values, offsets) where polygon i is
            values[offsets[i] : offsets[i + 1]]; 3 to 1024 corners each, in either winding, convex seen from above
            within 2**-20 of the tile size.
        areas: (m) area ids, 0 to 255, default 63; area 0 passes no filter.
        flags: (m) flag bits, 0 to 65535, default 1.
        max_climb: highest step that joins two floors, metres, 0 or more.

    Returns:
        A bounded mesh; outside its tiles is nothing. `report` is an ImportReport. Without polygons it has no tile.

    Raises:
        ArgumentError, RangeError: naming the argument or the polygon at fault; an edge has at most one polygon on each
            side, a second one is refused.
        LimitError: more than 2**21 - 1 polygons or 2**24 - 1 edges in one tile.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (4, 0, 2), (8, 0, 0), (8, 0, 2), (8, 0, 4)]
    >>> mesh = NavMesh.from_polygons(corners, [[0, 1, 2, 3], [1, 5, 6, 4], [4, 6, 7, 2]])
    >>> mesh.polygon_count, mesh.walkable_area, mesh.report.seams
    (3, 32.0, 2)
    """
    from onepath.io.polygons import mesh_from_polygons  # here: no game that bakes should wait for it at its start

    return mesh_from_polygons(vertices, polygons, areas, flags, max_climb, cls)


def reduced(self: NavMesh) -> tuple[Callable[..., NavMesh], tuple[Any, ...]]:
    """Pickles and copies hold what `save` writes, the host's promises and the report."""
    return remade, (type(self), encode_navmesh(self), self.tier, self.limits, self.report)


def remade(mesh_class: type[NavMesh], data: bytes, tier: Tier, limits: Limits | None, report: Any) -> NavMesh:
    """What pickles and copies call."""
    mesh = decode_navmesh(data, tier, limits, mesh_class)
    mesh.report = report
    return mesh


METHODS: dict[str, Any] = {
    "save": save,
    "load": classmethod(load),
    "to_bytes": to_bytes,
    "from_bytes": classmethod(from_bytes),
    "from_polygons": classmethod(from_polygons),
    "__reduce__": reduced,
}
# Not by assignments: to a type checker these would be methods redefined.
for name, method in METHODS.items():
    setattr(NavMesh, name, method)
