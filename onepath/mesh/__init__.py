"""Tiles as immutable bytes, and the mesh that holds the committed ones."""

from onepath.mesh._tile import Tile
from onepath.mesh.commits import CommitCallback, CommitReport
from onepath.mesh.editing import MeshEdit
from onepath.mesh.floor_mask import FloorMask
from onepath.mesh.link import LinkDef, LinkEnd, LinkEndStatus, LinkKind, LinkRecord, LinkState, LinkStatus
from onepath.mesh.navmesh import MeshDebug, NavMesh
from onepath.mesh.pruning import PrunedIslands
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tier import Limits, Tier
from onepath.mesh.view import TileView

__all__ = [
    "CommitCallback",
    "CommitReport",
    "FloorMask",
    "Limits",
    "LinkDef",
    "LinkEnd",
    "LinkEndStatus",
    "LinkKind",
    "LinkRecord",
    "LinkState",
    "LinkStatus",
    "MeshDebug",
    "MeshEdit",
    "MeshSettings",
    "NavMesh",
    "PrunedIslands",
    "Tier",
    "Tile",
    "TileView",
]
