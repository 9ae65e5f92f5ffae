"""Where a body can walk in a level, found without any of the library's builder: floors sampled at points of a grid.

Slow and coarse, and for levels of closed solids over open ground only. It answers whether places are connected.
"""

from __future__ import annotations

import numpy as np

from onepath.geometry import Level

Floors = np.ndarray


class Walker:
    """Floors of a level at the centres of square cells, and which of them a body reaches from which."""

    def __init__(self, level: Level, *, cell=0.2, radius=0.4, height=1.8, climb=0.5, slope_cosine=0.7071) -> None:
        self.cell, self.climb = cell, climb
        (x0, _, z0), (x1, _, z1) = level.bounds
        self.origin = np.array([x0, z0])
        self.shape = (int((x1 - x0) / cell) + 1, int((z1 - z0) / cell) + 1)
        self.floors = self._free_floors(level, height, slope_cosine)
        self._erode(radius)
        self.label = self._labels()

    def component(self, place: tuple[float, float, float]) -> int:
        """Label of the floor nearest to a place, in its cell and the eight around it; -1 where there is none."""
        i, k = ((np.array([place[0], place[2]]) - self.origin) / self.cell).astype(int)
        best, answer = self.climb, -1
        for a in range(max(0, i - 1), i + 2):
            for b in range(max(0, k - 1), k + 2):
                for layer in range(len(self.floors)):
                    away = abs(self.floors[layer, a, b] - place[1])
                    if away < best:
                        best, answer = away, int(self.label[layer, a, b])
        return answer

    def _samples(self, level: Level, slope_cosine: float):
        """(cell, height, +1 facing up or -1 facing down, walkable) of every triangle above or below a cell's centre."""
        vertices, triangles, _ = level.triangles()
        found = []
        for a, b, c in vertices[triangles]:
            normal = np.cross(b - a, c - a)
            if normal[1] == 0.0:
                continue
            corners = (np.array([a, b, c])[:, [0, 2]] - self.origin) / self.cell - 0.5
            low, high = np.ceil(corners.min(0)).astype(int), np.floor(corners.max(0)).astype(int)
            if (low > high).any():
                continue
            x, z = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
            # A hair beside the centres, so that no sample lies on the edge of two triangles.
            u, w = x + 1.234567e-4, z + 2.345678e-4
            (ax, az), (bx, bz), (cx, cz) = corners if normal[1] < 0 else corners[[0, 2, 1]]
            inside = ((bx - ax) * (w - az) - (bz - az) * (u - ax) >= 0) & (
                (cx - bx) * (w - bz) - (cz - bz) * (u - bx) >= 0
            )
            inside &= (ax - cx) * (w - cz) - (az - cz) * (u - cx) >= 0
            x, z = x[inside], z[inside]
            px, pz = (x + 0.5) * self.cell + self.origin[0], (z + 0.5) * self.cell + self.origin[1]
            y = a[1] - (normal[0] * (px - a[0]) + normal[2] * (pz - a[2])) / normal[1]
            kept = (x < self.shape[0]) & (z < self.shape[1])
            cell = (x * self.shape[1] + z)[kept]
            up = 1 if normal[1] > 0 else -1
            walkable = normal[1] > slope_cosine * np.linalg.norm(normal)
            found.append(np.stack([cell, y[kept], np.full(len(cell), up), np.full(len(cell), walkable)], axis=1))
        return np.concatenate(found)

    def _free_floors(self, level: Level, height: float, slope_cosine: float) -> Floors:
        """(layers, x, z) heights of walkable floors outside of solids with head room, NaN where there is none."""
        samples = self._samples(level, slope_cosine)
        # At one height what faces down comes first: a crate's underside on a floor is inside, not free.
        samples = samples[np.lexsort((samples[:, 2], np.round(samples[:, 1], 4), samples[:, 0]))]
        cell, y, up, walkable = samples.T
        starts = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
        group = np.cumsum(np.r_[True, cell[1:] != cell[:-1]]) - 1
        # Solids above a sample: each opens at its underside and closes at its top; from the sky down all are closed.
        passed = np.cumsum(up)
        total = np.add.reduceat(up, starts)
        depth = total[group] - (passed - (passed[starts] - up[starts])[group])
        room = np.full(len(cell), np.inf)
        same = cell[1:] == cell[:-1]
        room[:-1][same] = (y[1:] - y[:-1])[same]
        free = np.flatnonzero((walkable > 0) & (depth == 0) & (room >= height))
        order = np.zeros(len(free), dtype=int)
        for index in range(1, len(free)):
            if cell[free[index]] == cell[free[index - 1]]:
                order[index] = order[index - 1] + 1
        floors = np.full((order.max() + 1, *self.shape), np.nan)
        where = cell[free].astype(int)
        floors[order, where // self.shape[1], where % self.shape[1]] = y[free]
        return floors

    def _erode(self, radius: float) -> None:
        """Takes out floors with a cell within the radius that has no floor within a climb."""
        reach = int(radius / self.cell)
        kept = ~np.isnan(self.floors)
        for dx in range(-reach, reach + 1):
            for dz in range(-reach, reach + 1):
                if 0 < dx * dx + dz * dz <= (radius / self.cell) ** 2 + 1e-9:
                    limit = self.climb * max(1.0, np.hypot(dx, dz) * self.cell / 0.4)
                    kept &= self._joins(dx, dz, limit).any(axis=1)
        self.floors = np.where(kept, self.floors, np.nan)

    def _joins(self, dx: int, dz: int, limit: float) -> np.ndarray:
        """(layer, other layer, x, z): whether a floor and one in the cell (dx, dz) away are within a limit."""
        moved = np.full_like(self.floors, np.nan)
        w, d = self.shape
        moved[:, max(0, -dx) : w - max(0, dx), max(0, -dz) : d - max(0, dz)] = self.floors[
            :, max(0, dx) : w - max(0, -dx), max(0, dz) : d - max(0, -dz)
        ]
        return np.abs(self.floors[:, None] - moved[None, :]) <= limit

    def _labels(self) -> np.ndarray:
        """The smallest index of a floor in each floor's component, -1 where there is no floor."""
        index = np.arange(self.floors.size).reshape(self.floors.shape)
        first, second = [], []
        for dx, dz in ((1, 0), (0, 1)):
            layer, other, x, z = np.nonzero(self._joins(dx, dz, self.climb))
            first.append(index[layer, x, z])
            second.append(index[other, x + dx, z + dz])
        a, b = np.concatenate(first), np.concatenate(second)
        label = np.arange(self.floors.size)
        while True:
            before = label.copy()
            least = np.minimum(label[a], label[b])
            np.minimum.at(label, label[a], least)
            np.minimum.at(label, label[b], least)
            label = label[label]
            if np.array_equal(before, label):
                return np.where(np.isnan(self.floors), -1, label.reshape(self.floors.shape))
