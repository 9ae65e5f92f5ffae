"""What a scene file falls into before it becomes a level: meshes with the names they are known by."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onepath.geometry.triangles import Triangles, Vertices

__all__ = ["ScenePiece"]


class ScenePiece(NamedTuple):
    """A mesh of a scene file, in the file's own axes.

    Attributes:
        names: of its nodes, groups and mesh; the first one becomes the part's name.
        material: name of its material, or None.
        vertices, triangles: as `Level.add` takes them.
        transform: (4, 4) from the mesh's space to the file's, or None.
    """

    names: tuple[str, ...]
    material: str | None
    vertices: Vertices
    triangles: Triangles
    transform: npt.NDArray[np.float64] | None = None

    def matches(self, patterns: Sequence[str]) -> bool:
        """Whether a name or the material fits one of the patterns (`*`, `?`, `[...]`; letter case counts)."""
        known = self.names if self.material is None else (*self.names, self.material)
        return any(fnmatchcase(name, pattern) for pattern in patterns for name in known)
