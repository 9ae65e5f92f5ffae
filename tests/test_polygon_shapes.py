"""Which outlines a tile takes: convex ones, and those whose straight runs float32 rounding has bent; no others."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, TileFormatError
from onepath.mesh import Tile
from tests.meshes import settings_of
from tests.tile_bytes import sealed, section_start

SETTINGS = settings_of()
SLACK = 8.0 * 2.0**-20

Outline = np.ndarray


def tile_from(corners: Outline) -> Tile:
    count = len(corners)
    vertices = np.insert(corners, 1, 0.0, axis=1)
    return Tile.from_arrays(0, 0, vertices, [0, count], list(range(count)), SETTINGS)


def is_taken(corners: Outline) -> bool:
    try:
        tile_from(corners)
    except ArgumentError as error:
        assert "polygon 0" in str(error)
        return False
    return True


def farthest_behind(corners: Outline) -> float:
    """How far a corner lies behind an edge at most, metres: every corner against every edge."""
    starts, along = corners.astype(np.float64), np.roll(corners, -1, axis=0).astype(np.float64) - corners
    offsets = starts[None, :, :] - starts[:, None, :]
    left = along[:, 1, None] * offsets[:, :, 0] - along[:, 0, None] * offsets[:, :, 1]
    return float((-left / np.hypot(along[:, 0], along[:, 1])[:, None]).max())


def turns_round(corners: Outline) -> float:
    """How many rounds the outline's direction makes, left turns above 0."""
    along = np.roll(corners, -1, axis=0).astype(np.float64) - corners
    following = np.roll(along, -1, axis=0)
    sine = along[:, 1] * following[:, 0] - along[:, 0] * following[:, 1]
    return float(np.arctan2(sine, (along * following).sum(axis=1)).sum() / math.tau)


def wheel(draw: Random, corners: int) -> Outline:
    """Corners on an ellipse, counter-clockwise seen from above."""
    angles = sorted(draw.uniform(0, math.tau) for _ in range(corners))
    radii, turn = (draw.uniform(0.5, 3.5), draw.uniform(0.5, 3.5)), draw.uniform(0, math.tau)
    points = [(radii[0] * math.sin(a), radii[1] * math.cos(a)) for a in angles]
    sine, cosine = math.sin(turn), math.cos(turn)
    return np.array([(4 + x * cosine - z * sine, 4 + x * sine + z * cosine) for x, z in points], np.float32)


def with_runs(draw: Random, outline: Outline, most: int, depth: float) -> Outline:
    """The outline with corners along its sides, moved inward or outward by up to `depth` metres."""
    corners: list[tuple[float, float]] = []
    for (ax, az), (bx, bz) in zip(outline.tolist(), np.roll(outline, -1, axis=0).tolist(), strict=True):
        corners.append((ax, az))
        length = math.hypot(bx - ax, bz - az)
        count = draw.randrange(most + 1)
        for part in ((i + draw.uniform(0.6, 1.4)) / (count + 1) for i in range(count)):
            inward = draw.uniform(-depth, depth) / length
            corners.append((ax + (bx - ax) * part + (bz - az) * inward, az + (bz - az) * part - (bx - ax) * inward))
    return np.array(corners, np.float32)


@pytest.mark.parametrize("seed", range(40))
def test_corners_on_the_sides_of_a_convex_outline_are_taken_however_float32_rounds_them(seed: int) -> None:
    draw = Random(seed)
    outline = with_runs(draw, wheel(draw, draw.choice([3, 4, 5])), 4, 0.0)
    assert is_taken(outline) or farthest_behind(outline) > SLACK, "an edge too short to hold its direction"
    assert is_taken(with_runs(draw, np.array([(0, 0), (1, 7), (8, 1)], np.float32), 4, 0.0))


