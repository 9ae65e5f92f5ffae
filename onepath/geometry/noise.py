"""Numbers that depend on a seed alone: SplitMix64 draws and smooth hills, the same on every machine and NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["SplitMix", "hills"]

_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15


class SplitMix:
    """SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).

    NumPy's generators promise their streams only within a version; generated levels must be the same in all.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def whole(self, count: int) -> int:
        """0 to count - 1; count is small, so the bias of the remainder is below 2**-50."""
        return self._next() % count

    def number(self, low: float, high: float) -> float:
        """A multiple of 2**-53 of the way from low to high."""
        return low + (high - low) * ((self._next() >> 11) * 2.0**-53)

    def _next(self) -> int:
        self._state = (self._state + _STEP) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)


def hills(rows: int, columns: int, wavelength: float, octaves: int, seed: int) -> npt.NDArray[np.float64]:
    """Smooth heights from 0 to 1, shape (rows, columns): value noise, each octave half as long and half as high.

    `wavelength` is the distance between the lattice points of the longest octave, in grid squares.
    """
    total = np.zeros((rows, columns))
    weight, sum_of_weights = 1.0, 0.0
    for octave in range(octaves):
        total += weight * _octave(rows, columns, wavelength / 2.0**octave, seed + octave * 7919)
        sum_of_weights += weight
        weight /= 2.0
    return total / sum_of_weights


def _octave(rows: int, columns: int, wavelength: float, seed: int) -> npt.NDArray[np.float64]:
    z, z_part = _places(rows, wavelength)
    x, x_part = _places(columns, wavelength)
    lattice = _lattice(int(z[-1]) + 2, int(x[-1]) + 2, seed)
    near = lattice[z][:, x] * (1.0 - x_part) + lattice[z][:, x + 1] * x_part
    far = lattice[z + 1][:, x] * (1.0 - x_part) + lattice[z + 1][:, x + 1] * x_part
    return near * (1.0 - z_part[:, None]) + far * z_part[:, None]


def _places(count: int, wavelength: float) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Lattice index below each grid point, and how far it is to the next, eased so that slopes join smoothly."""
    position = np.arange(count) / wavelength
    index = np.floor(position).astype(np.int64)
    part = position - index
    return index, part * part * part * (part * (part * 6.0 - 15.0) + 10.0)


def _lattice(rows: int, columns: int, seed: int) -> npt.NDArray[np.float64]:
    """SplitMix64 numbers 1, 2, ... of a seed, laid out row by row."""
    index = np.arange(1, rows * columns + 1, dtype=np.uint64)
    z = np.uint64(seed & _MASK) + index * np.uint64(_STEP)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(rows, columns)
