"""Off-mesh links as users see them: what is asked for, and what became of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from onepath.answers import Answer
from onepath.build.arguments import real_number, three_values, whole_number
from onepath.errors import ArgumentError, RangeError
from onepath.names import checks_fields

__all__ = ["LinkDef", "LinkEnd", "LinkEndStatus", "LinkKind", "LinkRecord", "LinkState", "LinkStatus"]

Point: TypeAlias = tuple[float, float, float]
LinkData: TypeAlias = int | float | str | bytes | None

FIRST_HOST_KIND, LAST_KIND = 6, 63
LAST_AREA = 255
#: The area of baked ground, and the only one that has a name here.
GROUND = 63
LARGEST_LENGTH = 2.0**21
LARGEST_COST = 1e12
LARGEST_CAPACITY = 2**31 - 1


class LinkKind(IntEnum):
    """How a link is crossed: no price and no route, but what the game plays. 6 to 63 are the host's own kinds."""

    JUMP = 0
    """Across a gap. The default."""
    DROP = 1
    """Down from an edge."""
    CLIMB = 2
    """Up or down a face, by hands."""
    LADDER = 3
    """Up or down a ladder."""
    DOOR = 4
    """Through something that may be closed: `stage_link_enable` closes it."""
    TELEPORT = 5
    """From here to there at once. A cheap one is a link of an area with a low cost."""


def named_kind(kind: int) -> int:
    """The LinkKind of a number, or the number itself where the kind is the host's own."""
    return LinkKind(kind) if kind < FIRST_HOST_KIND else kind


class LinkStatus(Answer):
    """Whether a link can be crossed. Whether it is enabled is another matter: see `LinkState.enabled`."""

    STAGED = "staged", "Not committed yet. Commit, then ask again."
    ATTACHED = "attached", "Both ends are on the mesh; of a wide link, both ends of every crossing. Nothing to do."
    PARTLY_ATTACHED = (
        "partly attached",
        "A wide link some of whose crossings reach the mesh with both ends. Narrow it, or raise its snaps.",
    )
    UNATTACHED = (
        "unattached",
        "An end is not on the mesh; start and end say which and why. Changes of tiles near it try it again.",
    )
    ONE_POLYGON = (
        "one polygon",
        "Attached, but both ends are in one polygon, and corridors remove loops: it is never used. Move an end.",
    )
    REMOVED = (
        "removed",
        "The link was removed, or was discarded before it was committed. Forget its id; it is never used again.",
    )


class LinkEndStatus(Answer):
    """Whether an end of a link is on the mesh, and if not, why."""

    SNAPPED = "snapped", "It is on the mesh; polygon and point say where."
    NOT_LOADED = (
        "not loaded",
        "Nothing is within its snap, but a tile there is not committed. It snaps when the tile comes.",
    )
    NOTHING_NEAR = "nothing near", "No polygon's box touches the box around it. Move the end, or raise its snap."
    TOO_FAR = (
        "too far",
        "The nearest polygon lies within the box but farther away than its snap. Move the end, or raise its snap.",
    )
    UNKNOWN = "unknown", "The link is staged or removed: where its ends are is known after the commit."


@checks_fields()
@dataclass(frozen=True, slots=True)
class LinkDef:
    """A connection that the ground does not give: a jump, a drop, a ladder, a door, a teleport.

    Crossing it costs the 3D distance between its snapped ends times its area's cost, plus `cost`.

    Args:
        start, end: where it begins and ends, metres, each coordinate within 2**21 of zero.
        start_snap, end_snap: how far each end may lie from the polygon that it snaps to, metres, 0 to 2**21.
        cost: what crossing costs beside the distance, 0 to 1e12.
        kind: a LinkKind, or 6 to 63 for the host's own kinds.
        bidirectional: whether it may be crossed from end to start as well.
        width: above 0 it joins two edges this long, across its X/Z direction and centred on start and end, metres, 0 to
            2**21. It is crossed at points no farther apart than the agent's radius; each counts as one crossing.
        area: its area id, 0 to 255, or a name of the mesh's `areas`; a filter prices and tests the link by it. Area 0
            passes no filter.
        flags: 0 to 65535; a filter tests them.
        capacity: how many agents may be on it at once, from 1; None for any number. The mesh keeps it for the game.
        data: the game's own: None, an int (64 bits), a float (not NaN), a str or bytes. The mesh keeps it.

    Raises:
        ArgumentError, RangeError: naming field, value and range.

    >>> LinkDef((0, 0, 0), (4, 0, 0), 0.5, 0.5, kind=LinkKind.DOOR).area
    63
    """

    start: Point
    end: Point
    start_snap: float
    end_snap: float
    cost: float = 0.0
    kind: LinkKind | int = LinkKind.JUMP
    bidirectional: bool = False
    width: float = 0.0
    area: int | str = "ground"
    flags: int = 1
    capacity: int | None = None
    data: LinkData = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("start", "end"):
            put(self, name, _position(f"LinkDef.{name}", getattr(self, name)))
        for name, most in (
            ("start_snap", LARGEST_LENGTH),
            ("end_snap", LARGEST_LENGTH),
            ("cost", LARGEST_COST),
            ("width", LARGEST_LENGTH),
        ):
            put(self, name, _number(f"LinkDef.{name}", getattr(self, name), most))
        kind = whole_number("LinkDef.kind", self.kind, 0, LAST_KIND)
        put(self, "kind", named_kind(kind))
        if not isinstance(self.bidirectional, bool):
            raise ArgumentError(f"LinkDef.bidirectional is {self.bidirectional!r}, not a bool")
        put(self, "area", _area(self.area))
        put(self, "flags", whole_number("LinkDef.flags", self.flags, 0, 0xFFFF))
        if self.capacity is not None:
            put(self, "capacity", whole_number("LinkDef.capacity", self.capacity, 1, LARGEST_CAPACITY))
        _check_data(self.data)
        if self.width > 0.0 and not _has_direction(self.start, self.end):
            raise ArgumentError(f"LinkDef.width is {self.width}, but start and end lie above each other: across what?")


