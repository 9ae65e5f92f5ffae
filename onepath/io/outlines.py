"""Polygons on the lattice: corners in whole steps, outlines counter-clockwise seen from above, edges that are walls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.io.lattice import TOLERANCE
from onepath.io.ragged import counted, following, preceding

__all__ = ["Outlines", "areas_twice", "edge_answers", "faults", "representatives", "turns", "welded", "without"]


@dataclass(frozen=True, slots=True)
class Outlines:
    """Polygon i has the nodes corners[offsets[i] : offsets[i + 1]].

    Attributes:
        steps: (nodes, 2) int64, X and Z in lattice steps.
        heights: (nodes) float64 above the vertical origin.
        offsets: (polygons + 1) int64.
        corners: (edges) int64.
        walls: (edges) bool, whether nothing may cross the edge that begins at the corner.
    """

    steps: NDArray[np.int64]
    heights: NDArray[np.float64]
    offsets: NDArray[np.int64]
    corners: NDArray[np.int64]
    walls: NDArray[np.bool_]

    @property
    def owners(self) -> NDArray[np.int64]:
        """The polygon of every edge."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def ends(self) -> NDArray[np.int64]:
        """The node at which every edge ends."""
        return following(self.offsets, self.corners)


def areas_twice(outlines: Outlines) -> NDArray[np.int64]:
    """Twice the X/Z area of every polygon in square steps, positive where counter-clockwise; exact."""
    # Relative to each polygon's first corner, so that products fit however far away the polygon lies.
    first = np.repeat(outlines.corners[outlines.offsets[:-1]], np.diff(outlines.offsets))
    a = outlines.steps[outlines.corners] - outlines.steps[first]
    b = following(outlines.offsets, a)
    return np.add.reduceat(a[:, 1] * b[:, 0] - a[:, 0] * b[:, 1], outlines.offsets[:-1])


def turns(outlines: Outlines) -> NDArray[np.int64]:
    """At every corner the turn between its two edges, positive to the left, in square steps; exact."""
    here = outlines.steps[outlines.corners]
    into, away = here - preceding(outlines.offsets, here), following(outlines.offsets, here) - here
    turn: NDArray[np.int64] = into[:, 1] * away[:, 0] - into[:, 0] * away[:, 1]
    return turn


def faults(outlines: Outlines) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Of counter-clockwise polygons: which have an edge without length, are not convex, are so only within tolerance.

    Not convex is a corner that bends inward by more than TOLERANCE from the line between its neighbours, one that turns
    straight back, and an outline that does not go round exactly once.
    """
    offsets = outlines.offsets
    here = outlines.steps[outlines.corners]
    before, behind = preceding(offsets, here), following(offsets, here)
    into, away, chord = here - before, behind - here, (behind - before).astype(np.float64)
    turn = into[:, 1] * away[:, 0] - into[:, 0] * away[:, 1]
    bent = (turn < 0) & (np.square(turn.astype(np.float64)) > TOLERANCE**2 * (chord * chord).sum(axis=1))
    bent |= (turn <= 0) & ((into * away).sum(axis=1) < 0)
    below, above = _backward(into), _backward(away)
    rounds = (below & ~above & (turn > 0)).astype(np.int64) - (above & ~below & (turn < 0))
    empty = _any(offsets, (away == 0).all(axis=1))
    wrong = _any(offsets, bent) | (np.add.reduceat(rounds, offsets[:-1]) != 1)
    return empty, wrong & ~empty, _any(offsets, turn < 0) & ~wrong & ~empty


def _backward(direction: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a direction lies in the half plane that comes before that of +z in a left turn."""
    backward: NDArray[np.bool_] = (direction[:, 0] < 0) | ((direction[:, 0] == 0) & (direction[:, 1] < 0))
    return backward


def _any(offsets: NDArray[np.int64], flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.logical_or.reduceat(flags, offsets[:-1]) if len(flags) else np.zeros(0, bool)


def representatives(steps: NDArray[np.int64], heights: NDArray[np.float64]) -> NDArray[np.int64]:
    """For every node the first one at its position."""
    order = np.lexsort((heights, steps[:, 1], steps[:, 0]))
    same = (steps[order][1:] == steps[order][:-1]).all(axis=1) & (heights[order][1:] == heights[order][:-1])
    group = np.concatenate([np.zeros(1, np.int64), np.cumsum(~same)])
    first = np.full(int(group[-1]) + 1, len(order), np.int64)
    np.minimum.at(first, group, order)
    representative = np.empty(len(order), np.int64)
    representative[order] = first[group]
    return representative


def welded(outlines: Outlines) -> Outlines:
    """The same with one node for every position, numbered in the order of first appearance."""
    representative = representatives(outlines.steps, outlines.heights)
    kept = np.flatnonzero(representative == np.arange(len(representative)))
    corners = np.searchsorted(kept, representative[outlines.corners])
    return Outlines(outlines.steps[kept], outlines.heights[kept], outlines.offsets, corners, outlines.walls)


def without(outlines: Outlines, dropped: NDArray[np.bool_]) -> Outlines:
    """The polygons that are not dropped; nodes stay."""
    kept = np.repeat(~dropped, np.diff(outlines.offsets))
    return Outlines(
        outlines.steps,
        outlines.heights,
        counted(np.diff(outlines.offsets)[~dropped]),
        outlines.corners[kept],
        outlines.walls[kept],
    )


def edge_answers(
    offsets: NDArray[np.int64], corners: NDArray[np.int64], neighbours: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Of every edge whether its neighbour has the same edge the other way round and names the polygon behind it."""
    if not len(corners):
        return np.zeros(0, bool)
    ends = following(offsets, corners)
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    both = np.concatenate(
        [np.column_stack([corners, ends, owners, neighbours]), np.column_stack([ends, corners, neighbours, owners])]
    )
    rank = np.lexsort(both.T[::-1])
    new = np.ones(len(rank), bool)
    new[1:] = (both[rank][1:] != both[rank][:-1]).any(axis=1)
    group = np.empty(len(rank), np.int64)
    group[rank] = np.cumsum(new) - 1
    present = np.zeros(len(rank), bool)
    present[group[: len(corners)]] = True
    return present[group[len(corners) :]]
