"""A tile as immutable bytes: written once, checked once, then only read."""

import cython
import numpy as np
from cython.cimports.cpython.buffer import PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import uintptr_t
from cython.cimports.libc.string import memset
from cython.cimports.onepath.mesh._format import TILE_VERSION, SettingsRecord, TileHeader, section_offsets, take_apart
from cython.cimports.onepath.mesh._tile_writing import (
    BakedPolygons,
    arranged_block,
    baked_size,
    fill_settings,
    settings_of,
    write_baked,
)
from cython.cimports.onepath.mesh._validate import FAULT_VERSION, Refusal, check_block

from onepath.errors import ArgumentError, TileFormatError
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tile_arrays import arrange, arrange_place, arrange_volumes, cell_arrays

__all__ = ["Tile"]

SECTIONS = (
    "header",
    "vertices",
    "polygon_offsets",
    "polygon_vertices",
    "polygon_neighbours",
    "border_sides",
    "areas",
    "flags",
    "detail_offsets",
    "detail_triangles",
    "detail_vertices",
    "volumes",
)

FAULTS = (
    "is sound",
    "is shorter than a tile's header",
    "does not start as a tile does",
    "is of another version",
    "was written in the other byte order",
    "has bytes that do not give its checksum",
    "has another size than its header says",
    "holds settings out of range",
    "lies outside the world or has a layer out of range",
    "has a count out of range, or counts that do not give its size",
    "has padding that is not zero",
    "has a coordinate that is not finite",
    "has a point outside the tile's square or where positions end",
    "has offsets that do not ascend from 0 to the number of edges",
    "has fewer than 3 or more than 1024 corners",
    "names a vertex that does not exist",
    "has the same corner twice",
    "has an edge without length in X and Z, or shorter than 2**-30 m",
    "has no area or runs clockwise seen from above",
    "is not convex",
    "names a neighbour that does not name it over the same edge",
    "names a side of the tile on which it does not lie, or has a neighbour as well",
    "names a vertex that does not exist",
    "is there although no named volume marked a polygon",
)


@cython.cfunc
def refusal_message(refusal: cython.pointer[cython.const[Refusal]]) -> str:
    name = f"section {SECTIONS[refusal.section]}" if refusal.section else "tile"
    if refusal.element >= 0:
        name += f", element {refusal.element}"
    if refusal.polygon >= 0:
        name = f"polygon {refusal.polygon} ({name})"
    return f"{name} {FAULTS[refusal.fault]}"


# --- writing


def tile_from_cells(
    column: object,
    row: object,
    vertices: object,
    polygon_offsets: object,
    polygon_vertices: object,
    neighbours: object,
    border_sides: object,
    areas: object,
    settings: object,
    layer: object = 0,
) -> Tile:
    """A tile from polygons on the builder's integer grid, whose neighbours and border sides are known.

    Args:
        column, row, layer: as for Tile.from_arrays.
        vertices: (n, 3) int32: cells from the tile's corner, rows from row 0, cells.
        polygon_offsets, polygon_vertices: int32, as for Tile.from_arrays.
        neighbours: (edges) int32, the polygon behind each edge, or -1.
        border_sides: (edges) ints, the side of the tile that an edge lies on and leads across, or -1; an edge on a side
            that names none is a wall.
        areas: (polygons) ints, 0 to 255.
        settings: MeshSettings.

    Raises:
        ArgumentError, RangeError: naming the argument or the polygon at fault.
    """
    record: SettingsRecord
    polygons: BakedPolygons
    memset(cython.address(polygons), 0, cython.sizeof(BakedPolygons))  # no detail, no volumes
    place = arrange_place(column, row, layer, settings)
    grid = cell_arrays(vertices, polygon_offsets, polygon_vertices, neighbours, border_sides, areas)
    x: cython.const[cython.int][::1] = grid[0]
    y: cython.const[cython.int][::1] = grid[1]
    z: cython.const[cython.int][::1] = grid[2]
    first: cython.const[cython.int][::1] = grid[3]
    corners: cython.const[cython.int][::1] = grid[4]
    behind: cython.const[cython.int][::1] = grid[5]
    sides: cython.const[cython.int][::1] = grid[6]
    area: cython.const[cython.int][::1] = grid[7]
    polygons.vertex_count = x.shape[0]
    polygons.polygon_count = area.shape[0]
    polygons.edge_count = corners.shape[0]
    polygons.vertex_x = cython.address(x[0]) if polygons.vertex_count else cython.NULL
    polygons.vertex_y = cython.address(y[0]) if polygons.vertex_count else cython.NULL
    polygons.vertex_z = cython.address(z[0]) if polygons.vertex_count else cython.NULL
    polygons.polygon_first = cython.address(first[0])
    polygons.polygon_vertices = cython.address(corners[0]) if polygons.edge_count else cython.NULL
    polygons.neighbours = cython.address(behind[0]) if polygons.edge_count else cython.NULL
    polygons.border_sides = cython.address(sides[0]) if polygons.edge_count else cython.NULL
    polygons.areas = cython.address(area[0]) if polygons.polygon_count else cython.NULL
    fill_settings(cython.address(record), settings)
    try:
        return baked_tile(cython.address(record), place[0], place[1], place[2], cython.address(polygons))
    except TileFormatError as error:
        raise ArgumentError(str(error)) from None


