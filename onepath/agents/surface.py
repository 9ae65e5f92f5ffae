"""The ground under a path: heights on the polygons that it crosses."""

from __future__ import annotations

from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, Path

__all__ = ["PathSurface"]

#: A position on an edge is inside both polygons, metres.
EDGE_SLACK = 1e-4

Point = tuple[float, float, float]
Outline = list[tuple[float, float, float]]


class PathSurface:
    """The ground under a path, asked for on the way from its start to its end; it never looks back.

    A path's legs run straight from corner to corner, through the air over hills and stairs. The polygons it crosses
    say where the ground is; the nearest polygon may be another, where the ground is far above or below the leg.

    Args:
        mesh: the mesh that the path was found on.
        path: a path; the polygons of its corridor are looked at in their order.
        query: a NavMeshQuery of the mesh to ask with, if there is one already.

    Attributes:
        index: number of the corridor's polygon over which a height was found last.

    >>> import onepath
    >>> level = onepath.Level()
    >>> level.add_plane((0, 0), (8, 8), 1.0)
    >>> mesh = onepath.bake(level)
    >>> surface = PathSurface(mesh, mesh.find_path((1, 1, 1), (7, 1, 7)))
    >>> abs(surface.height((4, 5, 4), 1.0, 0.5) - 1.0) < mesh.settings.cell_height
    True
    """

    __slots__ = ("_mesh", "_outlines", "_polygons", "_query", "index", "path")

    def __init__(self, mesh: NavMesh, path: Path, query: NavMeshQuery | None = None) -> None:
        self.path = path
        self._mesh, self._query = mesh, NavMeshQuery(mesh) if query is None else query
        self._polygons: list[int] = path.corridor.polygons.tolist()
        self._outlines: dict[int, Outline] = {}
        self.index = 0

    def height(self, position: Point, last_height: float, reach: float) -> float | None:
        """Of the first polygon from the present one on that holds (x, z), at most `reach` from the last height.

        None where there is none, and once the mesh has lost a polygon on the way.
        """
        for index in range(self.index, len(self._polygons)):
            polygon = self._polygons[index]
            if not self._mesh.is_valid(polygon):
                return None
            if _holds(self._outline(polygon), position[0], position[2]):
                height = self._query.surface_height(polygon, position)
                if height is not None and abs(height - last_height) <= reach:
                    self.index = index
                    return height
        return None

    def _outline(self, polygon: int) -> Outline:
        outline = self._outlines.get(polygon)
        if outline is None:
            outline = self._outlines[polygon] = self._mesh.polygon(polygon).tolist()
        return outline


def _holds(outline: Outline, x: float, z: float) -> bool:
    """Whether (x, z) lies inside a convex outline, counter-clockwise seen from above, or on its edges."""
    ax, _, az = outline[-1]
    for bx, _, bz in outline:
        ex, ez = bx - ax, bz - az
        # Twice the area to the left of the edge; its square is compared, so that no root is taken.
        side = ez * (x - ax) - ex * (z - az)
        if side < 0.0 and side * side > EDGE_SLACK * EDGE_SLACK * (ex * ex + ez * ez):
            return False
        ax, az = bx, bz
    return True
