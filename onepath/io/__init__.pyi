import os

from onepath._one_call import NavMesh
from onepath.io.levels import load_level as load_level
from onepath.io.partition import ImportReport as ImportReport
from onepath.io.tile_folder import TileFolder as TileFolder

__all__ = ["ImportReport", "TileFolder", "load_detour", "load_level", "load_polyanya"]

# What is made at run time is the one class NavMesh, which has the one-call forms; type checkers know them by this name.
def load_polyanya(path: str | os.PathLike[str]) -> NavMesh: ...
def load_detour(path: str | os.PathLike[str]) -> NavMesh: ...
