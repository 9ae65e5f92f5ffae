"""The legs of a path: what is walked, and what is crossed over an off-mesh link."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LinkLeg", "WalkLeg"]


class WalkLeg(NamedTuple):
    """A stretch over the mesh.

    Attributes:
        first, last: places of its first and last point among the path's points.
    """

    first: int
    last: int


class LinkLeg(NamedTuple):
    """An off-mesh link that the path crosses.

    Attributes:
        id: the link, as `stage_link` named it.
        kind: its LinkKind, or one of the host's kinds from 6 on.
        entry, exit: (x, y, z) where it is entered and left; a link that is crossed backwards is entered at its end.
        first, last: places of entry and exit among the path's points.
    """

    id: int
    kind: int
    entry: tuple[float, float, float]
    exit: tuple[float, float, float]
    first: int
    last: int
