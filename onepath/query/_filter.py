"""Filters: which polygons a query may use and what travel costs there (queries document, filters and costs)."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.onepath.mesh._atomics import replace_published
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes, find_verdict, verdict_key
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot
from cython.cimports.onepath.query._inputs import whole_number

from onepath.build.arguments import real_number
from onepath.errors import ArgumentError, RangeError, shown
from onepath.geometry.areas import Areas
from onepath.mesh.link import LAST_KIND, named_kind
from onepath.names import unknown_name

NAMES = ("include_flags", "exclude_flags", "predicate", "costs", "avoid", "require", "links")
FIRST_VERDICTS = cython.declare(cython.uint, 64)


@cython.cfunc
def checked_cost(area: object, value: object) -> object:
    """The cost as a float: above 0, infinity forbids the area."""
    cost = real_number(f"cost of area {area}", value)
    if cost <= 0.0:
        raise RangeError(f"cost of area {area} is {value!r}, outside (0, infinity]")
    return cost


@cython.cfunc
def checked_area(area: object) -> object:
    """An area as a filter may name it."""
    if isinstance(area, str):
        if not area:
            raise ArgumentError("area is '', which names nothing")
        return area
    return whole_number(area, "area", 1, 255)


@cython.cfunc
def checked_areas(areas: object, what: str) -> tuple:
    """Several areas, each once, in their order."""
    if isinstance(areas, str):
        raise ArgumentError(f"{what} is the text {areas!r}; hand over a list of areas, [{areas!r}]")
    try:
        return tuple(dict.fromkeys([checked_area(area) for area in areas]))
    except TypeError:
        raise ArgumentError(f"{what} is {areas!r}, not a list of areas") from None


@cython.cfunc
def checked_wishes(costs: object, avoid: object, require: object) -> tuple:
    """(costs, avoid, require) as they are kept."""
    try:
        items = [] if costs is None else [(area, cost) for area, cost in costs.items()]
    except (AttributeError, TypeError, ValueError):
        raise ArgumentError(f"costs is {costs!r}, not a mapping of areas to costs") from None
    kept: dict = {checked_area(area): checked_cost(area, cost) for area, cost in items}
    avoided = checked_areas(avoid, "avoid")
    required = None if require is None else checked_areas(require, "require")
    for area in avoided:
        if area in kept or (required is not None and area in required):
            other = "costs" if area in kept else "require"
            raise ArgumentError(f"avoid and {other} both name area {area!r}: is it forbidden or not?")
    return kept, avoided, required


@cython.cfunc
def kind_bits(links: object) -> cython.ulonglong:
    """A bit for each kind of link that may be crossed; all of them where nothing is said."""
    bits: cython.ulonglong = 0
    if links is None:
        return ~bits
    try:
        kinds = list(links)
    except TypeError:
        raise ArgumentError(f"links is {links!r}, not a list of kinds of links") from None
    for kind in kinds:
        bits |= cython.cast(cython.ulonglong, 1) << cython.cast(
            cython.int, whole_number(kind, "a kind in links", 0, LAST_KIND)
        )
    return bits


@cython.cfunc
def kinds_of(bits: cython.ulonglong) -> tuple:
    """The kinds that the bits stand for, ascending."""
    return tuple([named_kind(kind) for kind in range(64) if (bits >> kind) & 1])


@cython.cfunc
def named_areas(wishes: tuple) -> list:
    """All areas of a filter's wishes."""
    return [*wishes[0], *wishes[1], *(wishes[2] or ())]


