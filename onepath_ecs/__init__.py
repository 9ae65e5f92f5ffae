"""OnePath as esper components and processors: thin, engine-free, driven by `esper.process(dt)`.

An entity walks when it has a `PathFollower` (from `onepath.agents`); give it a `Destination` and the processors do the
rest: search with a budget a frame, follow, and write what a view draws into one array.
"""

from onepath.errors import MissingExtraError

try:
    import esper
except ImportError as error:
    raise MissingExtraError('onepath_ecs takes esper; install it with: pip install "onepath[ecs]"') from error

from onepath_ecs.components import Destination, Route
from onepath_ecs.following import FollowProcessor
from onepath_ecs.requests import PathRequestProcessor
from onepath_ecs.view import ViewSyncProcessor

__all__ = ["Destination", "FollowProcessor", "PathRequestProcessor", "Route", "ViewSyncProcessor", "add_processors"]


def add_processors(
    requests: PathRequestProcessor, following: FollowProcessor, view: ViewSyncProcessor | None = None
) -> None:
    """Adds them to the current esper world in the order a frame needs: ask, walk, show."""
    esper.add_processor(requests, priority=30)
    esper.add_processor(following, priority=20)
    if view is not None:
        esper.add_processor(view, priority=10)
