"""Whatever a level may be given as, as a `Level`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from onepath.errors import ArgumentError
from onepath.geometry.level import Level
from onepath.io.levels import load_level

__all__ = ["LevelSource", "as_level"]

#: A file, a `Level`, (vertices, triangles), or anything with `vertices` and `faces`.
LevelSource = str | os.PathLike[str] | Level | Sequence[Any] | Any


def as_level(source: LevelSource) -> Level:
    """The source as a `Level`, its triangles checked."""
    if isinstance(source, Level):
        return source
    if isinstance(source, str | os.PathLike):
        return load_level(source)
    level = Level()
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        level.add(source.vertices, source.faces)
        return level
    if isinstance(source, Sequence) and len(source) == 2 and not isinstance(source, bytes):
        level.add(source[0], source[1])
        return level
    raise ArgumentError(
        f"source is {type(source).__name__}, not a file, a Level, a pair (vertices, triangles) or a mesh with "
        "vertices and faces"
    )
