"""Makes neighbours share their edges corner for corner: what lies along one line is split and joined.

Ready partitions come with T-junctions (a long edge beside two short ones), with steps between floors, and with corners
that differ by a rounding. Two edges are joined over the stretch where they run against each other on one line, within
lattice.TOLERANCE, and where their heights differ by at most the climb: both get the stretch's two ends as corners. A
corner that several heights come together in takes the middle of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from onepath.io.lattice import TOLERANCE
from onepath.io.outlines import Outlines, representatives
from onepath.io.ragged import counted, following, ranges

__all__ = ["Joined", "join_seams"]

#: Steps between the lowest and the highest of four floors that meet at a corner, each a climb from the next.
MOST_CLIMBS = 3
#: Pairs of an edge and a point that are looked at together.
CHUNK = 2**20

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Joined:
    """Outlines after joining.

    Attributes:
        outlines: the new ones; polygons keep their numbers, one may have fewer than 3 corners left.
        moved: (polygons) bool, whether some corner's height left the polygon's own surface.
        seams: stretches that were joined.
    """

    outlines: Outlines
    moved: NDArray[np.bool_]
    seams: int


def join_seams(outlines: Outlines, climb: float, height_tolerance: float) -> Joined:
    """Joins what lies along one line; edges that are walls or have their neighbour already stay as they are."""
    edges = _open_edges(outlines)
    nobody = np.zeros(len(outlines.offsets) - 1, bool)
    if len(edges) < 2:
        return Joined(outlines, nobody, 0)
    pairs = _facing_pairs(outlines, edges, climb)
    if not len(pairs.base):
        return Joined(outlines, nobody, 0)
    low, high = _stretch_ends(outlines, pairs, pairs.low), _stretch_ends(outlines, pairs, pairs.high)
    allowed = np.ones(len(pairs.base), bool)
    while allowed.any():
        clusters = _Clusters(outlines, climb)
        inserted = _accept(_some(pairs, allowed), _some(low, allowed), _some(high, allowed), clusters, outlines)
        joined, twice = _rebuilt(outlines, clusters, inserted, height_tolerance)
        if not len(twice):
            return joined
        allowed &= ~_touching(outlines, pairs, low, high, twice)
    return Joined(outlines, nobody, 0)


def _touching(outlines: Outlines, pairs: _Pairs, low: _Stretch, high: _Stretch, edges: Whole) -> NDArray[np.bool_]:
    """Which stretches split one of the edges or join one of their corners to another."""
    edge = np.zeros(len(outlines.corners), bool)
    edge[edges] = True
    # One more, False, for the ends of stretches that have no node.
    node = np.zeros(len(outlines.steps) + 1, bool)
    node[outlines.corners[edges]] = True
    node[outlines.ends[edges]] = True
    touching: NDArray[np.bool_] = edge[pairs.base] | edge[pairs.other]
    for end in (low, high):
        touching |= ~(end.own == end.their) & (node[end.own] | node[end.their])
    return touching


def _open_edges(outlines: Outlines) -> Whole:
    """Edges without a neighbour over the same two nodes."""
    starts, ends = outlines.corners, outlines.ends
    count = len(outlines.steps)
    forward = np.sort(starts * count + ends)
    backward = ends * count + starts
    place = np.minimum(np.searchsorted(forward, backward), len(forward) - 1)
    return np.flatnonzero((forward[place] != backward) & ~outlines.walls)


# --- candidates


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Stretches of two edges that may be joined, the smallest step first: `low` to `high` steps along the base edge."""

    base: Whole
    other: Whole
    low: Real
    high: Real
    step: Real


