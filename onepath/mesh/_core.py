"""The compiled half of a navmesh: slots, staging, the all-or-nothing commit.

A commit touches the changed tiles, those in the cells beside them and nothing else. Each slot is saved in a journal
before its first change, new memory is allocated beside the old, and only when nothing can fail any more is the old
freed (or, after a failure, the new freed and the saved slots put back).
"""

import heapq

import cython
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.onepath.mesh._arena import free_arena
from cython.cimports.onepath.mesh._base import MeshBase
from cython.cimports.onepath.mesh._cells import (
    find_tile,
    insert_in_cell,
    refill_cell_table,
    remove_from_cell,
    resize_cell_table,
    slot_before_in_cell,
)
from cython.cimports.onepath.mesh._format import MAX_GENERATION, MAX_SLOTS, TileLayout
from cython.cimports.onepath.mesh._link_table import MAX_CROSSINGS, LinkTable
from cython.cimports.onepath.mesh._links import free_link_scratch, make_links
from cython.cimports.onepath.mesh._mesh import (
    BORROWED_LINKS,
    Link,
    TileSlot,
    cell_is_inside,
    facing_column,
    facing_row,
    find_cell,
)
from cython.cimports.onepath.mesh._modifiers import ModifierTable
from cython.cimports.onepath.mesh._slots import (
    empty_slot,
    fill_slot,
    finish_journal,
    free_slot,
    grant,
    save_slot,
    slot_memory,
)
from cython.cimports.onepath.mesh._tile import Tile
from cython.cimports.onepath.mesh._tile_writing import fill_settings, refuse_other_settings

from onepath.errors import ArgumentError, BusyError, LimitError, RangeError, UnsupportedError
from onepath.mesh._tile import Tile as TileClass
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tier import Limits, Tier
from onepath.mesh.tile_arrays import arrange_bounds, arrange_place

ALL_SIDES = cython.declare(cython.int, 15)


