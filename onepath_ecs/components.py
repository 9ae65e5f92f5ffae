"""What a walking entity is made of, beside its `onepath.agents.PathFollower`."""

from __future__ import annotations

from dataclasses import dataclass

import esper

from onepath.agents import PathFollower, WalkStatus
from onepath.build.arguments import point
from onepath.errors import ArgumentError
from onepath.query import NavPoint, Path

__all__ = ["Destination", "Route", "walkers"]


@dataclass(frozen=True, slots=True, eq=False)
class Destination:
    """A wish: walk to `point`. Taken off the entity as soon as its search has ended; a new one replaces the old.

    Args:
        point: a position in the world, metres, or a NavPoint that has one.

    Raises:
        ArgumentError, RangeError: naming the coordinate.
    """

    point: tuple[float, float, float] | NavPoint

    def __post_init__(self) -> None:
        if not isinstance(self.point, NavPoint):
            object.__setattr__(self, "point", point("Destination.point", self.point))
        elif not self.point:
            raise ArgumentError(f"Destination.point is {self.point}, which has no position")


@dataclass(slots=True)
class Route:
    """The answer to the last wish.

    Attributes:
        path: the path, whose status says whether it reaches and why not.
        destination: the wish that it answers; asked again when the mesh has changed under the path. None: never again.
        status: WalkStatus, how the walk along it goes on; its `advice` says what to do.
    """

    path: Path
    destination: Destination | None = None
    status: WalkStatus = WalkStatus.WALKING


def walkers() -> list[tuple[int, PathFollower]]:
    """All walkers with their entities, by entity id: esper's own order follows the history of its sets."""
    return sorted(esper.get_component(PathFollower), key=lambda pair: pair[0])
