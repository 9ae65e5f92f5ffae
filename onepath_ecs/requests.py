"""Searches paths for entities that have a `Destination`, a bounded number of iterations a frame."""

from __future__ import annotations

from collections import deque

import esper

from onepath import NavMesh, PathSearch, PathStatus
from onepath.agents import PathFollower
from onepath.build.arguments import whole_number
from onepath.errors import ArgumentError
from onepath_ecs.components import Destination, Route

__all__ = ["PathRequestProcessor"]

MOST_ITERATIONS = 2**63 - 1


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
        self.mesh = mesh
        self.iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
        self._waiting: deque[tuple[int, Destination]] = deque()
        self._known: dict[int, Destination] = {}
        self._search: PathSearch | None = None

    @property
    def waiting(self) -> int:
        """Wishes not answered yet."""
        return len(self._waiting)

    def process(self, seconds: float) -> None:
        """Queues new wishes, then searches within the budget.

        Raises:
            ArgumentError, RangeError: a walker stands where no position can be. Its wish is gone then; the others wait
                for the next frame.
        """
        self._queue_new_wishes()
        budget = self.iterations
        while self._waiting and budget > 0:
            entity, wish = self._waiting[0]
            if not self._still_wished(entity, wish):
                self._drop_first()
                continue
            if self._search is None:
                self._search = self._begin(entity, wish)
            before = self._search.iterations
            status = self._search.update(budget)
            budget -= max(1, self._search.iterations - before)
            if status is PathStatus.STALE:
                self._search = None  # the mesh changed under the search: begin it anew, on the mesh as it is now
            elif status is PathStatus.IN_PROGRESS:
                esper.component_for_entity(entity, PathFollower).stop()
            else:
                self._answer(entity, self._search)

    def _begin(self, entity: int, wish: Destination) -> PathSearch:
        try:
            return self.mesh.begin_path(esper.component_for_entity(entity, PathFollower).position, wish.point)
        except ArgumentError:
            # Left in the queue it would come up again every frame, before everybody else's.
            self._drop_first()
            esper.remove_component(entity, Destination)
            raise

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
        path, (_, wish) = search.finish(), self._waiting[0]
        self._drop_first()
        esper.remove_component(entity, Destination)
        esper.add_component(entity, Route(path, wish))
        esper.component_for_entity(entity, PathFollower).start(path)
