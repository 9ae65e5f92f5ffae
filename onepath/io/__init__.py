"""Level files in, levels out; navmesh files and folders of tiles both ways; meshes of other programs in."""

from onepath.io.detour import load_detour
from onepath.io.levels import load_level
from onepath.io.partition import ImportReport
from onepath.io.polyanya import load_polyanya
from onepath.io.tile_folder import TileFolder

__all__ = ["ImportReport", "TileFolder", "load_detour", "load_level", "load_polyanya"]