def _has_direction(start: Point, end: Point) -> bool:
    """Whether the ends lie so far apart in X/Z that the square of their distance is more than nothing."""
    dx, dz = end[0] - start[0], end[2] - start[2]
    return dx * dx + dz * dz > 0.0


def _position(name: str, value: Sequence[float]) -> Point:
    x, y, z = three_values(name, value)
    return _coordinate(f"{name}[0]", x), _coordinate(f"{name}[1]", y), _coordinate(f"{name}[2]", z)


def _coordinate(name: str, value: object) -> float:
    number = real_number(name, value)
    if not -LARGEST_LENGTH < number < LARGEST_LENGTH:
        raise RangeError(f"{name} is {value!r}, outside (-2097152, 2097152)")
    return number + 0.0  # -0.0 would make equal links differ in their bytes


def _number(name: str, value: object, most: float) -> float:
    number = real_number(name, value)
    if not 0.0 <= number <= most:
        raise RangeError(f"{name} is {value!r}, outside [0, {most:g}]")
    return number + 0.0


def _area(value: object) -> int | str:
    """An id; a name other than "ground" stays one until the mesh that takes the link says what it means."""
    if isinstance(value, str):
        return GROUND if value == "ground" else value
    return whole_number("LinkDef.area", value, 0, LAST_AREA)


def _check_data(value: object) -> None:
    """What a file can hold, and equal to itself."""
    if value is not None and type(value) not in (int, float, str, bytes):
        raise ArgumentError(f"LinkDef.data is {value!r}, not None, an int, a float, a str or bytes")
    if isinstance(value, int):
        whole_number("LinkDef.data", value, -(2**63), 2**63 - 1)
    elif isinstance(value, float):
        real_number("LinkDef.data", value)


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """Where one end of a link is.

    Attributes:
        status: LinkEndStatus.
        polygon: the reference of the polygon that it snapped to, or 0.
        point: its place on that polygon, or None.
        distance: from the end as asked for to the nearest polygon that its box touches, metres; infinite if none.
    """

    status: LinkEndStatus
    polygon: int = 0
    point: Point | None = None
    distance: float = math.inf

    def __bool__(self) -> bool:
        return self.status is LinkEndStatus.SNAPPED


@dataclass(frozen=True, slots=True)
class LinkState:
    """What has become of a link. True if it can be crossed: attached, at least in part, and enabled.

    Attributes:
        id: the link.
        status: LinkStatus.
        enabled: whether a search may use it; as committed, or as staged before the first commit.
        definition: the LinkDef, or None of a removed link.
        ends: (start, end) of every crossing, ascending along the width; one of a link without width.
    """

    id: int
    status: LinkStatus
    enabled: bool
    definition: LinkDef | None
    ends: tuple[tuple[LinkEnd, LinkEnd], ...]

    @property
    def attached(self) -> bool:
        """Whether both ends of some crossing are on the mesh."""
        return any(start and end for start, end in self.ends)

    @property
    def start(self) -> LinkEnd:
        """The start of the first crossing that is not attached, or else of the first."""
        return self._telling[0]

    @property
    def end(self) -> LinkEnd:
        """The end of the same crossing."""
        return self._telling[1]

    @property
    def _telling(self) -> tuple[LinkEnd, LinkEnd]:
        return next((pair for pair in self.ends if not (pair[0] and pair[1])), self.ends[0])

    def __bool__(self) -> bool:
        return self.enabled and self.status in (LinkStatus.ATTACHED, LinkStatus.PARTLY_ATTACHED)


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A committed link as plain data: all that is needed to put it back.

    Attributes:
        id: the link.
        definition: its LinkDef, the cost as it was staged last.
        enabled: whether it is.
    """

    id: int
    definition: LinkDef
    enabled: bool
