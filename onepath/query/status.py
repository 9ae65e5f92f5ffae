"""What a search may answer, and how it may look at the mesh. Each answer's `advice` says what to do about it."""

import enum

from onepath.answers import Answer

__all__ = ["AreaSearchStatus", "NodeModel", "PathMark", "PathStatus", "QueryStatus", "RaycastStatus"]


class PathStatus(Answer):
    """The answer of a path search. Only SUCCESS reaches the end."""

    SUCCESS = "success", "The path reaches the end."
    #: The end cannot be reached, or the node limit stopped the search: see `node_limit_reached` and `detail`.
    PARTIAL = (
        "partial",
        "The path does not reach the end and leads to the place nearest to it that was found. Walk it, choose another "
        "end, or raise max_nodes if the node limit was reached.",
    )
    NOT_LOADED = (
        "not loaded",
        "The search ran into tiles that are not loaded; the path leads towards the end as far as it came. Load "
        "missing_tiles, nearest to the end first, and ask again.",
    )
    NO_START = (
        "no start",
        "No polygon that the filter accepts is within reach of the start. Move it, or look for it with a larger reach.",
    )
    NO_END = (
        "no end",
        "No polygon that the filter accepts is within reach of the end. Move it, or look for it with a larger reach.",
    )
    NO_MESH = (
        "no mesh",
        "The mesh has no committed tile. Bake a level that has triangles, or commit a tile first.",
    )
    IN_PROGRESS = (
        "in progress",
        "A search in slices has work left. Give it more iterations; what it has so far leads towards the end.",
    )
    STALE = (
        "stale",
        "A part of the mesh that the search in slices has read has changed since. Begin it again.",
    )
    INVALID_START = (
        "invalid start",
        "The start's polygon reference is not of this mesh, its tile has gone, or the filter rejects it. Snap again.",
    )
    INVALID_END = (
        "invalid end",
        "The end's polygon reference is not of this mesh, its tile has gone, or the filter rejects it. Snap again.",
    )
    INVALID_CORRIDOR = (
        "invalid corridor",
        "The corridor is empty, has a stale reference, or two of its polygons in turn do not touch. Search again.",
    )

    CANCELLED = (
        "cancelled",
        "Its owner withdrew the search before it was done. Nothing to do; begin another where it is wanted again.",
    )


class QueryStatus(Answer):
    """The finer answer beneath a `Path.status`: what happened inside the query."""

    SUCCESS = "success", PathStatus.SUCCESS.advice
    PARTIAL = (
        "partial",
        "The end cannot be reached; the path leads to the place nearest to it that can. Choose another end, or bake "
        "for an agent that is thinner or climbs higher.",
    )
    NODE_LIMIT = (
        "node limit",
        "The search reached its node limit; the path leads as far as it came. Ask a NavMeshQuery with a larger "
        "max_nodes.",
    )
    COST_LIMIT = (
        "cost limit",
        "No path to the end costs as little as max_cost; the path leads as far as that allows. Allow more, or choose "
        "another end.",
    )
    FRONTIER = (
        "frontier",
        "The search met tiles that are not loaded; the path leads as far as it came. Load missing_tiles and ask again.",
    )
    START_NOT_LOADED = (
        "start not loaded",
        "Nothing was found near the start; tiles within its reach are not loaded. Load missing_tiles and ask again.",
    )
    END_NOT_LOADED = (
        "end not loaded",
        "Nothing was found near the end; tiles within its reach are not loaded. Load missing_tiles and ask again.",
    )
    NO_START_NEARBY = "no start nearby", PathStatus.NO_START.advice
    NO_END_NEARBY = "no end nearby", PathStatus.NO_END.advice
    NO_MESH = PathStatus.NO_MESH.value, PathStatus.NO_MESH.advice
    IN_PROGRESS = PathStatus.IN_PROGRESS.value, PathStatus.IN_PROGRESS.advice
    STALE = PathStatus.STALE.value, PathStatus.STALE.advice
    INVALID_START = PathStatus.INVALID_START.value, PathStatus.INVALID_START.advice
    INVALID_END = PathStatus.INVALID_END.value, PathStatus.INVALID_END.advice
    INVALID_CORRIDOR = PathStatus.INVALID_CORRIDOR.value, PathStatus.INVALID_CORRIDOR.advice
    CANCELLED = PathStatus.CANCELLED.value, PathStatus.CANCELLED.advice
    UNREACHABLE = (
        "unreachable",
        "The end cannot be reached; no part of a way was asked for (partial=False). Choose another end.",
    )
    EXACT_NOT_UNIFORM = (
        "exact not uniform",
        "An exact search was asked for, but areas that the filter accepts cost differently, so crossings were "
        "searched; the status says what was found. Ask with a filter of one cost for the shortest line.",
    )


