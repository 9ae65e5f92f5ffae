"""generate_links: drops and jumps along a mesh's open edges, without those that nobody needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from onepath.build.arguments import instance_of, switch, whole_number
from onepath.errors import ArgumentError, RangeError
from onepath.links._generator import LinkCaster, make_caster
from onepath.links.settings import LinkGeneration
from onepath.mesh import LinkDef, LinkKind, NavMesh
from onepath.mesh.tile_arrays import arrange_bounds

__all__ = ["Clearance", "LinkProposals", "generate_links"]

Point: TypeAlias = tuple[float, float, float]
#: Called as clearance(start, end, kind): whether the way from start to end is free.
Clearance: TypeAlias = Callable[[Point, Point, LinkKind | int], bool]

LARGEST_CAPACITY = 2**31 - 1
#: Along the side of a tile.
MOST_SAMPLES = 10**6


@dataclass(frozen=True, slots=True)
class LinkProposals:
    """What `generate_links` proposes. True if there is any link.

    Attributes:
        links: LinkDefs to stage, as many as the capacity lets in, in the order in which they were found.
        room: a capacity that is enough for every link; the number of `links` where they are complete. Beyond the
            capacity links were not compared with each other, so that a second call with this one may keep fewer.
    """

    links: tuple[LinkDef, ...]
    room: int

    @property
    def complete(self) -> bool:
        """Whether the capacity let every link in."""
        return self.room == len(self.links)

    def __bool__(self) -> bool:
        return bool(self.links)

    def __repr__(self) -> str:
        return f"LinkProposals({len(self.links)} links, room={self.room}, complete={self.complete})"


def generate_links(
    mesh: NavMesh,
    settings: LinkGeneration | None = None,
    *,
    tiles: Sequence[int] | None = None,
    clearance: Clearance | None = None,
    capacity: int | None = None,
) -> LinkProposals:
    """Proposes drops and jumps along the open edges of a mesh; stage those worth keeping once it has returned.

    An edge is open where neither a polygon of its tile nor a portal to another tile lies behind it; a side that faces a
    tile not loaded is not. From samples along it, drops land on the nearest floor below, jumps on a floor of about the
    same height across a gap. Drops no deeper than `climb_max` go both ways, and so do jumps. Links come in the order
    of their edges: tile column, row, layer, polygon, edge, place along it, the drop before the jump.

    A candidate is left out where
    - an earlier link starts and ends within `filter_distance` of its ends (or ends and starts, if that goes both ways).
      Committed links, enabled or not, are earlier ones: what was staged and committed is not proposed again,
    - the mesh walks there within `detour` times the straight distance, over committed and enabled links too,
    - `clearance` says no. The mesh knows no geometry: without a clearance test, drops and jumps through walls between
      floors that the mesh does not join are proposed too.

    Args:
        mesh: what is committed counts.
        settings: LinkGeneration; None is one of defaults.
        tiles: (first column, first row, last column, last row), inclusive: links start in these tiles, wherever they
            end. None takes every tile.
        clearance: called last, as clearance(start, end, kind), and for a link that goes both ways once; answers True
            or False. It may read the mesh, and stage tiles and removals of tiles. Whatever else it stages, a commit,
            or generating links on the same mesh raises BusyError and counts as misuse.
        capacity: links wanted at most, from 0; None for any number. Where it is too short that is no error: the first
            links come, `complete` is false, and `room` says which capacity would do.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs, or links are generated on this mesh already; by another thread, too.
        Whatever `clearance` raises.

    >>> from onepath.mesh import MeshSettings
    >>> generate_links(NavMesh(MeshSettings()))
    LinkProposals(0 links, room=0, complete=True)
    """
    instance_of("mesh", mesh, NavMesh)._check_initialised()
    chosen = _checked_settings(mesh, settings)
    bounds = None if tiles is None else arrange_bounds(tiles, mesh.settings, "tiles")
    if clearance is not None and not callable(clearance):
        raise ArgumentError(f"clearance is {clearance!r}, not callable")
    most = None if capacity is None else whole_number("capacity", capacity, 0, LARGEST_CAPACITY)
    mesh._begin_generating()
    try:
        return _Generation(mesh, chosen, clearance, most).run(bounds)
    finally:
        mesh._end_generating()


def _checked_settings(mesh: NavMesh, settings: LinkGeneration | None) -> LinkGeneration:
    """With every length a number and every area an id."""
    if settings is None:
        settings = LinkGeneration()
    if not isinstance(settings, LinkGeneration):
        raise ArgumentError(f"settings is {settings!r}, not LinkGeneration")
    settings = settings.resolved(mesh.settings)
    least = mesh.settings.tile_size / MOST_SAMPLES
    if settings.spacing is not None and settings.spacing < least:
        raise RangeError(f"LinkGeneration.spacing is {settings.spacing}, below {least:g}, a millionth of a tile's side")
    return replace(
        settings,
        drop_area=mesh.areas.id(settings.drop_area, "LinkGeneration.drop_area"),
        jump_area=mesh.areas.id(settings.jump_area, "LinkGeneration.jump_area"),
    )


class _KeptEnds:
    """The ends of earlier links on a grid, to find those near a candidate's."""

    def __init__(self, distance: float, spacing: float) -> None:
        self._distance = distance
        # Cells no smaller than samples lie apart: a distance of 0 still finds links that are equal.
        self._cell = max(distance, spacing)
        self._ways: dict[tuple[int, int], list[tuple[Point, Point]]] = {}

    def add(self, link: LinkDef) -> None:
        self._add(link.start, link.end)
        if link.bidirectional:
            self._add(link.end, link.start)

    def _add(self, start: Point, end: Point) -> None:
        self._ways.setdefault(self._place(start), []).append((start, end))

    def _place(self, point: Point) -> tuple[int, int]:
        return math.floor(point[0] / self._cell), math.floor(point[2] / self._cell)

    def has_near(self, start: Point, end: Point) -> bool:
        column, row = self._place(start)
        return any(
            _within(start, kept_start, self._distance) and _within(end, kept_end, self._distance)
            for i in (column - 1, column, column + 1)
            for j in (row - 1, row, row + 1)
            for kept_start, kept_end in self._ways.get((i, j), ())
        )


