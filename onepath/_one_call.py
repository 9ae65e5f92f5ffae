"""The one-call forms of NavMesh: find_path, begin_path, snap, save, load, to_bytes, from_bytes, pickling.

Queries borrow query objects that the mesh keeps for them, at most four spares. A query object carries nothing from one
search to the next, so that a borrowed one answers exactly as a new one would (queries document, pooled query objects).
"""

import cython
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_length
from cython.cimports.onepath.query._paths import Path
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import Reach
from cython.cimports.onepath.query._results import PATH_IN_PROGRESS, PATH_STATUSES

from onepath.errors import ArgumentError
from onepath.io.navmesh_file import decode_navmesh, encode_navmesh, load_navmesh, save_navmesh
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.tier import Tier
from onepath.query._corridor_check import check_corridor as corridor_check

SPARES = cython.declare(cython.int, 4)


@cython.cfunc
def snap_reach_of(mesh: MeshCore) -> tuple:
    agent = mesh.settings.agent
    across = 2.0 * max(agent.radius, mesh.settings.cell_size)
    return (across, agent.height, across)


@cython.cfunc
def filter_for(mesh: MeshCore, filter: object) -> object:
    """The filter given, or the one of the mesh's default costs."""
    if filter is not None:
        return filter
    if mesh.default_filter is None:
        mesh.default_filter = QueryFilter(costs=mesh.areas.costs)
    return mesh.default_filter


@cython.cfunc
def borrowed_query(mesh: MeshCore) -> NavMeshQuery:
    """A spare query object, or a new one that snaps by the mesh's reach."""
    query: NavMeshQuery
    if mesh.spare_queries:
        query = mesh.spare_queries.pop()
        query.mesh = mesh
        return query
    query = NavMeshQuery(mesh)
    across, up, _ = snap_reach_of(mesh)
    query.reach.below.x = query.reach.below.z = query.reach.above.x = query.reach.above.z = across
    query.reach.below.y = query.reach.above.y = up
    return query


@cython.cfunc
def give_back(query: NavMeshQuery) -> cython.void:
    """A spare does not hold its mesh, which holds it."""
    mesh: MeshCore = query.mesh
    query.mesh = None
    query.filter = None
    query.begun = False
    if len(mesh.spare_queries) < SPARES:
        mesh.spare_queries.append(query)


@cython.final
@cython.cclass
class PathSearch:
    """A path search of `NavMesh.begin_path` that runs in slices.

    Attributes:
        status: PathStatus; IN_PROGRESS while there is work left.
        path: the Path once the search is done, until then None.
        iterations: expansions made so far.
    """

    query: NavMeshQuery
    path = cython.declare(Path, visibility="readonly")
    iterations = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a PathSearch is what NavMesh.begin_path returns; it is not made by hand")

    @property
    def status(self) -> object:
        return PATH_STATUSES[PATH_IN_PROGRESS] if self.path is None else self.path.status

    @cython.cfunc
    def end(self) -> cython.int:
        """Keeps the path and lets the query object go."""
        query: NavMeshQuery = self.query
        if query is None:
            raise ArgumentError("this PathSearch was not made by NavMesh.begin_path")
        self.path = query.finish_search()
        self.iterations = query.search.iterations
        self.query = None
        give_back(query)
        return 0

    def update(self, iterations: object):
        """Expands at most `iterations` nodes (0 or more); all slices together give exactly what one call gives.

        Returns:
            A PathStatus: IN_PROGRESS while there is work left, STALE after a commit that changed the mesh.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs.
        """
        # The query is held here: reading a caller's own kind of int runs the caller's code, which may end the search.
        query: NavMeshQuery = self.query
        if self.path is None and query is not None:
            status: cython.int = query.continue_search(iterations)
            self.iterations = query.search.iterations
            if status != PATH_IN_PROGRESS:
                self.end()
        return self.status

    def finish(self):
        """Ends the search: its Path, or what it has so far, towards the end, with status IN_PROGRESS.

        Raises:
            BusyError: a commit runs.
        """
        if self.path is None:
            self.end()
        return self.path

    def __reduce__(self) -> object:
        raise TypeError("a PathSearch is not pickled or copied; `finish` gives its Path, which is")

    def __repr__(self) -> str:
        return f"PathSearch({self.status.name}, iterations={self.iterations})"