@cython.cfunc
def baked_tile(
    settings: cython.pointer[cython.const[SettingsRecord]],
    column: cython.int,
    row: cython.int,
    layer: cython.int,
    polygons: cython.pointer[cython.const[BakedPolygons]],
) -> Tile:
    """The tile of a bake's polygons; TileFormatError where the bake was wrong."""
    block: bytes = PyBytes_FromStringAndSize(cython.NULL, baked_size(polygons))
    write_baked(
        cython.cast(cython.pointer[cython.uchar], PyBytes_AS_STRING(block)), settings, column, row, layer, polygons
    )
    return checked_tile(block)


@cython.cfunc
def checked_tile(block: object) -> Tile:
    """A tile over a block, bytes or a read-only memoryview that begins on 8 bytes, or TileFormatError.

    Bytes begin on 8 bytes by themselves. The GIL is released for large blocks.
    """
    tile: Tile = Tile.__new__(Tile)
    refusal: Refusal
    data: cython.pointer[cython.uchar]
    size: cython.longlong
    if type(block) is bytes:
        data = cython.cast(cython.pointer[cython.uchar], PyBytes_AS_STRING(block))
        size = len(block)
    else:
        PyObject_GetBuffer(block, cython.address(tile.view), PyBUF_SIMPLE)
        data = cython.cast(cython.pointer[cython.uchar], tile.view.buf)
        size = tile.view.len
    if size < 65536:
        check_block(data, size, cython.address(tile.layout), cython.address(refusal))
    else:
        with cython.nogil:
            check_block(data, size, cython.address(tile.layout), cython.address(refusal))
    if refusal.fault:
        raise fault_error(cython.address(refusal), data)
    tile.block = block
    return tile


@cython.cfunc
def fault_error(
    refusal: cython.pointer[cython.const[Refusal]], block: cython.pointer[cython.const[cython.uchar]]
) -> object:
    """The TileFormatError for a block that was refused."""
    message = refusal_message(refusal)
    if refusal.fault == FAULT_VERSION:
        header = cython.cast(cython.pointer[cython.const[TileHeader]], block)
        message += f" ({header.version}; this library reads {TILE_VERSION})"
    return TileFormatError(message, SECTIONS[refusal.section], refusal.element)


@cython.cfunc
def tile_over(owner: object, block: cython.pointer[cython.const[cython.uchar]]) -> Tile:
    """The tile in a block that has been checked and lies in `owner`, bytes or a read-only memoryview."""
    tile: Tile = Tile.__new__(Tile)
    whole: cython.const[cython.uchar][::1] = owner
    at: cython.Py_ssize_t = block - cython.address(whole[0])
    take_apart(block, cython.address(tile.layout))
    tile.block = memoryview(owner)[at : at + tile.layout.header.size]
    PyObject_GetBuffer(tile.block, cython.address(tile.view), PyBUF_SIMPLE)
    return tile


