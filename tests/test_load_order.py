"""Nothing depends on the order in which tiles and links come, or on how they are grouped into commits."""

from __future__ import annotations

from random import Random

import pytest

from onepath import NavMesh
from tests.living import BOUNDS, FAR_KEYS, KEYS, VARIANTS, Key, Wanted, content, pooled_tile, random_link, scratch_mesh


def any_order(wanted: Wanted, seed: int, bounds: tuple[int, int, int, int] | None) -> NavMesh:
    """The tiles in a random order, in commits of random size, the links somewhere among them."""
    draw, keys = Random(seed), sorted(wanted.tiles)
    draw.shuffle(keys)
    commits: list[list[Key]] = []
    while keys:
        size = draw.choice([1, 1, 2, 5, 16])
        commits.append(keys[:size])
        keys = keys[size:]
    return scratch_mesh(wanted, bounds, commits, draw.randrange(len(commits) + 2))


@pytest.mark.parametrize("bounds", [None, BOUNDS])
def test_the_order_in_which_tiles_and_links_come_does_not_matter(bounds: tuple[int, int, int, int] | None) -> None:
    for scene in range(5):
        draw = Random(scene)
        keys = KEYS if bounds else [*KEYS, *FAR_KEYS]
        tiles = {key: pooled_tile(key, draw.randrange(VARIANTS)) for key in draw.sample(keys, len(keys) - 2)}
        links = {i: (random_link(draw), draw.random() < 0.8) for i in range(1, 40)}
        wanted = Wanted(tiles, links=links)
        first = content(any_order(wanted, 0, bounds))
        assert all(content(any_order(wanted, seed, bounds)) == first for seed in range(1, 21))
