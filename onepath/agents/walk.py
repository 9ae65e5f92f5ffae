"""Walking a path over a mesh that changes: feet on the ground, standing where there is none, searching again."""

from __future__ import annotations

from math import inf

from onepath.agents.follower import PathFollower
from onepath.agents.surface import EDGE_SLACK, PathSurface
from onepath.answers import Answer
from onepath.build.arguments import number_between
from onepath.errors import ArgumentError
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, Path, PathStatus, QueryFilter
from onepath.query._corridor_check import check_corridor

__all__ = ["PathWalk", "WalkStatus"]

Point = tuple[float, float, float]

STILL = (0.0, 0.0, 0.0)
#: Answers that say where the walker stood or that there was nothing: after a commit they may be others.
WITHOUT_A_START = (PathStatus.NO_START, PathStatus.INVALID_START, PathStatus.NO_MESH)


class WalkStatus(Answer):
    """How a walk over a mesh goes on. Only WALKING moves."""

    WALKING = "walking", "It is on its way. Nothing to do."
    ARRIVED = "arrived", "It stands at the end of its path, which is the end that was asked for. Nothing to do."
    ENDED = (
        "ended",
        "It stands where its path stops short of the end that was asked for. The path's status says why, and what to "
        "do.",
    )
    PATH_LOST = (
        "path lost",
        "The mesh has changed on the way ahead, or a tile has come for want of which the path had to stop. It stands "
        "and waits: search again from where it stands.",
    )
    OFF_MESH = (
        "off mesh",
        "No walkable polygon is under its feet: a tile was taken out, or an area was closed. It stands still; commit "
        "the tile again, open the area, or move it onto the mesh, and it says PATH_LOST.",
    )


#: What lasts until the mesh changes.
AT_REST = (WalkStatus.ARRIVED, WalkStatus.ENDED)


