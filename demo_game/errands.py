"""What agents are about: walk to a place, stand there a moment, choose the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import esper

from demo_game.places import STOREYS, Place, spot_near
from onepath import NavMesh, PathStatus
from onepath.agents import PathFollower
from onepath_ecs import Destination, Route

__all__ = ["SCATTER", "Errand", "ErrandCounts", "ErrandProcessor", "first_errand"]

#: The first way is at most this long, metres, so that everybody arrives within seconds.
FIRST_WAY = 18.0
#: How far from a place's middle agents stand, metres.
SCATTER = 1.4
#: How far those stroll who have no short way to anywhere.
STROLL = 6.0

Point = tuple[float, float, float]


@dataclass(slots=True)
class Errand:
    """An agent's present errand.

    Attributes:
        random: this agent's own numbers, so that nobody's choice depends on the others.
        place: where it goes, or where a player sent it.
        standing: seconds that it still waits.
        walking: whether it is on its way.
        arrivals: errands that ended at their place.
    """

    random: Random
    place: Place
    standing: float = 0.0
    walking: bool = True
    arrivals: int = 0


@dataclass(slots=True)
class ErrandCounts:
    """Of all agents together: errands that ended at their place, before it, or were never walked."""

    arrivals: int = 0
    partial: int = 0
    failed: int = 0
    searches: int = 0
    by_status: dict[PathStatus, int] = field(default_factory=dict)


class ErrandProcessor(esper.Processor):
    """Sees who has arrived, lets them stand, and gives them their next `Destination`, in the order of entity ids."""

    def __init__(self, mesh: NavMesh, places: Sequence[Place]) -> None:
        self.mesh = mesh
        self.counts = ErrandCounts()
        self._by_storey = [[place for place in places if place.storey == storey] for storey in range(STOREYS)]

    def process(self, seconds: float) -> None:
        """One step of `seconds` for everybody."""
        for entity, (errand, walker) in sorted(esper.get_components(Errand, PathFollower), key=lambda pair: pair[0]):
            if errand.walking:
                if not walker.moving and not esper.has_component(entity, Destination):
                    self._end(entity, errand)
            else:
                errand.standing -= seconds
                if errand.standing <= 0.0:
                    self._begin(entity, errand, walker)

    def _end(self, entity: int, errand: Errand) -> None:
        errand.walking, errand.standing = False, errand.random.uniform(0.8, 2.5)
        path = esper.component_for_entity(entity, Route).path
        self.counts.searches += 1
        self.counts.by_status[path.status] = self.counts.by_status.get(path.status, 0) + 1
        if path:
            errand.arrivals += 1
            self.counts.arrivals += 1
        elif path.partial:
            self.counts.partial += 1
        else:
            self.counts.failed += 1

    def _begin(self, entity: int, errand: Errand, walker: PathFollower) -> None:
        errand.place, errand.walking = self._next_place(errand, walker), True
        point = spot_near(self.mesh, errand.place.point, SCATTER, errand.random)
        esper.add_component(entity, Destination(point))

    def _next_place(self, errand: Errand, walker: PathFollower) -> Place:
        """Any storey as likely as another; there the nearest of three, so that ways are worth watching to the end."""
        storeys = [places for places in self._by_storey if places]
        places = errand.random.choice(storeys)
        others = [errand.random.choice(places) for _ in range(3)]
        return min(
            (place for place in others if place != errand.place),
            key=lambda place: math.dist(place.point, walker.position),
            default=others[0],
        )


def first_errand(mesh: NavMesh, places: Sequence[Place], start: Place, random: Random) -> tuple[Place, Point]:
    """A place with a short way from the start, and a spot there; where there is none, a stroll about the start."""
    others = sorted((place for place in places if place is not start), key=lambda p: math.dist(p.point, start.point))
    near = [place for place in others[:5] if 0.0 < mesh.find_path(start.point, place.point).length <= FIRST_WAY]
    if not near:
        return start, spot_near(mesh, start.point, STROLL, random)
    place = random.choice(near)
    return place, spot_near(mesh, place.point, SCATTER, random)
