"""A mesh's off-mesh links: what is staged, what is committed, and which of them a commit concerns.

A link concerns the grid cells that the boxes around its ends touch. A commit looks for the ends of those links again
that concern a changed cell, and of no others. It makes new entries beside the old ones, so that failing costs nothing.
"""

from dataclasses import replace

import cython
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._attach import (
    LinkNumbers,
    SnappedCrossing,
    append_leaving,
    append_ways,
    crossings_across,
    off_mesh_size,
    place_crossing,
    point_to_off_mesh,
    snap_crossings,
)
from cython.cimports.onepath.mesh._link_table import MAX_CROSSINGS
from cython.cimports.onepath.mesh._mesh import MeshState, OffMeshLink, TileSlot
from cython.cimports.onepath.mesh._nearest import Box, CellRange, box_around, covered_cells
from cython.cimports.onepath.mesh._slots import grant, save_slot
from cython.cimports.onepath.mesh._surface import Vector

from onepath.build.arguments import whole_number
from onepath.errors import ArgumentError, LimitError
from onepath.mesh.link import LinkDef, LinkRecord

LAST_ID = cython.declare(cython.longlong, 0x7FFFFFFF)
#: An end whose box touches more cells than this is looked at in every commit instead of being listed under each.
LISTED_CELLS = cython.declare(cython.longlong, 64)


@cython.cfunc
def as_vector(point: tuple) -> Vector:
    result: Vector
    result.x, result.y, result.z = point
    return result


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_cells(
    state: cython.pointer[cython.const[MeshState]], link: cython.pointer[cython.const[LinkNumbers]], end: cython.int
) -> CellRange:
    """The grid cells that the box around an end touches. Even numbers are starts of the crossings, odd ones ends."""
    start: Vector
    other: Vector
    box: Box
    place_crossing(link, end >> 1, cython.address(start), cython.address(other))
    if end & 1:
        box = box_around(other, link.end_snap, link.end_snap, link.end_snap)
    else:
        box = box_around(start, link.start_snap, link.start_snap, link.start_snap)
    return covered_cells(state, cython.address(box))


class LinkEntry:
    def __dealloc__(self) -> None:
        free(self.crossings)


