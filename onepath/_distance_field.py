"""DistanceField: what it costs to get to the nearest of some goals, and which way, from anywhere."""

import cython
import numpy
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import TileSlot, reference_polygon, reference_slot
from cython.cimports.onepath.mesh._tiles_read import TILES_SAME, tiles_unchanged
from cython.cimports.onepath.query._field import (
    FIELD_DONE,
    FIELD_NO_MEMORY,
    FIELD_RUNNING,
    FieldState,
    begin_field,
    field_cost,
    free_field,
    run_field,
)
from cython.cimports.onepath.query._field_aim import AimScratch, FieldAim, aim_field
from cython.cimports.onepath.query._field_walk import walk_field
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._flood import GoalSet, make_goals
from cython.cimports.onepath.query._inputs import read_limit, whole_number
from cython.cimports.onepath.query._node_tables import reserve_pages
from cython.cimports.onepath.query._places import PlaceList, read_places
from cython.cimports.onepath.query._polygon_keys import polygon_key
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import NO_BUDGET, Place, chosen_filter
from cython.cimports.onepath.query._results import (
    PATH_IN_PROGRESS,
    PATH_INVALID_END,
    PATH_NO_END,
    PATH_NO_MESH,
    PATH_NOT_LOADED,
    PATH_STATUSES,
    PATH_SUCCESS,
    make_nav_point,
)

from onepath.build.arguments import real_number
from onepath.errors import ArgumentError, OnePathError
from onepath.names import unknown_name


