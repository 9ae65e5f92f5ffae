"""Orientation predicates, triangle arrays, simple shapes and levels."""

from onepath.geometry.level import Level, LevelPart

__all__ = ["Level", "LevelPart"]
