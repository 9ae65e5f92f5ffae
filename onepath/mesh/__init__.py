"""Tiles as immutable bytes, and the mesh that holds the committed ones."""

from onepath.mesh._tile import Tile
from onepath.mesh.link import LinkDef, LinkEnd, LinkEndStatus, LinkKind, LinkRecord, LinkState, LinkStatus
from onepath.mesh.navmesh import CommitReport, MeshDebug, NavMesh
from onepath.mesh.settings import MeshSettings
from onepath.mesh.view import TileView

__all__ = [
    "CommitReport",
    "LinkDef",
    "LinkEnd",
    "LinkEndStatus",
    "LinkKind",
    "LinkRecord",
    "LinkState",
    "LinkStatus",
    "MeshDebug",
    "MeshSettings",
    "NavMesh",
    "Tile",
    "TileView",
]
