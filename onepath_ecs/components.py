"""What a walking entity is made of, beside its `onepath.agents.PathFollower`."""

from __future__ import annotations

from dataclasses import dataclass

import esper

from onepath.agents import PathFollower
from onepath.query import Path

__all__ = ["Destination", "Route", "walkers"]


@dataclass(slots=True)
class Destination:
    """A wish: walk to `point`. Taken off the entity as soon as its search has ended; a new one replaces the old."""

    point: tuple[float, float, float]


@dataclass(slots=True)
class Route:
    """The answer to the last wish: the path, whose status says whether it reaches and why not."""

    path: Path


def walkers() -> list[tuple[int, PathFollower]]:
    """All walkers with their entities, by entity id: esper's own order follows the history of its sets."""
    return sorted(esper.get_component(PathFollower), key=lambda pair: pair[0])
