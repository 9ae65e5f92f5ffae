"""What a walking entity is made of, beside its `onepath.agents.PathFollower`."""

from __future__ import annotations

from dataclasses import dataclass

from onepath.query import Path

__all__ = ["Destination", "Route"]


@dataclass(slots=True)
class Destination:
    """A wish: walk to `point`. Taken off the entity as soon as its search has ended; a new one replaces the old."""

    point: tuple[float, float, float]


@dataclass(slots=True)
class Route:
    """The answer to the last wish: the path, whose status says whether it reaches and why not."""

    path: Path
