"""Changes of areas and flags: staged, applied with a commit, and those of named volumes kept for tiles still to come.

A commit first works out what it will write, which may fail, and writes when nothing can fail any more; so there is
nothing to undo. What is written in place belongs to the slot and goes with its tile.
"""

import cython
from cython.cimports.onepath.mesh._base import MeshBase
from cython.cimports.onepath.mesh._mesh import (
    TileSlot,
    make_reference,
    polygon_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
)

from onepath.build.arguments import whole_number

LOW_BITS = cython.declare(cython.longlong, (1 << 41) - 1)


class ModifierTable:
    """The changes of one mesh."""

    def __cinit__(self) -> None:
        self.staged_areas = {}
        self.staged_flags = {}
        self.staged_volumes = {}
        self.volume_areas = {}
        self.areas = {}
        self.flags = {}
        self.fresh = set()

    # --- staging

    def stage_area(self, mesh: MeshBase, reference: object, area: int) -> None:
        """The reference must name a committed polygon; the area is an id from 0 to 255."""
        polygon: cython.int = 0
        slot: cython.int = mesh.checked_reference(reference, cython.address(polygon))
        self.staged_areas[polygon_reference(cython.address(mesh.state), slot, polygon)] = area

    def stage_flags(self, mesh: MeshBase, reference: object, flags: object) -> None:
        polygon: cython.int = 0
        bits: cython.int = whole_number("flags", flags, 0, 0xFFFF)
        slot: cython.int = mesh.checked_reference(reference, cython.address(polygon))
        self.staged_flags[polygon_reference(cython.address(mesh.state), slot, polygon)] = bits

    def stage_volume(self, volume: int, area: object) -> None:
        """Volumes are counted from 1."""
        self.staged_volumes[volume] = area

    def discard(self) -> None:
        self.staged_areas.clear()
        self.staged_flags.clear()
        self.staged_volumes.clear()

    def staged_state(self) -> tuple:
        """What is staged, to put back with `restore_staged`."""
        return self.staged_areas.copy(), self.staged_flags.copy(), self.staged_volumes.copy()

    def restore_staged(self, staged: tuple) -> None:
        self.staged_areas, self.staged_flags, self.staged_volumes = staged

    @property
    def staged_count(self) -> int:
        return len(self.staged_areas) + len(self.staged_flags) + len(self.staged_volumes)

    # --- commit

    def prepare(self, state, journal):
        """Works out what `finish` will write; the tiles stand already."""
        slot: cython.int
        self.areas = {}
        self.flags = {}
        self.find_fresh(state, journal)
        if self.volume_areas:
            for slot in self.fresh:
                self.wish_volumes(state, slot, self.volume_areas)
        if self.staged_volumes:
            for slot in range(state.slot_count):
                if state.slots[slot].volumes != cython.NULL:
                    self.wish_volumes(state, slot, self.staged_volumes)
        self.wish_polygons(state, self.staged_areas, self.areas)
        self.wish_polygons(state, self.staged_flags, self.flags)
        self.next_volumes = {**self.volume_areas, **self.staged_volumes}
        self.next_volumes = {volume: area for volume, area in self.next_volumes.items() if area is not None}
        moved: list = [v for v in sorted(self.staged_volumes) if self.staged_volumes[v] != self.volume_areas.get(v)]
        self.changes = (self.changed_references(state), moved)
        return 0

    def find_fresh(self, state, journal):
        i: cython.int
        now: cython.pointer[TileSlot]
        self.fresh = set()
        for i in range(journal.count):
            now = cython.address(state.slots[journal.entries[i].slot])
            if now.used and now.memory != journal.entries[i].before.memory:
                self.fresh.add(journal.entries[i].slot)
        return 0

    def wish_volumes(self, state, slot, wanted):
        """The areas of the volumes for all polygons of a slot that they marked."""
        polygon: cython.int
        tile: cython.pointer[TileSlot] = cython.address(state.slots[slot])
        if not tile.used or tile.volumes == cython.NULL:
            return 0
        for polygon in range(tile.polygon_count):
            if tile.volumes[polygon] != 0 and tile.volumes[polygon] in wanted:
                area = wanted[tile.volumes[polygon]]
                self.areas[make_reference(0, slot, polygon)] = tile.baked_areas[polygon] if area is None else area
        return 0

    def wish_polygons(self, state, staged, wishes):
        """What is staged for single polygons, those left out whose tile goes with this commit."""
        for reference, value in staged.items():
            if reference_is_valid(state, reference):
                wishes[cython.cast(cython.longlong, reference) & LOW_BITS] = value
        return 0

    def changed_references(self, state):
        """References of the polygons of tiles that stay whose area or flags will be others, by (slot, polygon)."""
        slot: cython.int
        polygon: cython.int
        changed: list = []
        for place in sorted(self.areas.keys() | self.flags.keys()):
            slot = reference_slot(place)
            polygon = reference_polygon(place)
            if slot not in self.fresh and (
                self.areas.get(place, state.slots[slot].areas[polygon]) != state.slots[slot].areas[polygon]
                or self.flags.get(place, state.slots[slot].flags[polygon]) != state.slots[slot].flags[polygon]
            ):
                changed.append(polygon_reference(state, slot, polygon))
        return changed

    def finish(self, state):
        """Writes what `prepare` worked out, and forgets what was staged: (references of polygons, volumes) changed."""
        for place, area in self.areas.items():
            state.slots[reference_slot(place)].areas[reference_polygon(place)] = area
        for place, bits in self.flags.items():
            state.slots[reference_slot(place)].flags[reference_polygon(place)] = bits
        for reference in self.changes[0]:
            state.slots[reference_slot(reference)].changed = state.edit_count + 1
        self.volume_areas = self.next_volumes
        self.discard()
        return self.changes

    # --- plain data

    def volumes(self) -> dict:
        """The areas that volumes have been given for good, by volume, ascending."""
        return {volume: self.volume_areas[volume] for volume in sorted(self.volume_areas)}
