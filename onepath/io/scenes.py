"""glTF, GLB, STL and PLY scenes, read by trimesh (the extra "scenes")."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from onepath.errors import LevelError, MissingExtraError
from onepath.io.pieces import ScenePiece

__all__ = ["SCENE_FORMATS", "read_scene"]

SCENE_FORMATS = (".glb", ".gltf", ".ply", ".stl")


def read_scene(path: Path) -> list[ScenePiece]:
    """The triangle meshes of a scene in the order of their nodes' names, each with its node's transform.

    Raises:
        MissingExtraError: trimesh is not installed.
        LevelError: trimesh cannot read the file.
    """
    trimesh = _trimesh()
    try:
        # Without processing: merging vertices would be slow and would change what the file says.
        scene = trimesh.load_scene(str(path), process=False)
        return _pieces(scene, trimesh.Trimesh)
    except MemoryError:
        raise
    except Exception as error:
        # Readers of broken files fail in every way there is; whatever it was, the file is not readable.
        raise LevelError(f"{path}: trimesh cannot read it ({type(error).__name__}: {error})") from error


def _trimesh() -> Any:
    try:
        return importlib.import_module("trimesh")
    except ImportError as error:
        raise MissingExtraError(
            f'reading {", ".join(SCENE_FORMATS)} takes trimesh: pip install "onepath[scenes]" ({error})'
        ) from error


def _pieces(scene: Any, mesh_class: Any) -> list[ScenePiece]:
    pieces = []
    # The graph lists its nodes in the order of a set; names are what is the same in every run.
    for node in sorted(scene.graph.nodes_geometry, key=str):
        transform, geometry_name = scene.graph[node]
        mesh = scene.geometry[geometry_name]
        if not isinstance(mesh, mesh_class) or len(mesh.faces) == 0:
            continue
        material = getattr(getattr(mesh.visual, "material", None), "name", None)
        matrix = np.array(transform, dtype=np.float64)
        pieces.append(
            ScenePiece(
                (str(node), str(geometry_name)),
                material if isinstance(material, str) else None,
                np.array(mesh.vertices, dtype=np.float64),
                np.array(mesh.faces, dtype=np.int32),
                None if np.array_equal(matrix, np.eye(4)) else matrix,
            )
        )
    return pieces
