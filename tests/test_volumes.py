"""Area volumes: which polygons are taken, which spans they mark."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from onepath.build import CompactHeightfield, ConvexVolume, HeightfieldFrame, apply_volume
from onepath.errors import ArgumentError, RangeError
from tests.grids import compact_areas, flat_columns, solid, unit_frame

NAN, INFINITY = float("nan"), float("inf")
SQUARE = [(1, 1), (1, 3), (3, 3), (3, 1)]


def floor_field(width: int = 5, depth: int = 5, area: int = 63) -> CompactHeightfield:
    return CompactHeightfield.build(solid(unit_frame(width, depth), flat_columns(width, depth, area=area)), 3, 2)


def marked(corners: object, low: float = 0, high: float = 2) -> set[tuple[int, int]]:
    compact = floor_field()
    apply_volume(compact, ConvexVolume(corners, low, high, 9))
    return {(int(x), int(z)) for z, x in np.argwhere(compact_areas(compact) == 9)}


def test_cells_whose_centre_lies_inside_are_marked() -> None:
    assert marked(SQUARE) == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_either_winding_is_taken() -> None:
    assert marked(SQUARE[::-1]) == marked(SQUARE)


def test_centres_on_the_border_belong_to_the_volume() -> None:
    assert marked([(0.5, 0.5), (0.5, 2.5), (2.5, 0.5)]) == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)}


def test_a_centre_a_hair_outside_does_not() -> None:
    inside = np.nextafter(2.5, 2.0)
    assert marked([(0.5, 0.5), (0.5, inside), (inside, 0.5)]) == {(0, 0), (0, 1), (1, 0)}


def test_centres_are_doubles_and_exactly_judged() -> None:
    # The side at x = 1.8 passes through the centre 0.3 + 1.5, or one double short of it.
    frame = HeightfieldFrame((0.3, 0, 0), 1.0, 1.0, 3, 1, 4)
    for corner, expected in ((1.8, 9), (np.nextafter(1.8, 0), 63)):
        compact = CompactHeightfield.build(solid(frame, flat_columns(3, 1)), 1, 1)
        apply_volume(compact, ConvexVolume([(corner, 0), (corner, 1), (0, 1), (0, 0)], 0, 2, 9))
        assert compact.area.tolist() == [9, expected, 63]


@pytest.mark.parametrize(
    ("low", "high", "inside"),
    [(1, 1, True), (1.0001, 2, False), (0, 0.9999, False), (-INFINITY, INFINITY, True), (-INFINITY, 0, False)],
)
def test_the_floor_lies_in_the_closed_interval(low: float, high: float, inside: bool) -> None:
    assert bool(marked(SQUARE, low, high)) == inside


def test_the_floor_height_is_computed_in_doubles() -> None:
    frame = HeightfieldFrame((0, 0.1, 0), 1.0, 0.3, 1, 1, 8)
    height = 0.1 + 3 * float(np.float32(0.3))
    for low, area in ((height, 9), (np.nextafter(height, 9), 63)):
        compact = CompactHeightfield.build(solid(frame, {(0, 0): [(0, 3, 63)]}), 1, 1)
        apply_volume(compact, ConvexVolume([(0, 0), (0, 1), (1, 1), (1, 0)], low, 5, 9))
        assert compact.area.tolist() == [area]


def test_unwalkable_spans_stay_unwalkable_and_area_zero_makes_them() -> None:
    compact = floor_field()
    apply_volume(compact, ConvexVolume(SQUARE, 0, 2, 0))
    assert (compact.area == 0).sum() == 4
    apply_volume(compact, ConvexVolume([(0, 0), (0, 5), (5, 5), (5, 0)], 0, 2, 9))
    assert (compact.area == 0).sum() == 4 and (compact.area == 9).sum() == 21


def test_a_later_volume_overwrites() -> None:
    compact = floor_field()
    apply_volume(compact, ConvexVolume(SQUARE, 0, 2, 9))
    apply_volume(compact, ConvexVolume([(2, 1), (2, 3), (3, 3), (3, 1)], 0, 2, 8))
    areas = compact_areas(compact)
    assert areas[1:3, 1].tolist() == [9, 9] and areas[1:3, 2].tolist() == [8, 8]


def test_only_floors_of_the_storey_meant_are_marked() -> None:
    columns = {(0, 0): [(0, 1, 63), (9, 10, 63)]}
    compact = CompactHeightfield.build(solid(unit_frame(1, 1), columns), 3, 2)
    apply_volume(compact, ConvexVolume([(0, 0), (0, 1), (1, 0.5)], 5, 15, 9))
    assert compact.area.tolist() == [63, 9]


@pytest.mark.parametrize(
    "corners",
    [
        [(1, 1), (1, 2), (1, 3), (3, 3), (3, 1), (2, 1)],
        [(1, 1), (1, 1), (1, 3), (3, 3), (3, 3), (3, 1), (1, 1)],
    ],
    ids=["straight", "repeated"],
)
def test_corners_on_a_side_and_repeated_corners_change_nothing(corners: list[tuple[int, int]]) -> None:
    assert marked(corners) == marked(SQUARE)


def test_256_corners_are_taken() -> None:
    angles = np.arange(256) * (2 * np.pi / 256)
    circle = np.stack([2.5 + 1.9 * np.cos(angles), 2.5 + 1.9 * np.sin(angles)], axis=1)
    assert len(ConvexVolume(circle, 0, 1, 5).corners) == 256
    assert len(marked(circle)) == 9


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 1), (2, 2)],
        [(1, 1)] * 4,
        [(0, 0), (4, 0), (1, 1), (0, 4)],
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 3), (2, -3), (-3, 1), (3, 1), (-2, -3)],
        [(0, 0), (4, 0), (2, 0), (2, 2)],
    ],
    ids=["collinear", "one point", "dent", "bow tie", "pentagram", "spike"],
)
def test_polygons_that_are_not_convex_or_have_no_area_are_value_errors(corners: list[tuple[int, int]]) -> None:
    with pytest.raises(ArgumentError, match="corners") as caught:
        ConvexVolume(corners, 0, 1, 1)
    assert not isinstance(caught.value, RangeError)


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"corners": SQUARE[:2]}, RangeError, "2 corners"),
        ({"corners": SQUARE * 65}, RangeError, "260 corners"),
        ({"corners": [(0, 0), (0, 1), (NAN, 1)]}, ArgumentError, r"corners\[2\]\.x is NaN"),
        ({"corners": [(0, 0), (0, 1), (1, 3e6)]}, RangeError, r"corners\[2\]\.z"),
        ({"corners": [(0, 0, 0)] * 4}, ArgumentError, "pairs"),
        ({"corners": 5}, ArgumentError, "pairs"),
        ({"min_y": NAN}, ArgumentError, "min_y"),
        ({"max_y": NAN}, ArgumentError, "max_y"),
        ({"min_y": 2, "max_y": 1}, ArgumentError, "min_y 2 is above max_y 1"),
        ({"area": 64}, RangeError, "area"),
        ({"area": -1}, RangeError, "area"),
        ({"area": 1.0}, ArgumentError, "area"),
    ],
)
def test_bad_volumes_are_refused(change: dict[str, object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        ConvexVolume(**({"corners": SQUARE, "min_y": 0, "max_y": 1, "area": 1} | change))


def test_volumes_are_values() -> None:
    volume = ConvexVolume(SQUARE, 0, 1, 5)
    assert volume == ConvexVolume(np.array(SQUARE, float), 0.0, 1.0, 5) and hash(volume) == hash(
        ConvexVolume(SQUARE, 0, 1, 5)
    )
    assert volume != ConvexVolume(SQUARE, 0, 1, 6)
    assert pickle.loads(pickle.dumps(volume)) == volume
    assert (volume.min_y, volume.max_y, volume.area) == (0.0, 1.0, 5)