def find_path(self: MeshCore, start: object, end: object, filter: object = None):
    """The path between two positions.

    Both are snapped to the mesh within `snap_reach`; the search takes the filter's costs; the line is the shortest
    through the polygons found.

    Args:
        start, end: any sequence of three floats, metres, or a NavPoint, which is not snapped again.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        A Path, true where it reaches the end; else its status says what to do.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.find(start, end, filter_for(self, filter))
    finally:
        give_back(query)


def begin_path(self: MeshCore, start: object, end: object, filter: object = None):
    """Begins what `find_path` does in one go, to be done in slices: `update` until it is no longer IN_PROGRESS.

    Args, Raises: as for `find_path`.

    Returns:
        A PathSearch; where the answer needs no search, it is done at once.
    """
    search: PathSearch = PathSearch.__new__(PathSearch)
    search.query = borrowed_query(self)
    if search.query.begin_between(start, end, filter_for(self, filter)) != PATH_IN_PROGRESS:
        search.end()
    return search


@cython.cfunc
def reach_or(value: object, name: str, default: cython.double) -> cython.double:
    return default if value is None else read_length(value, name)


def snap(self: MeshCore, position: object, *, up: object = None, down: object = None, horizontal: object = None):
    """The nearest place on the mesh that the mesh's `default_filter` lets pass.

    Args:
        position: any sequence of three floats, metres; a NavPoint is returned as it is.
        up, down, horizontal: how far to look, metres, 0 or more; by default as `snap_reach` says.

    Returns:
        A NavPoint, false where nothing is within reach.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    reach: Reach = query.reach
    try:
        reach.above.y = reach_or(up, "up", reach.above.y)
        reach.below.y = reach_or(down, "down", reach.below.y)
        reach.below.x = reach_or(horizontal, "horizontal", reach.below.x)
        reach.below.z = reach.above.x = reach.above.z = reach.below.x
        return query.snap(position, filter_for(self, None), cython.address(reach))
    finally:
        give_back(query)


@property
def snap_reach(self: MeshCore):
    """How far the one-call forms look for the mesh around a position: half extents (x, y, z), metres.

    Across it is twice the agent's radius (or twice a cell, if that is more), so that a position at a wall, which keeps
    the radius from the mesh, and one beside a simplified border still find it; up and down it is the agent's height, so
    that a position at the feet, the middle or the head finds the floor below it.
    """
    return snap_reach_of(self)


def check_corridor(self: MeshCore, corridor: object, filter: object = None):
    """How far a corridor still stands, and why not further: what to ask after a commit.

    Args:
        corridor: a Corridor, which has to cross as it did when it was found, or references of polygons, of which each
            has to lead to the next in any way.
        filter: a QueryFilter that every polygon and link has to pass; None is the mesh's `default_filter`.

    Returns:
        A CorridorCheck, true where all of it stands.

    Raises:
        ArgumentError: no corridor, or no filter.
        BusyError: a commit runs.

    >>> from onepath.mesh import MeshSettings
    >>> mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8))
    >>> mesh.check_corridor([1 << 41])
    CorridorCheck(standing=0, status=STALE)
    """
    return corridor_check(self, corridor, filter_for(self, filter))


@property
def default_filter(self: MeshCore):
    """The QueryFilter that stands for None here: the default costs of the mesh's `areas`."""
    return filter_for(self, None)


def save(self: MeshCore, path: object):
    """Writes everything committed to a file: tiles, references, areas and flags as they are now. What is only staged is
    left out.

    The file appears whole or not at all: readers, and a process that is killed, find the old one or the new one.

    Raises:
        OSError: the file cannot be written; the old one stands.
        BusyError: a commit runs on another thread.
    """
    save_navmesh(self, path)


@classmethod
def load(cls, path: object, *, tier: object = Tier.DYNAMIC, limits: object = None, mmap: object = False):
    """The mesh in a file that `save` wrote; `report` is None.

    A reference is valid or stale in it as it was in the saved mesh, and `save` writes the same bytes again.

    Args:
        path: the file.
        tier, limits: what the host promises of the mesh from now on, as for NavMesh; a file does not keep promises.
        mmap: whether the tiles are read where they lie in the file, mapped into memory. Processes that map the same
            file share its pages, which come from the disk as they are needed. The file must then not be changed in
            place; `save` never does that, it puts another file in its place.

    Raises:
        OSError: the file cannot be read.
        TileFormatError: it is not a navmesh file of this version, or a part of it is not sound; its `section` and
            `element` say which.
        LimitError: the mesh is larger than `limits`.
    """
    return load_navmesh(path, bool(mmap), tier, limits, cls)


