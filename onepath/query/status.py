"""What a search may answer, and how it may look at the mesh. Each member says what to do about it."""

import enum

__all__ = ["NodeModel", "PathMark", "PathStatus", "QueryStatus"]


class PathStatus(enum.Enum):
    """The answer of a path search. Only SUCCESS reaches the end."""

    SUCCESS = "success"
    """The path reaches the end. Walk it."""
    PARTIAL = "partial"
    """The end cannot be reached (or the node limit stopped the search: see `node_limit_reached` and `detail`); the
    path leads to the place nearest to it that was found. Walk it, choose another end, or raise `max_nodes`."""
    NOT_LOADED = "not loaded"
    """The search ran into tiles that are not there yet. Load `missing_tiles` (nearest to the end first) and ask again;
    until then the path leads towards the end as far as it could be searched."""
    NO_START = "no start"
    """No polygon that the filter accepts is within reach of the start. Move it, or search with a larger reach."""
    NO_END = "no end"
    """No polygon that the filter accepts is within reach of the end. Move it, or search with a larger reach."""
    NO_MESH = "no mesh"
    """The mesh has no committed tile. Commit one first."""
    IN_PROGRESS = "in progress"
    """A sliced search has work left. Give it more iterations; what it has so far leads towards the end."""
    STALE = "stale"
    """The mesh has changed since the sliced search began. Begin it again."""
    INVALID_START = "invalid start"
    """The start's polygon reference is not of this mesh, its tile has gone, or the filter rejects it. Snap again."""
    INVALID_END = "invalid end"
    """The end's polygon reference is not of this mesh, its tile has gone, or the filter rejects it. Snap again."""
    INVALID_CORRIDOR = "invalid corridor"
    """The corridor is empty, has a stale reference, or two of its polygons in turn do not touch. Search again."""


class QueryStatus(enum.Enum):
    """The finer answer beneath a `Path.status`: what happened inside the query."""

    SUCCESS = "success"
    """The route reaches the end's polygon."""
    PARTIAL = "partial"
    """Everything that can be reached was searched, and the end is not part of it."""
    NODE_LIMIT = "node limit"
    """The search dropped nodes and did not reach the end. Use a `NavMeshQuery` with a larger `max_nodes`."""
    FRONTIER = "frontier"
    """The search met tiles that are not loaded and did not reach the end. Load `missing_tiles`."""
    START_NOT_LOADED = "start not loaded"
    """Nothing was found near the start, and tiles within its reach are not loaded. Load `missing_tiles`."""
    END_NOT_LOADED = "end not loaded"
    """Nothing was found near the end, and tiles within its reach are not loaded. Load `missing_tiles`."""
    NO_START_NEARBY = "no start nearby"
    """As NO_START."""
    NO_END_NEARBY = "no end nearby"
    """As NO_END."""
    NO_MESH = "no mesh"
    """As PathStatus.NO_MESH."""
    IN_PROGRESS = "in progress"
    """As PathStatus.IN_PROGRESS."""
    STALE = "stale"
    """As PathStatus.STALE."""
    INVALID_START = "invalid start"
    """As PathStatus.INVALID_START."""
    INVALID_END = "invalid end"
    """As PathStatus.INVALID_END."""
    INVALID_CORRIDOR = "invalid corridor"
    """As PathStatus.INVALID_CORRIDOR."""


class CorridorStatus(enum.Enum):
    """What ends the part of a corridor that still stands."""

    STANDS = "stands"
    """Nothing: the whole corridor may be walked."""
    STALE = "stale"
    """The polygon's tile has been replaced or removed. Search again from where the agent is."""
    REFUSED = "refused"
    """The filter refuses the polygon, or the off-mesh link that leads to it: its area or flags are others now. Search
    again, or wait where that may change back."""
    NOT_LINKED = "not linked"
    """The polygon before no longer leads to it the way the corridor crosses: a tile beside changed, or an off-mesh link
    was closed or taken away. Search again."""
    EMPTY = "empty"
    """There are no polygons in it. Search first."""


class NodeModel(enum.Enum):
    """What a node of the path search stands for (queries document, path search)."""

    POLYGON = "polygon"
    """One node a polygon, entered where the way to the end crosses its border. The default: fast, near the least."""
    CROSSING = "crossing"
    """One node a crossing, at the middle of the edge: the least cost among routes over edge middles, for about three
    times the nodes. Take it to compare costs of routes; the lines are not shorter."""


class PathMark(enum.IntFlag):
    """What a point of a path is, as bits of `Path.marks` (uint8). A corner on the way has none."""

    START = 1
    """The first point: the start on the mesh."""
    END = 2
    """The last point of a complete line: where the corridor ends."""
    OFF_MESH = 4
    """The entry of an off-mesh link: `Path.links` names it, and the line goes on at its exit."""
