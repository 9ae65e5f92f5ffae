"""Searches paths for entities that have a `Destination`, a bounded number of iterations a frame."""

from __future__ import annotations

from collections import deque

import esper

from onepath import NavMesh, PathSearch, PathStatus
from onepath.agents import PathFollower
from onepath.errors import RangeError
from onepath_ecs.components import Destination, Route

__all__ = ["PathRequestProcessor"]


class PathRequestProcessor(esper.Processor):
    """First come, first served: the oldest wish is searched until it ends or the frame's iterations are used up.

    Wishes that arrive in one frame queue in the order of their entity ids, so the outcome depends on the input alone.
    A walker keeps to its old path while its wish waits. It stands still once a search for it goes on into the next
    frame, for the new path will begin where the search began.

    Args:
        mesh: where paths are searched.
        iterations: node expansions a frame at most, 1 or more.
    """

    def __init__(self, mesh: NavMesh, iterations: int = 2000) -> None:
        if iterations < 1:
            raise RangeError(f"iterations is {iterations}, below 1")
        self.mesh = mesh
        self.iterations = iterations
        self._waiting: deque[tuple[int, Destination]] = deque()
        self._known: dict[int, Destination] = {}
        self._search: PathSearch | None = None

    @property
    def waiting(self) -> int:
        """Wishes not answered yet."""
        return len(self._waiting)

    def process(self, seconds: float) -> None:
        """Queues new wishes, then searches within the budget."""
        self._queue_new_wishes()
        budget = self.iterations
        while self._waiting and budget > 0:
            entity, wish = self._waiting[0]
            if not self._still_wished(entity, wish):
                self._drop_first()
                continue
            if self._search is None:
                start = esper.component_for_entity(entity, PathFollower).position
                self._search = self.mesh.begin_path(start, wish.point)
            before = self._search.iterations
            status = self._search.update(budget)
            budget -= max(1, self._search.iterations - before)
            if status is PathStatus.STALE:
                self._search = None  # the mesh changed under the search: begin it anew, on the mesh as it is now
            elif status is PathStatus.IN_PROGRESS:
                esper.component_for_entity(entity, PathFollower).stop()
            else:
                self._answer(entity, self._search)

    def _queue_new_wishes(self) -> None:
        for entity, (wish, _) in sorted(esper.get_components(Destination, PathFollower), key=lambda pair: pair[0]):
            if self._known.get(entity) is not wish and esper.entity_exists(entity):
                self._known[entity] = wish
                self._waiting.append((entity, wish))

    def _still_wished(self, entity: int, wish: Destination) -> bool:
        return (
            self._known.get(entity) is wish
            and esper.entity_exists(entity)
            and esper.try_component(entity, Destination) is wish
            and esper.has_component(entity, PathFollower)
        )

    def _drop_first(self) -> None:
        entity, wish = self._waiting.popleft()
        if self._known.get(entity) is wish:
            del self._known[entity]
        self._search = None

    def _answer(self, entity: int, search: PathSearch) -> None:
        path = search.finish()
        self._drop_first()
        esper.remove_component(entity, Destination)
        esper.add_component(entity, Route(path))
        esper.component_for_entity(entity, PathFollower).start(path.points)