class RaycastStatus(Answer):
    """The answer of a ray and of a move along the surface. Only CLEAR comes to the end."""

    CLEAR = "clear", "Nothing is in the way."
    BLOCKED = (
        "blocked",
        "A wall is in the way, or a polygon that the filter rejects. Stop there, slide along it, or search a path "
        "round it.",
    )
    NOT_LOADED = (
        "not loaded",
        "The tile beyond the edge is not loaded. Load it and ask again; until then treat the edge as a wall.",
    )
    INVALID_START = (
        "invalid start",
        "The start's polygon reference is not of this mesh, its tile has gone, or the filter rejects it. Snap again.",
    )
    START_OUTSIDE_POLYGON = (
        "start outside polygon",
        "The start lies more than a thousandth of a millimetre beside the polygon that was given for it. Snap it, and "
        "take polygon and point from the answer.",
    )


class AreaSearchStatus(Answer):
    """The answer of an area search: circle, shape, neighbourhood, walls. Only SUCCESS is all there is."""

    SUCCESS = "success", "Everything that can be reached within the shape was found."
    NODE_LIMIT = (
        "node limit",
        "The search reached its node limit; what it found is what it met first, nearest portals first. Ask a "
        "NavMeshQuery with a larger max_nodes, or a smaller shape.",
    )
    NOT_LOADED = (
        "not loaded",
        "The shape reaches into tiles that are not loaded; what was found is all there is in those that are. Load "
        "missing_tiles and ask again, or take it as it is.",
    )
    IN_PROGRESS = (
        "in progress",
        "A search in slices has work left. Give it more iterations; what it has so far was found first.",
    )
    STALE = PathStatus.STALE.value, PathStatus.STALE.advice
    INVALID_START = PathStatus.INVALID_START.value, PathStatus.INVALID_START.advice
    INVALID_SHAPE = (
        "invalid shape",
        "The points are not a convex polygon of 3 to 64 different points with an area. Take their convex hull.",
    )


class CorridorStatus(Answer):
    """What ends the part of a corridor that still stands."""

    STANDS = "stands", "The whole corridor may be walked."
    STALE = "stale", "The polygon's tile has been replaced or removed. Search again from where the agent is."
    REFUSED = (
        "refused",
        "The filter refuses the polygon, or the off-mesh link that leads to it: its area or flags are others now. "
        "Search again, or wait where that may change back.",
    )
    NOT_LINKED = (
        "not linked",
        "The polygon before no longer leads to it the way the corridor crosses: a tile beside changed, or an off-mesh "
        "link was closed or taken away. Search again.",
    )
    EMPTY = "empty", "There are no polygons in it. Search first."


class NodeModel(enum.Enum):
    """What a node of the path search stands for (queries document, path search)."""

    POLYGON = "polygon"
    """One node a polygon, entered where the way to the end crosses its border. The default: fast, near the least."""
    CROSSING = "crossing"
    """One node a crossing, at the middle of the edge: the least cost among routes over edge middles, for about three
    times the nodes. Take it to compare costs of routes; the lines are not shorter."""
    EXACT = "exact"
    """No crossing is fixed: the shortest line over the whole mesh, seen from above, over links too. It takes a filter
    for which all polygons cost the same, whatever links cost; with another one crossings are searched, and the detail
    is EXACT_NOT_UNIFORM."""


class PathMark(enum.IntFlag):
    """What a point of a path is, as bits of `Path.marks` (uint8). A corner on the way has none."""

    START = 1
    """The first point: the start on the mesh."""
    END = 2
    """The last point of a complete line: where the corridor ends."""
    OFF_MESH = 4
    """The entry of an off-mesh link: `Path.links` names it, and the line goes on at its exit."""
