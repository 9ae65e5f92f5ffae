"""Random scenes through all stages of the front half, fast code against slow, to the bit."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.build import apply_span_filters, erode_walkable_area
from tests.oracles import voxel_compact, voxel_spans
from tests.oracles.voxel_rasterize import Frame, length_of, local_point, normal_of
from tests.soups import TRIANGLE_KINDS, Soup, random_frame, random_heights, random_soup, spikes_from_far
from tests.voxel_pairs import assert_same_compact, compact_of, heights_of, rasterized, solid_pair

long_run = pytest.mark.full


def rasterize_soup(soup: Soup) -> list[list[int]]:
    rows, _ = rasterized(
        soup.frame,
        soup.vertices,
        soup.triangles,
        areas=soup.areas,
        slope_cosine=soup.slope_cosine,
        threshold=soup.threshold,
    )
    return rows


@pytest.mark.parametrize("count", [400, pytest.param(6000, marks=long_run)])
@pytest.mark.parametrize("kind", TRIANGLE_KINDS)
def test_soups_of_one_kind_give_the_same_spans(kind: str, count: int) -> None:
    touched = 0
    for number in range(count):
        touched += bool(rasterize_soup(random_soup(Random(f"{kind} {number}"), kind)))
    assert touched > count // 20


@pytest.mark.parametrize("count", [2000, pytest.param(30000, marks=long_run)])
def test_mixed_soups_give_the_same_spans(count: int) -> None:
    for number in range(count):
        rasterize_soup(random_soup(Random(f"mixed {number}")))


@pytest.mark.parametrize("count", [300, pytest.param(4000, marks=long_run)])
def test_height_grids_give_the_same_spans(count: int) -> None:
    touched = 0
    for number in range(count):
        random = Random(f"heights {number}")
        frame = random_frame(random)
        heights, corner, spacing = random_heights(random, frame)
        numbers = {"slope_cosine": random.choice((0.70710677, 0.3)), "threshold": random.choice((0, 1, 4))}
        touched += bool(heights_of(frame, heights, corner, spacing, **numbers))
    assert touched > count // 3


@pytest.mark.parametrize("count", [300, pytest.param(4000, marks=long_run)])
def test_soups_run_through_every_stage_alike(count: int) -> None:
    for number in range(count):
        random = Random(f"stages {number}")
        soup = random_soup(random)
        fast, slow = solid_pair(soup.frame, rasterize_soup(soup))
        height, climb, radius = random.choice((1, 2, 5)), random.choice((0, 1, 4)), random.choice((0, 1, 2))
        apply_span_filters(fast, height, climb)
        voxel_spans.apply_span_filters(slow, height, climb)
        assert fast.spans().tolist() == slow.rows()
        compact = compact_of(fast, slow, height, climb)
        erode_walkable_area(compact[0], radius)
        voxel_compact.erode_walkable_area(compact[1], radius)
        assert_same_compact(*compact)


@pytest.mark.parametrize("count", [60, pytest.param(1500, marks=long_run)])
def test_larger_soups_of_many_triangles_give_the_same_spans(count: int) -> None:
    """Many triangles a column, in an order that the merge rule feels."""
    for number in range(count):
        random = Random(f"many {number}")
        soups = [random_soup(random) for _ in range(8)]
        frame = soups[0].frame
        cells = [
            (soup.vertices - np.array(soup.frame.origin))
            / np.array([soup.frame.cell_size, soup.frame.cell_height, soup.frame.cell_size], dtype=np.float64)
            for soup in soups
        ]
        scale = np.array([frame.cell_size, frame.cell_height, frame.cell_size], dtype=np.float64)
        world = np.clip(np.array(frame.origin) + np.concatenate(cells) * scale, -(2.0**21), 2.0**21)
        triangles = np.arange(len(world), dtype=np.int32).reshape(-1, 3)
        areas = [random.randrange(64) for _ in triangles]
        rasterized(frame, world, triangles, areas=areas, threshold=random.choice((0, 1, 3)))


@pytest.mark.parametrize("count", [150, pytest.param(3000, marks=long_run)])
def test_shared_vertices_and_repeated_triangles_give_the_same_spans(count: int) -> None:
    for number in range(count):
        random = Random(f"shared {number}")
        soup = random_soup(random)
        last = len(soup.vertices) - 1
        triangles = [[random.randint(0, last) for _ in range(3)] for _ in range(random.randint(1, 8))]
        rasterized(soup.frame, soup.vertices, triangles + triangles[:2], threshold=soup.threshold)


@pytest.mark.parametrize("count", [400, pytest.param(6000, marks=long_run)])
def test_spikes_from_far_give_the_same_spans(count: int) -> None:
    touched = 0
    for number in range(count):
        touched += bool(rasterize_soup(spikes_from_far(Random(f"far {number}"))))
    assert touched > count // 10


@pytest.mark.parametrize("count", [300, pytest.param(6000, marks=long_run)])
def test_slopes_within_a_rounding_of_the_limit_get_the_same_areas(count: int) -> None:
    """The limit is put on the triangle's own slope and on its float32 neighbours, so that the last bit decides."""
    frame = Frame((0.0, 0.0, 0.0), np.float32(1.0), np.float32(1.0), 3, 3, 9)
    answers = set()
    for number in range(count):
        random = Random(f"limit {number}")
        corners = [tuple(random.uniform(0.0, 3.0) for _ in range(3)) for _ in range(3)]
        n = normal_of(*(local_point(frame, corner) for corner in corners))
        limit = n[1] / length_of(n)
        for cosine in (limit, np.nextafter(limit, np.float32(-2.0)), np.nextafter(limit, np.float32(2.0))):
            rows, _ = rasterized(frame, corners, [(0, 1, 2)], slope_cosine=float(cosine))
            answers |= {row[4] for row in rows}
    assert answers == {0, 63}


