"""Convex area volumes: upright prisms that give the walkable spans inside them an area id."""

import cython
import numpy as np
from cython.cimports.onepath.build._compact import CompactField, CompactHeightfield
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._volumes import VolumeShape
from cython.cimports.onepath.geometry._exact import orientation

from onepath.build.arguments import LARGEST_AREA, coordinate, real_number, whole_number
from onepath.errors import ArgumentError, RangeError
from onepath.names import unknown_name

FEWEST_CORNERS, MOST_CORNERS = 3, 256


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _side(
    shape: cython.pointer[cython.const[VolumeShape]], edge: cython.int, x: cython.double, z: cython.double
) -> cython.double:
    """The sign tells on which side of an edge a point lies, 0 on its line; exact."""
    a: cython.pointer[cython.const[cython.double]] = shape.corners + 2 * edge
    b: cython.pointer[cython.const[cython.double]] = shape.corners + 2 * (edge + 1 if edge + 1 < shape.count else 0)
    return orientation(a[0], a[1], b[0], b[1], x, z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _turn(shape: cython.pointer[cython.const[VolumeShape]]) -> cython.int:
    """1 or -1: every corner lies on that side of every edge or on it; 0: none lies off an edge; 2: on both sides."""
    edge: cython.int
    corner: cython.int
    side: cython.double
    turn: cython.int = 0
    for edge in range(shape.count):
        for corner in range(shape.count):
            side = _side(shape, edge, shape.corners[2 * corner], shape.corners[2 * corner + 1])
            if side > 0:
                if turn < 0:
                    return 2
                turn = 1
            elif side < 0:
                if turn > 0:
                    return 2
                turn = -1
    return turn


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _holds(shape: cython.pointer[cython.const[VolumeShape]], x: cython.double, z: cython.double) -> cython.bint:
    """Inside the polygon or on it."""
    edge: cython.int
    if x < shape.low_x or x > shape.high_x or z < shape.low_z or z > shape.high_z:
        return False
    for edge in range(shape.count):  # noqa: SIM110  (all() of a generator is Python)
        if _side(shape, edge, x, z) * shape.turn < 0:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def meets_square(
    shape: cython.pointer[cython.const[VolumeShape]], frame: cython.pointer[cython.const[Frame]]
) -> cython.bint:
    cell_size: cython.double = frame.cell_size
    return (
        shape.high_x >= frame.origin_x
        and shape.low_x <= frame.origin_x + frame.width * cell_size
        and shape.high_z >= frame.origin_z
        and shape.low_z <= frame.origin_z + frame.depth * cell_size
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_volume(
    compact: cython.pointer[CompactField], shape: cython.pointer[cython.const[VolumeShape]], kind: cython.uchar
) -> cython.int:
    """Voxelization document, section 9; cell centres and floors in doubles."""
    cell_size: cython.double = compact.frame.cell_size
    cell_height: cython.double = compact.frame.cell_height
    x: cython.int
    z: cython.int
    span: cython.int
    first: cython.int
    centre_x: cython.double
    centre_z: cython.double
    floor: cython.double
    marked: cython.int = 0
    for z in range(compact.depth):
        centre_z = compact.frame.origin_z + (z + 0.5) * cell_size
        if centre_z < shape.low_z or centre_z > shape.high_z:
            continue
        for x in range(compact.width):
            centre_x = compact.frame.origin_x + (x + 0.5) * cell_size
            first = compact.cell_first[x + z * compact.width]
            if compact.cell_count[x + z * compact.width] == 0 or not _holds(shape, centre_x, centre_z):
                continue
            for span in range(first, first + compact.cell_count[x + z * compact.width]):
                floor = compact.frame.origin_y + compact.y[span] * cell_height
                if compact.area[span] != 0 and shape.min_y <= floor <= shape.max_y:
                    compact.area[span] = kind
                    marked += 1
    return marked


def _checked_corners(corners):
    try:
        pairs = tuple((x, z) for x, z in corners)
    except (TypeError, ValueError):
        raise ArgumentError(f"corners is {corners!r}, not pairs (x, z)") from None
    if not FEWEST_CORNERS <= len(pairs) <= MOST_CORNERS:
        raise RangeError(f"corners has {len(pairs)} corners, outside [{FEWEST_CORNERS}, {MOST_CORNERS}]")
    return tuple((coordinate(f"corners[{i}].x", x), coordinate(f"corners[{i}].z", z)) for i, (x, z) in enumerate(pairs))


class ConvexVolume:
    """An upright prism that gives an area id to walkable floors in it (voxelization document, section 9). Immutable.

    Args:
        corners: 3 to 256 corners (x, z) of a convex polygon with an area, in either winding, each coordinate within
            2**21 of zero; corners on a straight side and repeated corners are allowed.
        min_y, max_y: the heights of floors that are meant, both included; infinite for no limit.
        area: an id from 0 to 63, or the name of an area that the bake knows; 0 makes the floor unwalkable.
        name: what `NavMesh.stage_volume_area` calls the polygons that it marks; several volumes may share a name.

    Raises:
        ArgumentError: corners that are no convex polygon with an area, an inverted interval, NaN.
        RangeError: a number of corners, coordinate or area outside its range.

    >>> ConvexVolume([(0, 0), (0, 4), (4, 0)], -1, 1, 5)
    ConvexVolume(((0.0, 0.0), (0.0, 4.0), (4.0, 0.0)), -1.0, 1.0, 5)
    """

    __match_args__ = ("corners", "min_y", "max_y", "area", "name")

    def __cinit__(self, corners, min_y, max_y, area, name=None, **unknown):
        if unknown:
            raise unknown_name("ConvexVolume", next(iter(unknown)), ConvexVolume.__match_args__)
        checked = _checked_corners(corners)
        low: cython.double = real_number("min_y", min_y)
        high: cython.double = real_number("max_y", max_y)
        if low > high:
            raise ArgumentError(f"min_y {min_y!r} is above max_y {max_y!r}")
        if isinstance(area, str):
            self.area = LARGEST_AREA if area == "ground" else area
        else:
            self.area = whole_number("area", area, 0, LARGEST_AREA)
        if name is not None and (not isinstance(name, str) or not name):
            raise ArgumentError(f"name is {name!r}, not a text")
        self.name = name
        self.shape.area = 0 if isinstance(self.area, str) else self.area
        self.shape.min_y, self.shape.max_y = low, high
        self.corners = checked
        self.points = np.array(checked, dtype=np.float64)
        self.shape.corners = cython.address(self.points[0, 0])
        self.shape.count = len(checked)
        self.shape.low_x, self.shape.low_z = np.min(self.points, axis=0)
        self.shape.high_x, self.shape.high_z = np.max(self.points, axis=0)
        self.shape.turn = _turn(cython.address(self.shape))
        if self.shape.turn == 0:
            raise ArgumentError(f"corners is {checked!r}, a polygon without area")
        if self.shape.turn == 2:
            raise ArgumentError(f"corners is {checked!r}, not a convex polygon")

    @property
    def min_y(self):
        return self.shape.min_y

    @property
    def max_y(self):
        return self.shape.max_y

    def resolved(self, areas):
        """The same volume with the id that `areas` (an `Areas`) has for its area's name.

        Raises:
            ArgumentError, RangeError: an unknown name, or an id above 63, which the builder does not know.
        """
        if not isinstance(self.area, str):
            return self
        return ConvexVolume(self.corners, self.shape.min_y, self.shape.max_y, areas.id(self.area), self.name)

    def _values(self):
        values = (self.corners, self.shape.min_y, self.shape.max_y, self.area)
        return values if self.name is None else (*values, self.name)

    def __eq__(self, other):
        if not isinstance(other, ConvexVolume):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self):
        return hash(self._values())

    def __repr__(self):
        return f"ConvexVolume{self._values()}"

    def __reduce__(self):
        return ConvexVolume, self._values()


def apply_volume(compact: CompactHeightfield, volume: ConvexVolume):
    """Gives the volume's area to every walkable span whose cell centre and floor lie in it, borders included.

    Apply volumes after erosion; a later one overwrites an earlier one.

    Raises:
        ArgumentError: its area is a name (`ConvexVolume.resolved` gives it an id).
    """
    if isinstance(volume.area, str):
        raise ArgumentError(f"volume has the area {volume.area!r}; give it an id with volume.resolved(areas)")
    mark_volume(cython.address(compact.field), cython.address(volume.shape), volume.shape.area)


def apply_kind(compact: CompactHeightfield, volume: ConvexVolume, kind):
    """The same with a value of up to 255 for the area, by which named volumes of one area can be told apart as a bake
    does. The number of spans that got it."""
    number: cython.int = whole_number("kind", kind, 0, 255)
    return mark_volume(cython.address(compact.field), cython.address(volume.shape), cython.cast(cython.uchar, number))