@cython.cclass
class MeshCore(MeshBase):
    """Base of NavMesh; not to be made on its own."""

    def __cinit__(self, *_args, **_named) -> None:
        if type(self) is MeshCore:
            raise TypeError("MeshCore is the base of NavMesh; make a NavMesh")
        self.slot_tiles = []
        self.free_slots = []
        self.staged = {}
        self._modifiers = ModifierTable()
        self.spare_queries = []
        self.islands_kept = []
        self.slot_limit = MAX_SLOTS
        self.generation_limit = MAX_GENERATION
        self.allocations_left = -1

    def __init__(self, settings: object, grid_bounds: object, tier: object, limits: object) -> None:
        if not isinstance(settings, MeshSettings):
            raise ArgumentError(f"settings is {settings!r}, not MeshSettings")
        if self.settings is not None:
            raise TypeError("a mesh is initialised once")
        if not isinstance(tier, Tier):
            raise ArgumentError(f"tier is {tier!r}, not a Tier, such as Tier.STATIC")
        if limits is not None and not isinstance(limits, Limits):
            raise ArgumentError(f"limits is {limits!r}, not Limits")
        if grid_bounds is not None:
            grid_bounds = arrange_bounds(grid_bounds, settings)
            self.state.bounded = 1
            self.state.first_column, self.state.first_row, self.state.last_column, self.state.last_row = grid_bounds
        fill_settings(cython.address(self.record), settings)
        self.grid_bounds = grid_bounds
        self.state.tile_size = settings.tile_size
        self.state.cell_size = settings.cell_size
        self.state.cell_height = settings.cell_height
        self.state.max_climb = settings.agent.max_climb
        self.state.vertical_origin = settings.vertical_origin
        self._links = LinkTable(settings.agent.radius or settings.cell_size)
        self.tier = tier
        self.limits = Limits() if limits is None else limits
        if self.limits.link_crossings is not None:
            self._links.limit_crossings(min(self.limits.link_crossings, MAX_CROSSINGS))
        self.settings = settings  # last: what has settings is whole

    def __dealloc__(self) -> None:
        slot: cython.int
        for slot in range(self.state.slot_count):
            free_slot(cython.address(self.state.slots[slot]))
        free(self.state.slots)
        free(self.state.cell_table)
        free(self.journal.entries)
        free_link_scratch(cython.address(self.scratch))
        free_arena(cython.address(self.arena))

    # --- staging

    def stage_tile(self, tile: object) -> None:
        """Puts a tile in at the next commit, in place of the one that stands there.

        Args:
            tile: a Tile, or the bytes of one (checked here, with the GIL released for large ones).

        Raises:
            ArgumentError: neither tile nor buffer.
            TileFormatError: bytes that are not a sound tile, or made with other settings than the mesh's.
            RangeError: the tile lies outside the mesh's bounds.
            UnsupportedError: a tile stands there, and the tier is below DYNAMIC.
            BusyError: another thread stages or commits.
        """
        self.begin_writing("stage_tile")
        try:
            taken: Tile = tile if type(tile) is TileClass else TileClass.from_bytes(tile)
            key = (taken.layout.header.column, taken.layout.header.row, taken.layout.header.layer)
            refuse_other_settings(taken.layout.header, cython.address(self.record))
            if not cell_is_inside(cython.address(self.state), key[0], key[1]):
                raise RangeError(f"tile {key} lies outside the mesh's bounds {self.grid_bounds}")
            if self.tier < Tier.DYNAMIC and find_tile(cython.address(self.state), key[0], key[1], key[2]) >= 0:
                self._need_tier(Tier.DYNAMIC, f"replacing tile {key} in one commit")
            self.staged[key] = taken
        finally:
            self.writing = False

    def stage_tile_removal(self, column: object, row: object, layer: object = 0) -> None:
        """Takes a tile out at the next commit; one that is staged and not yet committed goes at once.

        Raises:
            ArgumentError: no such tile is committed or staged.
            BusyError: another thread stages or commits.
        """
        self.begin_writing("stage_tile_removal")
        try:
            # Read only now: a mesh without its beginning has no settings, and a caller's own kind of int runs code.
            key = arrange_place(column, row, layer, self.settings)
            if find_tile(cython.address(self.state), key[0], key[1], key[2]) >= 0:
                self.staged[key] = None
            elif self.staged.pop(key, None) is None:
                raise ArgumentError(f"there is no tile {key}, committed or staged")
        finally:
            self.writing = False

    def _need_tier(self, tier: object, change: str) -> None:
        """UnsupportedError where the mesh's tier is below the one that a change needs."""
        if self.tier < tier:
            raise UnsupportedError(f"{change} needs Tier.{tier.name}; this mesh has Tier.{self.tier.name}")

    def discard_staged(self) -> None:
        """Forgets everything staged.

        Raises:
            BusyError: another thread stages or commits.
        """
        self.begin_writing("discard_staged")
        self.staged.clear()
        self._links.discard()
        self._modifiers.discard()
        self.writing = False

    def _staged_state(self) -> tuple:
        """What is staged now, to put back with `restore_staged`."""
        return self.staged.copy(), self._links.staged_state(), self._modifiers.staged_state()

    def _restore_staged(self, staged: tuple) -> None:
        self.staged = staged[0]
        self._links.restore_staged(staged[1])
        self._modifiers.restore_staged(staged[2])

    @property
    def staged_count(self) -> int:
        """Changes staged: tiles and links to come, go or change, areas and flags."""
        self.check_initialised()
        return len(self.staged) + self._links.staged_count + self._modifiers.staged_count

    # --- commit

    def _apply_changes(self) -> tuple:
        """Everything staged or, with an error, nothing.

        Returns:
            tiles added, replaced, removed; links added, changed, removed; polygons changed, volumes changed.
        """
        self.begin_writing("commit")
        self.committing = True
        former_tiles: dict = {}
        slots_before: cython.int = self.state.slot_count
        tiles_before: cython.int = self.state.tile_count
        polygons_before: cython.longlong = self.state.polygon_count
        try:
            if self.running > 0:
                self._misuse += 1
                raise BusyError(f"commit while {self.running} queries run")
            changes: tuple = ([], [], [])
            try:
                for key in sorted(self.staged):
                    self.apply_change(key, self.staged[key], changes, former_tiles)
                self.link_slots()
                self._links.apply(
                    cython.address(self.state),
                    cython.address(self.journal),
                    cython.address(self.allocations_left),
                    self.staged,
                )
                self.check_limits()
                self._modifiers.prepare(cython.address(self.state), cython.address(self.journal))
            except BaseException:
                finish_journal(cython.address(self.journal), cython.address(self.state), False, 0)
                self.state.slot_count = slots_before
                self.state.tile_count = tiles_before
                self.state.polygon_count = polygons_before
                self.put_back(former_tiles)
                self._links.abandon()
                raise
            finish_journal(cython.address(self.journal), cython.address(self.state), True, self.state.edit_count + 1)
            changes += self._links.finish() + self._modifiers.finish(cython.address(self.state))
            self.state.edit_count += any(changes)
            self.staged = {}
            return changes
        finally:
            self.committing = False
            self.writing = False

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def apply_change(self, key: tuple, tile: object, changes: tuple, former_tiles: dict) -> cython.int:
        """One staged entry. A replaced tile keeps its slot, unless the slot has no generation left."""
        slot: cython.int = find_tile(cython.address(self.state), key[0], key[1], key[2])
        found: cython.bint = slot >= 0
        retired: cython.bint = False
        if found:
            former_tiles.setdefault(slot, self.slot_tiles[slot])
            self.remove_tile(slot)
            retired = self.state.slots[slot].generation > self.generation_limit
        if tile is None:
            if not retired:
                heapq.heappush(self.free_slots, slot)
            changes[2].append(key)
        else:
            if not found or retired:
                slot = self.take_slot()
            former_tiles.setdefault(slot, None)
            self.put_tile(slot, tile)
            changes[1 if found else 0].append(key)
        return self.mark_neighbours(key[0], key[1])

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def check_limits(self) -> cython.int:
        for name, count in (("tiles", self.state.tile_count), ("polygons", self.state.polygon_count)):
            limit = getattr(self.limits, name)
            if limit is not None and count > limit:
                raise LimitError(f"{name}: this commit would make {count}; limits.{name} is {limit}")
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_back(self, former_tiles: dict) -> cython.int:
        """The Python side of a commit that failed, and what can be built again from the slots alone."""
        slot: cython.int
        for slot, tile in former_tiles.items():
            self.slot_tiles[slot] = tile
        del self.slot_tiles[self.state.slot_count :]
        refill_cell_table(cython.address(self.state))
        self.free_slots = []  # ascending, and so a heap
        for slot in range(self.state.slot_count):
            if not self.state.slots[slot].used and self.state.slots[slot].generation <= self.generation_limit:
                self.free_slots.append(slot)
        return 0

    # --- steps of a commit; each saves the slots it changes first

    def allocate(self, size):  # its C signature stands in the .pxd: pure mode has no word for "except NULL"
        block: cython.p_void = grant(size, cython.address(self.allocations_left))
        if block == cython.NULL:
            raise MemoryError(f"no memory for {size} bytes of the mesh")
        return block

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def save(self, slot: cython.int) -> cython.int:
        """Enters a slot in the journal, once a commit; returns its place there."""
        place: cython.int = save_slot(cython.address(self.journal), cython.address(self.state), slot)
        if place < 0:
            raise MemoryError("no memory for the commit's journal")
        return place

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def reserve_slots(self) -> cython.int:
        """Room for one more slot, in the array and in the table of cells."""
        capacity: cython.int
        grown: cython.p_void
        if self.state.slot_count == self.slot_capacity:
            capacity = 16 if self.slot_capacity == 0 else 2 * self.slot_capacity
            grown = realloc(self.state.slots, cython.cast(cython.size_t, capacity) * cython.sizeof(TileSlot))
            if grown == cython.NULL:
                raise MemoryError(f"no memory for {capacity} tile slots")
            self.state.slots = cython.cast(cython.pointer[TileSlot], grown)
            self.slot_capacity = capacity
        if resize_cell_table(cython.address(self.state), self.state.slot_count + 1) != 0:
            raise MemoryError("no memory for the table of grid cells")
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take_slot(self) -> cython.int:
        """The lowest free slot."""
        slot: cython.int
        if self.free_slots:
            return heapq.heappop(self.free_slots)
        slot = self.state.slot_count
        if slot >= self.slot_limit:
            raise LimitError(f"tile slots: the mesh may have {self.slot_limit}")
        self.reserve_slots()
        memset(cython.address(self.state.slots[slot]), 0, cython.sizeof(TileSlot))
        self.state.slots[slot].generation = 1
        self.state.slots[slot].next_in_cell = -1
        self.state.slot_count += 1
        self.slot_tiles.append(None)
        return slot

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_tile(self, slot: cython.int, tile: Tile) -> cython.int:
        before: cython.int
        place: cython.int = self.save(slot)
        layout: cython.pointer[TileLayout] = cython.address(tile.layout)
        side_first: cython.int[5]
        memory: cython.p_void = self.allocate(slot_memory(layout, side_first))
        self.journal.entries[place].sides = ALL_SIDES
        fill_slot(cython.address(self.state.slots[slot]), layout, memory, side_first)
        self.slot_tiles[slot] = tile
        self.state.tile_count += 1
        self.state.polygon_count += layout.header.polygon_count
        before = slot_before_in_cell(
            cython.address(self.state), layout.header.column, layout.header.row, layout.header.layer
        )
        if before >= 0:
            self.save(before)
        insert_in_cell(cython.address(self.state), slot)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove_tile(self, slot: cython.int) -> cython.int:
        """Empties a slot and moves it to its next generation; the journal keeps what was there."""
        before: cython.int = slot_before_in_cell(
            cython.address(self.state),
            self.state.slots[slot].column,
            self.state.slots[slot].row,
            self.state.slots[slot].layer,
        )
        if before >= 0:
            self.save(before)
        self.save(slot)
        remove_from_cell(cython.address(self.state), slot)
        self.state.tile_count -= 1
        self.state.polygon_count -= self.state.slots[slot].polygon_count
        empty_slot(cython.address(self.state.slots[slot]))
        self.slot_tiles[slot] = None
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def mark_neighbours(self, column: cython.int, row: cython.int) -> cython.int:
        """Asks for new links on the sides that face a changed cell."""
        side: cython.int
        slot: cython.int
        place: cython.int
        for side in range(4):
            slot = find_cell(cython.address(self.state), facing_column(column, side), facing_row(row, side))
            while slot >= 0:
                place = self.save(slot)
                self.journal.entries[place].sides |= 1 << (side ^ 2)
                slot = self.state.slots[slot].next_in_cell
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def link_slots(self) -> cython.int:
        """Makes the links and frontier sides that the journal asks for."""
        i: cython.int
        slot: cython.pointer[TileSlot]
        offsets_size: cython.size_t
        links_size: cython.size_t
        block: cython.pointer[cython.uchar]
        for i in range(self.journal.count):
            slot = cython.address(self.state.slots[self.journal.entries[i].slot])
            if self.journal.entries[i].sides == 0 or not slot.used:
                continue
            if make_links(
                cython.address(self.state),
                self.journal.entries[i].slot,
                self.journal.entries[i].sides,
                cython.address(self.scratch),
            ):
                raise MemoryError("no memory for the links between tiles")
            offsets_size = (cython.cast(cython.size_t, slot.polygon_count) + 1) * cython.sizeof(cython.int)
            links_size = cython.cast(cython.size_t, self.scratch.count) * cython.sizeof(Link)
            block = cython.cast(cython.pointer[cython.uchar], self.allocate(offsets_size + links_size))
            memcpy(block, self.scratch.first, offsets_size)
            if links_size:
                memcpy(block + offsets_size, self.scratch.links, links_size)
            slot.link_first = cython.cast(cython.p_int, block)
            slot.links = cython.cast(cython.pointer[Link], block + offsets_size)
            slot.borrowed &= ~BORROWED_LINKS
            slot.frontier_sides = self.scratch.frontier_sides
        return 0

    # --- for tests

    def _narrow_limits(self, slots=MAX_SLOTS, generations=MAX_GENERATION, crossings=MAX_CROSSINGS) -> None:
        """Lowers how many slots and crossings of links there may be, and how often a slot may be used again."""
        self._links.limit_crossings(min(crossings, MAX_CROSSINGS))
        self.slot_limit = min(slots, MAX_SLOTS)
        self.generation_limit = min(generations, MAX_GENERATION)

    def _limit_allocations(self, count: object) -> None:
        """Lets so many more blocks be allocated by commits, -1 for any number: for tests of running out of memory."""
        self.allocations_left = count
