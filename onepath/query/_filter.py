"""Filters: which polygons a query may use and what travel costs there (queries document, filters and costs)."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.onepath.mesh._filter_table import filter_passes, find_verdict, verdict_key
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot
from cython.cimports.onepath.query._inputs import whole_number

from onepath.build.arguments import real_number
from onepath.errors import ArgumentError, RangeError

FIRST_VERDICTS = cython.declare(cython.uint, 64)


@cython.cfunc
def checked_cost(area: object, value: object) -> object:
    """The cost as a float: above 0, infinity forbids the area."""
    cost = real_number(f"cost of area {area}", value)
    if cost <= 0.0:
        raise RangeError(f"cost of area {area} is {value!r}, outside (0, infinity]")
    return cost


class QueryFilter:
    """Which polygons may be used, and what a metre costs in each area. Immutable.

    A polygon passes when its area is not 0 and not forbidden, when it has one of the `include_flags` (0xFFFF accepts
    anything, no flags included), none of the `exclude_flags`, and when the predicate, if any, says so.

    Args:
        include_flags: bits of which a polygon needs one, 0 to 0xFFFF.
        exclude_flags: bits of which a polygon may have none, 0 to 0xFFFF.
        predicate: called as predicate(flags, area), true accepts. It must be pure: it is asked once for each pair of
            flags and area in the mesh, before a search runs, and the answer is kept.
        costs: by area id (1 to 255), what a metre there costs, above 0; infinity forbids the area. Others cost 1.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.

    >>> water_is_slow = QueryFilter(costs={5: 4.0})
    >>> water_is_slow.area_cost(5), water_is_slow.area_cost(6), water_is_slow.minimum_cost
    (4.0, 1.0, 1.0)
    >>> QueryFilter(exclude_flags=0b10).passes(flags=0b11, area=63)
    False
    """

    def __cinit__(
        self,
        include_flags: object = 0xFFFF,
        exclude_flags: object = 0,
        predicate: object = None,
        *,
        costs: object = None,
    ) -> None:
        area: cython.int
        self.table.included = whole_number(include_flags, "include_flags", 0, 0xFFFF)
        self.table.excluded = whole_number(exclude_flags, "exclude_flags", 0, 0xFFFF)
        if predicate is not None and not callable(predicate):
            raise ArgumentError(f"predicate is {predicate!r}, not callable")
        self.predicate = predicate
        for area in range(256):
            self.table.costs[area] = 1.0
        if costs is not None:
            self.set_costs(costs)
        self.table.minimum_cost = INFINITY
        for area in range(256):
            if self.table.costs[area] < self.table.minimum_cost:
                self.table.minimum_cost = self.table.costs[area]
        self.table.costs[0] = INFINITY
        if predicate is not None:
            self.make_verdicts(FIRST_VERDICTS)

    def __dealloc__(self) -> None:
        free(self.table.verdicts)

    def set_costs(self, costs: object) -> cython.int:
        try:
            items = [(area, cost) for area, cost in costs.items()]
        except (AttributeError, TypeError, ValueError):
            raise ArgumentError(f"costs is {costs!r}, not a mapping of area ids to costs") from None
        for area, cost in items:
            known: cython.int = whole_number(area, "area", 1, 255)
            self.table.costs[known] = checked_cost(known, cost)
        return 0

    def make_verdicts(self, size: cython.uint) -> cython.int:
        """A hash of `size` entries (a power of two) with the answers there are."""
        old: cython.p_uint = self.table.verdicts
        old_size: cython.uint = 0 if old == cython.NULL else self.table.verdict_mask + 1
        place: cython.uint
        fresh: cython.p_uint = cython.cast(cython.p_uint, calloc(size, cython.sizeof(cython.uint)))
        if fresh == cython.NULL:
            raise MemoryError
        self.table.verdicts = fresh
        self.table.verdict_mask = size - 1
        for place in range(old_size):
            if old[place] != 0:
                find_verdict(cython.address(self.table), old[place])[0] = old[place]
        free(old)
        return 0

    def ask(self, flags: cython.uint, area: cython.uint) -> cython.bint:
        """The predicate's answer for the pair, asked at most once."""
        key: cython.uint = verdict_key(flags, area)
        entry: cython.p_uint = find_verdict(cython.address(self.table), key)
        if entry[0] != 0:
            return (entry[0] & 2) != 0
        accepted: cython.bint = bool(self.predicate(flags, area))
        # The predicate may have used this filter itself: look again, and only then make room.
        if 2 * (self.verdict_count + 1) > cython.cast(cython.int, self.table.verdict_mask):
            self.make_verdicts(2 * (self.table.verdict_mask + 1))
        entry = find_verdict(cython.address(self.table), key)
        if entry[0] == 0:
            self.verdict_count += 1
        entry[0] = key | (2 if accepted else 0)
        return accepted

    def prepare(self, mesh: cython.pointer(cython.const[MeshState])) -> cython.int:
        """Asks the predicate for every pair of the mesh, so that kernels never call Python.

        The caller keeps the mesh from changing: a commit from within the predicate is refused.
        """
        slot: cython.int
        polygon: cython.int
        link: cython.int
        tile: cython.pointer(cython.const[TileSlot])
        if self.predicate is None:
            return 0
        for slot in range(mesh.slot_count):
            tile = mesh.slots + slot
            if not tile.used:
                continue
            for polygon in range(tile.polygon_count):
                self.ask(tile.flags[polygon], tile.areas[polygon])
            for link in range(tile.off_mesh_count):
                self.ask(tile.off_mesh[link].flags, tile.off_mesh[link].area)
        return 0

    @property
    def include_flags(self) -> int:
        """Bits of which a polygon needs one; 0xFFFF accepts anything."""
        return self.table.included

    @property
    def exclude_flags(self) -> int:
        """Bits of which a polygon may have none."""
        return self.table.excluded

    @property
    def costs(self) -> dict:
        """The costs that are not 1, by area id."""
        return {area: self.table.costs[area] for area in range(1, 256) if self.table.costs[area] != 1.0}

    @property
    def minimum_cost(self) -> float:
        """The least cost of all areas, those not named counting 1: what a search may hope for."""
        return self.table.minimum_cost

    def area_cost(self, area: object) -> float:
        """What a metre in the area (0 to 255) costs; infinity where it is forbidden, as area 0 always is."""
        return self.table.costs[whole_number(area, "area", 0, 255)]

    def passes(self, flags: object, area: object) -> bool:
        """Whether a polygon with these flags (0 to 0xFFFF) and this area (0 to 255) may be used."""
        flag_bits: cython.uint = whole_number(flags, "flags", 0, 0xFFFF)
        area_id: cython.uint = whole_number(area, "area", 0, 255)
        if self.predicate is not None:
            self.ask(flag_bits, area_id)
        return filter_passes(cython.address(self.table), flag_bits, area_id)

    def with_area_cost(self, area: object, cost: object) -> QueryFilter:
        """A new filter in which a metre in the area (1 to 255) costs this much; infinity forbids it.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        costs = self.costs
        costs[whole_number(area, "area", 1, 255)] = cost
        return QueryFilter(self.table.included, self.table.excluded, self.predicate, costs=costs)

    def __repr__(self) -> str:
        parts = []
        if self.table.included != 0xFFFF:
            parts.append(f"include_flags={self.table.included:#x}")
        if self.table.excluded != 0:
            parts.append(f"exclude_flags={self.table.excluded:#x}")
        if self.predicate is not None:
            parts.append(f"predicate={self.predicate!r}")
        if self.costs:
            parts.append(f"costs={self.costs}")
        return f"QueryFilter({', '.join(parts)})"

    def __eq__(self, other: object) -> object:
        if type(other) is not QueryFilter:
            return NotImplemented
        return self.__reduce__()[1] == other.__reduce__()[1]

    def __hash__(self) -> int:
        return hash((self.table.included, self.table.excluded, self.predicate, tuple(sorted(self.costs.items()))))

    def __reduce__(self) -> tuple:
        return restore_filter, (self.table.included, self.table.excluded, self.predicate, self.costs)


def restore_filter(include_flags: int, exclude_flags: int, predicate: object, costs: dict) -> QueryFilter:
    """A pickled QueryFilter."""
    return QueryFilter(include_flags, exclude_flags, predicate, costs=costs)
