"""NavMesh: the tiles that queries read, changed by staging and committing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import number_between
from onepath.errors import ArgumentError, LimitError, shown
from onepath.geometry.areas import Areas, how_areas_are_made
from onepath.mesh._core import MeshCore
from onepath.mesh._link_reading import link_state
from onepath.mesh._reading import polygon_points, used_slots, volume_polygons, walkable_area, world_box
from onepath.mesh.commits import CommitCallback, CommitCallbacks, CommitReport
from onepath.mesh.editing import MeshEdit
from onepath.mesh.floor_mask import FloorMask
from onepath.mesh.link import LinkDef, LinkRecord, LinkState
from onepath.mesh.pruning import PrunedIslands, prune_small_islands
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tier import Limits, Tier
from onepath.mesh.view import TileView

__all__ = ["MeshDebug", "NavMesh", "checked_areas", "checked_mask"]

#: Tiles number volumes with 16 bits.
LAST_VOLUME = 65535


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
        return self._mesh._misuse

    @property
    def links_snapped(self) -> int:
        """How often a commit looked for the ends of a link, so far."""
        self._mesh._check_initialised()
        return self._mesh._links.snapped

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
        tier: which changes the mesh takes; others raise UnsupportedError when they are staged.
        limits: how large it may become; None lets it grow as needed.
        areas: names, ids and default costs of its areas; None knows ground only.
        volume_names: names of the volumes that its tiles number from 1 on.
        floor_mask: what `rebuild_tile` leaves out of tiles; None leaves out nothing.

    Attributes:
        report: what the bake said that made this mesh; None where it was loaded, or made of tiles.
        areas, volume_names, floor_mask: as given.

    Raises:
        ArgumentError, RangeError: naming the argument.

    >>> mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8), grid_bounds=(0, 0, 3, 3))
    >>> mesh.commit().edit_count
    0
    """

    report: Any = None

    def __init__(
        self,
        settings: MeshSettings,
        grid_bounds: tuple[int, int, int, int] | None = None,
        tier: Tier = Tier.DYNAMIC,
        limits: Limits | None = None,
        areas: Areas | None = None,
        volume_names: Sequence[str] = (),
        floor_mask: FloorMask | None = None,
    ) -> None:
        kept_mask = None if floor_mask is None else checked_mask(floor_mask, settings)
        kept_areas = Areas() if areas is None else checked_areas(areas)
        kept_names = _checked_names(volume_names)
        super().__init__(settings, grid_bounds, tier, limits)
        # From here on nothing fails: what has settings is whole.
        self._floor_mask, self._areas, self._volume_names = kept_mask, kept_areas, kept_names
        self._callbacks = CommitCallbacks()
        self.report = None

    @property
    def areas(self) -> Areas:
        """Names, ids and default costs of the mesh's areas."""
        self._check_initialised()
        return self._areas

    @property
    def volume_names(self) -> tuple[str, ...]:
        """Names of the volumes that tiles number from 1 on."""
        self._check_initialised()
        return self._volume_names

    @property
    def floor_mask(self) -> FloorMask | None:
        """The ground that the bake's seeds reach, None where it had none."""
        self._check_initialised()
        return self._floor_mask

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Keeps commits of other threads out while several things are read that belong together."""
        self._begin_reading()
        try:
            yield
        finally:
            self._end_reading()

    # --- commits

    def commit(self) -> CommitReport:
        """Applies everything staged, or nothing: with an error the staged changes stay staged.

        Tiles apply in the order (column, row, layer) and take the lowest free slot; a replaced tile keeps its slot,
        which moves to its next generation, so that references to the old tile are stale. Areas of volumes apply next,
        areas and flags of single polygons last. At the end the callbacks of `on_commit` are called.

        Raises:
            BusyError: a query runs, another thread stages or commits, or an edit block is open.
            LimitError: more tiles or polygons than the mesh may hold.
            MemoryError: nothing has changed then, either.
        """
        self._refuse_inside_edit("commit inside an edit block: the block commits at its end")
        report = self._apply_staged()
        self._callbacks.tell(report)
        return report

    def _apply_staged(self) -> CommitReport:
        added, replaced, removed, links_added, links_changed, links_removed, polygons, volumes = self._apply_changes()
        return CommitReport(
            self.edit_count,
            tuple(added),
            tuple(replaced),
            tuple(removed),
            tuple(links_added),
            tuple(links_changed),
            tuple(links_removed),
            tuple(polygons),
            tuple(self._volume_names[volume - 1] for volume in volumes),
        )

    def on_commit(self, callback: Callable[[CommitReport], object]) -> CommitCallback:
        """Calls callback(report) after every commit that changes something, on the thread that commits.

        The change is complete by then: a callback may query, stage and commit. Callbacks are called in the order in
        which they came, each for every commit in order. An exception in one does not undo the commit and keeps nobody
        else from being told; `commit` raises it at the end. A commit that a callback makes is told to all of them
        in turn, so one that changes something every time it is called goes on for ever.

        Returns:
            a handle; its `remove()` ends the calls.

        Raises:
            ArgumentError: it cannot be called.
        """
        self._check_initialised()
        return self._callbacks.add(callback)

    def edit(self) -> MeshEdit:
        """A block that commits at its end, and forgets what it staged if an exception leaves it.

        Raises:
            BusyError: at its beginning: another thread stages or commits, or a block is open already.
            As `commit`, at its end.

        >>> mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8))
        >>> with mesh.edit() as edit:
        ...     ladder = edit.stage_link(LinkDef((1, 0, 1), (1, 3, 1), 0.5, 0.5))
        >>> edit.report.links_added == (ladder,)
        True
        """
        return MeshEdit(self)

    # --- areas and flags

    def stage_area(self, reference: int, area: str | int) -> None:
        """Gives a polygon another area at the next commit; 0 blocks it.

        The change lasts while the polygon's tile is loaded. If that is replaced or removed, be it in the same commit,
        the change goes with it.

        Args:
            reference: of a committed polygon.
            area: a name of `areas`, or an id from 0 to 255.

        Raises:
            ArgumentError, RangeError: a stale reference, an unknown name, an id out of range.
            UnsupportedError: the tier is below MODIFIERS.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_area"):
            self._need_tier(Tier.MODIFIERS, "stage_area")
            self._modifiers.stage_area(self, reference, self._areas.id(area))

    def stage_flags(self, reference: int, flags: int) -> None:
        """Gives a polygon other flags at the next commit. They last as long as an area that `stage_area` gives.

        Args:
            reference: of a committed polygon.
            flags: bits that filters ask for, 0 to 65535.

        Raises:
            ArgumentError, RangeError: a stale reference, flags out of range.
            UnsupportedError: the tier is below MODIFIERS.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_flags"):
            self._need_tier(Tier.MODIFIERS, "stage_flags")
            self._modifiers.stage_flags(self, reference, flags)

    def stage_volume_area(self, name: str, area: str | int | None) -> None:
        """Gives all polygons that a named volume marked another area at the next commit, in every tile.

        The area is kept: a tile that comes later has it too. Polygons that are staged one by one in the same commit get
        what was staged for them.

        Args:
            name: one of `volume_names`.
            area: a name of `areas`, an id from 0 to 255, or None for the areas that the tiles were baked with.

        Raises:
            ArgumentError, RangeError: an unknown name, or an id out of range.
            UnsupportedError: the tier is below MODIFIERS.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_volume_area"):
            self._need_tier(Tier.MODIFIERS, "stage_volume_area")
            self._modifiers.stage_volume(self._volume(name), None if area is None else self._areas.id(area))

    def set_area(self, target: str | int, area: str | int) -> None:
        """Gives a polygon or a volume another area, and commits all that is staged.

        Args:
            target: a polygon's reference, or a volume's name.
            area: a name of `areas`, or an id from 0 (nobody walks there) to 255.

        Raises: as stage_area, stage_volume_area and commit do; the area is not staged then.
        """
        with self.edit() as edit:
            if isinstance(target, str):
                edit.stage_volume_area(target, area)
            else:
                edit.stage_area(target, area)

    def prune_islands(self, min_area: float) -> PrunedIslands:
        """Takes out islands smaller than `min_area` square metres in X/Z, and commits all that is staged.

        An island is what edges, portals between tiles and off-mesh links join, closed ones and areas that nobody may
        enter included; it is measured whole, over all its tiles, where `BakeSettings.min_region_area` looks at one
        tile. Islands at a cell whose tile is not loaded stay, since they may go on there. The tiles of what goes are
        replaced by ones without it, so that references to their polygons are stale; areas and flags stay as they are.
        Off-mesh links of what goes stay in the list, attached nowhere. A tile staged later brings its islands back: the
        pass is about the mesh as it is, so repeat it after the commit. Tiles without such islands are left alone.

        Args:
            min_area: square metres, 0 (which takes out nothing) to 2**40.

        Raises:
            ArgumentError, RangeError: `min_area` is no such number.
            UnsupportedError: something would go, and the tier is below DYNAMIC.
            As `commit`, and nothing more is staged then than before.
        """
        least = number_between("min_area", min_area, 0.0, 2.0**40)
        with self.edit():
            return prune_small_islands(self, least)

    def volume_area(self, name: str) -> int | None:
        """The area id that a named volume was given for good, or None where its polygons are as baked.

        Raises:
            ArgumentError: no volume has that name; the message lists those there are.
        """
        return self._modifiers.volumes().get(self._volume(name))

    def volume_polygons(self, name: str) -> NDArray[np.int64]:
        """References of the committed polygons that a named volume marked, (n) int64, by slot and polygon.

        Raises:
            ArgumentError: no volume has that name; the message lists those there are.
        """
        with self._reading():
            return volume_polygons(self, self._volume(name))

    def _volume(self, name: str) -> int:
        self._check_initialised()
        if name not in self._volume_names:
            known = ", ".join(self._volume_names) or "none"
            raise ArgumentError(f"name is {name!r}, which names no volume; known are {known}")
        return self._volume_names.index(name) + 1

    # --- off-mesh links

    @contextmanager
    def _staging(self, call: str) -> Iterator[None]:
        """Refuses to stage while another thread does."""
        self._begin_staging(call)
        try:
            yield
        finally:
            self._end_staging()

    def stage_link(self, link: LinkDef) -> int:
        """Adds an off-mesh link at the next commit. Its id comes at once, and no other link ever gets it.

        The commit attaches it wherever tiles are, and later ones again whenever tiles near its ends come or go.

        Raises:
            ArgumentError: `link` is no LinkDef, or names an area that the mesh does not know.
            LimitError: more crossings than the mesh may have.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_link"):
            if isinstance(link, LinkDef) and isinstance(link.area, str):
                link = replace(link, area=self._areas.id(link.area, "LinkDef.area"))
            return self._links.stage(link)

    def stage_link_removal(self, link_id: int) -> None:
        """Takes a link out at the next commit; one that is staged and not yet committed goes at once.

        Raises:
            ArgumentError, RangeError: no such link is committed or staged.
            BusyError: another thread stages or commits.
        """
        with self._staging("stage_link_removal"):
            self._links.stage_removal(link_id)

    def stage_link_enable(self, link_id: int, enabled: bool) -> None:
        """Opens or closes a link at the next commit. A closed one stays attached and passes no filter.

        Raises: as stage_link_removal; ArgumentError where the link is staged to be removed, UnsupportedError where the
        tier is below MODIFIERS.
        """
        with self._staging("stage_link_enable"):
            self._need_tier(Tier.MODIFIERS, "stage_link_enable")
            self._links.stage_enable(link_id, enabled)

    def stage_link_cost(self, link_id: int, cost: float) -> None:
        """Gives a link another `LinkDef.cost`, 0 to 1e12, at the next commit. Raises as stage_link_enable does."""
        with self._staging("stage_link_cost"):
            self._need_tier(Tier.MODIFIERS, "stage_link_cost")
            self._links.stage_cost(link_id, cost)

    def add_link(self, link: LinkDef) -> int:
        """stage_link and commit in one, with whatever else is staged. Raises as both do, and then adds nothing."""
        with self.edit() as edit:
            return edit.stage_link(link)

    def link_state(self, link_id: int) -> LinkState:
        """Whether a link is attached and enabled, and where its ends are or why they are nowhere.

        Raises:
            ArgumentError, RangeError: no link has had that id.
        """
        with self._reading():
            return link_state(self, link_id)

    def link_records(self) -> list[LinkRecord]:
        """All committed links by id, as plain data: what a file has to hold to put them back.

        Raises:
            BusyError: a commit runs on another thread.
        """
        with self._reading():
            return self._links.records()

    def tile(self, column: int, row: int, layer: int = 0) -> TileView:
        """A committed tile as arrays.

        Raises:
            ArgumentError, RangeError: no such tile is committed (`tiles()` lists them), or no such cell can be.
            BusyError: a commit runs on another thread.
        """
        with self._reading():
            slot = self._slot_of(column, row, layer)
            if slot < 0:
                raise ArgumentError(f"there is no committed tile ({column}, {row}, {layer})")
            return TileView(self, slot)

    def tiles(self) -> list[TileView]:
        """All committed tiles, by slot.

        Raises:
            BusyError: a commit runs on another thread.
        """
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


def checked_areas(areas: object) -> Areas:
    """The argument, if it is Areas."""
    if not isinstance(areas, Areas):
        raise ArgumentError(f"areas is {shown(areas)}, not Areas; {how_areas_are_made(areas)}")
    return areas


def checked_mask(mask: object, settings: MeshSettings) -> FloorMask:
    """The argument, if it is a FloorMask of tiles with these settings."""
    if not isinstance(mask, FloorMask):
        raise ArgumentError(f"floor_mask is {mask!r}, not a FloorMask")
    if any(tile.settings != settings for tile in mask.tiles[:1]):
        raise ArgumentError(f"floor_mask is made with {mask.tiles[0].settings}; the mesh has {settings}")
    return mask


def _checked_names(names: Sequence[str]) -> tuple[str, ...]:
    kept = () if isinstance(names, str) else tuple(names)
    if isinstance(names, str) or not all(isinstance(name, str) for name in kept) or len(set(kept)) < len(kept):
        raise ArgumentError(f"volume_names is {names!r}, not a list of different texts")
    if len(kept) > LAST_VOLUME:
        raise LimitError(f"volume_names has {len(kept)} names, more than the {LAST_VOLUME} that tiles can number")
    return kept
