"""Level files in, levels out."""

from onepath.io.levels import load_level

__all__ = ["load_level"]
