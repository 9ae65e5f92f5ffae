"""Tiles as they are written: the settings that they record, and blocks filled from a bake's or a host's arrays."""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.onepath.mesh._format import (
    AREAS,
    BORDER_SIDES,
    DETAIL_OFFSETS,
    DETAIL_TRIANGLES,
    DETAIL_VERTICES,
    FLAGS,
    NEIGHBOURS,
    POLYGON_OFFSETS,
    POLYGON_VERTICES,
    SECTION_COUNT,
    TILE_VERSION,
    VERTICES,
    VOLUMES,
    SettingsRecord,
    TileHeader,
    block_checksum,
    section_offsets,
)
from cython.cimports.onepath.mesh._tile_writing import BakedPolygons

from onepath.build.settings import AgentShape
from onepath.errors import TileFormatError
from onepath.mesh.settings import MeshSettings


@cython.cfunc
@cython.exceptval(-1, check=False)
def fill_settings(record: cython.pointer[SettingsRecord], settings: object) -> cython.int:
    """MeshSettings as a tile records them."""
    memset(record, 0, cython.sizeof(SettingsRecord))
    record.cell_size = settings.cell_size
    record.cell_height = settings.cell_height
    record.vertical_origin = settings.vertical_origin
    # Adding zero turns -0.0 into 0.0: tiles are compared with their mesh by bytes.
    record.agent_radius = settings.agent.radius + 0.0
    record.agent_height = settings.agent.height
    record.max_climb = settings.agent.max_climb + 0.0
    record.max_slope = settings.agent.max_slope + 0.0
    record.tile_cells = settings.tile_cells
    record.rows = settings.rows
    return 0


@cython.cfunc
def settings_of(record: cython.pointer[cython.const[SettingsRecord]]) -> object:
    return MeshSettings(
        agent=AgentShape(
            radius=record.agent_radius,
            height=record.agent_height,
            max_climb=record.max_climb,
            max_slope=record.max_slope,
        ),
        cell_size=record.cell_size,
        cell_height=record.cell_height,
        tile_cells=record.tile_cells,
        vertical_origin=record.vertical_origin,
        rows=record.rows,
    )


@cython.cfunc
def place_of(header: cython.pointer[cython.const[TileHeader]]) -> tuple:
    return header.column, header.row, header.layer


@cython.cfunc
@cython.exceptval(-1, check=False)
def refuse_other_settings(
    header: cython.pointer[cython.const[TileHeader]], wanted: cython.pointer[cython.const[SettingsRecord]]
) -> cython.int:
    """TileFormatError where a tile records other settings than its mesh has, naming the first of them."""
    if memcmp(cython.address(header.settings), wanted, cython.sizeof(SettingsRecord)) == 0:
        return 0
    recorded: dict = header.settings
    mine: dict = wanted[0]
    name: str = next(name for name in mine if recorded[name] != mine[name])
    raise TileFormatError(
        f"tile {place_of(header)} was made with {name} {recorded[name]!r}; this mesh has {mine[name]!r}"
    )


