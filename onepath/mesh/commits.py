"""What a commit reports, and who is told of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from onepath.errors import ArgumentError

__all__ = ["CommitCallback", "CommitCallbacks", "CommitReport"]

TileKey = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CommitReport:
    """What a commit did. True if it changed anything.

    Attributes:
        edit_count: the mesh's count of changing commits, this one included.
        added, replaced, removed: (column, row, layer) of the tiles, ascending.
        links_added, links_changed, links_removed: ids of the off-mesh links, ascending; changed are those enabled,
            disabled or priced anew. A link whose ends were only looked for again is not named.
        polygons_changed: references of polygons, by slot and polygon, whose area or flags are others than before; those
            of new tiles are not named.
        volumes_changed: names of the volumes whose area is another than before, in the mesh's order.
    """

    edit_count: int
    added: tuple[TileKey, ...]
    replaced: tuple[TileKey, ...]
    removed: tuple[TileKey, ...]
    links_added: tuple[int, ...] = ()
    links_changed: tuple[int, ...] = ()
    links_removed: tuple[int, ...] = ()
    polygons_changed: tuple[int, ...] = ()
    volumes_changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        tiles = self.added or self.replaced or self.removed
        links = self.links_added or self.links_changed or self.links_removed
        return bool(tiles or links or self.polygons_changed or self.volumes_changed)


class CommitCallback:
    """What `NavMesh.on_commit` returns: a callback that is called until `remove`."""

    __slots__ = ("_callback", "_callbacks")

    def __init__(self, callbacks: CommitCallbacks, callback: Callable[[CommitReport], object]) -> None:
        self._callbacks: CommitCallbacks | None = callbacks
        self._callback = callback

    @property
    def active(self) -> bool:
        """Whether commits still call it."""
        return self._callbacks is not None

    def remove(self) -> None:
        """Ends the calls, at once even while a commit is telling others; a second time it does nothing."""
        if self._callbacks is not None:
            self._callbacks.entries.remove(self)
            self._callbacks = None

    def tell(self, report: CommitReport) -> None:
        """Calls it, if it is still active."""
        if self.active:
            self._callback(report)

    def __repr__(self) -> str:
        return f"CommitCallback({self._callback!r}{'' if self.active else ', removed'})"


class CommitCallbacks:
    """The callbacks of one mesh. Each is told of every changing commit, in the order of the commits."""

    def __init__(self) -> None:
        self.entries: list[CommitCallback] = []
        self._waiting: deque[CommitReport] = deque()
        self._telling = False
        self._lock = Lock()

    def add(self, callback: Callable[[CommitReport], object]) -> CommitCallback:
        """Calls it from the next commit on.

        Raises:
            ArgumentError: it cannot be called.
        """
        if not callable(callback):
            raise ArgumentError(f"callback is {callback!r}, not callable")
        entry = CommitCallback(self, callback)
        self.entries.append(entry)
        return entry

    def tell(self, report: CommitReport) -> None:
        """Tells all callbacks of a commit, or leaves that to the telling that is under way.

        A callback that commits again thus does not call the others before they have heard of the first commit. One that
        raises keeps nobody else from being told; its exception is raised at the end.
        """
        if not report:
            return
        with self._lock:
            self._waiting.append(report)
            if self._telling:
                return
            self._telling = True
        failures: list[Exception] = []
        try:
            while (waiting := self._next()) is not None:
                self._tell_all(waiting, failures)
        except BaseException:
            self._telling = False
            raise
        _raise(failures)

    def _next(self) -> CommitReport | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._telling = False
            return None

    def _tell_all(self, report: CommitReport, failures: list[Exception]) -> None:
        for entry in tuple(self.entries):
            try:
                entry.tell(report)
            except Exception as error:
                failures.append(error)


def _raise(failures: list[Exception]) -> None:
    if len(failures) == 1:
        failures[0].add_note("raised by a commit callback: the commit itself stands")
        raise failures[0]
    if failures:
        raise ExceptionGroup("commit callbacks raised; the commits themselves stand", failures)
