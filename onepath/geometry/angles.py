"""Sine and cosine of degrees from + - * / alone, so that every platform gives the same bits."""

from __future__ import annotations

import math

__all__ = ["cosine", "sine"]

_RADIANS = math.pi / 180.0


def cosine(degrees: float) -> float:
    """Cosine of any finite angle in degrees; exact at multiples of 90."""
    turn = abs(math.fmod(degrees, 360.0))
    if turn > 180.0:
        turn = 360.0 - turn
    return -_first_quarter(180.0 - turn) if turn > 90.0 else _first_quarter(turn)


def sine(degrees: float) -> float:
    """Sine of any finite angle in degrees; exact at multiples of 90."""
    return cosine(degrees - 90.0)


def _first_quarter(degrees: float) -> float:
    """Cosine of 0 to 90 degrees, by the series of whichever of sine and cosine has the smaller argument."""
    if degrees > 45.0:
        return _sine_series((90.0 - degrees) * _RADIANS)
    x2 = (degrees * _RADIANS) ** 2
    term, total = 1.0, 1.0
    for k in range(1, 13):
        term = -term * x2 / ((2 * k - 1) * (2 * k))
        total += term
    return total


def _sine_series(x: float) -> float:
    x2 = x * x
    term = total = x
    for k in range(1, 13):
        term = -term * x2 / ((2 * k) * (2 * k + 1))
        total += term
    return total
