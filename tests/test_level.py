"""Level: what its builders make, what it refuses, and what it answers."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onepath.errors import ArgumentError, LevelError, OnePathError, RangeError
from onepath.geometry import Level, LevelPart, shapes
from onepath.geometry.angles import cosine, sine
from tests.solids import signed_volume

QUAD = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0)]
TWO = [(0, 1, 2), (0, 2, 3)]


def quad_level(**arguments) -> Level:
    level = Level()
    level.add(QUAD, TWO, **arguments)
    return level


def normals(level: Level) -> np.ndarray:
    vertices, triangles, _ = level.triangles()
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def volume(level: Level) -> float:
    return signed_volume(*level.triangles()[:2])


def edges_are_paired(level: Level) -> bool:
    """Whether every directed edge has its opposite exactly once: a closed, consistently wound surface."""
    vertices, triangles, _ = level.triangles()
    _, same = np.unique(vertices, axis=0, return_inverse=True)
    corners = same.reshape(-1)[triangles]
    directed = [(int(t[k]), int(t[(k + 1) % 3])) for t in corners for k in range(3)]
    return len(set(directed)) == len(directed) and all((b, a) in set(directed) for a, b in directed)


# -- builders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda level: level.add_box((1, 2, 3), (2, 4, 6)), 6.0),
        (lambda level: level.add_ramp((0, 0, 0), (4, 2, 0), 3), 12.0),
        (lambda level: level.add_ramp((0, 2, 0), (0, 0, -4), 3), 12.0),
        (lambda level: level.add_ramp((1, 0, 1), (4, 2, 5), 2, thickness=0.25), 2.5),
        (lambda level: level.add_ramp((1, 1, 1), (4, 1, 5), 2, thickness=0.25), 2.5),
        (lambda level: level.add_cylinder((5, 0, 5), 2, 3, sides=4), 24.0),
        (lambda level: level.add_voxels(np.ones((2, 3, 4)), 0.5, (7, 8, 9)), 3.0),
        (lambda level: level.add_box((0, 0, 0), (1, 1, 1), transform=np.diag([-2.0, 1.0, 1.0, 1.0])), 2.0),
    ],
)
def test_solid_is_closed_and_wound_outward(build, expected):
    level = Level()
    build(level)
    assert volume(level) == pytest.approx(expected, rel=1e-12)
    assert edges_are_paired(level)


def test_cylinder_nears_the_round_volume_with_many_sides():
    level = Level()
    level.add_cylinder((0, 0, 0), 1, 1, sides=1024)
    assert volume(level) == pytest.approx(math.pi, rel=1e-4)


def test_plane_and_heightmap_face_up():
    level = Level()
    level.add_plane((0, 0), (3, 4), 5.0)
    level.add_heightmap([[0, 1, 0], [2, 0, 1]], 2.0, (10, 1, 10))
    assert (normals(level)[:, 1] > 0).all()
    assert level.bounds == ((0.0, 1.0, 0.0), (14.0, 5.0, 12.0))


def test_heightmap_is_split_as_the_builder_splits_height_grids():
    level = Level()
    level.add_heightmap([[0, 1], [2, 3]])
    vertices, triangles, _ = level.triangles()
    # a = (0, 0), b = (1, 0), c = (0, 1), d = (1, 1): (a, c, d) and (a, d, b).
    assert vertices[triangles].tolist() == [
        [[0, 0, 0], [0, 2, 1], [1, 3, 1]],
        [[0, 0, 0], [1, 3, 1], [1, 1, 0]],
    ]


@given(st.integers(0, 2**27 - 1))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_voxels_enclose_as_many_cubes_as_are_solid(bits):
    solid = np.array([bits >> k & 1 for k in range(27)]).reshape(3, 3, 3)
    level = Level()
    level.add_voxels(solid)
    assert round(volume(level)) == solid.sum()
    vertices, triangles, _ = level.triangles()
    assert len(np.unique(vertices, axis=0)) == len(vertices)
    assert len(triangles) % 2 == 0


def test_voxels_are_indexed_z_x_y():
    solid = np.zeros((2, 3, 4))
    solid[1, 2, 3] = 1
    level = Level()
    level.add_voxels(solid)
    assert level.bounds == ((2.0, 3.0, 1.0), (3.0, 4.0, 2.0))


def test_cone_is_closed_and_wound_outward():
    level = Level()
    level.add(*shapes.cone((1, 2, 3), 1, 3, 4))
    assert volume(level) == pytest.approx(2.0)
    assert edges_are_paired(level)


def test_sine_and_cosine_agree_with_the_platform_and_are_exact_at_right_angles():
    for degrees in range(-720, 721, 7):
        assert cosine(degrees) == pytest.approx(math.cos(math.radians(degrees)), abs=1e-15)
        assert sine(degrees) == pytest.approx(math.sin(math.radians(degrees)), abs=1e-15)
    assert [cosine(k) for k in (0, 90, 180, 270)] == [1, 0, -1, 0]
    assert [sine(k) for k in (0, 90, 180, 270)] == [0, 1, 0, -1]


# -- adding -----------------------------------------------------------------------------------------------------------


def test_arrays_come_out_joined_in_order_with_their_areas():
    level = quad_level(area=5, name="pond")
    level.add_box((0, 0, 0), (1, 1, 1))
    vertices, triangles, areas = level.triangles()
    assert (vertices.dtype, triangles.dtype, areas.dtype) == (np.float64, np.int32, np.uint8)
    assert vertices.shape == (12, 3)
    assert triangles[:2].tolist() == [list(t) for t in TWO]
    assert triangles[2:].min() == 4
    assert areas.tolist() == [5, 5] + [63] * 12
    assert level.parts == (LevelPart("pond", 5, 0, 2), LevelPart(None, 63, 2, 12))
    assert len(level) == 14


def test_arrays_are_kept_until_the_level_changes_and_cannot_be_written():
    level = quad_level()
    first = level.triangles()
    assert level.triangles()[0] is first[0]
    with pytest.raises(ValueError, match="read-only"):
        first[0][0, 0] = 1.0
    level.add_box((0, 0, 0), (1, 1, 1))
    assert len(level.triangles()[1]) == 14
    assert len(first[1]) == 2


def test_the_callers_arrays_are_copied():
    vertices, triangles = np.array(QUAD, dtype=float), np.array(TWO, dtype=np.int32)
    level = Level()
    level.add(vertices, triangles)
    vertices[:] = 7.0
    triangles[:] = 0
    assert level.triangles()[0].tolist() == [list(map(float, v)) for v in QUAD]
    assert level.triangles()[1].tolist() == [list(t) for t in TWO]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_every_integer_dtype_and_flat_indices_are_taken(dtype):
    level = Level()
    level.add(np.array(QUAD, dtype=np.float32), np.array(TWO, dtype=dtype).ravel())
    assert level.triangles()[1].tolist() == [list(t) for t in TWO]


def test_unused_vertices_neither_refuse_a_mesh_nor_grow_its_bounds():
    """Case C04."""
    level = Level()
    level.add([(1e29, 1e29, 1e29), *QUAD, (math.nan, 0, 0)], np.array(TWO) + 1)
    assert level.bounds == ((0.0, 0.0, 0.0), (10.0, 0.0, 10.0))
    assert len(level.triangles()[0]) == 4
    assert level.triangles()[1].tolist() == [list(t) for t in TWO]


def test_few_triangles_among_many_vertices_keep_their_order():
    vertices = np.arange(3000.0).reshape(1000, 3)
    level = Level()
    level.add(vertices, [(999, 5, 500), (5, 999, 7)])
    assert level.triangles()[0].tolist() == vertices[[5, 7, 500, 999]].tolist()
    assert level.triangles()[1].tolist() == [[3, 0, 2], [0, 3, 1]]


def test_degenerate_and_doubled_triangles_are_kept_for_the_builder_to_judge():
    """Case C04."""
    level = Level()
    level.add([*QUAD, (5, 0, 0)], [*TWO, TWO[0], (0, 0, 0), (0, 1, 1), (0, 4, 3)])
    assert len(level) == 6


def test_translation_and_matrix_move_alike():
    matrix = np.eye(4)
    matrix[:3, 3] = (1, 2, 3)
    one, other = quad_level(transform=(1, 2, 3)), quad_level(transform=matrix)
    assert one.triangles()[0].tobytes() == other.triangles()[0].tobytes()
    assert one.bounds == ((1.0, 2.0, 3.0), (11.0, 2.0, 13.0))


def test_turn_about_y_moves_x_towards_minus_z():
    matrix = [[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]
    level = quad_level(transform=matrix)
    assert level.bounds == ((0.0, 0.0, -10.0), (10.0, 0.0, 0.0))
    assert (normals(level)[:, 1] > 0).all()


@pytest.mark.parametrize("axis", [0, 2])
def test_a_mirrored_floor_faces_up_still(axis):
    """Case C06."""
    matrix = np.eye(4)
    matrix[axis, axis] = -1.0
    assert (normals(quad_level(transform=matrix))[:, 1] > 0).all()


def test_a_floor_turned_upside_down_by_a_mirror_faces_down_as_its_solid_would():
    matrix = np.diag([1.0, -1.0, 1.0, 1.0])
    assert (normals(quad_level(transform=matrix))[:, 1] < 0).all()


def test_remove_takes_out_every_part_of_the_name():
    level = quad_level(name="floor")
    for x in (2, 4):
        level.add_box((x, 0, 0), (x + 1, 1, 1), name="crate")
    assert level.remove("crate") == 2
    assert len(level) == 2
    assert level.bounds == ((0.0, 0.0, 0.0), (10.0, 0.0, 10.0))


@pytest.mark.parametrize("name", ["tree", None])
def test_remove_of_an_unknown_name_lists_the_known_ones(name):
    level = quad_level(name="floor")
    level.add_box((0, 0, 0), (1, 1, 1))
    with pytest.raises(ArgumentError, match="parts named 'floor'"):
        level.remove(name)
    assert len(level) == 14


def test_empty_level_answers_clearly():
    level = Level()
    level.add([], [])
    assert level.bounds is None
    assert len(level) == 0
    assert repr(level) == "Level(empty)"
    vertices, triangles, areas = level.triangles()
    assert (vertices.shape, triangles.shape, areas.shape) == ((0, 3), (0, 3), (0,))


def test_level_survives_pickling():
    level = quad_level(name="floor", area=4)
    copy = pickle.loads(pickle.dumps(level))
    assert copy.triangles()[0].tobytes() == level.triangles()[0].tobytes()
    assert copy.parts == level.parts


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vertices", "triangles", "error", "text"),
    [
        (QUAD, [(0, 1, 2), (0, 2, 4)], LevelError, "triangle 1 names vertex 4, but there are 4 vertices"),
        (QUAD, [(0, 1, -1)], LevelError, "triangle 0 names vertex -1"),
        (QUAD, np.array([[0, 1, 2**63]], dtype=np.uint64), LevelError, "triangle 0 names vertex 9223372036854775808"),
        (QUAD, [(0, 1, 2**32)], LevelError, "triangle 0 names vertex 4294967296"),
        ([], [(0, 1, 2)], LevelError, "there are 0 vertices"),
        (
            [*QUAD[:3], (0, math.nan, 0)],
            TWO,
            LevelError,
            r"triangle 1, vertex 3 lies at \(0.0, nan, 0.0\), .*not finite",
        ),
        ([*QUAD[:3], (math.inf, 0, 0)], TWO, LevelError, "triangle 1, vertex 3 .*not finite"),
        ([*QUAD[:3], (0, 0, 2097152.5)], TWO, LevelError, r"triangle 1, vertex 3 .*outside \[-2097152, 2097152\]"),
        (QUAD, [(0, 1)], ArgumentError, r"triangles have shape \(1, 2\)"),
        (QUAD, [0, 1, 2, 3], ArgumentError, r"triangles have shape \(4,\)"),
        (QUAD, [(0.0, 1.0, 2.0)], ArgumentError, "triangles are of dtype float64"),
        (QUAD, [(0, 1, 2), (0, 1)], ArgumentError, "triangles cannot be read"),
        ([(0, 0)], TWO, ArgumentError, r"vertices have shape \(1, 2\)"),
        ([("a", "b", "c")], TWO, ArgumentError, "vertices are of dtype"),
        (None, TWO, ArgumentError, "vertices are of dtype object"),
        (np.zeros((4, 3), dtype=complex), TWO, ArgumentError, "vertices are of dtype complex128"),
    ],
)
def test_bad_mesh_is_refused_with_its_element_named(vertices, triangles, error, text):
    level = quad_level()
    with pytest.raises(error, match=text):
        level.add(vertices, triangles)
    assert len(level) == 2
    assert len(level.triangles()[1]) == 2


def test_largest_coordinate_itself_is_taken():
    level = Level()
    level.add([(-(2.0**21), 0, 0), (0, 0, 2.0**21), (2.0**21, 0, 0)], [(0, 1, 2)])
    assert level.bounds[1][0] == 2.0**21


@pytest.mark.parametrize(
    ("transform", "error", "text"),
    [
        (np.zeros((4, 4)), ArgumentError, "last row"),
        (np.diag([1.0, 0.0, 1.0, 1.0]), ArgumentError, "flattens"),
        (np.full((4, 4), math.nan), ArgumentError, "not finite"),
        ((1, 2), ArgumentError, r"shape \(2,\)"),
        (np.eye(3), ArgumentError, r"shape \(3, 3\)"),
        ("up", ArgumentError, "dtype"),
        ((3e6, 0, 0), LevelError, "after its transform, triangle 0, vertex 0"),
        (np.diag([1e300, 1e300, 1e300, 1.0]), LevelError, "after its transform"),
    ],
)
def test_bad_transform_is_refused(transform, error, text):
    level = Level()
    with pytest.raises(error, match=text):
        level.add(QUAD, TWO, transform=transform)
    assert len(level) == 0


@pytest.mark.parametrize(
    ("area", "error"),
    [("", ArgumentError), (0, RangeError), (64, RangeError), (True, ArgumentError), (1.0, ArgumentError)],
)
def test_unknown_area_is_refused_saying_what_is_taken(area, error):
    with pytest.raises(error, match="63"):
        quad_level(area=area)


def test_name_that_is_no_text_is_refused():
    with pytest.raises(ArgumentError, match="name is 3"):
        quad_level(name=3)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda level: level.add_box((0, 0, 0), (1, 0, 1)), "axis y"),
        (lambda level: level.add_box((0, 0, 0), (1, math.nan, 1)), "maximum is"),
        (lambda level: level.add_box((0, 0), (1, 1, 1)), "minimum is .*not 3 numbers"),
        (lambda level: level.add_plane((0, 0, 0), (1, 0, 1)), r"minimum is \(0, 0, 0\), not 2 numbers \(x, z\)"),
        (lambda level: level.add_box((0, 0, 0), (1, 1, 3e6)), "maximum is .*2097152"),
        (lambda level: level.add_plane((0, 0), (0, 1)), "not below maximum"),
        (lambda level: level.add_plane((0, 0), (1, 1), math.inf), "height is"),
        (lambda level: level.add_ramp((0, 0, 0), (0, 2, 0), 1), "needs a run"),
        (lambda level: level.add_ramp((0, 1, 0), (3, 1, 0), 1), "needs a thickness"),
        (lambda level: level.add_ramp((0, 0, 0), (3, 1, 0), 0), "width is 0"),
        (lambda level: level.add_ramp((0, 0, 0), (3, 1, 0), 1, thickness=-1), "thickness is -1"),
        (lambda level: level.add_cylinder((0, 0, 0), 1, 1, sides=2), "sides is 2"),
        (lambda level: level.add_cylinder((0, 0, 0), 1, 1, sides=3.5), "sides is 3.5"),
        (lambda level: level.add_cylinder((0, 0, 0), -1, 1), "radius is -1"),
        (lambda level: level.add_cylinder((0, 0, 0), 1, 0), "height is 0"),
        (lambda level: level.add_cylinder((2.0**21, 0, 0), 1, 1), "vertex .*outside"),
        (lambda level: level.add_heightmap([1, 2, 3]), "heights is"),
        (lambda level: level.add_heightmap([[1, 2]]), "2 to 32768"),
        (lambda level: level.add_heightmap([[1, 2], [3, math.nan]]), r"heights\[1, 1\] is nan"),
        (lambda level: level.add_heightmap([[1, 2], [3]]), "heights cannot be read"),
        (lambda level: level.add_heightmap([[1, 2], [3, 4]], 0.0), "spacing is 0.0"),
        (lambda level: level.add_heightmap([[1, 2], [3, 3e6]]), "vertex 3 "),
        (lambda level: level.add_voxels(np.ones((2, 2))), "solid is"),
        (lambda level: level.add_voxels(np.ones((2, 2, 2)), size=-1), "size is -1"),
        (lambda level: level.add_voxels([[[1.0, math.nan]]]), r"solid\[0, 0, 1\] is nan"),
        (lambda level: level.add_voxels(np.ones((2, 2, 2)), size=10**400), "size is .*not a number"),
        (lambda level: level.add_box((0, 0, 0), (1, 10**5000, 1)), "maximum is an int of thousands of digits"),
    ],
)
def test_bad_shape_is_refused_and_the_level_stays_as_it_was(build, text):
    level = quad_level()
    with pytest.raises(OnePathError, match=text):
        build(level)
    assert len(level) == 2


@given(
    st.lists(st.tuples(*[st.floats(width=32)] * 3), max_size=5),
    st.lists(st.tuples(*[st.integers(-2, 6)] * 3), max_size=4),
)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_any_numbers_are_taken_whole_or_refused_whole(vertices, triangles):
    level = Level()
    try:
        level.add(vertices, triangles)
    except LevelError:
        assert len(level) == 0
        return
    assert len(level) == len(triangles)
    if triangles:
        low, high = level.bounds
        assert all(-(2**21) <= a <= b <= 2**21 for a, b in zip(low, high, strict=True))
