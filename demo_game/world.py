"""The demo's world: a level, its mesh, and agents as esper entities; no screen, no engine.

Time passes in steps of 1/60 s, however often a picture is drawn: the same seed gives the same walk everywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter

import esper
import numpy as np
from numpy.typing import NDArray

from demo_game.errands import SCATTER, Errand, ErrandCounts, ErrandProcessor, first_errand
from demo_game.ground import GroundLookup
from demo_game.places import Place, find_places, spot_near
from onepath import Level, NavMesh, Path
from onepath.agents import PathFollower
from onepath_ecs import Destination, FollowProcessor, PathRequestProcessor, Route, ViewSyncProcessor, add_processors

__all__ = ["STEP", "DemoWorld"]

STEP = 1.0 / 60.0
#: A machine too slow for the world sees it slow down rather than stop: this many steps a picture at most.
MOST_STEPS = 8
#: Node expansions a step, for all agents together.
SEARCH_BUDGET = 3000

_numbers = itertools.count(1)

Point = tuple[float, float, float]


class DemoWorld:
    """Everything that moves.

    Args:
        level: what is drawn and walked on.
        mesh: baked from the level.
        agents: how many walk; none do where nothing is walkable.
        seed: of places, bodies and errands.

    Attributes:
        places: where agents go.
        entities: the agents, ascending.
        rows: (agents, 5) float32: feet on the drawn ground x, y, z, and the direction (x, z) each looks along.
        seconds: time that has passed in the world.
        metres: walked by all agents together.
        step_seconds: what the last step cost, in wall-clock time.
    """

    def __init__(self, level: Level, mesh: NavMesh, agents: int = 50, seed: int = 1) -> None:
        self.level, self.mesh, self.seed = level, mesh, seed
        vertices, triangles, _ = level.triangles()
        self.ground = GroundLookup(vertices, triangles)
        self.places = find_places(level, mesh, seed)
        self.seconds, self.metres, self.step_seconds = 0.0, 0.0, 0.0
        self._unspent = 0.0
        self._name = f"demo_game {next(_numbers)}"
        self._requests = PathRequestProcessor(mesh, SEARCH_BUDGET)
        self._errands = ErrandProcessor(mesh, self.places)
        self._view = ViewSyncProcessor()
        with self._entered():
            add_processors(self._requests, FollowProcessor(mesh), self._view)
            esper.add_processor(self._errands, priority=40)
            self.entities = [self._add_agent(index) for index in range(agents if self.places else 0)]
            self._view.process(0.0)
        self.rows: NDArray[np.float32] = np.zeros((len(self.entities), 5), dtype=np.float32)
        self._set_on_ground()

    @property
    def counts(self) -> ErrandCounts:
        """Arrivals, searches and failures of all agents together."""
        return self._errands.counts

    def advance(self, seconds: float) -> int:
        """Lets time pass in whole steps, keeps what is left for the next call, and answers the number of steps."""
        self._unspent += seconds
        steps = int(self._unspent / STEP + 1e-9)
        self._unspent = max(0.0, self._unspent - steps * STEP) if steps <= MOST_STEPS else 0.0
        steps = min(steps, MOST_STEPS)
        for _ in range(steps):
            self.step()
        return steps

    def step(self) -> None:
        """1/60 s of everybody's life."""
        started = perf_counter()
        before = self.rows[:, [0, 2]].copy()
        with self._entered():
            esper.process(STEP)
        self._set_on_ground()
        self.metres += float(np.sqrt(((self.rows[:, [0, 2]] - before) ** 2).sum(axis=1)).sum())
        self.seconds += STEP
        self.step_seconds = perf_counter() - started

    def send(self, index: int, point: Point) -> None:
        """Gives agent `index` (a row of `rows`) a new errand: go to this point, at once."""
        entity = self.entities[index]
        with self._entered():
            errand = esper.component_for_entity(entity, Errand)
            errand.place, errand.walking = Place("the spot you chose", point, errand.place.storey), True
            esper.add_component(entity, Destination(point))

    def path(self, index: int) -> Path | None:
        """The path that agent `index` was last given, or None before the first."""
        with self._entered():
            route = esper.try_component(self.entities[index], Route)
            return None if route is None else route.path

    def errand(self, index: int) -> Errand:
        """What agent `index` is about."""
        with self._entered():
            return esper.component_for_entity(self.entities[index], Errand)

    def walker(self, index: int) -> PathFollower:
        """The body of agent `index`."""
        with self._entered():
            return esper.component_for_entity(self.entities[index], PathFollower)

    def storeys(self) -> NDArray[np.int64]:
        """(agents,) the storey that each walks to, 0 to 2."""
        with self._entered():
            found = [esper.component_for_entity(entity, Errand).place.storey for entity in self.entities]
        return np.asarray(found, dtype=np.int64)

    def close(self) -> None:
        """Forgets the entities; the object is of no use afterwards."""
        if self._name in esper.list_worlds():
            esper.delete_world(self._name)

    def _add_agent(self, index: int) -> int:
        random = Random(f"{self.seed}/agent {index}")
        start = self.places[index % len(self.places)]
        place, goal = first_errand(self.mesh, self.places, start, random)
        point = spot_near(self.mesh, start.point, SCATTER, random)
        x, z = random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)
        walker = PathFollower(point, forward=(x, z), speed=random.uniform(2.4, 3.4), turn_rate=300.0)
        return esper.create_entity(walker, Errand(random, place), Destination(goal))

    def _set_on_ground(self) -> None:
        """Copies the view's rows, feet moved from the mesh's surface to the drawn triangles."""
        self.rows[:] = self._view.rows
        heights = self.ground.heights(self.rows[:, :3].astype(np.float64))
        found = ~np.isnan(heights)
        self.rows[found, 1] = heights[found]

    @contextmanager
    def _entered(self) -> Iterator[None]:
        """esper's state is the module's: enters this world and leaves it as it was found, whatever happens."""
        outside = esper.current_world
        esper.switch_world(self._name)
        try:
            yield
        finally:
            esper.switch_world(outside)