class LinkTable:
    """All links of one mesh."""

    def __cinit__(self, spacing: cython.double) -> None:
        self.entries = {}
        self.staged = {}
        self.near = {}
        self.far = set()
        self.next_id = 1
        self.crossing_limit = MAX_CROSSINGS
        self.spacing = spacing

    def __dealloc__(self) -> None:
        free(self.leaving.items)

    # --- staging

    def crossings_of(self, definition):
        """How many crossings the link counts as, if so many may still come."""
        count: cython.double = crossings_across(definition.width, self.spacing)
        if self.planned + count > self.crossing_limit:
            raise LimitError(
                f"links: {count:.0f} crossings of a link {definition.width} m wide and the {self.planned} there are "
                f"come to more than {self.crossing_limit}"
            )
        return cython.cast(cython.longlong, count)

    def stage(self, definition: object) -> int:
        """The id of a link that the next commit adds."""
        link_id: cython.int = self.next_id
        if not isinstance(definition, LinkDef):
            raise ArgumentError(f"link is {definition!r}, not a LinkDef")
        if link_id == LAST_ID:
            raise LimitError(f"links: a mesh names {LAST_ID - 1} of them in its life")
        self.planned += self.crossings_of(definition)
        self.staged[link_id] = (definition, True)
        self.next_id = link_id + 1
        return link_id

    def stage_removal(self, link_id: object) -> None:
        key: cython.int = self.known_id(link_id)
        wish = self.wish(key)
        if wish is None:
            return
        if key in self.entries:
            self.staged[key] = None
        else:
            del self.staged[key]
        self.planned -= cython.cast(cython.longlong, crossings_across(wish[0].width, self.spacing))

    def stage_enable(self, link_id: object, enabled: object) -> None:
        key: cython.int = self.known_id(link_id)
        if not isinstance(enabled, bool):
            raise ArgumentError(f"enabled is {enabled!r}, not a bool")
        definition, _ = self.staying(key)
        self.set_wish(key, definition, enabled)

    def stage_cost(self, link_id: object, cost: object) -> None:
        key: cython.int = self.known_id(link_id)
        definition, enabled = self.staying(key)
        self.set_wish(key, replace(definition, cost=cost), enabled)

    def discard(self) -> None:
        self.staged.clear()
        self.planned = self.crossing_count

    def staged_state(self) -> tuple:
        """What is staged, to put back with `restore_staged`."""
        return self.staged.copy(), self.planned

    def restore_staged(self, staged: tuple) -> None:
        self.staged, self.planned = staged

    def known_id(self, link_id):
        """The id of a link that is committed or staged."""
        key: cython.int = whole_number("link id", link_id, 1, LAST_ID)
        if key not in self.entries and key not in self.staged:
            raise ArgumentError(
                f"there is no link {key}: " + ("it was removed" if key < self.next_id else "no link has had that id")
            )
        return key

    def wish(self, link_id):
        """(definition, enabled) as the next commit leaves the link; None where that removes it."""
        if link_id in self.staged:
            return self.staged[link_id]
        entry: LinkEntry = self.entries[link_id]
        return entry.definition, entry.numbers.enabled != 0

    def staying(self, link_id: object) -> tuple:
        wish = self.wish(link_id)
        if wish is None:
            raise ArgumentError(f"link {link_id} is staged to be removed")
        return wish

    def set_wish(self, link_id, definition, enabled):
        entry: LinkEntry = self.entries.get(link_id)
        if entry is not None and entry.definition == definition and (entry.numbers.enabled != 0) == enabled:
            self.staged.pop(link_id, None)
        else:
            self.staged[link_id] = (definition, bool(enabled))
        return 0

    @property
    def staged_count(self) -> int:
        return len(self.staged)

    def limit_crossings(self, count: object) -> None:
        self.crossing_limit = count

    # --- commit

    def concerned(self, state, keys):
        """Ids of the links that a commit of these tiles has to look at, ascending."""
        ids = set(self.staged)
        cells = {(column, row) for column, row, _ in keys}
        for cell in cells:
            ids.update(self.near.get(cell, ()))
        for link_id in self.far:
            if link_id not in ids and self.reaches_any(self.entries[link_id], state, cells):
                ids.add(link_id)
        return sorted(ids)

    def reaches_any(self, entry, state, cells):
        """Whether a box around an end of the link touches one of the cells."""
        i: cython.int
        reached: CellRange
        for i in range(2 * entry.numbers.count):
            reached = end_cells(state, cython.address(entry.numbers), i)
            for column, row in cells:
                if reached.first_column <= column <= reached.last_column and (
                    reached.first_row <= row <= reached.last_row
                ):
                    return True
        return False

    def make_entry(self, link_id, wish, state, blocks_left):
        """The link as it will be, its ends on the tiles that stand there now."""
        entry: LinkEntry = LinkEntry()
        definition, enabled = wish
        entry.definition = definition
        entry.numbers.id = link_id
        entry.numbers.enabled = enabled
        entry.numbers.both_ways = definition.bidirectional
        entry.numbers.flags = definition.flags
        entry.numbers.area = definition.area
        entry.numbers.kind = definition.kind
        entry.numbers.count = cython.cast(cython.int, crossings_across(definition.width, self.spacing))
        entry.numbers.width = definition.width
        entry.numbers.cost = definition.cost
        entry.numbers.start_snap = definition.start_snap
        entry.numbers.end_snap = definition.end_snap
        entry.numbers.start = as_vector(definition.start)
        entry.numbers.end = as_vector(definition.end)
        entry.crossings = cython.cast(
            cython.pointer[SnappedCrossing],
            grant(cython.cast(cython.size_t, entry.numbers.count) * cython.sizeof(SnappedCrossing), blocks_left),
        )
        if entry.crossings == cython.NULL or snap_crossings(state, cython.address(entry.numbers), entry.crossings) != 0:
            raise MemoryError(f"no memory for the ends of link {link_id}")
        self.snapped += 1
        former: LinkEntry = self.entries.get(link_id)
        entry.cells = self.list_cells(entry, state) if former is None else former.cells
        return entry

    def list_cells(self, entry, state):
        """The grid cells that the link concerns, or None where an end reaches over too many."""
        i: cython.int
        reached: CellRange
        cells = set()
        for i in range(2 * entry.numbers.count):
            reached = end_cells(state, cython.address(entry.numbers), i)
            columns = range(int(reached.first_column), int(reached.last_column) + 1)
            rows = range(int(reached.first_row), int(reached.last_row) + 1)
            if len(columns) * len(rows) > LISTED_CELLS:
                return None
            cells.update([(column, row) for column in columns for row in rows])
        return cells

    def apply(self, state, journal, blocks_left, keys):
        """Attaches what the commit concerns; the tiles stand already. Nothing is kept before `finish`."""
        ids = self.concerned(state, keys)
        self.fresh = {}
        if not ids:
            return 0
        for link_id in ids:
            wish = self.wish(link_id)
            self.fresh[link_id] = None if wish is None else self.make_entry(link_id, wish, state, blocks_left)
        slots = sorted(self.affected_slots(ids))
        self.collect(state, slots)
        return self.relist(state, journal, blocks_left, slots)

    def affected_slots(self, ids):
        """Slots that an attached crossing of these links left or leaves, before the commit and after it."""
        slots = set()
        entry: LinkEntry
        i: cython.int
        for link_id in ids:
            for entry in (self.entries.get(link_id), self.fresh[link_id]):
                if entry is None:
                    continue
                for i in range(entry.numbers.count):
                    if entry.crossings[i].start.slot >= 0 and entry.crossings[i].end.slot >= 0:
                        slots.add(entry.crossings[i].start.slot)
                        slots.add(entry.crossings[i].end.slot)
        return slots

    def collect(self, state, slots):
        """All links that leave the affected slots: what these list of other links, and what the fresh entries give."""
        tile: cython.pointer[TileSlot]
        entry: LinkEntry
        slot: cython.int
        i: cython.int
        self.leaving.count = 0
        for slot in slots:
            tile = cython.address(state.slots[slot])
            for i in range(tile.off_mesh_count):
                if tile.off_mesh[i].id in self.fresh:
                    continue
                if append_leaving(cython.address(self.leaving), slot, cython.address(tile.off_mesh[i])) != 0:
                    raise MemoryError("no memory for off-mesh links")
        for entry in self.fresh.values():
            if entry is None:
                continue
            if append_ways(cython.address(entry.numbers), entry.crossings, cython.address(self.leaving)) != 0:
                raise MemoryError("no memory for off-mesh links")
        return 0

    def relist(self, state, journal, blocks_left, slots):
        """Gives each affected slot its new list."""
        tile: cython.pointer[TileSlot]
        links: cython.pointer[OffMeshLink]
        block: cython.p_void
        slot: cython.int
        at: cython.int = 0
        first: cython.int
        i: cython.int
        keys = []
        for i in range(self.leaving.count):
            links = cython.address(self.leaving.items[i].link)
            keys.append((self.leaving.items[i].slot, links.polygon, links.id, links.crossing, i))
        keys.sort()
        for slot in slots:
            first = at
            while at < len(keys) and keys[at][0] == slot:
                at += 1
            tile = cython.address(state.slots[slot])
            if at == first and tile.off_mesh_count == 0:
                continue
            if save_slot(journal, state, slot) < 0:
                raise MemoryError("no memory for the commit's journal")
            if at == first:
                tile.off_mesh = cython.NULL
                tile.off_mesh_first = cython.NULL
                tile.off_mesh_count = 0
                continue
            block = grant(off_mesh_size(tile, at - first), blocks_left)
            if block == cython.NULL:
                raise MemoryError("no memory for off-mesh links")
            links = cython.cast(cython.pointer[OffMeshLink], block)
            for i in range(first, at):
                memcpy(
                    links + (i - first),
                    cython.address(self.leaving.items[cython.cast(cython.int, keys[i][4])].link),
                    cython.sizeof(OffMeshLink),
                )
            point_to_off_mesh(tile, block, at - first)
        return 0

    def finish(self):
        """Keeps what `apply` made, and forgets what was staged: ids of links (added, changed, removed), ascending."""
        old: LinkEntry
        entry: LinkEntry
        changes: tuple = ([], [], [])
        for link_id, entry in self.fresh.items():
            old = self.entries.get(link_id)
            if old is None:
                changes[0].append(link_id)
            elif entry is None:
                changes[2].append(link_id)
            elif link_id in self.staged:
                changes[1].append(link_id)
            if entry is None:
                self.forget_place(link_id, old)
                del self.entries[link_id]
                continue
            if old is None:
                self.note_place(link_id, entry)
            self.entries[link_id] = entry
        self.staged.clear()
        self.fresh = None
        self.crossing_count = self.planned
        return changes

    def abandon(self):
        self.fresh = None
        return 0

    def note_place(self, link_id: object, entry: LinkEntry) -> None:
        if entry.cells is None:
            self.far.add(link_id)
            return
        for cell in entry.cells:
            self.near.setdefault(cell, set()).add(link_id)

    def forget_place(self, link_id: object, entry: LinkEntry) -> None:
        self.far.discard(link_id)
        for cell in entry.cells or ():
            ids = self.near[cell]
            ids.discard(link_id)
            if not ids:
                del self.near[cell]

    # --- reading

    def records(self) -> list:
        """All committed links as plain data, by id; the ids of removed ones are missing."""
        entry: LinkEntry
        found: list = []
        for link_id in sorted(self.entries):
            entry = self.entries[link_id]
            found.append(LinkRecord(link_id, entry.definition, entry.numbers.enabled != 0))
        return found
