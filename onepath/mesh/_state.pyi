from collections.abc import Mapping, Sequence

from numpy import int32, int64
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.mesh._tile import Tile
from onepath.mesh.link import LinkRecord

def committed_state(mesh: MeshCore) -> tuple[NDArray[int32], list[tuple[int, Tile, bytes | None, bytes | None]]]: ...
def tiles_in(data: bytes | memoryview, offsets: NDArray[int64], sizes: NDArray[int64], shared: bool) -> list[Tile]: ...
def restore_state(
    mesh: MeshCore,
    generations: NDArray[int32],
    slots: NDArray[int32],
    tiles: list[Tile],
    changed: NDArray[int32],
    flags: bytes,
    areas: bytes,
    edit_count: int,
    links: Sequence[LinkRecord] = (),
    next_link: int = 1,
    volume_areas: Mapping[int, int] | None = None,
) -> None: ...
