"""Surfaces that triangles make together, and which of them close around a volume."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onepath.geometry.components import least_joined
from onepath.geometry.triangles import Triangles, Vertices

__all__ = ["Surfaces", "connected_surfaces"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

#: Triangles around an edge whose directions differ by less count as lying on each other. A whole turn is 4.
SAME_DIRECTION = 1e-7


class Surfaces(NamedTuple):
    """The connected surfaces of a set of triangles.

    Attributes:
        first_triangle: (m,) int32, for each triangle the first one of its surface, which names the surface.
        closed: (m,) bool, whether that surface is closed.
    """

    first_triangle: npt.NDArray[np.int32]
    closed: Bools

    @property
    def closed_names(self) -> npt.NDArray[np.int32]:
        """(m,) the closed surface of each triangle, -1 for those of none."""
        return np.where(self.closed, self.first_triangle, -1).astype(np.int32)

    @property
    def open_surfaces(self) -> tuple[int, ...]:
        """First triangles of the surfaces that are not closed, ascending."""
        names = np.unique(self.first_triangle[~self.closed])
        return tuple(int(name) for name in names)


def connected_surfaces(vertices: Vertices, triangles: Triangles) -> Surfaces:
    """Surfaces that shared edges connect; corners at the same position are one, whatever their indices.

    A surface is closed when every edge of it is walked as often one way as the other. Then it encloses a volume, as
    long as its triangles do not cut through it. What else meets at an edge spoils nothing: a floor that ends at a
    crate's foot is a surface of its own beside the crate's, and two crates that share edges are two.

    Which triangles close is found by leaving out what cannot: first pieces with an edge along which nothing is walked
    the other way; then, where an edge is walked more often one way than the other, the piece that way that encloses
    least. What is left is parted at edges of many triangles by their order around the edge: each is joined with the one
    that bounds the same wedge of solid.

    Of triangles that are there several times one is tried, then the next with what has not closed, so that a solid is
    as closed as ever where some of its faces are doubled.
    """
    edges = _Edges(vertices, triangles)
    closed = _closed(edges)
    pairs = np.concatenate([edges.wedges(edges.sides_of(closed)), edges.meeting(edges.sides_of(~closed))], axis=1)
    surface = least_joined(len(triangles), *pairs)
    return Surfaces(surface.astype(np.int32), closed)


def _closed(edges: _Edges) -> Bools:
    """Which triangles close, copy by copy; a surface all of which is left several times closes as often."""
    kind, copy, copies = edges.copies()
    used = np.zeros(len(copies), np.int64)
    while True:
        layer: Bools = copy == used[kind]
        while (gone := edges.cannot_close(layer)).any():
            layer &= ~gone
        if not layer.any():
            return copy < used[kind]
        surface = least_joined(len(kind), *edges.wedges(edges.sides_of(layer)))[layer]
        spare = np.full(len(kind), len(kind))
        np.minimum.at(spare, surface, (copies - used)[kind[layer]])
        used[kind[layer]] += spare[surface]


class _Edges:
    """The sides of triangles, three of each in a row, and the edges that they are: `edge` numbers these, in the order
    of their ends' places. `turn` is 1 for a side walked from the edge's first end to its second, -1 for the other way,
    0 for one without length.
    """

    def __init__(self, vertices: Vertices, triangles: Triangles) -> None:
        self.corners = vertices[triangles]
        _, place = np.unique(self.corners.reshape(-1, 3), axis=0, return_inverse=True)
        places = self.places = place.reshape(-1, 3).astype(np.int64)
        begin, end = places.reshape(-1), np.roll(places, -1, axis=1).reshape(-1)
        self.owner: Numbers = np.repeat(np.arange(len(triangles)), 3)
        self.turn: Numbers = np.sign(end - begin)
        pair = np.minimum(begin, end) * (int(places.max(initial=0)) + 1) + np.maximum(begin, end)
        names, edge = np.unique(pair, return_inverse=True)
        self.edge: Numbers = edge.reshape(-1)
        self.count = len(names)

    def sides_of(self, among: Bools) -> Bools:
        """Those of some triangles that have a length."""
        chosen: Bools = among[self.owner] & (self.turn != 0)
        return chosen

    def copies(self) -> tuple[Numbers, Numbers, Numbers]:
        """The kind of each triangle, equal for those of the same places the same way round; how many of its kind lie
        before it; and how many there are of each kind."""
        turned = (self.places.argmin(axis=1)[:, None] + np.arange(3)) % 3
        _, kind, copies = np.unique(
            np.take_along_axis(self.places, turned, axis=1), axis=0, return_inverse=True, return_counts=True
        )
        kind = kind.reshape(-1)
        order = np.argsort(kind, kind="stable")
        copy = np.empty(len(kind), np.int64)
        copy[order] = np.arange(len(kind)) - np.repeat(np.cumsum(copies) - copies, copies)
        return kind, copy, copies

    # --- what cannot close

    def cannot_close(self, among: Bools) -> Bools:
        """Triangles that no closed surface of those given can have, or that the others are better closed without; none
        if all of them close."""
        sides = self.sides_of(among)
        ahead = np.bincount(self.edge[sides & (self.turn > 0)], minlength=self.count)
        back = np.bincount(self.edge[sides & (self.turn < 0)], minlength=self.count)
        surplus = ahead - back
        if not surplus.any():
            return np.zeros(len(among), bool)
        dangling = sides & ((ahead == 0) != (back == 0))[self.edge]
        if dangling.any():
            simple = (ahead == 1) & (back == 1)
            piece = least_joined(len(among), *self.meeting(sides & simple[self.edge]))
            return among & np.isin(piece, piece[self.owner[dangling]])
        piece = least_joined(len(among), *self.wedges(sides & (surplus == 0)[self.edge]))
        return among & np.isin(piece, self._least_pieces(sides, piece, surplus))

    def meeting(self, sides: Bools) -> Numbers:
        """(2, n) triangles that share an edge: for each edge as many pairs as join all of them."""
        order = self._by_edge(sides)
        alike = self.edge[order[1:]] == self.edge[order[:-1]]
        owner = self.owner[order]
        return np.stack([owner[1:][alike], owner[:-1][alike]])

    def _by_edge(self, sides: Bools) -> Numbers:
        chosen = np.flatnonzero(sides)
        return chosen[np.argsort(self.edge[chosen], kind="stable")]

    def _least_pieces(self, sides: Bools, piece: Numbers, surplus: Numbers) -> Numbers:
        """For each body of connected triangles one piece that is too many at its first unbalanced edge: the one that
        encloses least, seen from there, and of equal ones the last."""
        body = least_joined(len(self.corners), *self.meeting(sides))
        too_many = self._by_edge(sides & (self.turn == np.sign(surplus)[self.edge]))
        bodies, first = np.unique(body[self.owner[too_many]], return_index=True)
        seen_from = np.zeros((len(self.corners), 3))
        side = too_many[first]
        seen_from[bodies] = self.corners[self.owner[side], side % 3]
        a, b, c = (self.corners[:, corner] - seen_from[body] for corner in range(3))
        volume = np.bincount(piece, (a * np.cross(b, c)).sum(axis=1), len(piece))
        at_first = np.isin(self.edge[too_many], self.edge[side])
        rivals = np.unique(piece[self.owner[too_many[at_first]]])
        order = rivals[np.lexsort((-rivals, volume[rivals], body[rivals]))]
        _, least = np.unique(body[order], return_index=True)
        return order[least]

    # --- what is joined

    def wedges(self, sides: Bools) -> Numbers:
        """(2, n) triangles that bound a wedge of solid together, at edges that the sides walk as often either way."""
        order, turn = self._around(self._by_edge(sides))
        # Turning about an edge, a side walked backward is entered and one walked ahead left, like brackets.
        depth = np.cumsum(-turn)
        level = np.where(turn < 0, depth, depth + 1)
        edge = self.edge[order]
        rows = np.lexsort((level, edge))  # stable: in a row of one level the two kinds take turns
        order, turn, edge, level = order[rows], turn[rows], edge[rows], level[rows]
        begins = np.ones(len(order), bool)
        begins[1:] = (edge[1:] != edge[:-1]) | (level[1:] != level[:-1])
        row_begin = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
        following = np.append(np.arange(1, len(order)), 0)
        following = np.where(np.append(begins[1:], True), row_begin, following)
        entered = turn < 0
        return np.stack([self.owner[order[entered]], self.owner[order[following[entered]]]])

    def _around(self, order: Numbers) -> tuple[Numbers, Numbers]:
        """Sides of edges, sorted by edge, sorted further by direction around it; and how they are walked.

        Of triangles that lie on each other those that are left come first: what stands on a floor is no part of it.
        """
        edge, turn = self.edge[order], self.turn[order]
        angle = self._direction(order)
        sort = np.lexsort((angle, edge))
        far = np.ones(len(order), bool)
        far[1:] = (edge[sort][1:] != edge[sort][:-1]) | (np.diff(angle[sort]) > SAME_DIRECTION)
        group = np.empty(len(order), np.int64)
        group[sort] = np.cumsum(far)
        sort = np.lexsort((-turn, group))
        return order[sort], turn[sort]

    def _direction(self, order: Numbers) -> npt.NDArray[np.float64]:
        """Where a side's triangle lies around its edge: turns from that of the edge's first side, 4 a whole turn."""
        edge, corners = self.edge[order], self.corners[self.owner[order]]
        row, corner = np.arange(len(order)), order % 3
        begin, end = corners[row, corner], corners[row, (corner + 1) % 3]
        begin, end = (np.where((self.turn[order] > 0)[:, None], *ends) for ends in ((begin, end), (end, begin)))
        axis, towards = end - begin, corners[row, (corner + 2) % 3] - begin
        first = np.searchsorted(edge, edge)
        length = (axis * axis).sum(axis=1)
        zero = towards[first] - axis * ((towards[first] * axis).sum(axis=1) / length)[:, None]
        x = (towards * zero).sum(axis=1) * np.sqrt(length)
        y = (towards * np.cross(axis, zero)).sum(axis=1)
        size = np.abs(x) + np.abs(y)
        part = np.where(size > 0.0, y / np.where(size > 0.0, size, 1.0), 0.0)
        angle = np.where(x < 0.0, 2.0 - part, np.where(part < 0.0, 4.0 + part, part))
        return np.where(angle > 4.0 - SAME_DIRECTION, 0.0, angle)
