"""Level files in, levels out; navmesh files both ways."""

from onepath.io.levels import load_level

__all__ = ["load_level"]
