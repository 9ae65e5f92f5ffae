from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.mesh.settings import MeshSettings

def tile_from_cells(
    column: int,
    row: int,
    vertices: ArrayLike,
    polygon_offsets: ArrayLike,
    polygon_vertices: ArrayLike,
    neighbours: ArrayLike,
    border_sides: ArrayLike,
    areas: ArrayLike,
    settings: MeshSettings,
    layer: int = 0,
) -> Tile: ...
def tile_in_place(data: memoryview) -> Tile: ...
def tile_of_sections(
    column: int,
    row: int,
    layer: int,
    settings: MeshSettings,
    sections: list[NDArray[Any]],
    volumes: NDArray[np.uint16] | None = None,
) -> Tile: ...

class Tile:
    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview) -> Tile: ...
    @staticmethod
    def from_arrays(
        column: int,
        row: int,
        vertices: ArrayLike,
        polygon_offsets: ArrayLike,
        polygon_vertices: ArrayLike,
        settings: MeshSettings,
        layer: int = 0,
        areas: ArrayLike | None = None,
        flags: ArrayLike | None = None,
        detail: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
        volumes: ArrayLike | None = None,
    ) -> Tile: ...
    def to_bytes(self) -> bytes: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def layer(self) -> int: ...
    @property
    def polygon_count(self) -> int: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def has_detail(self) -> bool: ...
    @property
    def has_volumes(self) -> bool: ...
    @property
    def settings(self) -> MeshSettings: ...
    def section(self, name: str) -> NDArray[Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...
