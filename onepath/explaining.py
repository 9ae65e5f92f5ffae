"""Why there is a path between two places, or why there is none: in a sentence and in data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from onepath._one_call_reach import border_of, snap_on_island
from onepath.answers import Answer, counted
from onepath.mesh.link import LinkRecord, LinkStatus
from onepath.query import Island, NavMeshQuery, NavPoint, Path, PathStatus, QueryFilter, QueryStatus

if TYPE_CHECKING:
    from onepath._one_call import NavMesh, Position

__all__ = ["Gap", "PathExplanation", "PathReason", "explain_path"]

Point = tuple[float, float, float]

#: Metres across within which two places are one seen from above.
BESIDE = 0.005


class PathReason(Answer):
    """Why a path is or is not there."""

    REACHED = "reached", "There is a path."
    NO_MESH = "no mesh", PathStatus.NO_MESH.advice
    START_OFF_MESH = "start off mesh", "No polygon is within reach of the start. Move it to the place named."
    END_OFF_MESH = "end off mesh", "No polygon is within reach of the end. Move it to the place named."
    FILTER = "filter", "The filter refuses what would lead there: the parts named, each of which is enough by itself."
    LINK_CLOSED = "link closed", "Off-mesh links that are not enabled would lead there. Enable them."
    ONE_WAY = "one way", "Off-mesh links would lead there if they could be crossed backward. Make them bidirectional."
    NOT_LOADED = "not loaded", "Tiles that are not loaded may lead there. Load them and ask again."
    NODE_LIMIT = "node limit", QueryStatus.NODE_LIMIT.advice
    GAP = "gap", "Nothing leads across the gap between the two islands. Bridge it, or lay a link over it."


@dataclass(frozen=True, slots=True)
class Gap:
    """Where two islands come nearest to each other.

    Attributes:
        start: on the start's island.
        end: on the end's island.
        across: how far they are apart in X/Z, metres.
        step: how much higher the end is, metres; below 0 where it is lower.
    """

    start: Point
    end: Point
    across: float
    step: float


@dataclass(frozen=True, slots=True)
class PathExplanation:
    """The answer of `NavMesh.explain`. True if there is a path.

    Attributes:
        reason: the PathReason; its `advice` says what to do.
        text: the same in sentences, with the numbers.
        path: the Path that `find_path` gives.
        start, end: the ends on the mesh, NavPoints; false where there is nothing within reach.
        start_island, end_island: the Island that each lies on, or None.
        gap: for GAP, where the two islands come nearest to each other.
        links: ids of the off-mesh links that the path crosses, or of those that would lead there; for GAP of those that
            end on either island, but are not attached at both ends.
        filter_parts: for FILTER, the parts of the filter of which leaving out one is enough: "flags", "areas",
            "predicate", "links"; all of them together where none is by itself.
        areas: for FILTER, ids of the refused areas of which admitting one is enough.
        missing_tiles: (column, row) of missing tiles that may lead there, nearest to the end first.
    """

    reason: PathReason
    text: str
    path: Path
    start: NavPoint
    end: NavPoint
    start_island: Island | None = None
    end_island: Island | None = None
    gap: Gap | None = None
    links: tuple[int, ...] = ()
    filter_parts: tuple[str, ...] = ()
    areas: tuple[int, ...] = ()
    missing_tiles: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return self.reason is PathReason.REACHED

    def __str__(self) -> str:
        return self.text


def explain_path(mesh: NavMesh, start: Position, end: Position, filter: QueryFilter | None = None) -> PathExplanation:
    """What `NavMesh.explain` answers."""
    path = mesh.find_path(start, end, filter)
    used = (mesh.default_filter if filter is None else filter).bind(mesh.areas)
    first, last = _on_mesh(mesh, start, used), _on_mesh(mesh, end, used)
    if path.status is PathStatus.NO_MESH:
        return PathExplanation(PathReason.NO_MESH, PathReason.NO_MESH.advice, path, first, last)
    ends = (("start", start, first), ("end", end, last))
    off = [_explain_off_mesh(mesh, name, position, path, first, last) for name, position, at in ends if not at]
    if off:
        return replace(off[0], text=" ".join(why.text for why in off))
    islands = mesh.island_of(first, used), mesh.island_of(last, used)
    asked = _Question(mesh, used, path, first, last, *islands, " ".join(_taken_for(mesh, *one) for one in ends).strip())
    if path:
        return _explain_path(asked)
    if path.node_limit_reached and mesh.is_reachable(first, last, used):
        return asked.answer(PathReason.NODE_LIMIT, path.detail.advice)
    for look in (_explain_filter, _explain_links, _explain_missing):
        why = look(asked)
        if why is not None:
            return why
    return _explain_gap(asked)


@dataclass(frozen=True, slots=True)
class _Question:
    """Two places on the mesh, a filter, and what is known of them."""

    mesh: NavMesh
    filter: QueryFilter
    path: Path
    start: NavPoint
    end: NavPoint
    start_island: Island | None
    end_island: Island | None
    taken: str

    def answer(
        self,
        reason: PathReason,
        text: str,
        gap: Gap | None = None,
        links: tuple[int, ...] = (),
        filter_parts: tuple[str, ...] = (),
        areas: tuple[int, ...] = (),
    ) -> PathExplanation:
        return PathExplanation(
            reason,
            f"{text} {self.taken}" if self.taken else text,
            self.path,
            self.start,
            self.end,
            self.start_island,
            self.end_island,
            gap,
            links,
            filter_parts,
            areas,
            self.path.missing_tiles,
        )

    def leads(self, filter: QueryFilter) -> bool:
        return self.mesh.is_reachable(self.start, self.end, filter)


def _on_mesh(mesh: NavMesh, position: Position, filter: QueryFilter) -> NavPoint:
    """Where `find_path` takes a position to be."""
    if isinstance(position, NavPoint):
        standing = position and mesh.is_valid(position.ref)
        if standing and filter.passes(mesh.flags(position.ref), mesh.area(position.ref)):
            return position
        return NavPoint(0, None)
    return mesh.snap(position, filter=filter)


def _taken_for(mesh: NavMesh, name: str, position: Position, found: NavPoint) -> str:
    """That an end lies elsewhere than it was asked for, if it does: maybe on another floor, or beyond a wall."""
    if isinstance(position, NavPoint) or found.point is None:
        return ""
    away = math.dist([float(value) for value in position], found.point)
    if away <= mesh.settings.cell_size:
        return ""
    return f"The {name} is taken to be at {_place(found.point)}, {away:.2f} m from where it was asked for."


def _place(point: Point | None) -> str:
    return "nowhere" if point is None else "(" + ", ".join(f"{round(value, 2) + 0.0:g}" for value in point) + ")"


# --- An end that is nowhere -----------------------------------------------------------------------------------------


def _explain_off_mesh(
    mesh: NavMesh, name: str, position: Position, path: Path, first: NavPoint, last: NavPoint
) -> PathExplanation:
    if isinstance(position, NavPoint):
        known = bool(position) and mesh.is_valid(position.ref)
        refused = position.ref if known else 0
    else:
        refused = mesh.snap(position, filter=QueryFilter()).ref
    if refused:
        area, flags = mesh.area(refused), mesh.flags(refused)
        text = f"The filter refuses the polygon at the {name}: area {area}, flags {flags:#x}."
        return PathExplanation(PathReason.FILTER, text, path, first, last, areas=(area,))
    if path.status is PathStatus.NOT_LOADED:
        count = len(path.missing_tiles)
        text = f"Nothing is near the {name}, where {counted(count, 'tile')} {'is' if count == 1 else 'are'} not loaded."
        return PathExplanation(PathReason.NOT_LOADED, text, path, first, last, missing_tiles=path.missing_tiles)
    reason = PathReason.START_OFF_MESH if name == "start" else PathReason.END_OFF_MESH
    return PathExplanation(reason, _way_to_mesh(mesh, name, position), path, first, last)


def _way_to_mesh(mesh: NavMesh, name: str, position: Position) -> str:
    if isinstance(position, NavPoint):
        return f"The {name} names a polygon that is gone. Snap it again."
    across, up, _ = mesh.snap_reach
    text = f"The mesh is not within {across:g} m across and {up:g} m up or down of the {name}"
    if mesh.bounds is None:
        return f"{text}; it has no polygons at all."
    low, high = mesh.bounds
    reach = [max(abs(low[k] - position[k]), abs(high[k] - position[k])) for k in range(3)]
    nearest = NavMeshQuery(mesh).find_nearest_polygon(position, reach)
    if not nearest:
        return f"{text}."
    return f"{text}; the nearest place on it is {_place(nearest.point)}, {nearest.distance:.2f} m away."


# --- The reasons, in the order in which they are looked for -----------------------------------------------------------


def _explain_path(asked: _Question) -> PathExplanation:
    path = asked.path
    links = tuple(dict.fromkeys(int(link) for link in path.links if link))
    straight = math.dist(asked.start.point or (), asked.end.point or ())
    text = f"The path is {path.length:.2f} m long ({straight:.2f} m straight) and costs {path.cost:.2f}"
    if links:
        text += f"; it crosses {counted(len(links), 'link')} ({', '.join(map(str, links))})"
    if asked.start_island is not None and asked.start_island == asked.end_island:
        text += f"; both ends are on island {asked.start_island.id}"
    elif asked.start_island is not None and asked.end_island is not None:
        ids = asked.start_island.id, asked.end_island.id
        text += f"; it leads from island {ids[0]} to island {ids[1]}, and nothing leads back"
    return asked.answer(PathReason.REACHED, " ".join([text + ".", *_why_cost_is_not_length(asked, links)]), links=links)


def _why_cost_is_not_length(asked: _Question, links: tuple[int, ...]) -> list[str]:
    """A sentence, where the two differ as far as they are shown."""
    path, areas = asked.path, asked.mesh.areas
    if f"{path.cost:.2f}" == f"{path.length:.2f}":
        return []
    crossed = [record for record in asked.mesh.link_records() if record.id in links]
    entered = {asked.mesh.area(ref) for ref in path.corridor.polygons.tolist()}
    entered |= {_area_of(asked.mesh, record) for record in crossed}
    prices = {areas.name(area) or f"area {area}": asked.filter.area_cost(area) for area in sorted(entered)}
    parts = [f"a metre of {area} costs {price:g}" for area, price in prices.items() if price != 1.0]
    fees = sum(record.definition.cost for record in crossed)
    if fees:
        parts.append(f"its {'link adds' if len(crossed) == 1 else 'links add'} {fees:.2f}")
    if not parts:
        return ["The search pays for its way from edge to edge; the line through them is pulled straight afterwards."]
    return [f"Cost and length differ: {', '.join(parts)}."]


def _relaxed(filter: QueryFilter, parts: tuple[str, ...]) -> QueryFilter:
    """The filter, which is bound, without some of its parts. What it does not require it forbids."""
    costs = filter.costs
    forbidden = [area for area, cost in costs.items() if math.isinf(cost)]
    return QueryFilter(
        0xFFFF if "flags" in parts else filter.include_flags,
        0 if "flags" in parts else filter.exclude_flags,
        None if "predicate" in parts else filter.predicate,
        costs={area: cost for area, cost in costs.items() if not math.isinf(cost)},
        avoid=[] if "areas" in parts else forbidden,
        links=None if "links" in parts else filter.links,
    )


def _explain_filter(asked: _Question) -> PathExplanation | None:
    parts = ("flags", "areas", "predicate", "links")
    if not asked.leads(QueryFilter()):
        return None
    enough = tuple(part for part in parts if asked.leads(_relaxed(asked.filter, (part,))))
    areas: tuple[int, ...] = ()
    if "areas" in enough:
        refused = sorted({area for area in _areas_of(asked.mesh) if math.isinf(asked.filter.area_cost(area))})
        areas = tuple(area for area in refused if asked.leads(asked.filter.with_area_cost(area, 1.0)))
    text = f"The filter refuses what would lead there: its {' or its '.join(enough) if enough else 'parts together'}"
    if areas:
        text += f" (area {' or '.join(map(str, areas))})"
    return asked.answer(PathReason.FILTER, text + ".", filter_parts=enough or parts, areas=areas)


def _areas_of(mesh: NavMesh) -> set[int]:
    """Those that somebody may walk on at all."""
    found = {int(area) for view in mesh.tiles() for area in np.unique(view.areas)}
    return {*found, *(_area_of(mesh, record) for record in mesh.link_records())} - {0}


def _area_of(mesh: NavMesh, record: LinkRecord) -> int:
    area = record.definition.area
    return mesh.areas.id(area) if isinstance(area, str) else area


def _explain_links(asked: _Question) -> PathExplanation | None:
    """Closed links first, which somebody has closed; then those that would have to be crossed backward."""
    ways = _Ways(asked)
    closed = ways.fewest(closed=True)
    if closed:
        text = f"It takes {counted(len(closed), 'link')} that {'is' if len(closed) == 1 else 'are'} not enabled"
        return asked.answer(PathReason.LINK_CLOSED, f"{text}: {', '.join(map(str, closed))}.", links=closed)
    backward = ways.fewest(closed=False)
    if backward:
        text = f"{counted(len(backward), 'link').capitalize()} would lead there, but only the other way"
        return asked.answer(PathReason.ONE_WAY, f"{text}: {', '.join(map(str, backward))}.", links=backward)
    return None


def _explain_missing(asked: _Question) -> PathExplanation | None:
    missing = asked.path.missing_tiles
    if not missing:
        return None
    some = ", ".join(map(str, missing[:3])) + (", ..." if len(missing) > 3 else "")
    text = f"What is loaded does not lead there, but ends at {counted(len(missing), 'tile')} not loaded: {some}."
    return asked.answer(PathReason.NOT_LOADED, text)


def _explain_gap(asked: _Question) -> PathExplanation:
    gap, here, there = _nearest_gap(asked), asked.start_island, asked.end_island
    assert here is not None and there is not None
    climb = asked.mesh.settings.agent.max_climb
    step = f"{abs(gap.step):.2f} m {'up' if gap.step >= 0 else 'down'}"
    text = (
        f"Nothing joins the two islands. They come nearest at {_place(gap.start)} and {_place(gap.end)}, "
        f"{gap.across:.2f} m across and {step}; the agent climbs {climb:g} m."
    )
    if gap.across < BESIDE and abs(gap.step) <= climb:
        text += " They touch there, but no edge leads from one into the other."
    if all(_is_beside_area_0(asked.mesh, place) for place in (gap.start, gap.end)):
        text += " Ground of area 0 lies there, which no filter passes."
    text += f" The start's island has {here.area:.1f} square metres, the end's {there.area:.1f}."
    loose = _loose_links(asked)
    if loose:
        which = f"{'link' if len(loose) == 1 else 'links'} {', '.join(map(str, loose))}"
        text += f" Not attached at both ends: {which}; link_state says why."
    return asked.answer(PathReason.GAP, text, gap=gap, links=loose)


def _is_beside_area_0(mesh: NavMesh, place: Point) -> bool:
    """Whether the box of a polygon of area 0 holds the place, to a cell and a climb."""
    slack = np.array([mesh.settings.cell_size, mesh.settings.agent.max_climb, mesh.settings.cell_size])
    for view in mesh.tiles():
        for polygon in np.flatnonzero(view.areas == 0):
            corners = mesh.polygon(int(view.references[polygon]))
            if (corners.min(axis=0) - slack <= place).all() and (place <= corners.max(axis=0) + slack).all():
                return True
    return False


def _loose_links(asked: _Question) -> tuple[int, ...]:
    """Links with one end on either island that are not attached at the other."""
    assert asked.start_island is not None and asked.end_island is not None
    grounds = {*asked.start_island.polygons.tolist(), *asked.end_island.polygons.tolist()}
    states = [asked.mesh.link_state(record.id) for record in asked.mesh.link_records()]
    return tuple(
        state.id
        for state in states
        if state.status is LinkStatus.UNATTACHED
        and any(end.polygon in grounds for crossing in state.ends for end in crossing)
    )


# --- Links that would lead on -----------------------------------------------------------------------------------------


class _Ways:
    """The islands and the links between them, open, closed and backward."""

    def __init__(self, asked: _Question) -> None:
        self.asked = asked
        islands = asked.mesh.islands(asked.filter)
        references = np.concatenate([island.polygons for island in islands])
        order = np.argsort(references)
        self.references: NDArray[np.int64] = references[order]
        self.numbers = np.repeat(np.arange(len(islands)), [len(island) for island in islands])[order]
        self.ways = [way for record in asked.mesh.link_records() for way in self._ways_of(record)]

    def _island_of(self, reference: int) -> int | None:
        at = int(np.searchsorted(self.references, reference))
        found = at < len(self.references) and self.references[at] == reference
        return int(self.numbers[at]) if found else None

    def _ways_of(self, record: LinkRecord) -> Iterator[tuple[int, int, int, bool, bool]]:
        """(from, to, link, enabled, backward) for every way over a link that the filter accepts."""
        asked, link = self.asked, record.definition
        allowed = asked.filter.links
        area = _area_of(asked.mesh, record)
        if not asked.filter.passes(link.flags, area) or (allowed is not None and link.kind not in allowed):
            return
        for start, end in asked.mesh.link_state(record.id).ends:
            source, target = self._island_of(start.polygon), self._island_of(end.polygon)
            if source is not None and target is not None and source != target:
                yield source, target, record.id, record.enabled, False
                yield target, source, record.id, record.enabled, not link.bidirectional

    def fewest(self, closed: bool) -> tuple[int, ...]:
        """The fewest closed links, or links crossed backward, that would lead there; none where they do not."""
        asked = self.asked
        assert asked.start_island is not None and asked.end_island is not None
        reached: dict[int, tuple[int, ...]] = {asked.start_island.id: ()}
        waiting = [asked.start_island.id]
        while waiting:
            island = waiting.pop(0)
            for source, target, link, enabled, backward in self.ways:
                if source != island or (backward if closed else not enabled):
                    continue
                extra = reached[island] + ((link,) if (not enabled if closed else backward) else ())
                if target not in reached or len(extra) < len(reached[target]):
                    reached[target] = extra
                    waiting.append(target)
        return reached.get(asked.end_island.id, ())


# --- The gap ----------------------------------------------------------------------------------------------------------


def _nearest_gap(asked: _Question) -> Gap:
    """The nearest two places of both islands, looked for from the corners of either border."""
    here, there = asked.start_island, asked.end_island
    assert here is not None and there is not None and asked.start.point is not None and asked.end.point is not None
    best = math.dist(asked.start.point, asked.end.point)
    pair = asked.start.point, asked.end.point
    for island, other, swapped in ((here, there, False), (there, here, True)):
        for corner in _corners(asked.mesh, island):
            found = snap_on_island(asked.mesh, corner, other, asked.filter, best)
            if found.point is not None and math.dist(corner, found.point) < best:
                best = math.dist(corner, found.point)
                pair = (found.point, corner) if swapped else (corner, found.point)
    start, end = pair
    return Gap(start, end, math.hypot(end[0] - start[0], end[2] - start[2]), end[1] - start[1])


def _corners(mesh: NavMesh, island: Island) -> list[Point]:
    corners = np.unique(border_of(mesh, island.polygons).reshape(-1, 3), axis=0)
    return [(x, y, z) for x, y, z in corners.tolist()]
