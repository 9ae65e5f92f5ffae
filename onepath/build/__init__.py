"""Triangles in, plain polygons out: the builder's stages, each one function whose result can be looked at and saved."""

from onepath.build._compact import CompactHeightfield
from onepath.build._frame import HeightfieldFrame
from onepath.build._spans import SolidHeightfield
from onepath.build.settings import AgentShape, BakeSettings, CellSettings, SpanSettings

__all__ = [
    "AgentShape",
    "BakeSettings",
    "CellSettings",
    "CompactHeightfield",
    "HeightfieldFrame",
    "SolidHeightfield",
    "SpanSettings",
]