@pytest.mark.parametrize("depth", [1e-7, 1e-6, SLACK / 2, SLACK, 3 * SLACK])
def test_what_is_taken_is_convex_within_the_tolerance_and_goes_round_once(depth: float) -> None:
    draw, taken = Random(depth), 0
    for _ in range(300):
        outline = with_runs(draw, wheel(draw, draw.choice([3, 3, 4, 6, 30])), draw.choice([1, 2, 8]), depth)
        if is_taken(outline):
            taken += 1
            assert farthest_behind(outline) <= 2.0 * SLACK
            assert turns_round(outline) == pytest.approx(1.0)
            assert len({tuple(corner) for corner in outline.tolist()}) == len(outline)
        else:
            assert farthest_behind(outline) > 0.0
    assert taken > 0 or depth > SLACK


def test_what_is_refused_though_no_corner_is_far_behind_runs_back_on_itself() -> None:
    draw = Random(5)
    for _ in range(400):
        outline = with_runs(draw, wheel(draw, draw.choice([3, 4, 6])), 3, SLACK / 4)
        if not is_taken(outline):
            assert farthest_behind(outline) > SLACK / 2


@pytest.mark.parametrize("seed", range(30))
def test_outlines_in_any_order_of_corners_are_refused(seed: int) -> None:
    draw = Random(seed)
    outline = wheel(draw, 12)
    order = list(range(12))
    while order == list(range(12)):
        i, k = draw.sample(range(12), 2)
        order[i], order[k] = order[k], order[i]
    assert not is_taken(outline[order])
    assert not is_taken(outline[::-1])
    assert not is_taken(np.concatenate([outline, outline + np.float32(1e-7)])), "round twice"


@pytest.mark.parametrize("corners", [5, 64, 1024])
def test_it_does_not_matter_at_which_corner_an_outline_begins(corners: int) -> None:
    draw = Random(corners)
    outline = with_runs(draw, wheel(draw, 3), corners // 3 - 1, SLACK / 3)[:1024]
    answers = {is_taken(np.roll(outline, shift, axis=0)) for shift in range(0, len(outline), max(1, corners // 16))}
    assert len(answers) == 1


def test_the_first_of_many_bent_outlines_that_is_too_bent_is_named() -> None:
    """All are near the tolerance, so none is passed by the quick look."""
    bends = [SLACK / 2] * 40 + [3 * SLACK] + [SLACK / 2] * 3
    corners = [[(0, y, 0), (bend, y, 2), (0, y, 4), (4, y, 4), (4, y, 0)] for y, bend in enumerate(bends)]
    vertices = np.array(corners, np.float32).reshape(-1, 3)
    offsets = list(range(0, 5 * len(bends) + 1, 5))
    with pytest.raises(ArgumentError, match=r"polygon 40 .* is not convex"):
        Tile.from_arrays(0, 0, vertices, offsets, list(range(len(vertices))), SETTINGS)


# --- neighbours over many edges


def zipped(count: int) -> Tile:
    """Two polygons that share `count` edges along a line."""
    seam = [(4.0, 0.0, 8.0 * i / count) for i in range(count + 1)]
    vertices = [*seam, (0, 0, 0), (0, 0, 8), (8, 0, 0), (8, 0, 8)]
    upper = [*range(count, -1, -1), count + 1, count + 2]
    lower = [*range(count + 1), count + 4, count + 3]
    return Tile.from_arrays(0, 0, vertices, [0, count + 3, 2 * count + 6], [*upper, *lower], SETTINGS)


def test_polygons_that_share_very_many_edges_are_neighbours_over_each() -> None:
    tile = zipped(1000)
    neighbours = tile.section("polygon_neighbours")
    assert (neighbours >= 0).sum() == 2000
    assert Tile.from_bytes(tile.to_bytes()) == tile


@pytest.mark.parametrize("edge", [0, 1, 500, 999])
def test_one_of_them_that_is_not_answered_is_named(edge: int) -> None:
    tile = zipped(1000)
    data = bytearray(tile.to_bytes())
    at = section_start(tile, "polygon_neighbours") + 4 * edge
    assert int.from_bytes(data[at : at + 4], "little", signed=True) == 1
    data[at : at + 4] = (-1).to_bytes(4, "little", signed=True)
    with pytest.raises(TileFormatError, match="polygon_neighbours"):
        Tile.from_bytes(sealed(data))
