from collections.abc import Mapping, Sequence

from numpy import int32
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.mesh.link import LinkRecord

def committed_state(mesh: MeshCore) -> tuple[NDArray[int32], list[tuple[int, bytes, bytes | None, bytes | None]]]: ...
def restore_state(
    mesh: MeshCore,
    data: bytes | memoryview,
    generations: bytes | memoryview,
    records: bytes | memoryview,
    flags: bytes,
    areas: bytes,
    edit_count: int,
    links: Sequence[LinkRecord] = (),
    next_link: int = 1,
    volume_areas: Mapping[int, int] | None = None,
) -> None: ...