class QueryFilter:
    """Which polygons may be used, and what a metre costs in each area. Immutable.

    A polygon passes when its area is not 0 and not forbidden, when it has one of the `include_flags` (0xFFFF accepts
    anything, no flags included), none of the `exclude_flags`, and when the predicate, if any, says so.

    Args:
        include_flags: bits of which a polygon needs one, 0 to 0xFFFF.
        exclude_flags: bits of which a polygon may have none, 0 to 0xFFFF.
        predicate: called as predicate(flags, area), true accepts. It must be pure: it is asked once for each pair of
            flags and area in the mesh, before a search runs, and the answer is kept.
        costs: by area, what a metre there costs, above 0; infinity forbids the area. Others cost 1.
        avoid: areas that are forbidden.
        require: if given, the only areas that are not forbidden.
        links: if given, the only kinds of off-mesh links that may be crossed, of LinkKind or the host's 6 to 63; an
            empty list crosses none.

    An area is an id from 1 to 255 or a name. Names mean what the mesh of the query says they mean (`NavMesh.areas`); a
    name that it does not know is refused by the query. `bind` gives them their ids beforehand.

    Raises:
        ArgumentError, RangeError: naming argument, value and range; also where `avoid` and `costs` or `require` name
            the same area.

    >>> water_is_slow = QueryFilter(costs={5: 4.0})
    >>> water_is_slow.area_cost(5), water_is_slow.area_cost(6), water_is_slow.minimum_cost
    (4.0, 1.0, 1.0)
    >>> QueryFilter(exclude_flags=0b10).passes(flags=0b11, area=63)
    False
    >>> from onepath.geometry import Areas
    >>> QueryFilter(avoid=["lava"]).bind(Areas(water=4.0, lava=9.0)).area_cost(2)
    inf
    """

    def __cinit__(self, *_values: object, **_named: object) -> None:
        # Until it is initialised it lets nothing pass.
        self.wishes = ({}, (), (), None)
        self.set_costs()

    def __init__(
        self,
        include_flags: object = 0xFFFF,
        exclude_flags: object = 0,
        predicate: object = None,
        *,
        costs: object = None,
        avoid: object = (),
        require: object = None,
        links: object = None,
        **unknown: object,
    ) -> None:
        if unknown:
            raise unknown_name("QueryFilter", next(iter(unknown)), NAMES)
        if self.made:
            raise TypeError("a QueryFilter is immutable: it is initialised once")
        kept, avoided, required = checked_wishes(costs, avoid, require)
        self.table.included = whole_number(include_flags, "include_flags", 0, 0xFFFF)
        self.table.excluded = whole_number(exclude_flags, "exclude_flags", 0, 0xFFFF)
        if predicate is not None and not callable(predicate):
            raise ArgumentError(f"predicate is {predicate!r}, not callable")
        self.predicate = predicate
        self.table.link_kinds = kind_bits(links)
        self.wishes = (kept, avoided, required, None if links is None else kinds_of(self.table.link_kinds))
        self.named = any(isinstance(area, str) for area in named_areas(self.wishes))
        self.set_costs()
        if predicate is not None:
            self.make_verdicts(FIRST_VERDICTS)
        self.made = True

    def __dealloc__(self) -> None:
        i: cython.int
        for i in range(self.verdict_table_count):
            free(self.verdict_tables[i])

    def set_costs(self) -> cython.int:
        """Fills the table. While areas have names only, it is that of a filter without them and serves nobody."""
        area: cython.int
        allowed = set(range(256)) if self.wishes[2] is None or self.named else set(self.wishes[2])
        self.table.minimum_cost = INFINITY
        for area in range(256):
            self.table.costs[area] = 1.0 if area in allowed else INFINITY
        if not self.named:
            for area, cost in self.wishes[0].items():
                if area in allowed:
                    self.table.costs[area] = cost
            for area in self.wishes[1]:
                self.table.costs[area] = INFINITY
        for area in range(256):
            if self.table.costs[area] < self.table.minimum_cost:
                self.table.minimum_cost = self.table.costs[area]
        self.table.costs[0] = INFINITY
        if self.table.minimum_cost == INFINITY:
            self.table.minimum_cost = 1.0  # nothing passes; searches still multiply by it
        return 0

    def make_verdicts(self, size: cython.uint) -> cython.int:
        """A hash of `size` entries (a power of two) with the answers there are.

        Another thread's batch may look into the old one at this moment, so that one is kept, and the new one is whole
        before it is there to be seen. Sizes double: all old ones together are as large as the new one.
        """
        old: cython.p_uint = self.table.verdicts
        old_size: cython.uint = 0 if old == cython.NULL else old[0] + 1
        place: cython.uint
        grown: FilterTable
        grown.verdicts = cython.cast(cython.p_uint, calloc(size + 1, cython.sizeof(cython.uint)))
        if grown.verdicts == cython.NULL:
            raise MemoryError
        grown.verdicts[0] = size - 1
        for place in range(1, old_size + 1):
            if old[place] != 0:
                find_verdict(cython.address(grown), old[place])[0] = old[place]
        self.verdict_tables[self.verdict_table_count] = grown.verdicts
        self.verdict_table_count += 1
        replace_published(
            cython.cast(cython.pointer(cython.p_void), cython.address(self.table.verdicts)), grown.verdicts
        )
        return 0

    def ask(self, flags: cython.uint, area: cython.uint) -> cython.bint:
        """The predicate's answer for the pair, asked at most once."""
        key: cython.uint = verdict_key(flags, area)
        entry: cython.p_uint = find_verdict(cython.address(self.table), key)
        if entry[0] != 0:
            return (entry[0] & 2) != 0
        accepted: cython.bint = bool(self.predicate(flags, area))
        # The predicate may have used this filter itself: look again, and only then make room.
        if 2 * (self.verdict_count + 1) > cython.cast(cython.int, self.table.verdicts[0]):
            self.make_verdicts(2 * (self.table.verdicts[0] + 1))
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
        """The costs that are not 1, by area id; of a filter that names areas, the costs as given."""
        if self.named:
            return self.wishes[0].copy()
        return {area: self.table.costs[area] for area in range(1, 256) if self.table.costs[area] != 1.0}

    @property
    def avoid(self) -> tuple:
        """The areas that are forbidden, as given."""
        return self.wishes[1]

    @property
    def require(self) -> tuple:
        """The only areas that are not forbidden, as given, or None where that was not asked for."""
        return self.wishes[2]

    @property
    def links(self) -> tuple:
        """The only kinds of off-mesh links that may be crossed, ascending, or None where all may."""
        return self.wishes[3]

    @property
    def is_bound(self) -> bool:
        """Whether all its areas are ids; one with names means nothing by itself."""
        return not self.named

    @property
    def minimum_cost(self) -> float:
        """The least cost of all areas, those not named counting 1: what a search may hope for.

        Raises:
            ArgumentError: the filter names areas and is not bound.
        """
        self.need_bound()
        return self.table.minimum_cost

    def need_bound(self) -> cython.int:
        if self.named:
            names = [area for area in named_areas(self.wishes) if isinstance(area, str)]
            raise ArgumentError(f"this filter names the areas {', '.join(names)}; bind(mesh.areas) says what they mean")
        return 0

    def bind(self, areas: object) -> QueryFilter:
        """The filter with the ids that `areas` (an `Areas`) has for its names; the filter itself if it names none.

        Raises:
            ArgumentError: no Areas, or a name that they do not know; the message lists those they do.
        """
        if not isinstance(areas, Areas):
            raise ArgumentError(f"areas is {shown(areas)}, not Areas")
        if not self.named:
            return self
        kept = self.bound  # one tuple, so that threads find both parts or neither
        if kept is not None and kept[0] is areas:
            return kept[1]
        costs, avoid, require, links = self.wishes
        bound: QueryFilter = QueryFilter(
            self.table.included,
            self.table.excluded,
            self.predicate,
            costs={areas.id(area, "a filter's area"): cost for area, cost in costs.items()},
            avoid=[areas.id(area, "a filter's area") for area in avoid],
            require=None if require is None else [areas.id(area, "a filter's area") for area in require],
            links=links,
        )
        self.bound = (areas, bound)
        return bound

    def area_cost(self, area: object) -> float:
        """What a metre in the area (0 to 255) costs; infinity where it is forbidden, as area 0 always is.

        Raises:
            ArgumentError, RangeError: no such area, or the filter names areas and is not bound.
        """
        self.need_bound()
        return self.table.costs[whole_number(area, "area", 0, 255)]

    def passes(self, flags: object, area: object) -> bool:
        """Whether a polygon with these flags (0 to 0xFFFF) and this area (0 to 255) may be used.

        Raises:
            ArgumentError, RangeError: naming argument, value and range; or the filter names areas and is not bound.
        """
        self.need_bound()
        flag_bits: cython.uint = whole_number(flags, "flags", 0, 0xFFFF)
        area_id: cython.uint = whole_number(area, "area", 0, 255)
        if self.predicate is not None:
            self.ask(flag_bits, area_id)
        return filter_passes(cython.address(self.table), flag_bits, area_id)

    def with_area_cost(self, area: object, cost: object) -> QueryFilter:
        """A new filter in which a metre in the area (1 to 255, or a name) costs this much; infinity forbids it.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        area = checked_area(area)
        costs, avoid, require, links = self.wishes
        costs = {**costs, area: cost}
        avoid = [other for other in avoid if other != area]
        if require is not None and area not in require:
            require = (*require, area)
        return QueryFilter(
            self.table.included,
            self.table.excluded,
            self.predicate,
            costs=costs,
            avoid=avoid,
            require=require,
            links=links,
        )

    def __repr__(self) -> str:
        parts = []
        costs, avoid, require, links = self.wishes
        if self.table.included != 0xFFFF:
            parts.append(f"include_flags={self.table.included:#x}")
        if self.table.excluded != 0:
            parts.append(f"exclude_flags={self.table.excluded:#x}")
        if self.predicate is not None:
            parts.append(f"predicate={self.predicate!r}")
        if costs:
            parts.append(f"costs={costs}")
        if avoid:
            parts.append(f"avoid={list(avoid)}")
        if require is not None:
            parts.append(f"require={list(require)}")
        if links is not None:
            parts.append(f"links={[int(kind) for kind in links]}")
        return f"QueryFilter({', '.join(parts)})"

    def _meaning(self) -> tuple:
        """What decides whether two filters are equal: with ids only, the costs they come to."""
        areas = frozenset(self.costs.items())
        if self.named:
            require = self.wishes[2]
            areas = (areas, frozenset(self.wishes[1]), None if require is None else frozenset(require))
        return self.table.included, self.table.excluded, self.predicate, self.table.link_kinds, areas

    def __eq__(self, other: object) -> object:
        if type(other) is not QueryFilter:
            return NotImplemented
        return self._meaning() == cython.cast(QueryFilter, other)._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def __reduce__(self) -> tuple:
        return restore_filter, (self.table.included, self.table.excluded, self.predicate, *self.wishes)


def restore_filter(
    include_flags: int, exclude_flags: int, predicate: object, costs: dict, avoid: tuple, require: object, links: object
) -> QueryFilter:
    """A pickled QueryFilter."""
    return QueryFilter(include_flags, exclude_flags, predicate, costs=costs, avoid=avoid, require=require, links=links)