def _within(a: Point, b: Point, distance: float) -> bool:
    x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    return x * x + y * y + z * z <= distance * distance


class _Generation:
    """One call of generate_links."""

    def __init__(
        self, mesh: NavMesh, settings: LinkGeneration, clearance: Clearance | None, capacity: int | None
    ) -> None:
        assert settings.filter_distance is not None and settings.spacing is not None, "resolved settings"
        self._mesh = mesh
        self._settings = settings
        self._clearance = clearance
        self._capacity = capacity
        self._kept = _KeptEnds(settings.filter_distance, settings.spacing)
        self._caster: LinkCaster = make_caster(mesh, settings)

    def run(self, bounds: tuple[int, int, int, int] | None) -> LinkProposals:
        links: list[LinkDef] = []
        room = 0
        for record in self._mesh.link_records():
            self._kept.add(record.definition)
        for slot in self._caster.tiles(bounds):
            for index in range(self._caster.cast(slot)):
                link = self._link(index)
                if link is None:
                    continue
                room += 1
                if self._capacity is None or len(links) < self._capacity:
                    links.append(link)
                    self._kept.add(link)
        return LinkProposals(tuple(links), room)

    def _link(self, index: int) -> LinkDef | None:
        """The candidate as a link, or None if it is left out; what is asked first costs least."""
        start, end, is_drop, both_ways = self._caster.candidate(index)
        if self._kept.has_near(start, end) or self._caster.is_walked(index, self._settings.detour):
            return None
        link = self._settings.link(start, end, is_drop, both_ways)
        return link if self._clearance is None or self._is_clear(self._clearance, link) else None

    def _is_clear(self, clearance: Clearance, link: LinkDef) -> bool:
        self._mesh._begin_testing()
        try:
            answer = clearance(link.start, link.end, link.kind)
        finally:
            self._mesh._end_testing()
        return switch("clearance's answer", answer)
