"""OnePath: navigation for Python games.

Triangles in, a tiled navigation mesh out, and exact answers to the questions a game asks of it:

>>> import onepath
>>> level = onepath.Level()
>>> level.add_plane((0, 0), (20, 20))
>>> level.add_box((9, 0, 2), (11, 3, 18))
>>> mesh = onepath.bake(level, radius=0.5)
>>> path = mesh.find_path((3, 0, 10), (17, 0, 10))
>>> path.status.name, round(path.length, 2)
('SUCCESS', 22.97)

`onepath.levels`, `onepath.agents`, `onepath.debug` and `onepath.links` are imported when they are first asked for, as
attributes or by an import of their own.
"""

from typing import TYPE_CHECKING

try:
    # _one_call and what it imports attach the one-call forms to NavMesh, and its .pyi tells type checkers so
    from onepath._distance_field import DistanceField
    from onepath._one_call import NavMesh, PathSearch
    from onepath.baking import bake
    from onepath.build import AgentShape, BakeSettings, ConvexVolume
    from onepath.build.report import BakeReport, BakeStatus
    from onepath.errors import OnePathError
    from onepath.geometry import Areas, Level
    from onepath.io import load_level
    from onepath.mesh import Limits, LinkDef, LinkKind, MeshSettings, Tier, Tile
    from onepath.query import (
        NavMeshQuery,
        NavPoint,
        NodeModel,
        Path,
        PathStatus,
        QueryFilter,
        QueryStatus,
        SeededRandom,
    )
    from onepath.rebuilding import bake_tile, rebuild_tile, rebuild_tiles
except (ImportError, AttributeError) as error:
    from importlib.util import find_spec

    # Without its compiled file a module's source is found, which nothing but Cython can read.
    found = find_spec("onepath._one_call")
    if found is not None and str(found.origin).endswith(".py"):
        raise ImportError("OnePath's compiled modules are missing: run pip install -e .") from error
    raise

if TYPE_CHECKING:
    from onepath import agents as agents
    from onepath import debug as debug
    from onepath import levels as levels
    from onepath import links as links
else:
    _IMPORTED_LATE = ("agents", "debug", "levels", "links")

    def __getattr__(name: str) -> object:
        """What is not needed to bake and to ask is not imported before somebody asks for it."""
        import sys
        from importlib import import_module

        if name in _IMPORTED_LATE:
            return import_module(f"onepath.{name}")
        raise AttributeError(f"module 'onepath' has no attribute {name!r}", name=name, obj=sys.modules[__name__])

    def __dir__() -> list[str]:
        return sorted({*globals(), *_IMPORTED_LATE})


__version__ = "0.1.0"

__all__ = [
    "AgentShape",
    "Areas",
    "BakeReport",
    "BakeSettings",
    "BakeStatus",
    "ConvexVolume",
    "DistanceField",
    "Level",
    "Limits",
    "LinkDef",
    "LinkKind",
    "MeshSettings",
    "NavMesh",
    "NavMeshQuery",
    "NavPoint",
    "NodeModel",
    "OnePathError",
    "Path",
    "PathSearch",
    "PathStatus",
    "QueryFilter",
    "QueryStatus",
    "SeededRandom",
    "Tier",
    "Tile",
    "bake",
    "bake_tile",
    "load_level",
    "rebuild_tile",
    "rebuild_tiles",
]