def _facing_pairs(outlines: Outlines, edges: Whole, climb: float) -> _Pairs:
    a, b = outlines.steps[outlines.corners[edges]], outlines.steps[outlines.ends[edges]]
    nodes = np.sort(np.concatenate([outlines.corners[edges], outlines.ends[edges]]))
    nodes = nodes[np.concatenate([[True], nodes[1:] != nodes[:-1]])]
    touching = [np.zeros((0, 2), np.int64)]
    by_node, first = _edges_at(outlines, edges, nodes)
    for edge, node in _near(a, b, outlines.steps[nodes]):
        row, place = ranges(first[node], first[node + 1] - first[node])
        pair = np.column_stack([edge[row], by_node[place]])
        pair.sort(axis=1)
        touching.append(pair[pair[:, 0] != pair[:, 1]])
    found = np.concatenate(touching)
    key = np.sort(found[:, 0] * len(edges) + found[:, 1])
    key = key[np.concatenate([[True], key[1:] != key[:-1]])] if len(key) else key
    return _stretches(outlines, edges[key // len(edges)], edges[key % len(edges)], climb)


def _edges_at(outlines: Outlines, edges: Whole, nodes: Whole) -> tuple[Whole, Whole]:
    """For each node the places in `edges` of the edges that begin or end there: (places, offsets)."""
    ends = np.concatenate([outlines.corners[edges], outlines.ends[edges]])
    rank = np.searchsorted(nodes, ends)
    order = np.argsort(rank, kind="stable")
    return order % len(edges), counted(np.bincount(rank, minlength=len(nodes)))


def _near(a: Whole, b: Whole, points: Whole) -> Iterator[tuple[Whole, Whole]]:
    """(edge, point) of all points within the tolerance of an edge, in chunks.

    Along X and Z points are sorted once; each edge looks at those in its range along the axis where that are fewer.
    """
    low, high = np.minimum(a, b) - TOLERANCE, np.maximum(a, b) + TOLERANCE
    orders = [np.argsort(points[:, axis], kind="stable") for axis in (0, 1)]
    begin = [np.searchsorted(points[orders[k], k], low[:, k], "left") for k in (0, 1)]
    count = [np.searchsorted(points[orders[k], k], high[:, k], "right") - begin[k] for k in (0, 1)]
    for axis in (0, 1):
        mine = np.flatnonzero((count[0] <= count[1]) == (axis == 0))
        done = counted(count[axis][mine])
        at = 0
        while at < len(mine):
            stop = max(at + 1, int(np.searchsorted(done, done[at] + CHUNK, "right")) - 1)
            some = mine[at:stop]
            row, place = ranges(begin[axis][some], count[axis][some])
            edge, point = some[row], orders[axis][place]
            # Most points in range along one axis are out of range along the other: whole numbers tell that fast.
            place_across = points[point, 1 - axis]
            inside = (place_across >= low[edge, 1 - axis]) & (place_across <= high[edge, 1 - axis])
            edge, point = edge[inside], point[inside]
            near = _is_near(a[edge], b[edge], points[point])
            yield edge[near], point[near]
            at = stop


def _is_near(a: Whole, b: Whole, p: Whole) -> NDArray[np.bool_]:
    along, across, length = _along(a, b, p)
    return (np.abs(across) <= TOLERANCE) & (along >= -TOLERANCE) & (along <= length + TOLERANCE)


def _along(a: Whole, b: Whole, p: Whole) -> tuple[Real, Real, Real]:
    """Steps of p along the line from a to b and beside it, and the line's length."""
    direction, arm = (b - a).astype(np.float64), (p - a).astype(np.float64)
    length = np.sqrt((direction * direction).sum(axis=1))
    along = (direction * arm).sum(axis=1) / length
    across = (direction[:, 1] * arm[:, 0] - direction[:, 0] * arm[:, 1]) / length
    return along, across, length


def _stretches(outlines: Outlines, first: Whole, second: Whole, climb: float) -> _Pairs:
    """Of pairs of edges those that run against each other on one line, cut to where the climb allows the step."""
    starts, ends = outlines.corners, outlines.ends
    squares = np.square((outlines.steps[ends] - outlines.steps[starts]).astype(np.float64)).sum(axis=1)
    swap = squares[second] > squares[first]
    base, other = np.where(swap, second, first), np.where(swap, first, second)
    a, b = outlines.steps[starts[base]], outlines.steps[ends[base]]
    far, far_across, length = _along(a, b, outlines.steps[starts[other]])
    near, near_across, _ = _along(a, b, outlines.steps[ends[other]])
    low, high = np.maximum(near, 0.0), np.minimum(far, length)
    keep = (np.abs(far_across) <= TOLERANCE) & (np.abs(near_across) <= TOLERANCE)
    keep &= (high - low > TOLERANCE) & (outlines.owners[base] != outlines.owners[other])
    base, other, low, high = base[keep], other[keep], low[keep], high[keep]
    low, high, step = _cut_by_climb(outlines, base, other, low, high, climb)
    keep = high - low > TOLERANCE
    order = np.lexsort((other[keep], base[keep], step[keep]))
    chosen = np.flatnonzero(keep)[order]
    return _Pairs(base[chosen], other[chosen], low[chosen], high[chosen], step[chosen])


def _height_on(outlines: Outlines, base: Whole, edge: Whole, at: Real) -> Real:
    """Height of an edge beside a place along the base edge; at the edge's ends theirs exactly."""
    a, b = outlines.steps[outlines.corners[base]], outlines.steps[outlines.ends[base]]
    start, _, _ = _along(a, b, outlines.steps[outlines.corners[edge]])
    end, _, _ = _along(a, b, outlines.steps[outlines.ends[edge]])
    part = np.clip((at - start) / (end - start), 0.0, 1.0)
    low, high = outlines.heights[outlines.corners[edge]], outlines.heights[outlines.ends[edge]]
    return np.where(part == 1.0, high, low + (high - low) * part)


def _cut_by_climb(
    outlines: Outlines, base: Whole, other: Whole, low: Real, high: Real, climb: float
) -> tuple[Real, Real, Real]:
    """The part of each stretch in which the step, is at most the climb; and the greatest step there."""
    at_low = _height_on(outlines, base, base, low) - _height_on(outlines, base, other, low)
    at_high = _height_on(outlines, base, base, high) - _height_on(outlines, base, other, high)
    change = at_high - at_low
    slope = np.where(change == 0.0, 1.0, change)
    bounds = np.sort(np.stack([(-climb - at_low) / slope, (climb - at_low) / slope]), axis=0)
    level = change == 0.0
    enter = np.where(level | (np.abs(at_low) <= climb), 0.0, bounds[0])
    leave = np.where(level | (np.abs(at_high) <= climb), 1.0, bounds[1])
    leave = np.where(level & (np.abs(at_low) > climb), -1.0, leave)
    enter, leave = np.clip(enter, 0.0, 1.0), np.clip(leave, -1.0, 1.0)
    length = high - low
    step = np.maximum(np.abs(at_low + change * enter), np.abs(at_low + change * leave))
    return low + length * enter, low + length * leave, step


# --- joining


class _Clusters:
    """Nodes that become one, and nodes made anew at the ends of stretches. The lowest number speaks for a cluster."""

    def __init__(self, outlines: Outlines, climb: float) -> None:
        self.parent = list(range(len(outlines.steps)))
        self.x = outlines.steps[:, 0].tolist()
        self.z = outlines.steps[:, 1].tolist()
        self.low = outlines.heights.tolist()
        self.high = outlines.heights.tolist()
        self.climb = climb

    def find(self, node: int) -> int:
        parent = self.parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def fits(self, members: list[int]) -> bool:
        """Whether the members' clusters can be one: close by in X/Z, and within as many climbs as four floors span."""
        roots = [self.find(member) for member in members]
        x, z = [self.x[root] for root in roots], [self.z[root] for root in roots]
        if max(x) - min(x) > 2 * TOLERANCE or max(z) - min(z) > 2 * TOLERANCE:
            return False
        return bool(
            max(self.high[root] for root in roots) - min(self.low[root] for root in roots) <= MOST_CLIMBS * self.climb
        )

    def join(self, members: list[int]) -> int:
        roots = [self.find(member) for member in members]
        root = min(roots)
        self.low[root] = min(self.low[other] for other in roots)
        self.high[root] = max(self.high[other] for other in roots)
        for other in roots:
            self.parent[other] = root
        return root

    def made(self, positions: Whole, low: Real, high: Real) -> Whole:
        """New nodes between two heights."""
        first = len(self.parent)
        self.parent += range(first, first + len(positions))
        self.x += positions[:, 0].tolist()
        self.z += positions[:, 1].tolist()
        self.low += low.tolist()
        self.high += high.tolist()
        return np.arange(first, len(self.parent))


@dataclass(frozen=True, slots=True)
class _Inserted:
    """Nodes to be inserted in edges: (edge, steps along it, node)."""

    edge: Whole
    along: Real
    node: Whole
    seams: int


@dataclass(frozen=True, slots=True)
class _Stretch:
    """One end of every stretch: how far along the base and the other edge, and the nodes that stand there.

    `own` and `their` are the base edge's and the other edge's corner there, -1 where the end lies within the edge.
    """

    along_base: Real
    along_other: Real
    own: Whole
    their: Whole
    position: Whole
    low: Real
    high: Real

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Whether no two different nodes have to become one."""
        alone: NDArray[np.bool_] = (self.own == self.their) | (self.own < 0) | (self.their < 0)
        return alone


Record = TypeVar("Record", _Pairs, _Stretch)


def _stretch_ends(outlines: Outlines, pairs: _Pairs, at: Real) -> _Stretch:
    starts, ends = outlines.corners, outlines.ends
    a, b = outlines.steps[starts[pairs.base]], outlines.steps[ends[pairs.base]]
    # The places along the base of the other edge's first and last corner; it runs backward.
    first, _, length = _along(a, b, outlines.steps[starts[pairs.other]])
    last, _, _ = _along(a, b, outlines.steps[ends[pairs.other]])
    own = np.where(np.abs(at - length) <= TOLERANCE, ends[pairs.base], -1)
    own = np.where(np.abs(at) <= TOLERANCE, starts[pairs.base], own)
    their = np.where(np.abs(at - last) <= TOLERANCE, ends[pairs.other], -1)
    their = np.where(np.abs(at - first) <= TOLERANCE, starts[pairs.other], their)
    heights = np.sort(
        [_height_on(outlines, pairs.base, pairs.base, at), _height_on(outlines, pairs.base, pairs.other, at)], axis=0
    )
    position = a + np.rint((b - a) * (at / length)[:, None]).astype(np.int64)
    return _Stretch(at, first - at, own, their, position, heights[0], heights[1])


def _some(record: Record, which: NDArray[np.bool_]) -> Record:
    """The rows named of a record of arrays."""
    return type(record)(*(getattr(record, field.name)[which] for field in fields(record)))


def _accept(pairs: _Pairs, low: _Stretch, high: _Stretch, clusters: _Clusters, outlines: Outlines) -> _Inserted:
    """Joins the stretches one after another, where they do not lie over one that an edge has given away already.

    Where an edge gives no stretch twice and no nodes have to become one, the order does not matter: all at once.
    """
    easy = low.alone & high.alone & ~_contested(pairs, low, high, len(outlines.corners))
    accepted = easy.copy()
    nodes = np.full((2, len(easy)), -1, np.int64)
    for row, end in enumerate((low, high)):
        nodes[row, easy] = np.maximum(end.own, end.their)[easy]
        new = np.flatnonzero(easy & (nodes[row] < 0))
        nodes[row, new] = clusters.made(end.position[new], end.low[new], end.high[new])
    _accept_in_order(np.flatnonzero(~easy), pairs, low, high, clusters, accepted, nodes)
    edge, along, node = [], [], []
    for row, end in enumerate((low, high)):
        for edges, place, member in ((pairs.base, end.along_base, end.own), (pairs.other, end.along_other, end.their)):
            which = accepted & (member < 0)
            edge.append(edges[which])
            along.append(place[which])
            node.append(nodes[row, which])
    return _Inserted(np.concatenate(edge), np.concatenate(along), np.concatenate(node), int(accepted.sum()))


def _contested(pairs: _Pairs, low: _Stretch, high: _Stretch, edges: int) -> NDArray[np.bool_]:
    """Which pairs have an edge that two pairs want the same stretch of, or other nodes at the same place of."""
    edge = np.concatenate([pairs.base, pairs.other])
    begin = np.concatenate([low.along_base, high.along_other])
    stop = np.concatenate([high.along_base, low.along_other])
    order = np.lexsort((begin, edge))
    over = (edge[order][1:] == edge[order][:-1]) & (stop[order][:-1] - begin[order][1:] > TOLERANCE)
    wanted_twice = np.zeros(edges, bool)
    wanted_twice[edge[order][1:][over]] = True
    edge = np.concatenate([pairs.base, pairs.other] * 2)
    place = np.concatenate([low.along_base, low.along_other, high.along_base, high.along_other])
    inserted = np.concatenate([low.own, low.their, high.own, high.their]) < 0
    node = np.concatenate([low.their, low.own, high.their, high.own])
    # A node still to be made is like no other.
    node = np.where(node < 0, -1 - np.arange(len(node)), node)
    edge, place, node = edge[inserted], place[inserted], node[inserted]
    order = np.lexsort((place, edge))
    edge, place, node = edge[order], place[order], node[order]
    clash = (edge[1:] == edge[:-1]) & (place[1:] - place[:-1] <= TOLERANCE) & (node[1:] != node[:-1])
    wanted_twice[edge[1:][clash]] = True
    contested: NDArray[np.bool_] = wanted_twice[pairs.base] | wanted_twice[pairs.other]
    return contested


class _Given:
    """What edges have given away so far: stretches, and nodes within them."""

    def __init__(self) -> None:
        self.stretches: dict[int, list[tuple[float, float]]] = {}
        self.nodes: dict[int, list[tuple[float, int]]] = {}

    def taken(self, edge: int, low: float, high: float) -> bool:
        return any(min(high, stop) - max(low, begin) > TOLERANCE for begin, stop in self.stretches.get(edge, ()))

    def nodes_at(self, edge: int, place: float) -> list[int]:
        return [node for at, node in self.nodes.get(edge, ()) if abs(at - place) <= TOLERANCE]


def _accept_in_order(
    hard: Whole,
    pairs: _Pairs,
    low: _Stretch,
    high: _Stretch,
    clusters: _Clusters,
    accepted: NDArray[np.bool_],
    nodes: Whole,
) -> None:
    """The pairs named, the smallest step first; marks the accepted ones and sets the nodes at their ends."""
    given = _Given()
    for pair in hard.tolist():
        base, other = int(pairs.base[pair]), int(pairs.other[pair])
        stretches = (
            (base, float(low.along_base[pair]), float(high.along_base[pair])),
            (other, float(high.along_other[pair]), float(low.along_other[pair])),
        )
        if any(given.taken(*stretch) for stretch in stretches):
            continue
        groups = []
        for end in (low, high):
            members = [int(node) for node in (end.own[pair], end.their[pair]) if node >= 0]
            members += given.nodes_at(base, end.along_base[pair]) + given.nodes_at(other, end.along_other[pair])
            groups.append(members)
        if not all(clusters.fits(members) for members in groups if members):
            continue
        for row, (end, members) in enumerate(zip((low, high), groups, strict=True)):
            one = slice(pair, pair + 1)
            made = [] if members else clusters.made(end.position[one], end.low[one], end.high[one]).tolist()
            nodes[row, pair] = clusters.join(members or made)
            for edge, place, member in ((base, end.along_base, end.own), (other, end.along_other, end.their)):
                if member[pair] < 0:
                    given.nodes.setdefault(edge, []).append((float(place[pair]), int(nodes[row, pair])))
        for edge, begin, stop in stretches:
            given.stretches.setdefault(edge, []).append((begin, stop))
        accepted[pair] = True


# --- new outlines


def _rebuilt(
    outlines: Outlines, clusters: _Clusters, inserted: _Inserted, height_tolerance: float
) -> tuple[Joined, Whole]:
    """The outlines with everything inserted; and the old edges that came to lie on the same side as another's."""
    count = len(outlines.corners)
    place = np.array([clusters.find(node) for node in range(len(clusters.parent))], np.int64)
    steps = np.column_stack([np.array(clusters.x, np.int64), np.array(clusters.z, np.int64)])
    low, high = np.array(clusters.low), np.array(clusters.high)
    heights = (low + (high - low) / 2).astype(np.float32).astype(np.float64)
    # Two clusters may come to the same height, and tiles know nodes by their place.
    place = representatives(steps, heights)[place]
    edge = np.concatenate([np.arange(count), inserted.edge])
    along = np.concatenate([np.full(count, -1.0), inserted.along])
    node = place[np.concatenate([outlines.corners, inserted.node])]
    old = _old_heights(outlines, edge, along)
    moved = np.zeros(len(outlines.offsets) - 1, bool)
    moved[outlines.owners[edge[np.abs(heights[node] - old) > height_tolerance]]] = True
    order = np.lexsort((along, edge))
    edge, node, old = edge[order], node[order], old[order]
    old_end = outlines.heights[outlines.ends[edge]]
    within = edge[1:] == edge[:-1]
    old_end[:-1][within] = old[1:][within]
    owner = outlines.owners[edge]
    offsets = counted(np.bincount(owner, minlength=len(moved)))
    # A node beside the next one of the same cluster: the edge between them has shrunk to nothing.
    kept = following(offsets, node) != node
    offsets = counted(np.bincount(owner[kept], minlength=len(moved)))
    walls = outlines.walls[edge[kept]] | _too_high(offsets, node[kept], old[kept], old_end[kept], clusters.climb)
    joined = Joined(Outlines(steps, heights, offsets, node[kept], walls), moved, inserted.seams)
    return joined, edge[kept][_doubled(offsets, node[kept])]


def _doubled(offsets: Whole, nodes: Whole) -> Whole:
    """Edges that run from the same node to the same node as an earlier one."""
    counts = np.diff(offsets)
    edge = nodes * (int(nodes.max()) + 1) + following(counted(counts[counts > 0]), nodes)
    order = np.argsort(edge, kind="stable")
    doubled: Whole = order[1:][edge[order][1:] == edge[order][:-1]]
    return doubled


def _too_high(offsets: Whole, nodes: Whole, begins: Real, ends: Real, climb: float) -> NDArray[np.bool_]:
    """Edges that came to share both corners with a neighbour although the step between them is above the climb.

    Two floors may each be joined to a third one between them, at both ends of an edge of theirs.
    """
    counts = np.diff(offsets)
    following_nodes = following(counted(counts[counts > 0]), nodes)
    count = int(nodes.max()) + 1
    forward = nodes * count + following_nodes
    order = np.argsort(forward, kind="stable")
    backward = following_nodes * count + nodes
    place = order[np.minimum(np.searchsorted(forward[order], backward), len(order) - 1)]
    step = np.maximum(np.abs(begins - ends[place]), np.abs(ends - begins[place]))
    too_high: NDArray[np.bool_] = (forward[place] == backward) & (step > climb)
    return too_high


def _old_heights(outlines: Outlines, edge: Whole, along: Real) -> Real:
    """Heights of the old edges at places along them."""
    a, b = outlines.steps[outlines.corners[edge]], outlines.steps[outlines.ends[edge]]
    direction = (b - a).astype(np.float64)
    part = np.clip(along / np.sqrt((direction * direction).sum(axis=1)), 0.0, 1.0)
    low, high = outlines.heights[outlines.corners[edge]], outlines.heights[outlines.ends[edge]]
    old: Real = low + (high - low) * part
    return old