@cython.final
@cython.cclass
class DistanceField:
    """What it costs to get to the nearest of some goals, and which way, from anywhere: for many agents with one target.

    A field is built once, from the goals outward, and then answers each place at once. `update` builds it in slices;
    what is asked before it is done finishes it first. After a commit that changed something it had looked at, it is
    built again, in slices or when it is next asked.

    Costs are those of `NavMesh.distance` from the place to the goal. Directions go to the first corner of the shortest
    line through the polygons ahead, straight to the goal where that line has no corner: never through a wall. `move`
    walks that way, in X/Z and priced no more than the distance says.

    Args:
        mesh: the NavMesh.
        goals: (n, 3) floats, or a list of positions and NavPoints, or one of them, snapped within `mesh.snap_reach`,
            again after commits. A goal off the mesh counts for nothing; where all are, `update` says so.
        filter: a QueryFilter; None is the mesh's `default_filter`.
        max_cost: how far to look, 0 or more.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (8, 0, 0), (8, 0, 4)]
    >>> mesh = NavMesh.from_polygons(corners, [[0, 1, 2, 3], [1, 4, 5, 2]])
    >>> field = DistanceField(mesh, [(7, 0, 2)])
    >>> field.distance([(1, 0, 2), (6, 0, 2)]).tolist(), field.direction([(1, 0, 2)]).tolist()
    ([6.0, 1.0], [[1.0, 0.0, 0.0]])
    """

    mesh = cython.declare(MeshCore, visibility="readonly")
    filter = cython.declare(QueryFilter, visibility="readonly")
    field: FieldState
    asked: PlaceList
    found: GoalSet
    answer: cython.int
    incoming: tuple
    begun: cython.bint

    def __init__(
        self,
        mesh: object,
        goals: object,
        filter: object = None,
        *,
        max_cost: object = INFINITY,
        **unknown: object,
    ) -> None:
        if unknown:
            raise unknown_name("DistanceField", next(iter(unknown)), ("mesh", "goals", "filter", "max_cost"))
        if self.mesh is not None:
            raise TypeError("a DistanceField is initialised once")
        if not isinstance(mesh, MeshCore):
            raise ArgumentError(f"mesh is {mesh!r}, not a NavMesh")
        self.asked = read_places(goals, "goals")
        self.filter = chosen_filter(filter_for(mesh, filter), mesh)
        self.field.max_cost = read_limit(max_cost, "max_cost")
        self.mesh = mesh

    def __dealloc__(self) -> None:
        free_field(cython.address(self.field))

    def __reduce__(self) -> object:
        raise TypeError("a DistanceField is memory over its mesh and is not pickled or copied; make it again")

    def __repr__(self) -> str:
        goals = 0 if self.asked is None else self.asked.count
        return f"DistanceField({self.mesh!r}, goals={goals}, max_cost={self.field.max_cost!r})"

    # --- Building

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def snap_goals(self, query: NavMeshQuery) -> cython.int:
        """Puts the goals on the mesh. Where all are off it the answer is why, of several reasons the one that is mended
        most easily: a tile to load, a goal to move, polygons that are gone for good."""
        i: cython.int
        lost: cython.int = PATH_INVALID_END if self.asked.count > 0 else PATH_NO_END
        located: cython.bint = False
        listed: PlaceList = self.asked.copy()
        for i in range(listed.count):
            if query.locate(listed.places + i, cython.address(self.filter.table), False) != 0:
                located = True
                continue
            listed.places[i].ref = 0
            if query.status == PATH_NOT_LOADED or (query.status == PATH_NO_END and lost == PATH_INVALID_END):
                lost = query.status
        self.answer = PATH_SUCCESS if located else PATH_NO_MESH if self.mesh.state.tile_count == 0 else lost
        self.found = make_goals(listed)
        return 0

    @cython.cfunc
    def incoming_ways(self) -> tuple:
        """(targets, slots, numbers) of all ways over off-mesh links, by target."""
        tile: cython.pointer(cython.const[TileSlot])
        slot: cython.int
        number: cython.int
        rows: list = []
        for slot in range(self.mesh.state.slot_count):
            tile = self.mesh.state.slots + slot
            if not tile.used:
                continue
            for number in range(tile.off_mesh_count):
                rows.append(
                    (
                        polygon_key(tile.off_mesh[number].target_slot, tile.off_mesh[number].target_polygon),
                        slot,
                        number,
                    )
                )
        rows.sort()
        rows.append((0, 0, 0))  # what is empty has no address
        ways = numpy.array(rows, numpy.int64)
        return tuple([numpy.ascontiguousarray(ways[:, i]) for i in range(3)])

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def begin(self, query: NavMeshQuery) -> cython.int:
        self.begun = False
        self.snap_goals(query)
        self.incoming = self.incoming_ways()
        targets: cython.longlong[::1] = self.incoming[0]
        slots: cython.longlong[::1] = self.incoming[1]
        numbers: cython.longlong[::1] = self.incoming[2]
        self.field.incoming.count = targets.shape[0] - 1
        self.field.incoming.targets = cython.address(targets[0])
        self.field.incoming.slots = cython.address(slots[0])
        self.field.incoming.numbers = cython.address(numbers[0])
        if (
            begin_field(
                cython.address(self.field),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                cython.address(self.found.goals),
            )
            != 0
        ):
            raise MemoryError("no memory for a distance field")
        self.begun = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def stands(self, query: NavMeshQuery) -> cython.int:
        """Whether the field would be built as it is, were it begun now."""
        before: GoalSet = self.found
        ways: tuple
        i: cython.int
        edit: cython.longlong = self.field.reads.edit
        if not self.begun:
            return False
        if edit == self.mesh.state.edit_count:
            return True
        if tiles_unchanged(cython.address(self.field.reads), cython.address(self.mesh.state)) != TILES_SAME:
            return False
        if reserve_pages(cython.address(self.field.tables), self.mesh.state.slot_count) != 0:
            raise MemoryError("no memory for a distance field")
        self.snap_goals(query)
        for i in range(before.listed.count):
            if (
                before.listed.places[i].ref != self.found.listed.places[i].ref
                or before.listed.places[i].position.x != self.found.listed.places[i].position.x
                or before.listed.places[i].position.y != self.found.listed.places[i].position.y
                or before.listed.places[i].position.z != self.found.listed.places[i].position.z
            ):
                return False
        ways = self.incoming_ways()
        return all([numpy.array_equal(a, b) for a, b in zip(ways, self.incoming, strict=True)])

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def advance(self, query: NavMeshQuery, budget: cython.longlong) -> cython.int:
        """Begins again where the mesh has changed, and builds further. The mesh has been entered."""
        if not self.stands(query):
            self.begin(query)
        if (
            run_field(
                cython.address(self.field), cython.address(self.mesh.state), cython.address(self.filter.table), budget
            )
            == FIELD_NO_MEMORY
        ):
            self.begun = False
            raise MemoryError("no memory for a distance field")
        return 0

    @cython.cfunc
    def enter(self) -> NavMeshQuery:
        if self.mesh is None:
            raise OnePathError("this DistanceField was never initialised")
        query: NavMeshQuery = borrowed_query(self.mesh)
        try:
            query.enter(self.filter)
        except BaseException:
            give_back(query)
            raise
        return query

    def update(self, iterations: object):
        """Builds the field further by at most so many steps (0 or more).

        Returns:
            PathStatus IN_PROGRESS while there is work left, SUCCESS once it is done. After a commit that changed what
            the field had looked at it is IN_PROGRESS again. Where no goal is on the mesh, so that there is nothing to
            go to: NO_END, NOT_LOADED where a goal lies by a tile that is not loaded, INVALID_END where the polygons of
            NavPoints are gone or refused by the filter, NO_MESH where there is no tile.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs.
        """
        budget: cython.longlong = whole_number(iterations, "iterations", 0, NO_BUDGET)
        query: NavMeshQuery = self.enter()
        try:
            self.advance(query, budget)
            if self.field.outcome == FIELD_RUNNING and self.field.open.count == 0:
                self.field.outcome = FIELD_DONE
        finally:
            query.leave()
            give_back(query)
        return PATH_STATUSES[self.answer if self.field.outcome == FIELD_DONE else PATH_IN_PROGRESS]

    @property
    def iterations(self) -> int:
        """Steps made so far since the field was begun last."""
        return self.field.iterations

    @property
    def goals(self) -> tuple:
        """The goals on the mesh, a NavPoint each, false where one is not on it; empty before the first slice."""
        if self.found is None:
            return ()
        places: cython.pointer(Place) = self.found.listed.places
        return tuple([make_nav_point(places[i].ref, places[i].position) for i in range(self.found.listed.count)])

    # --- Asking

    @cython.cfunc
    @cython.exceptval(-1.0, check=False)
    def cost_from(self, query: NavMeshQuery, place: cython.pointer(Place)) -> cython.double:
        """Snaps the place and asks what it costs to get from there to a goal."""
        if query.locate(place, cython.address(self.filter.table), True) == 0:
            return INFINITY
        return field_cost(
            cython.address(self.field),
            cython.address(self.mesh.state),
            cython.address(self.filter.table),
            cython.address(self.found.goals),
            reference_slot(place.ref),
            reference_polygon(place.ref),
            place.position,
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def lend(self, query: NavMeshQuery, scratch: cython.pointer(AimScratch), turn_out: cython.bint) -> cython.void:
        """Fills what aims and walks work in with what the query object has for it."""
        scratch.turn_out = turn_out
        scratch.straight = cython.address(query.straight)
        scratch.corridor = cython.address(query.corridor)
        scratch.line = cython.address(query.line)
        scratch.visited = cython.address(query.moves.visited)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def aim(self, query: NavMeshQuery, place: cython.pointer(Place), aim: cython.pointer(FieldAim)) -> cython.int:
        """Snaps the place and asks for the way on."""
        scratch: AimScratch
        aim.found = False
        aim.node = -1
        if self.cost_from(query, place) == INFINITY:
            return 0
        self.lend(query, cython.address(scratch), True)
        if (
            aim_field(
                cython.address(self.field),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                cython.address(self.found.goals),
                reference_slot(place.ref),
                reference_polygon(place.ref),
                place.position,
                cython.address(scratch),
                aim,
            )
            != 0
        ):
            raise MemoryError("no memory for a line")
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def walk(self, query: NavMeshQuery, place: cython.pointer(Place), distance: cython.double) -> cython.int:
        """Snaps the place and takes it so far along its way; a place off the mesh loses its reference."""
        scratch: AimScratch
        if query.locate(place, cython.address(self.filter.table), True) == 0:
            place.ref = 0
            return 0
        self.lend(query, cython.address(scratch), False)
        if (
            walk_field(
                cython.address(self.field),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                cython.address(self.found.goals),
                place,
                distance,
                cython.address(scratch),
            )
            != 0
        ):
            raise MemoryError("no memory for a line")
        return 0

    def distance(self, points: object):
        """What it costs to get from each place to the nearest goal.

        Args:
            points: (n, 3) floats, or a list of positions and NavPoints, or one of them, snapped within
                `mesh.snap_reach`.

        Returns:
            (n,) float64, infinite where no goal can be reached for `max_cost`, or the place is not on the mesh.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs.
        """
        i: cython.int
        listed: PlaceList = read_places(points, "points")
        costs = numpy.empty(listed.count)
        cost: cython.double[::1] = costs
        query: NavMeshQuery = self.enter()
        try:
            self.advance(query, NO_BUDGET)
            for i in range(listed.count):
                cost[i] = self.cost_from(query, listed.places + i)
        finally:
            query.leave()
            give_back(query)
        return costs

    def direction(self, points: object):
        """The way to go from each place: a vector of length 1 in X/Z, its y 0.

        It is zero at a goal, where no goal can be reached, and at the start of an off-mesh link that is to be crossed
        next (`next_links` names it).

        Args, Raises: as for `distance`.

        Returns:
            (n, 3) float64.
        """
        i: cython.int
        aim: FieldAim
        x: cython.double
        z: cython.double
        length: cython.double
        listed: PlaceList = read_places(points, "points")
        ways = numpy.zeros((listed.count, 3))
        view: cython.double[:, ::1] = ways
        query: NavMeshQuery = self.enter()
        try:
            self.advance(query, NO_BUDGET)
            for i in range(listed.count):
                self.aim(query, listed.places + i, cython.address(aim))
                if aim.found:
                    x = aim.target.x - listed.places[i].position.x
                    z = aim.target.z - listed.places[i].position.z
                    length = sqrt(x * x + z * z)
                    view[i, 0] = x / length
                    view[i, 2] = z / length
        finally:
            query.leave()
            give_back(query)
        return ways

    def move(self, points: object, distance: object):
        """Takes each place so many metres on, measured in X/Z, along its way to the nearest goal.

        It goes round corners and through as many polygons as the distance reaches over, always through those that the
        field means, and stops at a goal, at the start of an off-mesh link that is to be crossed next (`next_links`
        names it), and where no goal can be reached. What is left of the way falls by what is walked: whoever is moved
        again and again comes to where the way ends, on every mesh.

        Args:
            points: (n, 3) floats, or a list of positions and NavPoints, or one of them, snapped within
                `mesh.snap_reach`. What `move` returned goes in again.
            distance: metres, 0 or more; infinite for all the way.

        Returns:
            A list of n NavPoints, false where the place is not on the mesh.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs.

        >>> from onepath import NavMesh
        >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (8, 0, 0), (8, 0, 4)]
        >>> mesh = NavMesh.from_polygons(corners, [[0, 1, 2, 3], [1, 4, 5, 2]])
        >>> [place.point for place in DistanceField(mesh, [(7, 0, 2)]).move([(1, 0, 2), (6, 0, 2)], 4.5)]
        [(5.5, 0.0, 2.0), (7.0, 0.0, 2.0)]
        """
        i: cython.int
        listed: PlaceList = read_places(points, "points")
        metres: cython.double = read_limit(real_number("distance", distance), "distance")
        query: NavMeshQuery = self.enter()
        try:
            self.advance(query, NO_BUDGET)
            for i in range(listed.count):
                self.walk(query, listed.places + i, metres)
        finally:
            query.leave()
            give_back(query)
        return [make_nav_point(listed.places[i].ref, listed.places[i].position) for i in range(listed.count)]

    def next_links(self, points: object):
        """The off-mesh link that the way from each place crosses before anything else, or 0: its direction leads there.

        Args, Raises: as for `distance`.

        Returns:
            (n,) int64 ids of links.
        """
        i: cython.int
        aim: FieldAim
        listed: PlaceList = read_places(points, "points")
        links = numpy.zeros(listed.count, numpy.int64)
        link: cython.longlong[::1] = links
        query: NavMeshQuery = self.enter()
        try:
            self.advance(query, NO_BUDGET)
            for i in range(listed.count):
                self.aim(query, listed.places + i, cython.address(aim))
                if aim.node >= 0:
                    link[i] = self.field.nodes[aim.node].link
        finally:
            query.leave()
            give_back(query)
        return links
