"""How much of a corridor still stands after the mesh has changed, and what ends it."""

import cython
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import (
    MeshState,
    OffMeshLink,
    TileSlot,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.query._buffers import Crossing
from cython.cimports.onepath.query._corridor_query import reference_array
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._off_mesh import connecting_way, crosses_off_mesh, link_passes
from cython.cimports.onepath.query._query_core import chosen_filter
from cython.cimports.onepath.query._results import Corridor
from cython.cimports.onepath.query._straight_path import connecting_link, shared_edge

from onepath.query.status import CorridorStatus

STANDS = cython.declare(cython.int, 0)
STALE = cython.declare(cython.int, 1)
REFUSED = cython.declare(cython.int, 2)
NOT_LINKED = cython.declare(cython.int, 3)
EMPTY = cython.declare(cython.int, 4)
STATUSES = cython.declare(
    tuple,
    (
        CorridorStatus.STANDS,
        CorridorStatus.STALE,
        CorridorStatus.REFUSED,
        CorridorStatus.NOT_LINKED,
        CorridorStatus.EMPTY,
    ),
)


@cython.final
@cython.freelist(8)
@cython.cclass
class CorridorCheck:
    """What `NavMesh.check_corridor` found. True if the whole corridor stands.

    Attributes:
        standing: how many polygons from its start on still make a corridor.
        status: CorridorStatus, why it is not more of them; it is about polygon number `standing`.
    """

    __match_args__ = ("standing", "status")

    standing = cython.declare(cython.int, visibility="readonly")
    code: cython.int

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a CorridorCheck is what NavMesh.check_corridor returns; it is not made by hand")

    @property
    def status(self) -> object:
        return STATUSES[self.code]

    def __bool__(self) -> bool:
        return self.code == STANDS

    def __eq__(self, other: object) -> object:
        if type(other) is not CorridorCheck:
            return NotImplemented
        checked: CorridorCheck = other
        return self.standing == checked.standing and self.code == checked.code

    def __hash__(self) -> int:
        return hash((self.standing, self.code))

    def __reduce__(self) -> tuple:
        return restore_check, (self.standing, self.code)

    def __repr__(self) -> str:
        return f"CorridorCheck(standing={self.standing}, status={self.status.name})"


@cython.cfunc
def make_check(standing: cython.int, code: cython.int) -> CorridorCheck:
    check: CorridorCheck = CorridorCheck.__new__(CorridorCheck)
    check.standing = standing
    check.code = code
    return check


def restore_check(standing: int, code: int) -> CorridorCheck:
    """A pickled CorridorCheck."""
    return make_check(standing, code)


@cython.cfunc
@cython.exceptval(-1, check=True)
def polygon_fault(state: cython.pointer(cython.const[MeshState]), ref: reference_t, used: QueryFilter) -> cython.int:
    """Whether a polygon is still there and passes the filter; its predicate is asked for this polygon alone."""
    tile: cython.pointer(cython.const[TileSlot])
    polygon: cython.int = reference_polygon(ref)
    if not reference_is_valid(state, ref):
        return STALE
    tile = state.slots + reference_slot(ref)
    if used.predicate is not None:
        used.ask(tile.flags[polygon], tile.areas[polygon])
    if not filter_passes(cython.address(used.table), tile.flags[polygon], tile.areas[polygon]):
        return REFUSED
    return STANDS


@cython.cfunc
@cython.exceptval(-1, check=True)
def step_fault(
    state: cython.pointer(cython.const[MeshState]),
    ref: reference_t,
    following: reference_t,
    crossing: cython.pointer(cython.const[Crossing]),
    used: QueryFilter,
) -> cython.int:
    """Whether one polygon still leads to the next: over the crossing, or over any where that is NULL."""
    tile: cython.pointer(cython.const[TileSlot]) = state.slots + reference_slot(ref)
    polygon: cython.int = reference_polygon(ref)
    slot: cython.int = reference_slot(following)
    target: cython.int = reference_polygon(following)
    if crossing == cython.NULL or not crosses_off_mesh(crossing):
        if slot == reference_slot(ref):
            if shared_edge(tile, polygon, target, crossing) >= 0:
                return STANDS
        elif connecting_link(tile, polygon, slot, target, crossing) != cython.NULL:
            return STANDS
    return link_fault(tile, polygon, slot, target, crossing, used)


@cython.cfunc
@cython.exceptval(-1, check=True)
def link_fault(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    slot: cython.int,
    target: cython.int,
    crossing: cython.pointer(cython.const[Crossing]),
    used: QueryFilter,
) -> cython.int:
    """The same over off-mesh links. A closed one is no link; one that the filter refuses is refused."""
    way: cython.pointer(cython.const[OffMeshLink])
    i: cython.int
    if tile.off_mesh_count == 0 or (crossing != cython.NULL and not crosses_off_mesh(crossing)):
        return NOT_LINKED
    if used.predicate is not None:
        for i in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
            used.ask(tile.off_mesh[i].flags, tile.off_mesh[i].area)
    way = connecting_way(tile, polygon, slot, target, crossing, cython.address(used.table))
    if way == cython.NULL:
        return NOT_LINKED
    return STANDS if link_passes(cython.address(used.table), way) else REFUSED


def check_corridor(mesh: MeshCore, corridor: object, filter: object) -> CorridorCheck:
    """What `NavMesh.check_corridor` does, with a filter for certain."""
    used: QueryFilter = chosen_filter(filter, mesh)
    given: Corridor = cython.cast(Corridor, corridor).packed() if type(corridor) is Corridor else None
    bare: cython.const[cython.longlong][::1]
    refs: cython.pointer(cython.const[reference_t]) = cython.NULL
    steps: cython.pointer(cython.const[Crossing]) = cython.NULL
    count: cython.int
    if given is not None:
        refs, steps, count = given.references(), given.steps(), given.count
    else:
        bare = reference_array(corridor.polygons if type(corridor) is Corridor else corridor)
        count = cython.cast(cython.int, bare.shape[0])
        if count:
            refs = cython.cast(cython.pointer(cython.const[reference_t]), cython.address(bare[0]))
    mesh.enter()
    try:
        return checked_steps(cython.address(mesh.state), refs, steps, count, used)
    finally:
        mesh.leave()


@cython.cfunc
def checked_steps(
    state: cython.pointer(cython.const[MeshState]),
    refs: cython.pointer(cython.const[reference_t]),
    steps: cython.pointer(cython.const[Crossing]),
    count: cython.int,
    used: QueryFilter,
) -> CorridorCheck:
    i: cython.int
    fault: cython.int
    for i in range(count):
        fault = polygon_fault(state, refs[i], used)
        if fault == STANDS and i > 0:
            fault = step_fault(
                state, refs[i - 1], refs[i], cython.NULL if steps == cython.NULL else steps + i - 1, used
            )
        if fault != STANDS:
            return make_check(i, fault)
    return make_check(count, STANDS if count else EMPTY)
