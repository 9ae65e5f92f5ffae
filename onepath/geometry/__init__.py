"""Orientation predicates, triangle arrays, simple shapes, areas and levels."""

from onepath.geometry.areas import Areas
from onepath.geometry.level import Level, LevelPart

__all__ = ["Areas", "Level", "LevelPart"]
