"""Queries over a mesh: filters, nearest polygons, path search, straight paths (queries document)."""

from onepath.query._area_results import AreaPolygons
from onepath.query._corridor_check import CorridorCheck
from onepath.query._filter import QueryFilter
from onepath.query._island_list import Island
from onepath.query._paths import Path, StraightPath
from onepath.query._query import NavMeshQuery
from onepath.query._random import SeededRandom
from onepath.query._reach import NearestGoal, ReachableArea
from onepath.query._results import Corridor, NavPoint, NearestPolygon
from onepath.query._trace_results import RaycastHit, SurfaceMove
from onepath.query._wall_results import NearestWall, WallSegments
from onepath.query.batch_results import NearestPolygons, NearestWalls, Paths, RaycastHits, SurfaceMoves
from onepath.query.legs import LinkLeg, WalkLeg
from onepath.query.search_geometry import SearchGeometry
from onepath.query.status import (
    AreaSearchStatus,
    CorridorStatus,
    NodeModel,
    PathMark,
    PathStatus,
    QueryStatus,
    RaycastStatus,
)

__all__ = [
    "AreaPolygons",
    "AreaSearchStatus",
    "Corridor",
    "CorridorCheck",
    "CorridorStatus",
    "Island",
    "LinkLeg",
    "NavMeshQuery",
    "NavPoint",
    "NearestGoal",
    "NearestPolygon",
    "NearestPolygons",
    "NearestWall",
    "NearestWalls",
    "NodeModel",
    "Path",
    "PathMark",
    "PathStatus",
    "Paths",
    "QueryFilter",
    "QueryStatus",
    "RaycastHit",
    "RaycastHits",
    "RaycastStatus",
    "ReachableArea",
    "SearchGeometry",
    "SeededRandom",
    "StraightPath",
    "SurfaceMove",
    "SurfaceMoves",
    "WalkLeg",
    "WallSegments",
]
