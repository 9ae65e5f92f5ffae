from onepath.mesh._core import MeshCore

def check_generations(section: bytes | memoryview) -> None: ...
def check_records(section: bytes | memoryview, generations: bytes | memoryview, at: int, size: int) -> int: ...
def load_tiles(
    mesh: MeshCore,
    data: bytes | memoryview,
    generations: bytes | memoryview,
    section: bytes | memoryview,
    owner: bytes | memoryview,
) -> None: ...
