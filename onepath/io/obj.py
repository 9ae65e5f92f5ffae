"""Wavefront OBJ text: vertices and faces, with the names of objects, groups and materials.

Tolerant of what does not matter to triangles (texture coordinates, normals, curves, statements of unknown kinds are
passed over) and strict about what does: a vertex or a face that cannot be read is refused with the number of its line.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onepath.errors import LevelError
from onepath.geometry.polygons import triangulate
from onepath.geometry.triangles import LARGEST_COORDINATE, Vertices, without_unused_vertices
from onepath.io.pieces import ScenePiece

__all__ = ["parse_obj"]

#: Object, group and material under which a run of faces stands.
Heading = tuple[str, str, str]


class _Gathered:
    """What the lines said, in flat lists."""

    def __init__(self) -> None:
        self.coordinates: list[float] = []
        self.vertex_lines: list[int] = []
        self.first: list[int] = [0]
        self.corners: list[int] = []
        self.face_lines: list[int] = []
        # (heading, first face) of every run.
        self.runs: list[tuple[Heading, int]] = []


def parse_obj(text: str) -> list[ScenePiece]:
    """The faces of OBJ text as one piece for each object, group and material, in the order of their first faces.

    Faces take the forms v, v/t, v//n and v/t/n, positive or negative, with 3 or more corners.

    Raises:
        LevelError: naming the line of a vertex or face that cannot be read or used.
    """
    gathered = _gather(text)
    count = len(gathered.coordinates) // 3
    vertices = np.array(gathered.coordinates, dtype=np.float64).reshape(count, 3)
    first = np.array(gathered.first, dtype=np.int64)
    corners = np.array(gathered.corners, dtype=np.int64) - 1
    _check_corners(corners, count, first, gathered)
    _check_used(vertices, corners, gathered)
    return _pieces(vertices, first, corners, gathered)


def _gather(text: str) -> _Gathered:
    gathered = _Gathered()
    heading: Heading = ("", "", "")
    started = False
    for number, line in _statements(text):
        # Half of a usual file are normals and texture coordinates: not worth taking apart.
        words = [] if line.startswith(("vn", "vt")) else line.split()
        if not words:
            continue
        kind = words[0]
        if kind in ("v", "f") and "_" in line:
            # Python's own numbers may hold underscores, the format's may not.
            raise LevelError(f"line {number}: {_shown(words)} holds a number with an underscore")
        if kind == "v":
            _read_vertex(words, number, gathered)
        elif kind == "f":
            if not started:
                gathered.runs.append((heading, len(gathered.face_lines)))
                started = True
            _read_face(words, number, gathered)
        elif kind in ("o", "g", "usemtl"):
            name = line[line.index(kind) + len(kind) :].strip()
            heading = {
                "o": (name, "", heading[2]),
                "g": (heading[0], name, heading[2]),
                "usemtl": (heading[0], heading[1], name),
            }[kind]
            started = False
    return gathered


def _statements(text: str) -> list[tuple[int, str]]:
    """(number of the first line, statement without its comment); a backslash at a line's end joins the next."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if "#" in text:
        lines = [line.partition("#")[0] for line in lines]
    if "\\" not in text:
        return list(enumerate(lines, 1))
    joined, start, held = [], 1, ""
    for number, line in enumerate(lines, 1):
        bare = line.rstrip()
        if bare.endswith("\\"):
            held += bare[:-1] + " "
            continue
        joined.append((start, held + line))
        start, held = number + 1, ""
    if held:
        joined.append((start, held))
    return joined


def _read_vertex(words: list[str], number: int, gathered: _Gathered) -> None:
    try:
        _, x, y, z = words[:4]
        gathered.coordinates += (float(x), float(y), float(z))
    except ValueError:
        raise LevelError(f"line {number}: {_shown(words)} is not a vertex of three numbers") from None
    gathered.vertex_lines.append(number)


def _read_face(words: list[str], number: int, gathered: _Gathered) -> None:
    if len(words) < 4:
        raise LevelError(f"line {number}: {_shown(words)} is a face with {len(words) - 1} corners, fewer than 3")
    try:
        indices = [int(word.partition("/")[0]) for word in words[1:]]
    except ValueError:
        raise LevelError(f"line {number}: {_shown(words)} is not a face of vertex numbers") from None
    if min(indices) < 1 or max(indices) >= 2**31:
        indices = _resolved(indices, number, len(gathered.vertex_lines))
    gathered.corners += indices
    gathered.first.append(len(gathered.corners))
    gathered.face_lines.append(number)


def _resolved(indices: list[int], number: int, known: int) -> list[int]:
    """Indices counted from 1, where some may have been counted backwards from the newest vertex."""
    for index in indices:
        if not (-known <= index < 0 or 0 < index < 2**31):
            raise LevelError(f"line {number}: a face names vertex {index}; {known} vertices, from 1, stand before it")
    return [index if index > 0 else known + index + 1 for index in indices]


def _check_corners(
    corners: npt.NDArray[np.int64], count: int, first: npt.NDArray[np.int64], gathered: _Gathered
) -> None:
    """A face may name a vertex that stands further down, but one must be there."""
    beyond = np.flatnonzero(corners >= count)
    if len(beyond):
        face = int(np.searchsorted(first, beyond[0], side="right")) - 1
        raise LevelError(
            f"line {gathered.face_lines[face]}: a face names vertex {int(corners[beyond[0]]) + 1}, "
            f"but the file has {count} vertices"
        )


def _check_used(vertices: Vertices, corners: npt.NDArray[np.int64], gathered: _Gathered) -> None:
    with np.errstate(invalid="ignore"):
        bad = np.logical_not((np.abs(vertices) <= LARGEST_COORDINATE).all(axis=1))
    if not bad.any():
        return
    named = corners[bad[corners]]
    if len(named):
        vertex = int(named[0])
        x, y, z = vertices[vertex].tolist()
        raise LevelError(
            f"line {gathered.vertex_lines[vertex]}: vertex {vertex + 1} lies at ({x!r}, {y!r}, {z!r}), "
            "not finite or outside [-2097152, 2097152]"
        )


def _pieces(
    vertices: Vertices, first: npt.NDArray[np.int64], corners: npt.NDArray[np.int64], gathered: _Gathered
) -> list[ScenePiece]:
    if not gathered.runs:
        return []
    triangles = triangulate(vertices, first, corners)
    # Row of the first triangle of every face: k corners make k - 2 triangles.
    rows = first - 2 * np.arange(len(first))
    ends = [face for _, face in gathered.runs[1:]] + [len(gathered.face_lines)]
    by_heading: dict[Heading, list[npt.NDArray[np.int32]]] = {}
    for (heading, face), end in zip(gathered.runs, ends, strict=True):
        by_heading.setdefault(heading, []).append(triangles[int(rows[face]) : int(rows[end])])
    pieces = []
    for (object_name, group, material), parts in by_heading.items():
        used, indices = without_unused_vertices(vertices, np.concatenate(parts))
        # "g a b" puts faces into two groups; a name with a space in it looks the same, so all of them are known.
        names = tuple(dict.fromkeys(name for name in (group, object_name, *group.split()) if name))
        pieces.append(ScenePiece(names, material or None, used, indices))
    return pieces


def _shown(words: list[str]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 60 else text[:57] + "...")