def to_bytes(self: MeshCore):
    """What `save` writes, as bytes.

    Raises:
        BusyError: a commit runs on another thread.
    """
    return encode_navmesh(self)


@classmethod
def from_bytes(cls, data: object, *, tier: object = Tier.DYNAMIC, limits: object = None):
    """The mesh in what `to_bytes` gave or `save` wrote: bytes or any contiguous buffer, copied.

    Raises:
        ArgumentError: `data` is not a buffer.
        TileFormatError, LimitError: as for `load`.
    """
    try:
        taken: bytes = data if type(data) is bytes else memoryview(data).tobytes()
    except TypeError:
        raise ArgumentError(f"data is a {type(data).__name__}, not bytes or a buffer") from None
    return decode_navmesh(taken, tier, limits, cls)


@staticmethod
def from_polygons(
    vertices: object, polygons: object, areas: object = None, flags: object = None, max_climb: object = 0.5
):
    """A mesh of ready convex polygons.

    Neighbours are found by place, whatever indices they use: equal positions are one corner, and edges that run along
    one line are split where the neighbour's corners lie on them (T-junctions) and joined where their heights differ by
    at most `max_climb`. There a shared corner takes the middle of the heights it joins; the surfaces that agents stand
    on keep theirs. Floors farther apart in height stay apart, also exactly above each other.

    Positions in X and Z are put on multiples of 2**-24 of the tile size, a power of two at most 8 times the extent, so
    whole numbers and their halves, quarters and so on stay exact. One tile holds everything where such a tile can lie
    around it; otherwise polygons are cut at the grid lines through it, into at most four tiles.

    Args:
        vertices: (n, 3) finite positions within 2**21 of zero, metres.
        polygons: a list of index lists, a (m, k) array, or a tuple of two arrays (values, offsets) where polygon i is
            values[offsets[i] : offsets[i + 1]]; 3 to 1024 corners each, in either winding, convex seen from above
            within 2**-20 of the tile size.
        areas: (m) area ids, 0 to 255, default 63; area 0 passes no filter.
        flags: (m) flag bits, 0 to 65535, default 1.
        max_climb: highest step that joins two floors, metres, 0 or more.

    Returns:
        A bounded mesh; outside its tiles is nothing. `report` is an ImportReport. Without polygons it has no tile.

    Raises:
        ArgumentError, RangeError: naming the argument or the polygon at fault; an edge has at most one polygon on each
            side, a second one is refused.
        LimitError: more than 2**21 - 1 polygons or 2**24 - 1 edges in one tile.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (4, 0, 2), (8, 0, 0), (8, 0, 2), (8, 0, 4)]
    >>> mesh = NavMesh.from_polygons(corners, [[0, 1, 2, 3], [1, 5, 6, 4], [4, 6, 7, 2]])
    >>> mesh.polygon_count, mesh.walkable_area, mesh.report.seams
    (3, 32.0, 2)
    """
    from onepath.io.polygons import mesh_from_polygons  # here: no game that bakes should wait for it at its start

    return mesh_from_polygons(vertices, polygons, areas, flags, max_climb)


def reduced(self: MeshCore):
    """Pickles and copies hold what `save` writes, the host's promises and the report."""
    return remade, (type(self), encode_navmesh(self), self.tier, self.limits, self.report)


def remade(mesh_class: object, data: bytes, tier: object, limits: object, report: object):
    """What pickles and copies call."""
    mesh = decode_navmesh(data, tier, limits, mesh_class)
    mesh.report = report
    return mesh


NavMesh.from_polygons = from_polygons
NavMesh.find_path = find_path
NavMesh.begin_path = begin_path
NavMesh.snap = snap
NavMesh.snap_reach = snap_reach
NavMesh.check_corridor = check_corridor
NavMesh.default_filter = default_filter
NavMesh.save = save
NavMesh.load = load
NavMesh.to_bytes = to_bytes
NavMesh.from_bytes = from_bytes
NavMesh.__reduce__ = reduced