@pytest.mark.parametrize("count", [8, pytest.param(300, marks=long_run)])
def test_grids_at_the_limits_of_their_dimensions_give_the_same_spans(count: int) -> None:
    """Cells far from the grid's corner, where a float32 holds only 1/256 of a cell, and rows up to 65535."""
    for number in range(count):
        random = Random(f"wide {number}")
        width, depth = random.choice(((65536, 2), (2, 65536), (60000, 1)))
        frame = Frame((0.0, 0.0, 0.0), np.float32(0.3), np.float32(0.2), width, depth, 65535)
        vertices = []
        for _ in range(8):
            far = (
                random.uniform(width - 40, width + 2),
                random.uniform(64000, 65537),
                random.uniform(depth - 40, depth + 2),
            )
            for _ in range(3):
                u, v, w = (min(c + random.choice((0.0, random.uniform(-20.0, 20.0))), 65540.0) for c in far)
                vertices.append((u * 0.3, v * 0.2, w * 0.3))
        rasterized(frame, vertices, np.arange(24).reshape(-1, 3), threshold=1)


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=long_run)])
def test_heights_within_roundings_of_a_row_in_long_rows_give_the_same_spans(count: int) -> None:
    """Roundings add up from cell to cell, so that after hundreds far more than one decides which rows are filled."""
    frame = Frame((0.0, 0.0, 0.0), np.float32(1.0), np.float32(1.0), 300, 2, 60)
    for number in range(count):
        random = Random(f"long rows {number}")
        row, off = random.randint(1, 59), 2.0 ** -random.randint(12, 19)
        corners = [
            (random.uniform(-2.0, 302.0), row + random.choice((-off, 0.0, off)), random.uniform(-2.0, 4.0))
            for _ in range(18)
        ]
        rasterized(frame, corners, np.arange(18).reshape(-1, 3), threshold=1)


@pytest.mark.parametrize("count", [6, pytest.param(200, marks=long_run)])
def test_slivers_far_along_z_give_the_same_spans(count: int) -> None:
    """There w holds 1/1024 of a cell, slivers are hardly wider, and rounding decides which pieces have an area."""
    frame = Frame((0.0, 0.0, 0.0), np.float32(1.0), np.float32(1.0), 20, 8000, 30)
    for number in range(count):
        random = Random(f"slivers {number}")
        corners = []
        for _ in range(30):
            low, high, v = random.uniform(-3.0, 3.0), random.uniform(17.0, 23.0), random.uniform(5.0, 6.0)
            w = 8000 - random.randint(1, 3) - random.choice((0.0, random.random()))
            rise = random.choice((0.0, random.uniform(-0.5, 0.5)))
            width = random.randint(1, 16) / 1024
            corners += [
                (low, v, w),
                (high, v + random.random(), w + rise + random.choice((0.0, width))),
                (random.uniform(low, high), v, w + 0.5 * rise + width),
            ]
        rasterized(frame, corners, np.arange(90).reshape(-1, 3), threshold=1)
