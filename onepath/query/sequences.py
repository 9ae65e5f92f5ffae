"""Results as sequences of what their length counts: one as a tuple or an int, a slice as an array."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index as as_index
from typing import Any, SupportsIndex

from numpy.typing import NDArray

__all__ = ["row_at", "rows_in_turn"]


def row_at(rows: NDArray[Any], index: SupportsIndex | slice) -> Any:
    """What `result[index]` answers: positions as tuples, references as ints; of a slice, the rows themselves.

    Raises:
        IndexError: there are not so many.
        TypeError: neither an int nor a slice.
    """
    return rows[index] if isinstance(index, slice) else _frozen(rows[as_index(index)].tolist())


def rows_in_turn(rows: NDArray[Any]) -> Iterator[Any]:
    """What a loop over a result goes through."""
    return map(_frozen, rows.tolist())


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
