"""Level files in, levels out; navmesh files and folders of tiles both ways; meshes of other programs in."""

from onepath.io.levels import load_level

__all__ = ["ImportReport", "TileFolder", "load_detour", "load_level", "load_polyanya"]

# Read when first asked for: few games take meshes from other programs, and all would wait for these at their start.
_LATER = {
    "ImportReport": "onepath.io.partition",
    "TileFolder": "onepath.io.tile_folder",
    "load_detour": "onepath.io.detour",
    "load_polyanya": "onepath.io.polyanya",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
