"""Box trees of polygons that are laid against the selection of medians: the same answers, and no quadratic time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from onepath.query import NavMeshQuery
from tests.meshes import mesh_of, rectangle

Comes = Callable[[int, int], bool]


def middle_of_three(comes: Comes, a: int, b: int, c: int) -> int:
    if comes(b, a):
        a, b = b, a
    if comes(c, b):
        b = a if comes(c, a) else c
    return b


def looked_at(order: list[int], left: int, comes: Comes) -> int:
    """How many polygons the selection looks at where nothing bounds it."""
    first, last, total = 0, len(order) - 1, 0
    while last > first:
        total += last - first
        step = (last - first) >> 3
        picked = [*(order[first + i * step] for i in range(8)), order[last]]
        pivot = middle_of_three(comes, *(middle_of_three(comes, *picked[i : i + 3]) for i in (0, 3, 6)))
        i, k = first, last
        while i <= k:
            while comes(order[i], pivot):
                i += 1
            while comes(pivot, order[k]):
                k -= 1
            if i <= k:
                order[i], order[k] = order[k], order[i]
                i, k = i + 1, k - 1
        if left <= k:
            last = k
        elif left >= i:
            first = i
        else:
            break
    return total


def laid_against_it(count: int) -> list[int]:
    """Keys that part unevenly: decided while the selection compares them (after McIlroy, A Killer Adversary)."""
    keys: dict[int, int] = {}
    candidate = -1

    def comes(a: int, b: int) -> bool:
        nonlocal candidate
        if a not in keys and b not in keys and a != b:
            keys[a if a == candidate else b] = len(keys)
        if a not in keys:
            candidate = a
        elif b not in keys:
            candidate = b
        return keys.get(a, count) < keys.get(b, count)

    looked_at(list(range(count)), count >> 1, comes)
    for item in range(count):
        keys.setdefault(item, len(keys))
    return [keys[item] for item in range(count)]


@pytest.mark.parametrize("count", [64, 600, 3000])
def test_polygons_laid_against_the_selection_are_found_as_others_are(count: int) -> None:
    keys = laid_against_it(count)
    assert sorted(keys) == list(range(count))
    work = looked_at(list(range(count)), count >> 1, lambda a, b: (keys[a], a) < (keys[b], b))
    assert work > 16 * count or count < 600, "this should be more than the bound after which the rest is sorted"
    mesh = mesh_of([rectangle(key * 0.0025, 1, key * 0.0025 + 0.002, 1.25) for key in keys])
    references, query = mesh.tile(0, 0).references, NavMeshQuery(mesh)
    for polygon in range(0, count, 1 + count // 150):
        middle = (keys[polygon] * 0.0025 + 0.001, 0.0, 1.125)
        found = query.find_nearest_polygon(middle, (0.0005, 1.0, 0.05))
        assert found.ref == references[polygon] and found.over_polygon
