"""What a host promises about a mesh: which changes there will be, and how large it may become."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from onepath.build.arguments import whole_number
from onepath.names import checks_fields

__all__ = ["Limits", "Tier"]

LARGEST_LIMIT = 2**53


class Tier(IntEnum):
    """Which changes a mesh takes. In every tier tiles and off-mesh links come and go, each in a commit of its own.

    A change that the tier leaves out is refused with `UnsupportedError` when it is staged.
    """

    STATIC = 0
    """Nothing else. Polygons keep their areas and flags, links their prices."""

    MODIFIERS = 1
    """Also areas and flags of polygons, and links enabled, disabled or priced anew."""

    DYNAMIC = 2
    """Also a loaded tile replaced in one commit, as after a rebuild."""


@checks_fields()
@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How large a mesh may become: promises a host makes, so that growth without end is found early. None: no promise.

    Attributes:
        tiles: committed tiles, empty ones included.
        polygons: polygons of all of them.
        link_crossings: crossings of off-mesh links: 1 of a point link, of a wide one as many as it has places to cross.

    Raises:
        ArgumentError, RangeError: not a whole number of 0 or more.
    """

    tiles: int | None = None
    polygons: int | None = None
    link_crossings: int | None = None

    def __post_init__(self) -> None:
        for name in ("tiles", "polygons", "link_crossings"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole_number(f"Limits.{name}", value, 0, LARGEST_LIMIT))