# --- blocks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_header(
    header: cython.pointer[TileHeader],
    settings: cython.pointer[cython.const[SettingsRecord]],
    column: cython.int,
    row: cython.int,
    layer: cython.int,
) -> cython.void:
    memset(header, 0, cython.sizeof(TileHeader))
    memcpy(header.magic, b"ONEPTILE", 8)
    header.version = TILE_VERSION
    header.settings = settings[0]
    header.column = column
    header.row = row
    header.layer = layer


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def marks_any(polygons: cython.pointer[cython.const[BakedPolygons]]) -> cython.bint:
    """Whether a named volume marked one of the polygons."""
    i: cython.int
    if polygons.volumes != cython.NULL:
        for i in range(polygons.polygon_count):
            if polygons.volumes[i] != 0:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_detail(
    header: cython.pointer[TileHeader], polygons: cython.pointer[cython.const[BakedPolygons]]
) -> cython.void:
    """A tile none of whose polygons has detail has no sections of it."""
    header.has_detail = polygons.detail_triangle_count > 0
    header.detail_triangle_count = polygons.detail_triangle_count
    header.detail_vertex_count = polygons.detail_vertex_count if header.has_detail else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_detail(
    block: cython.pointer[cython.uchar],
    at: cython.pointer[cython.const[cython.longlong]],
    polygons: cython.pointer[cython.const[BakedPolygons]],
    size: cython.float,
    height: cython.float,
) -> cython.void:
    vertices: cython.pointer[cython.float] = cython.cast(cython.pointer[cython.float], block + at[DETAIL_VERTICES])
    # A power of two, so that only the product with the cell size rounds: a whole cell gives the bits of a vertex.
    one: cython.float = 1.0
    part: cython.float = one / cython.cast(cython.float, polygons.detail_parts)
    i: cython.int
    memcpy(block + at[DETAIL_OFFSETS], polygons.detail_first, 4 * (polygons.polygon_count + 1))
    memcpy(
        block + at[DETAIL_TRIANGLES],
        polygons.detail_triangles,
        12 * cython.cast(cython.size_t, polygons.detail_triangle_count),
    )
    for i in range(polygons.detail_vertex_count):
        vertices[3 * i] = cython.cast(cython.float, polygons.detail_x[i]) * part * size
        vertices[3 * i + 1] = cython.cast(cython.float, polygons.detail_y[i]) * height
        vertices[3 * i + 2] = cython.cast(cython.float, polygons.detail_z[i]) * part * size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def baked_size(polygons: cython.pointer[cython.const[BakedPolygons]]) -> cython.longlong:
    """Bytes of the block that write_baked fills."""
    header: TileHeader
    at: cython.longlong[13]
    header.has_volumes = marks_any(polygons)
    header.vertex_count = polygons.vertex_count
    header.polygon_count = polygons.polygon_count
    header.edge_count = polygons.edge_count
    _count_detail(cython.address(header), polygons)
    section_offsets(cython.address(header), at)
    return at[SECTION_COUNT]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_baked(
    block: cython.pointer[cython.uchar],
    settings: cython.pointer[cython.const[SettingsRecord]],
    column: cython.int,
    row: cython.int,
    layer: cython.int,
    polygons: cython.pointer[cython.const[BakedPolygons]],
) -> cython.void:
    """Fills a block of baked_size bytes. Coordinates are float32 products of cells and cell size, rows and height."""
    header: cython.pointer[TileHeader] = cython.cast(cython.pointer[TileHeader], block)
    at: cython.longlong[13]
    vertices: cython.pointer[cython.float]
    flags: cython.pointer[cython.ushort]
    volumes: cython.pointer[cython.ushort]
    sides: cython.pointer[cython.schar]
    size: cython.float = cython.cast(cython.float, settings.cell_size)
    height: cython.float = cython.cast(cython.float, settings.cell_height)
    i: cython.int
    memset(block, 0, baked_size(polygons))
    fill_header(header, settings, column, row, layer)
    header.vertex_count = polygons.vertex_count
    header.polygon_count = polygons.polygon_count
    header.edge_count = polygons.edge_count
    header.has_volumes = marks_any(polygons)
    _count_detail(header, polygons)
    section_offsets(header, at)
    header.size = at[SECTION_COUNT]
    vertices = cython.cast(cython.pointer[cython.float], block + at[VERTICES])
    for i in range(polygons.vertex_count):
        vertices[3 * i] = cython.cast(cython.float, polygons.vertex_x[i]) * size
        vertices[3 * i + 1] = cython.cast(cython.float, polygons.vertex_y[i]) * height
        vertices[3 * i + 2] = cython.cast(cython.float, polygons.vertex_z[i]) * size
    memcpy(block + at[POLYGON_OFFSETS], polygons.polygon_first, 4 * (polygons.polygon_count + 1))
    if polygons.polygon_count:
        memcpy(block + at[POLYGON_VERTICES], polygons.polygon_vertices, 4 * polygons.edge_count)
        memcpy(block + at[NEIGHBOURS], polygons.neighbours, 4 * polygons.edge_count)
    flags = cython.cast(cython.pointer[cython.ushort], block + at[FLAGS])
    sides = cython.cast(cython.pointer[cython.schar], block + at[BORDER_SIDES])
    for i in range(polygons.polygon_count):
        flags[i] = 1
        block[at[AREAS] + i] = cython.cast(cython.uchar, polygons.areas[i])
    if header.has_volumes:
        volumes = cython.cast(cython.pointer[cython.ushort], block + at[VOLUMES])
        for i in range(polygons.polygon_count):
            volumes[i] = cython.cast(cython.ushort, polygons.volumes[i])
    for i in range(polygons.edge_count):
        sides[i] = cython.cast(cython.schar, polygons.border_sides[i])
    if header.has_detail:
        _write_detail(block, at, polygons, size, height)
    header.checksum = block_checksum(block, header.size)


@cython.cfunc
def arranged_block(
    settings: object, column: cython.int, row: cython.int, layer: cython.int, sections: list, volumes: object
) -> bytes:
    """A block from arrays in section order (`arrange`), contiguous and of the format's types; volumes may be None."""
    header: TileHeader
    record: SettingsRecord
    at: cython.longlong[13]
    out: cython.pointer[cython.uchar]
    section: cython.int
    data: bytes
    fill_settings(cython.address(record), settings)
    fill_header(cython.address(header), cython.address(record), column, row, layer)
    header.vertex_count = len(sections[0])
    header.polygon_count = len(sections[1]) - 1
    header.edge_count = len(sections[2])
    if len(sections) > 7:
        header.has_detail = 1
        header.detail_triangle_count = len(sections[8])
        header.detail_vertex_count = len(sections[9])
    header.has_volumes = volumes is not None
    section_offsets(cython.address(header), at)
    header.size = at[SECTION_COUNT]
    block: bytes = PyBytes_FromStringAndSize(cython.NULL, header.size)
    out = cython.cast(cython.pointer[cython.uchar], PyBytes_AS_STRING(block))
    memset(out, 0, header.size)
    memcpy(out, cython.address(header), cython.sizeof(TileHeader))
    for section in range(len(sections)):
        data = sections[section].tobytes()
        memcpy(out + at[section + 1], PyBytes_AS_STRING(data), len(data))
    if volumes is not None:
        data = volumes.tobytes()
        memcpy(out + at[VOLUMES], PyBytes_AS_STRING(data), len(data))
    cython.cast(cython.pointer[TileHeader], out).checksum = block_checksum(out, header.size)
    return block
