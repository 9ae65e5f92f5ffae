"""Random rows of portals, each between two convex polygons, for tests of the straight path.

Drawn on a plan (u, v) in which left is counter-clockwise; a plan spot becomes the world's (x, z) = (u, -v).
"""

from __future__ import annotations

import random

Spot = tuple[int, int]
Portal = tuple[Spot, Spot]  # right end, left end


def cross(a: Spot, b: Spot, c: Spot) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_convex(outline: list[Spot]) -> bool:
    """Counter-clockwise, of positive area, collinear vertices allowed, no vertex turned back on."""
    outline = [spot for i, spot in enumerate(outline) if spot != outline[i - 1]]
    if len(outline) < 3:
        return False
    corners = [(outline[i - 2], outline[i - 1], outline[i]) for i in range(len(outline))]
    turns = [cross(a, b, c) for a, b, c in corners]
    goes_on = [(b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) > 0 for a, b, c in corners]
    return max(turns) > 0 and all(turn > 0 or (turn == 0 and on) for turn, on in zip(turns, goes_on, strict=True))


def follows(portal: Portal, right: Spot, left: Spot) -> bool:
    """Whether one convex polygon can be entered through `portal` and left through (right, left)."""
    (rx, rz), (lx, lz) = portal
    if portal[0] == portal[1] or cross(*portal, right) or cross(*portal, left):
        return is_convex([portal[1], portal[0], right, left])
    # All on one side of the polygon: its outline runs from the left end to the right end and on.
    along = [(spot[0] - lx) * (rx - lx) + (spot[1] - lz) * (rz - lz) for spot in (right, left)]
    whole = (rx - lx) ** 2 + (rz - lz) ** 2
    return whole <= along[0] < along[1] or along[0] < along[1] <= 0


def random_spot(rng: random.Random, near: Spot, reach: int) -> Spot:
    return near[0] + rng.randint(-reach, reach), near[1] + rng.randint(-reach, reach)


def next_portal(rng: random.Random, portal: Portal, reach: int, pinch: float) -> Portal:
    """Fans keep an end, now and then both ends fall together, and small reaches give many collinear cases."""
    right, left = portal
    for _ in range(200):
        choice = rng.random()
        new_right = right if choice < 0.25 else random_spot(rng, right, reach)
        new_left = left if 0.25 <= choice < 0.5 else random_spot(rng, left, reach)
        if rng.random() < 0.15:
            new_right, new_left = beside(rng, portal)
        if rng.random() < pinch:
            new_left = new_right
        if (new_right, new_left) != portal and follows(portal, new_right, new_left):
            return new_right, new_left
    ahead = (right[1] - left[1]), (left[0] - right[0])
    return (right[0] - ahead[0], right[1] - ahead[1]), (left[0] - ahead[0], left[1] - ahead[1])


def beside(rng: random.Random, portal: Portal) -> Portal:
    """A portal on the line of this one, for a corridor that turns round an end of a wall."""
    (rx, rz), (lx, lz) = portal
    first, last = sorted((rng.randint(0, 3), rng.randint(0, 3)))
    if rng.random() < 0.5:
        first, last = -1 - last, -1 - first
    step = rx - lx, rz - lz
    return (lx + first * step[0], lz + first * step[1]), (lx + last * step[0], lz + last * step[1])


def random_row(rng: random.Random, count: int, reach: int = 4, pinch: float = 0.0) -> tuple[list[Portal], Spot, Spot]:
    """A row of portals, a start before the first and an end behind the last; parts may lie over each other."""
    portal: Portal = ((rng.randint(1, reach), 0), (-rng.randint(0, reach), 0))
    row = [portal]
    while len(row) < count:
        row.append(next_portal(rng, row[-1], reach, pinch if row[-1][0] != row[-1][1] else 0.0))
    return row, spot_behind(rng, row[0], reach, -1), spot_behind(rng, row[-1], reach, 1)


def spot_behind(rng: random.Random, portal: Portal, reach: int, side: int) -> Spot:
    while True:
        spot = random_spot(rng, rng.choice(portal), reach)
        if cross(*portal, spot) * side <= 0:
            return spot
