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
#: Bytes of a binary STL before its triangles, the last four their number; of a triangle.
STL_HEAD, STL_TRIANGLE = 84, 50
#: Bytes in which the header of a PLY ends, if it is one.
PLY_HEADER = 2**16


def read_scene(path: Path) -> list[ScenePiece]:
    """The triangle meshes of a scene in the order of their nodes' names, each with its node's transform.

    Raises:
        MissingExtraError: trimesh is not installed.
        LevelError: trimesh cannot read the file, or it holds less than it says.
    """
    trimesh = _trimesh()
    if path.suffix.lower() == ".stl":
        _check_length(path)
    try:
        # Without processing: merging vertices would be slow and would change what the file says.
        scene = trimesh.load_scene(str(path), process=False)
        pieces = _pieces(scene, trimesh.Trimesh)
        if path.suffix.lower() == ".ply":
            _check_faces(path, sum(len(piece.triangles) for piece in pieces))
        return pieces
    except (MemoryError, LevelError):
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


def _check_length(path: Path) -> None:
    """Refuses a binary STL that is longer or shorter than its header says, which trimesh would take for a text."""
    with path.open("rb") as file:
        head = file.read(STL_HEAD)
    if len(head) < STL_HEAD or head.lstrip()[:5].lower() == b"solid":
        return
    count, size = int.from_bytes(head[-4:], "little"), path.stat().st_size
    needed = STL_HEAD + STL_TRIANGLE * count
    if size != needed:
        raise LevelError(f"{path}: its header counts {count} triangles, which take {needed} bytes; it has {size}")


def _check_faces(path: Path, found: int) -> None:
    """Refuses a PLY of fewer triangles than its header counts faces: of a text cut short trimesh reads what is left."""
    with path.open("rb") as file:
        for line in file.read(PLY_HEADER).splitlines():
            words = line.split()
            if words[:1] == [b"end_header"]:
                return
            if words[:2] == [b"element", b"face"] and found < int(words[2]):
                raise LevelError(
                    f"{path}: its header counts {int(words[2])} faces, and only {found} triangles are in it"
                )


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
