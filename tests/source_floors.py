"""How far the surface of a bake is from the floors of its source, measured against the level's own triangles.

Nothing which the builder takes for its floor is taken over: no voxels, no regions, no polygons but for their surfaces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import onepath
from benchmarks.heights import COLUMN, SPACING, Columns, Hits, floors
from benchmarks.partition import own_partition
from onepath import BakeSettings, Level

#: Metres that a floor of at most about fifty degrees rises from one column to the next one across a corner.
STEEPEST = 1.8 * SPACING
#: Metres within which a storey has one floor only: well below the height of an agent.
STOREY = 1.5


class SourceGround:
    """The floors of a level in columns that a surface shares: what faces up and has room for the agent."""

    def __init__(
        self, level: Level, settings: BakeSettings, surface: NDArray[np.float64], spacing: float = SPACING
    ) -> None:
        vertices, indices, _ = level.triangles()
        triangles = vertices[indices]
        self.columns = Columns(np.concatenate([surface, triangles]), spacing)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        headroom = settings.agent.height - settings.cell_height
        self.floor = floors(self.columns.hits(triangles), normals[:, 1] > 0, headroom, settings.cell_height)
        self._base = self.floor.height.min()
        self._key = self.floor.column * COLUMN + (self.floor.height - self._base)

    def _height(self, index: NDArray[np.intp]) -> NDArray[np.float64]:
        """Of floors by index; below everything for -1, above everything for -2."""
        return np.where(index == -1, -np.inf, np.where(index == -2, np.inf, self.floor.height[index]))

    def around(self, hits: Hits, shift: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Of each hit the nearest floors below and above it in the column beside, -1 and -2 for none."""
        column = hits.column + shift
        # Columns are told by what is added to heights, which takes their last digits.
        place = np.searchsorted(self._key, column * COLUMN + (hits.height + 1e-6 - self._base), side="right")
        low, high = np.clip(place - 1, 0, len(self._key) - 1), np.clip(place, 0, len(self._key) - 1)
        is_below = (place > 0) & (self.floor.column[low] == column)
        is_above = (place < len(self._key)) & (self.floor.column[high] == column)
        return np.where(is_below, low, -1), np.where(is_above, high, -2)

    def between(self, hits: Hits, reach: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each hit the nearest floors below and above it up to `reach` metres sideways, infinite for none."""
        below, above = np.full(len(hits.column), -np.inf), np.full(len(hits.column), np.inf)
        for shift in self._beside(reach):
            low, high = self.around(hits, shift)
            below, above = np.maximum(below, self._height(low)), np.minimum(above, self._height(high))
        return below, above

    def ranges(self, hits: Hits, reach: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each hit the least and the greatest height of its storey's floor up to `reach` metres sideways."""
        least, greatest = np.full(len(hits.column), np.inf), np.full(len(hits.column), -np.inf)
        for shift in self._beside(reach):
            nearest = self._nearest(hits, shift)
            height = self.floor.height[nearest]
            least = np.where(nearest >= 0, np.minimum(least, height), least)
            greatest = np.where(nearest >= 0, np.maximum(greatest, height), greatest)
        return least, greatest

    def is_one(self, hits: Hits, reach: float) -> NDArray[np.bool_]:
        """Whether the floor around a hit is one up to `reach` metres sideways: without a step, a hole or an end."""
        one, is_even = np.ones(len(hits.column), bool), self._are_even()
        for shift in self._beside(reach):
            nearest = self._nearest(hits, shift)
            one &= (nearest >= 0) & is_even[nearest]
            one &= np.abs(self.floor.height[nearest] - hits.height) < STOREY
        return one

    def _beside(self, reach: float) -> list[int]:
        return self.columns.beside(round(reach / self.columns.spacing))

    def _are_even(self) -> NDArray[np.bool_]:
        """Whether floors go on in all columns beside without a step."""
        even = np.ones(len(self._key), bool)
        for shift in self.columns.beside(1):
            below, above = self.around(self.floor, shift)
            nearest = np.minimum(self.floor.height - self._height(below), self._height(above) - self.floor.height)
            even &= nearest <= STEEPEST
        return even

    def _nearest(self, hits: Hits, shift: int) -> NDArray[np.intp]:
        """The floor nearest in height in the column beside, -1 for none."""
        below, above = self.around(hits, shift)
        is_lower = hits.height - self._height(below) <= self._height(above) - hits.height
        nearest = np.where(is_lower, below, above)
        return np.where(nearest < 0, -1, nearest)


def farthest_from_floors(level: Level, settings: BakeSettings) -> float:
    """Metres from the ground to the place of the surface that is farthest from it.

    Where the floor is one, the ground is what lies within two cells sideways, which the cell around a place and those
    that touch it do: a row is the highest floor of its cell, and a surface runs from the centre of one cell to the next
    one's. Where it is not, the ground is any floor that a border may have come from; and what lies between two within
    two cells that an agent can climb is on the floor, since there a step became a ramp. Where there is no floor at all,
    nothing can be said of the height.
    """
    surface = own_partition(onepath.bake(level, settings)).surface
    if len(surface) == 0:
        return 0.0
    ground = SourceGround(level, settings, surface)
    hits = ground.columns.hits(surface)
    one = ground.is_one(hits, _reach(settings))
    apart = _apart(ground, hits, one, settings)
    doubtful = np.flatnonzero(apart > allowed(settings))
    if len(doubtful) > 0:
        # A floor may be narrower than from one column to the next.
        places = ground.columns.places(hits.column[doubtful])
        ground = SourceGround(level, settings, surface, SPACING / 5)
        column = ground.columns.numbers(places)
        again = Hits(column, hits.height[doubtful], hits.triangle[doubtful])
        apart[doubtful] = _apart(ground, again, one[doubtful], settings)
    return float(apart.max(initial=0.0))


def _reach(settings: BakeSettings) -> float:
    """Metres sideways from which a border may have come."""
    return max(settings.max_edge_error_cells + 1, 2) * settings.cell_size


def _apart(ground: SourceGround, hits: Hits, one: NDArray[np.bool_], settings: BakeSettings) -> NDArray[np.float64]:
    """Metres from each hit to the ground, 0 where there is none; where `one` says so its floor is one."""
    beside = 2 * settings.cell_size
    least, greatest = ground.ranges(hits, beside)
    on_one = np.maximum(np.maximum(least - hits.height, hits.height - greatest), 0.0)
    below, above = ground.between(hits, _reach(settings))
    step_below, step_above = ground.between(hits, beside)
    is_on_step = step_above - step_below <= settings.agent.max_climb + settings.cell_height
    is_on_step |= above - below <= 2 * STEEPEST
    on_some = np.where(is_on_step, 0.0, np.minimum(hits.height - below, above - hits.height))
    apart = np.where(one, on_one, on_some)
    return np.where(np.isfinite(apart), apart, 0.0)


def allowed(settings: BakeSettings) -> float:
    """What is promised. Along the sides of tiles an error of less than a row is left by half a row more."""
    along_sides = 0.5 if settings.detail_max_error < settings.cell_height else 0.0
    return settings.detail_max_error + (1.0 + along_sides) * settings.cell_height + 1e-5