class PathWalk:
    """A follower on one path, over a mesh whose tiles come and go.

    After a commit the rest of the path is checked, once. While it stands the follower walks and is set down on the
    polygons it crosses; where it does not, the follower stands, and `status` says what it waits for. A path that stands
    again, because an area was opened again, is walked on. A link that has been stepped on is walked to its end.

    Args:
        mesh: the mesh that the path was found on.
        follower: whom to walk; it has started on the path, or been stopped.
        path: the path. For a new one make a new walk.
        filter: a QueryFilter, what the path was searched with; None is the mesh's `default_filter`, as in the calls on
            NavMesh.
        reach: how far up and down the ground may lie from the last step's, metres; default the agent's height.

    Attributes:
        status: WalkStatus, as of the last step.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.

    >>> import onepath
    >>> level = onepath.Level()
    >>> level.add_plane((0, 0), (8, 8))
    >>> mesh = onepath.bake(level)
    >>> follower, path = PathFollower((1, 0, 1)), mesh.find_path((1, 0, 1), (7, 0, 7))
    >>> follower.start(path)
    >>> walk = PathWalk(mesh, follower, path)
    >>> walk.advance(1 / 60)
    <WalkStatus.WALKING: 'walking'>
    >>> for tile in mesh.tiles():
    ...     mesh.stage_tile_removal(tile.column, tile.row)
    >>> _ = mesh.commit()
    >>> walk.advance(1 / 60)
    <WalkStatus.OFF_MESH: 'off mesh'>
    >>> walk.desired_velocity
    (0.0, 0.0, 0.0)
    """

    __slots__ = (
        "_edits",
        "_extents",
        "_filter",
        "_lost",
        "_query",
        "_reach",
        "_standing",
        "_surface",
        "follower",
        "mesh",
        "path",
        "status",
    )

    def __init__(
        self,
        mesh: NavMesh,
        follower: PathFollower,
        path: Path,
        *,
        filter: QueryFilter | None = None,
        reach: float | None = None,
    ) -> None:
        for name, value, kind in (("mesh", mesh, NavMesh), ("follower", follower, PathFollower), ("path", path, Path)):
            if not isinstance(value, kind):
                raise ArgumentError(f"{name} is {value!r}, not a {kind.__name__}")
        if filter is not None and not isinstance(filter, QueryFilter):
            raise ArgumentError(f"filter is {filter!r}, not a QueryFilter or None")
        mesh._check_initialised()
        self.mesh, self.follower, self.path = mesh, follower, path
        self.status = WalkStatus.WALKING
        self._reach = (
            mesh.settings.agent.height if reach is None else number_between("reach", reach, 0.0, inf, open_high=True)
        )
        self._extents = (mesh.settings.cell_size, self._reach, mesh.settings.cell_size)
        self._filter = QueryFilter(costs=mesh.areas.costs) if filter is None else filter
        self._query = NavMeshQuery(mesh)
        self._surface = PathSurface(mesh, path, self._query)
        self._edits, self._lost, self._standing = -1, False, 0

    def __repr__(self) -> str:
        return f"PathWalk({self.follower}, {self.status.value})"

    @property
    def desired_velocity(self) -> Point:
        """Metres a second along (x, y, z), y always 0; all 0 unless it is WALKING."""
        if self.status is not WalkStatus.WALKING:
            return STILL
        return self.follower.desired_velocity

    def advance(self, seconds: float) -> WalkStatus:
        """One step of 0 or more seconds, and how it goes on.

        Raises:
            ArgumentError, RangeError: `seconds` is no number, NaN, infinite, or below 0; the follower stays as it was.
            BusyError: a commit runs on another thread.
        """
        changed = self.mesh.edit_count != self._edits
        if changed:
            self._look_again()
        if self.follower.moving and (not self._lost or self._is_on_link()):
            self._step(seconds)
            self.status = WalkStatus.WALKING if self.follower.moving else self._end()
        elif changed or self.status not in AT_REST:
            self.status = self._stand()
        return self.status

    def _look_again(self) -> None:
        """How far the rest of the path stands on the mesh as it is now, and whether another may lead farther."""
        first = self._edits < 0
        self._edits = self.mesh.edit_count
        corridor, passed = self.path.corridor, self._surface.index
        rest = corridor.polygons[passed:] if passed else corridor
        self._standing = passed + check_corridor(self.mesh, rest, self._filter).standing
        self._lost = self._standing < len(corridor) or any(map(self._is_loaded, self.path.missing_tiles))
        if not first and self.path.status in WITHOUT_A_START:
            self._lost = True

    def _is_loaded(self, cell: tuple[int, int]) -> bool:
        try:
            self.mesh.tile(*cell)
        except ArgumentError:
            return False
        return True

    def _step(self, seconds: float) -> None:
        last_height = self.follower.position[1]
        self.follower.advance(seconds)
        position = self.follower.position
        height = self._surface.height(position, last_height, self._reach)
        if height is None:
            height = self._ground((position[0], last_height, position[2]))
        if height is not None:
            self.follower.position = (position[0], height, position[2])

    def _stand(self) -> WalkStatus:
        """Why it does not walk."""
        if self._ground(self.follower.position) is None:
            self.follower.speed = 0.0
            self._lost = self._lost or not self.path
            return WalkStatus.OFF_MESH
        end = self._end()
        return WalkStatus.PATH_LOST if self._lost and end is not WalkStatus.ARRIVED else end

    def _end(self) -> WalkStatus:
        if not self.path:
            return WalkStatus.ENDED
        end, position = self.path.points[-1], self.follower.position
        arrived = abs(end[0] - position[0]) <= EDGE_SLACK and abs(end[2] - position[2]) <= EDGE_SLACK
        return WalkStatus.ARRIVED if arrived else WalkStatus.ENDED

    def _is_on_link(self) -> bool:
        """Whether it is between two polygons of its path that both stand and lead to each other, and over neither."""
        position = self.follower.position
        return (
            self._surface.index + 1 < self._standing
            and self._surface.height(position, position[1], self._reach) is None
        )

    def _ground(self, position: Point) -> float | None:
        """Height of the nearest polygon that the filter lets pass and that lies straight above or below."""
        found = self._query.find_nearest_polygon(position, self._extents, self._filter)
        if found.point is None:
            return None
        dx, dz = found.point[0] - position[0], found.point[2] - position[2]
        return found.point[1] if dx * dx + dz * dz <= EDGE_SLACK * EDGE_SLACK else None