def tile_in_place(data: object) -> Tile:
    """The tile in a read-only memoryview, which it reads where it is; copied if that does not begin on 8 bytes.

    What lies under the view must not change while the tile or one of its arrays lives.
    """
    view: cython.const[cython.uchar][::1] = data
    if view.shape[0] and cython.cast(uintptr_t, cython.address(view[0])) & 7:
        return checked_tile(bytes(data))
    return checked_tile(data)


def tile_of_sections(
    column: int, row: int, layer: int, settings: object, sections: list, volumes: object = None
) -> Tile:
    """A tile of what `arrange` made, checked; TileFormatError where it is not sound."""
    return checked_tile(arranged_block(settings, column, row, layer, sections, volumes))


NO_HEADER = cython.declare(TileHeader)


@cython.final
@cython.no_gc  # nothing that it holds leads back to it, and meshes of many thousands would be gone over again and again
@cython.cclass
class Tile:
    """The polygons of one square of the grid, as bytes that never change.

    Made by `bake`, `Tile.from_arrays` or `Tile.from_bytes`; equal tiles have equal bytes and hashes.
    """

    def __cinit__(self) -> None:
        # Until a block has been checked, and for good in what __new__ alone makes, the tile is one without anything.
        self.layout.header = cython.address(NO_HEADER)

    def __dealloc__(self) -> None:
        PyBuffer_Release(cython.address(self.view))

    def __init__(self) -> None:
        raise TypeError("a Tile is made by Tile.from_arrays or Tile.from_bytes")

    @staticmethod
    def from_bytes(data: object) -> Tile:
        """The tile in `data` (bytes or any contiguous buffer, copied unless it is bytes), checked whole.

        Raises:
            ArgumentError: `data` is not a buffer.
            TileFormatError: the bytes are not a sound tile of this version; `.section` and `.element` say where.
        """
        if type(data) is bytes:
            return checked_tile(data)
        try:
            return checked_tile(memoryview(data).tobytes())
        except TypeError:
            raise ArgumentError(f"data is a {type(data).__name__}, not bytes or a buffer") from None

    @staticmethod
    def from_arrays(
        column: object,
        row: object,
        vertices: object,
        polygon_offsets: object,
        polygon_vertices: object,
        settings: object,
        layer: object = 0,
        areas: object = None,
        flags: object = None,
        detail: object = None,
        volumes: object = None,
    ) -> Tile:
        """A tile from polygons of any other builder. Neighbours and border sides are found.

        Corners at equal positions become one vertex, and polygons that share two of them in a row are neighbours;
        vertices that no polygon uses are dropped.

        Args:
            column, row: the tile's square in the grid.
            vertices: (n, 3) floats relative to (column * tile size, `settings.vertical_origin`, row * tile size),
                inside the tile's square in X and Z. What lies on a side of the tile must lie on it exactly.
            polygon_offsets: (polygons + 1) ints; polygon i has the corners
                polygon_vertices[polygon_offsets[i] : polygon_offsets[i + 1]].
            polygon_vertices: ints into `vertices`, 3 to 1024 a polygon, counter-clockwise seen from above, convex
                within 2**-20 of the tile size.
            settings: the MeshSettings of the mesh that the tile is for.
            layer: 0 to 65535, for meshes that a host stacks itself.
            areas: (polygons) ints, 0 to 255, default 63; area 0 passes no filter.
            flags: (polygons) ints, 0 to 65535, default 1.
            detail: (offsets, triangles, vertices) of finer height, or None: triangles (m, 3) of polygon i are those
                from offsets[i] to offsets[i + 1]; an index below n names `vertices`, others the (k, 3) detail vertices.
            volumes: (polygons) ints, which of the mesh's `volume_names` marked each, counted from 1; 0 for none.

        Raises:
            ArgumentError, RangeError, LimitError: naming the argument or the polygon at fault.

        >>> from onepath.mesh.settings import MeshSettings
        >>> square = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
        >>> Tile.from_arrays(0, 0, square, [0, 4], [0, 1, 2, 3], MeshSettings(cell_size=1.0, tile_cells=8))
        Tile(column=0, row=0, layer=0, polygons=1)
        """
        if not isinstance(settings, MeshSettings):
            raise ArgumentError(f"settings is {settings!r}, not MeshSettings")
        place = arrange_place(column, row, layer, settings)
        sections = arrange(vertices, polygon_offsets, polygon_vertices, areas, flags, detail, settings.tile_size)
        marks = arrange_volumes(volumes, len(sections[1]) - 1)
        try:
            return checked_tile(arranged_block(settings, place[0], place[1], place[2], sections, marks))
        except TileFormatError as error:
            raise ArgumentError(str(error)) from None

    def to_bytes(self) -> bytes:
        """The tile's bytes: the very object that it reads, or a copy where it reads a mapped file."""
        return bytes(self.block)

    @property
    def nbytes(self) -> int:
        """Length of the tile's bytes."""
        return self.layout.header.size

    @property
    def column(self) -> int:
        """The tile's place in the grid along X."""
        return self.layout.header.column

    @property
    def row(self) -> int:
        """The tile's place in the grid along Z."""
        return self.layout.header.row

    @property
    def layer(self) -> int:
        """Which of the tiles that a host stacks in one cell this is."""
        return self.layout.header.layer

    @property
    def polygon_count(self) -> int:
        """Polygons of the tile."""
        return self.layout.header.polygon_count

    @property
    def vertex_count(self) -> int:
        """Vertices of the tile, detail apart."""
        return self.layout.header.vertex_count

    @property
    def has_detail(self) -> bool:
        """Whether the tile carries finer height than its polygons."""
        return self.layout.header.has_detail != 0

    @property
    def has_volumes(self) -> bool:
        """Whether a named volume marked any of its polygons."""
        return self.layout.header.has_volumes != 0

    @property
    def settings(self) -> object:
        """The MeshSettings that the tile records."""
        if self.cached_settings is None:
            self.cached_settings = settings_of(cython.address(self.layout.header.settings))
        return self.cached_settings

    def section(self, name: str) -> object:
        """A read-only array over one section of the bytes ("vertices", "polygon_offsets", ...); keeps them alive.

        Raises:
            ArgumentError: there is no such section, or the tile has no detail.
        """
        index: cython.int
        at: cython.longlong[13]
        header: cython.pointer[cython.const[TileHeader]] = self.layout.header
        absent = (name.startswith("detail") and not header.has_detail) or (name == "volumes" and not header.has_volumes)
        if name not in SHAPES or absent:
            raise ArgumentError(f"section {name!r} is not one of this tile's: {', '.join(SHAPES)}")
        dtype, counted, width = SHAPES[name]
        count = (
            header.vertex_count,
            header.polygon_count,
            header.polygon_count + 1,
            header.edge_count,
            header.detail_triangle_count,
            header.detail_vertex_count,
        )[counted]
        index = SECTIONS.index(name)
        section_offsets(header, at)
        array = np.frombuffer(self.block, dtype, count * width, at[index])
        return array.reshape(count, 3) if width == 3 else array

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tile):
            return NotImplemented
        return self.block == cython.cast(Tile, other).block

    def __hash__(self) -> int:
        return hash(self.block)

    def __reduce__(self) -> tuple:
        return Tile.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"Tile(column={self.column}, row={self.row}, layer={self.layer}, polygons={self.polygon_count})"


#: Section -> (type, which count, numbers an element).
SHAPES = {
    "vertices": ("<f4", 0, 3),
    "polygon_offsets": ("<i4", 2, 1),
    "polygon_vertices": ("<i4", 3, 1),
    "polygon_neighbours": ("<i4", 3, 1),
    "border_sides": ("i1", 3, 1),
    "areas": ("u1", 1, 1),
    "flags": ("<u2", 1, 1),
    "detail_offsets": ("<i4", 2, 1),
    "detail_triangles": ("<i4", 4, 3),
    "detail_vertices": ("<f4", 5, 3),
    "volumes": ("<u2", 1, 1),
}
