"""NavMesh: the tiles that queries read, changed by staging and committing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.errors import ArgumentError
from onepath.mesh._core import MeshCore
from onepath.mesh._link_reading import link_state
from onepath.mesh._reading import polygon_points, used_slots, walkable_area, world_box
from onepath.mesh.link import LinkDef, LinkRecord, LinkState
from onepath.mesh.settings import MeshSettings
from onepath.mesh.view import TileView

__all__ = ["CommitReport", "MeshDebug", "NavMesh"]

TileKey = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CommitReport:
    """What a commit did. True if it changed anything.

    Attributes:
        edit_count: the mesh's count of changing commits, this one included.
        added, replaced, removed: (column, row, layer) of the tiles, ascending.
        links_added, links_changed, links_removed: ids of the off-mesh links, ascending; changed are those enabled,
            disabled or priced anew. A link whose ends were only looked for again is not named.
    """

    edit_count: int
    added: tuple[TileKey, ...]
    replaced: tuple[TileKey, ...]
    removed: tuple[TileKey, ...]
    links_added: tuple[int, ...] = ()
    links_changed: tuple[int, ...] = ()
    links_removed: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        tiles = self.added or self.replaced or self.removed
        return bool(tiles or self.links_added or self.links_changed or self.links_removed)


class MeshDebug:
    """What a mesh counts about its own use.

    Attributes:
        misuse: calls refused with BusyError so far; a sound program leaves it at 0.
        links_snapped: how often a commit looked for the ends of a link, so far: it does for the links near its tiles.
    """

    __slots__ = ("_mesh",)

    def __init__(self, mesh: MeshCore) -> None:
        self._mesh = mesh

    @property
    def misuse(self) -> int:
        """Calls refused with BusyError so far."""
        return self._mesh.misuse

    @property
    def links_snapped(self) -> int:
        """How often a commit looked for the ends of a link, so far."""
        return self._mesh.links.snapped

    def __repr__(self) -> str:
        return f"MeshDebug(misuse={self.misuse})"


class NavMesh(MeshCore):
    """Tiles of walkable polygons on a grid, linked where they meet.

    Changes are staged and take effect together at `commit`; until then queries see nothing of them. A staging thread
    may work while queries run, one at a time; commit when no query runs. Reading tiles or polygons counts as a query:
    from another thread than the committing one it may raise BusyError, on either side, and then nothing has changed.

    Args:
        settings: the grid and agent that all tiles share.
        grid_bounds: (first column, first row, last column, last row), inclusive: what lies outside is void and its
            sides are walls. None is an open mesh for hosts that stream tiles: every cell without a tile is one not
            loaded yet.

    Attributes:
        report: what the bake said that made this mesh, or None.

    Raises:
        ArgumentError, RangeError: naming the argument.

    >>> mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8), grid_bounds=(0, 0, 3, 3))
    >>> mesh.commit().edit_count
    0
    """

    report: Any

    def __init__(self, settings: MeshSettings, grid_bounds: tuple[int, int, int, int] | None = None) -> None:
        super().__init__(settings, grid_bounds)
        self.report = None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Keeps commits of other threads out while several things are read that belong together."""
        self.begin_reading()
        try:
            yield
        finally:
            self.end_reading()

    def commit(self) -> CommitReport:
        """Applies everything staged, or nothing: with an error the staged changes stay staged.

        Tiles apply in the order (column, row, layer) and take the lowest free slot; a replaced tile keeps its slot,
        which moves to its next generation, so that references to the old tile are stale.

        Raises:
            BusyError: a query runs, or another thread stages or commits.
            LimitError: more tiles than the mesh may hold.
            MemoryError: nothing has changed then, either.
        """
        changes = self.apply_staged()
        return CommitReport(self.edit_count, *(tuple(names) for names in changes))  # type: ignore[arg-type]

    # --- off-mesh links

    @contextmanager
    def _staging(self, call: str) -> Iterator[None]:
        """Refuses to stage while another thread does."""
        self.begin_staging(call)
        try:
            yield
        finally:
            self.end_staging()

    def stage_link(self, link: LinkDef) -> int:
        """Adds an off-mesh link at the next commit. Its id comes at once, and no other link ever gets it.

        The commit attaches it wherever tiles are, and later ones again whenever tiles near its ends come or go.

        Raises:
            ArgumentError: `link` is no LinkDef.
            LimitError: more crossings than the mesh may have.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_link"):
            return self.links.stage(link)

    def stage_link_removal(self, link_id: int) -> None:
        """Takes a link out at the next commit; one that is staged and not yet committed goes at once.

        Raises:
            ArgumentError, RangeError: no such link is committed or staged.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_link_removal"):
            self.links.stage_removal(link_id)

    def stage_link_enable(self, link_id: int, enabled: bool) -> None:
        """Opens or closes a link at the next commit. A closed one stays attached and passes no filter.

        Raises: as stage_link_removal; and ArgumentError where the link is staged to be removed.
        """
        with self._staging("stage_link_enable"):
            self.links.stage_enable(link_id, enabled)

    def stage_link_cost(self, link_id: int, cost: float) -> None:
        """Gives a link another `LinkDef.cost` at the next commit. Raises as stage_link_enable does."""
        with self._staging("stage_link_cost"):
            self.links.stage_cost(link_id, cost)

    def add_link(self, link: LinkDef) -> int:
        """stage_link and commit in one, with whatever else is staged. Raises as both do, and then adds nothing."""
        link_id = self.stage_link(link)
        try:
            self.commit()
        except BaseException:
            self.stage_link_removal(link_id)
            raise
        return link_id

    def link_state(self, link_id: int) -> LinkState:
        """Whether a link is attached and enabled, and where its ends are or why they are nowhere.

        Raises:
            ArgumentError, RangeError: no link has had that id.
        """
        with self._reading():
            return link_state(self, link_id)

    def link_records(self) -> list[LinkRecord]:
        """All committed links by id, as plain data: what a file has to hold to put them back."""
        with self._reading():
            return self.links.records()

    def tile(self, column: int, row: int, layer: int = 0) -> TileView:
        """A committed tile as arrays.

        Raises:
            ArgumentError, RangeError: no such tile is committed (`tiles()` lists them), or no such cell can be.
        """
        with self._reading():
            slot = self.slot_of(column, row, layer)
            if slot < 0:
                raise ArgumentError(f"there is no committed tile ({column}, {row}, {layer})")
            return TileView(self, slot)

    def tiles(self) -> list[TileView]:
        """All committed tiles, by slot."""
        with self._reading():
            return [TileView(self, slot) for slot in used_slots(self)]

    def polygon(self, reference: int) -> NDArray[np.float64]:
        """World positions of a polygon's corners, (n, 3), counter-clockwise seen from above.

        Raises:
            ArgumentError: the reference is stale or was never valid (`is_valid` asks first).
        """
        with self._reading():
            return polygon_points(self, reference)

    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """(low, high) corners of the box of all committed polygons in the world, metres, or None without any."""
        with self._reading():
            return world_box(self)

    @property
    def walkable_area(self) -> float:
        """X/Z area of all committed polygons whose area id is not 0, square metres; stacked floors all count."""
        with self._reading():
            return walkable_area(self)

    @property
    def debug(self) -> MeshDebug:
        """What the mesh counts about its own use."""
        return MeshDebug(self)

    def __repr__(self) -> str:
        bounds = "open" if self.grid_bounds is None else f"grid_bounds={self.grid_bounds}"
        return f"NavMesh(tiles={self.tile_count}, polygons={self.polygon_count}, {bounds}, edits={self.edit_count})"
