"""From the builder's kernel to the bytes of a tile, without Python in between."""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._detail_triangles import PARTS
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._tile import TileBaker
from cython.cimports.onepath.mesh._format import SettingsRecord
from cython.cimports.onepath.mesh._tile import baked_tile
from cython.cimports.onepath.mesh._tile_writing import BakedPolygons, fill_settings

from onepath.errors import LimitError


@cython.final
@cython.cclass
class TileWriter:
    """Bakes and writes tiles of one level: a `TileBaker`, the grid's frame, and the settings that tiles record."""

    baker: TileBaker
    record: SettingsRecord
    frame: Frame
    tile_size: cython.double
    padding: cython.double

    def __cinit__(self, baker, grid, settings):
        self.baker = baker
        fill_settings(cython.address(self.record), settings)
        self.tile_size = grid.tile_size
        self.padding = grid.padding
        self.frame.origin_y = grid.vertical_origin
        self.frame.cell_size = grid.cells.cell_size
        self.frame.cell_height = grid.cells.cell_height
        self.frame.width = self.frame.depth = grid.cells.tile_cells + 2 * grid.cells.padding
        self.frame.rows = grid.height_rows

    def tile(self, column: cython.int, row: cython.int, chosen: cython.const[cython.int][::1]):
        """The tile of a grid cell, baked from the triangles with these indices, ascending."""
        code: cython.int
        count: cython.int = cython.cast(cython.int, chosen.shape[0])
        indices: cython.pointer[cython.const[cython.int]] = cython.address(chosen[0]) if count > 0 else cython.NULL
        self.frame.origin_x = column * self.tile_size - self.padding
        self.frame.origin_z = row * self.tile_size - self.padding
        with cython.nogil:
            code = self.baker.bake(cython.address(self.frame), indices, count)
        if code == -1:
            raise MemoryError
        if code == -2:
            raise LimitError(f"tile ({column}, {row}) has more than 2**28 walkable spans; choose smaller tiles")
        if code == -4:
            raise LimitError(
                f"tile ({column}, {row}) needs more than 16,777,215 vertices or triangles of detail; choose a larger "
                "detail_max_error or smaller tiles"
            )
        if code == -3:
            raise LimitError(
                f"tile ({column}, {row}) has more than 192 pairs of a volume's name and an area; choose smaller tiles, "
                "or let volumes that change together share a name"
            )
        return self._written(column, row)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_detail(self, polygons: cython.pointer[BakedPolygons]) -> cython.void:
        if self.baker.rules.detail.spacing == 0:
            return
        polygons.detail_triangle_count = self.baker.detail.triangle.count // 3  # never negative
        polygons.detail_vertex_count = self.baker.detail.vertices.x.count
        polygons.detail_parts = PARTS
        polygons.detail_first = self.baker.detail.offset.data
        polygons.detail_triangles = self.baker.detail.triangle.data
        polygons.detail_x = self.baker.detail.vertices.x.data
        polygons.detail_y = self.baker.detail.vertices.y.data
        polygons.detail_z = self.baker.detail.vertices.z.data

    @cython.cfunc
    def _written(self, column: cython.int, row: cython.int):
        polygons: BakedPolygons
        none: cython.int = 0
        memset(cython.address(polygons), 0, cython.sizeof(BakedPolygons))
        polygons.polygon_first = cython.address(none)
        if self.baker.polygon_count > 0:
            polygons.vertex_count = self.baker.contours.vertex_x.count
            polygons.polygon_count = self.baker.polygon_count
            polygons.edge_count = self.baker.polygons.polygon_vertex.count
            polygons.vertex_x = self.baker.contours.vertex_x.data
            polygons.vertex_y = self.baker.contours.vertex_y.data
            polygons.vertex_z = self.baker.contours.vertex_z.data
            polygons.polygon_first = self.baker.polygons.polygon_offset.data
            polygons.polygon_vertices = self.baker.polygons.polygon_vertex.data
            polygons.neighbours = self.baker.polygons.polygon_neighbour.data
            polygons.border_sides = self.baker.polygons.border_side.data
            polygons.areas = self.baker.polygons.polygon_area.data
            polygons.volumes = self.baker.polygon_volume.data
            self._add_detail(cython.address(polygons))
        return baked_tile(cython.address(self.record), column, row, 0, cython.address(polygons))
