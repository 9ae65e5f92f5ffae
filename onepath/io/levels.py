"""Level files: one call from a path to a `Level` in this library's axes."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from onepath.build.arguments import number_between
from onepath.errors import ArgumentError, LevelError, LevelFileError, MissingLevelError
from onepath.geometry.level import Level
from onepath.io.obj import parse_obj
from onepath.io.pieces import ScenePiece
from onepath.io.scenes import SCENE_FORMATS, read_scene
from onepath.names import checks_names

__all__ = ["load_level"]


@checks_names("load_level")
def load_level(
    path: str | os.PathLike[str],
    *,
    up: Literal["y", "z"] = "y",
    handedness: Literal["right", "left"] = "right",
    scale: float = 1.0,
    areas: Mapping[str, str | int] | None = None,
    ignore: Sequence[str] = (),
) -> Level:
    """Reads a level file: OBJ by itself, glTF, GLB, STL and PLY through trimesh (`pip install "onepath[scenes]"`).

    Args:
        path: the file; its suffix decides the format.
        up: the file's axis that points up. With "z", the file's (x, y, z) becomes (x, z, -y).
        handedness: of the file's axes. "left" also turns (x, y, z) into (x, y, -z), or with up="z" into (x, z, y), and
            every winding with it: a triangle whose (b - a) x (c - a) points up in the file's numbers faces up here.
        scale: metres to one of the file's units, above 0.
        areas: patterns (as for `ignore`) and the area of what fits, a name or an id; the first that fits counts, what
            fits none is ground.
        ignore: patterns (`*`, `?`, `[...]`) of nodes, groups, meshes and materials to leave out; letter case counts.

    Returns:
        A `Level` of one part for each mesh and material, named after its node or group.

    Raises:
        LevelError: the file cannot be read, holds no triangles, or has bad ones; path and line or vertex are named. One
            that is not there is a MissingLevelError, a FileNotFoundError too; what else the system says of it is a
            LevelFileError, an OSError too.
        MissingExtraError: the format takes trimesh, and it is not installed.
        ArgumentError, RangeError: up, handedness, scale, areas or ignore make no sense.
    """
    file = _checked_path(path)
    matrix = _axes(up, handedness, scale)
    patterns = _checked_patterns(ignore)
    area_patterns = _checked_areas(areas)
    pieces = _read(file)
    if not pieces:
        raise LevelError(f"{file}: there are no triangles in it")
    level = Level()
    for piece in pieces:
        if not piece.matches(patterns):
            _add(level, piece, matrix, file, _area_of(piece, area_patterns))
    return level


def _read(file: Path) -> list[ScenePiece]:
    suffix = file.suffix.lower()
    if suffix != ".obj" and suffix not in SCENE_FORMATS:
        found = f"{suffix!r} is no format this reads" if suffix else "a level's name ends in its format"
        raise LevelError(f"{file}: {found}; readable are .obj, {', '.join(SCENE_FORMATS)}")
    try:
        data = file.read_bytes() if suffix == ".obj" else _first_byte(file)
    except OSError as error:
        kind = MissingLevelError if isinstance(error, FileNotFoundError) else LevelFileError
        raise kind(error.errno, error.strerror, str(file)) from error
    except ValueError as error:
        raise LevelError(f"{file}: {error}") from error
    if not data:
        raise LevelError(f"{file}: the file is empty")
    if suffix in SCENE_FORMATS:
        return read_scene(file)
    try:
        # Names may be in any encoding; numbers are ASCII in all that OBJ files are written in.
        return parse_obj(data.decode("utf-8-sig", errors="replace"))
    except LevelError as error:
        raise LevelError(f"{file}, {error}") from None


def _first_byte(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(1)


def _add(level: Level, piece: ScenePiece, axes: npt.NDArray[np.float64] | None, file: Path, area: str | int) -> None:
    matrix = piece.transform
    if axes is not None:
        matrix = axes if matrix is None else _product(axes, matrix)
    name = piece.names[0] if piece.names else None
    try:
        level.add(piece.vertices, piece.triangles, area, transform=matrix, name=name)
    except (ArgumentError, LevelError) as error:
        raise LevelError(f"{file}, {name or 'unnamed mesh'}: {error}") from None


def _checked_areas(areas: Mapping[str, str | int] | None) -> tuple[tuple[str, str | int], ...]:
    """Pairs of pattern and area, in order, each area one that `Level.add` takes."""
    if areas is None:
        return ()
    if not isinstance(areas, Mapping):
        raise ArgumentError(f"areas is {areas!r}, not a mapping of patterns to areas")
    for pattern, area in areas.items():
        if not isinstance(pattern, str):
            raise ArgumentError(f"areas has the pattern {pattern!r}, not a text")
        Level().add([], [], area)
    return tuple(areas.items())


def _area_of(piece: ScenePiece, areas: Sequence[tuple[str, str | int]]) -> str | int:
    return next((area for pattern, area in areas if piece.matches([pattern])), "ground")


def _axes(up: str, handedness: str, scale: float) -> npt.NDArray[np.float64] | None:
    """The map from the file's axes to ours; None where it changes nothing."""
    if up not in ("y", "z"):
        raise ArgumentError(f"up is {up!r}, not 'y' or 'z'")
    if handedness not in ("right", "left"):
        raise ArgumentError(f"handedness is {handedness!r}, not 'right' or 'left'")
    factor = number_between("scale", scale, 0.0, math.inf, open_low=True, open_high=True)
    if (up, handedness, factor) == ("y", "right", 1.0):
        return None
    # Rows: where our x, y, z come from. A left-handed file has its depth axis (z, or y where z is up) turned round.
    depth = factor if handedness == "right" else -factor
    matrix = np.zeros((4, 4))
    matrix[0, 0] = factor
    matrix[3, 3] = 1.0
    if up == "y":
        matrix[1, 1], matrix[2, 2] = factor, depth
    else:
        matrix[1, 2], matrix[2, 1] = factor, -depth
    return matrix


def _product(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """left @ right with its sums in one fixed order."""
    total = left[:, 0:1] * right[0:1]
    for k in range(1, 4):
        total = total + left[:, k : k + 1] * right[k : k + 1]
    return total


def _checked_path(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {path!r}, not a path")
    return Path(path)


def _checked_patterns(ignore: Sequence[str]) -> tuple[str, ...]:
    if isinstance(ignore, str):
        raise ArgumentError(f"ignore is the text {ignore!r}; hand over a list of patterns, [{ignore!r}]")
    try:
        patterns = tuple(ignore)
    except TypeError:
        raise ArgumentError(f"ignore is {ignore!r}, not a list of patterns") from None
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise ArgumentError(f"ignore holds {pattern!r}, not a text")
    return patterns
