"""Ragged arrays: the elements of row i are values[offsets[i] : offsets[i + 1]]."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["counted", "following", "places_of_rows", "preceding", "ranges", "taken"]

Whole = NDArray[np.int64]


def counted(counts: NDArray[Any]) -> Whole:
    """Offsets of rows with so many elements."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def ranges(first: NDArray[Any], counts: NDArray[Any]) -> tuple[Whole, Whole]:
    """(row, number) for all numbers from first[row] on, counts[row] of them, row after row."""
    row = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(row)) - np.repeat(counted(counts)[:-1], counts)
    return row, np.repeat(first, counts) + within


def places_of_rows(offsets: Whole, rows: Whole) -> Whole:
    """Where the elements of the named rows stand, row after row."""
    return ranges(offsets[rows], offsets[rows + 1] - offsets[rows])[1]


def taken(values: NDArray[Any], offsets: Whole, rows: Whole) -> tuple[NDArray[Any], Whole]:
    """The named rows in that order, as values and offsets."""
    return values[places_of_rows(offsets, rows)], counted(offsets[rows + 1] - offsets[rows])


def following(offsets: Whole, values: NDArray[Any]) -> NDArray[Any]:
    """For each element the next one of its row, round the end. No row is empty."""
    place = np.arange(1, len(values) + 1)
    if len(values):
        place[offsets[1:] - 1] = offsets[:-1]
    return values[place]


def preceding(offsets: Whole, values: NDArray[Any]) -> NDArray[Any]:
    """For each element the one before it in its row, round the end. No row is empty."""
    place = np.arange(-1, len(values) - 1)
    if len(values):
        place[offsets[:-1]] = offsets[1:] - 1
    return values[place]
