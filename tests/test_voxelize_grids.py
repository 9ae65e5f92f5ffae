"""Height grids and voxel chunks: the same spans as the triangles and runs that they stand for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from onepath.build import (
    CompactHeightfield,
    SolidHeightfield,
    VoxelChunk,
    add_chunk,
    apply_span_filters,
    rasterize_height_grid,
    rasterize_triangles,
)
from onepath.errors import ArgumentError, RangeError
from tests.grids import box, columns_of, floor, rasterized, solid, unit_frame

# --- height grids


def test_a_height_grid_is_its_triangles_in_order() -> None:
    heights = np.array([[1.0, 2.5, 1.5], [2.0, 3.5, 0.5]])
    field = SolidHeightfield(unit_frame(rows=8))
    rasterize_height_grid(field, heights, 2.0, origin=(1.0, 3.0))
    a, b, e = ((1 + 2 * i, heights[0, i], 3) for i in range(3))
    c, d, f = ((1 + 2 * i, heights[1, i], 5) for i in range(3))
    by_hand = rasterized(unit_frame(rows=8), (a, c, d), (a, d, b), (b, d, f), (b, f, e))
    assert np.array_equal(field.spans(), by_hand.spans())
    assert {x for x, _ in columns_of(field)} == {1, 2, 3, 4} and {z for _, z in columns_of(field)} == {3, 4}


def test_a_height_grid_faces_up() -> None:
    field = SolidHeightfield(unit_frame(2, 2))
    rasterize_height_grid(field, np.full((3, 3), 2.0), 1.0)
    assert columns_of(field) == {(x, z): [(1, 2, 63)] for z in range(2) for x in range(2)}


def test_points_of_a_height_grid_are_multiples_and_not_running_sums() -> None:
    count, spacing = 33, 0.1
    heights = np.tile(np.linspace(0.25, 3.0, count), (2, 1))
    field = SolidHeightfield(unit_frame(4, 1, 8))
    rasterize_height_grid(field, heights, spacing)
    x = np.array([0.0 + i * spacing for i in range(count)])
    vertices = np.concatenate([np.stack([x, heights[j], np.full(count, j * spacing)], axis=1) for j in range(2)])
    triangles = [t for i in range(count - 1) for t in ((i, count + i, count + i + 1), (i, count + i + 1, i + 1))]
    expected = SolidHeightfield(unit_frame(4, 1, 8))
    rasterize_triangles(expected, vertices, triangles)
    assert np.array_equal(field.spans(), expected.spans())


def test_areas_of_a_height_grid_go_by_triangle() -> None:
    field = SolidHeightfield(unit_frame(4, 2))
    rasterize_height_grid(field, np.full((2, 3), 1.5), 2.0, areas=[1, 2, 3, 4])
    areas = {cell: spans[0][2] for cell, spans in columns_of(field).items()}
    # Where both triangles of a square meet in a cell the larger id wins; (0, 1) and (2, 1) have the first alone.
    assert areas[(0, 1)] == 1 and areas[(1, 0)] == 2 and areas[(2, 1)] == 3 and areas[(3, 0)] == 4


# --- voxel chunks


def test_from_dense_joins_equal_neighbours_into_runs() -> None:
    dense = np.zeros((2, 2, 6), dtype=np.uint8)
    dense[0, 1] = [5, 5, 0, 7, 5, 5]
    dense[1, 0] = [0, 0, 0, 0, 0, 255]
    chunk = VoxelChunk.from_dense(dense)
    assert (chunk.width, chunk.depth, chunk.height) == (2, 2, 6)
    assert chunk.column_first.tolist() == [0, 0, 3, 4, 4]
    assert chunk.runs.tolist() == [[0, 2, 5], [3, 1, 7], [4, 2, 5], [5, 1, 255]]


def test_from_dense_indexes_z_then_x_then_y() -> None:
    width, depth, height = 3, 2, 4
    flat = np.zeros(width * depth * height, dtype=np.uint8)
    flat[(1 * width + 2) * height + 3] = 1  # x = 2, y = 3, z = 1
    field = SolidHeightfield(unit_frame(3, 2))
    add_chunk(field, VoxelChunk.from_dense(flat.reshape(depth, width, height)))
    assert field.spans().tolist() == [[2, 1, 3, 4, 63]]


def test_runs_become_spans_at_the_offset() -> None:
    chunk = VoxelChunk(1, 2, 8, [0, 2, 3], [(0, 2, 1), (4, 1, 2), (1, 3, 3)])
    field = SolidHeightfield(unit_frame(4, 4))
    add_chunk(field, chunk, offset=(2, 3, 1))
    assert columns_of(field) == {(2, 1): [(3, 5, 63), (7, 8, 63)], (2, 2): [(4, 7, 63)]}


@pytest.mark.parametrize(
    ("offset", "left"),
    [((-1, 0, 0), {(0, 0)}), ((1, 0, 0), {(1, 0)}), ((0, 0, 1), {(0, 1), (1, 1)}), ((0, 0, 2), set())],
)
def test_what_lies_beside_the_grid_is_dropped(offset: tuple[int, int, int], left: set[tuple[int, int]]) -> None:
    field = SolidHeightfield(unit_frame(2, 2))
    add_chunk(field, VoxelChunk.from_dense(np.ones((1, 2, 3), dtype=np.uint8)), offset)
    assert set(columns_of(field)) == left


@pytest.mark.parametrize(("offset", "rows"), [(-2, (0, 1)), (14, (14, 16)), (-3, None), (16, None), (-(2**30), None)])
def test_runs_are_cut_to_the_rows_of_the_grid(offset: int, rows: tuple[int, int] | None) -> None:
    field = SolidHeightfield(unit_frame(1, 1, 16))
    add_chunk(field, VoxelChunk.from_dense(np.ones((1, 1, 3), dtype=np.uint8)), (0, offset, 0))
    assert columns_of(field) == ({} if rows is None else {(0, 0): [(*rows, 63)]})


def test_materials_have_areas_and_touching_runs_keep_the_upper_one() -> None:
    areas = np.arange(256) % 64
    field = SolidHeightfield(unit_frame(1, 1))
    add_chunk(field, VoxelChunk(1, 1, 8, [0, 3], [(0, 1, 9), (1, 1, 4), (4, 1, 70)]), material_areas=areas)
    assert columns_of(field) == {(0, 0): [(0, 2, 4), (4, 5, 6)]}


def test_a_chunk_merges_with_threshold_zero() -> None:
    field = solid(unit_frame(1, 1), {(0, 0): [(0, 3, 60)]})
    add_chunk(field, VoxelChunk(1, 1, 8, [0, 1], [(0, 2, 1)]), material_areas=[5] * 256)
    assert columns_of(field) == {(0, 0): [(0, 3, 60)]}
    add_chunk(field, VoxelChunk(1, 1, 8, [0, 1], [(0, 4, 1)]), material_areas=[5] * 256)
    assert columns_of(field) == {(0, 0): [(0, 4, 5)]}


def test_a_box_of_voxels_and_of_triangles_compact_alike_although_one_is_a_shell() -> None:
    ground = floor(0, 0, 12, 12, y=1)
    shell = rasterized(unit_frame(12, 12, 32), *ground, *box((4, 1, 4), (8, 9, 8)))
    dense = np.ones((4, 4, 8), dtype=np.uint8)
    voxels = rasterized(unit_frame(12, 12, 32), *ground)
    add_chunk(voxels, VoxelChunk.from_dense(dense), offset=(4, 1, 4))
    assert columns_of(shell)[(5, 5)] == [(0, 2, 63), (8, 9, 63)] and columns_of(voxels)[(5, 5)] == [(0, 9, 63)]
    fields = []
    for field in (shell, voxels):
        apply_span_filters(field, 10, 2)
        compact = CompactHeightfield.build(field, 10, 2)
        fields.append((compact.cell_count, compact.y, compact.height, compact.area, compact.links))
    assert len(fields[0][1]) > 0
    for one, other in zip(*fields, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    "runs",
    [
        [(0, 0, 1), (2, 1, 1)],  # empty
        [(0, 1, 0), (2, 1, 1)],  # material 0
        [(0, 1, 256), (2, 1, 1)],
        [(2, 1, 1), (0, 1, 1)],  # unsorted
        [(0, 3, 1), (2, 1, 1)],  # overlapping
        [(0, 1, 1), (7, 2, 1)],  # beyond the top
        [(-1, 1, 1), (2, 1, 1)],
        [(0, 2**31 - 1, 1), (2, 1, 1)],
        [(0, 2**40, 1), (2, 1, 1)],
        [(2**31 - 1, 2, 1), (2, 1, 1)],
    ],
)
def test_bad_run_lists_are_value_errors(runs: list[tuple[int, int, int]]) -> None:
    with pytest.raises(ArgumentError, match="runs") as caught:
        VoxelChunk(1, 1, 8, [0, 2], runs)
    assert not isinstance(caught.value, RangeError)


def test_touching_runs_and_runs_that_fill_the_column_are_allowed() -> None:
    assert len(VoxelChunk(1, 1, 8, [0, 2], [(0, 4, 1), (4, 4, 1)]).runs) == 2


@pytest.mark.parametrize("first", [[0], [0, 1], [0, 3], [1, 2], [0, 2, 2], [[0, 2]], [0.0, 2.0]])
def test_offsets_that_do_not_fit_the_runs_are_value_errors(first: object) -> None:
    with pytest.raises(ArgumentError, match="first"):
        VoxelChunk(1, 1, 8, first, [(0, 1, 1), (2, 1, 1)])


def test_offsets_must_not_fall() -> None:
    with pytest.raises(ArgumentError, match="first"):
        VoxelChunk(2, 1, 8, [0, 3, 2], [(0, 1, 1), (2, 1, 1)])


@pytest.mark.parametrize("size", [{"width": 0}, {"depth": 0}, {"height": 0}, {"height": 65536}, {"width": 65537}])
def test_chunk_dimensions_outside_their_range_are_range_errors(size: dict[str, int]) -> None:
    with pytest.raises(RangeError, match=next(iter(size))):
        VoxelChunk(**({"width": 1, "depth": 1, "height": 8} | size), first=[0, 0], runs=[])


@pytest.mark.parametrize("dense", [np.zeros((2, 2), int), np.zeros((1, 1, 1)), [[["a"]]], np.zeros((1, 0, 4), int)])
def test_dense_voxels_of_a_wrong_shape_or_dtype_are_refused(dense: object) -> None:
    with pytest.raises(ArgumentError):
        VoxelChunk.from_dense(dense)


@pytest.mark.parametrize("material", [-1, 256])
def test_dense_materials_outside_a_byte_are_range_errors(material: int) -> None:
    with pytest.raises(RangeError, match=str(material)):
        VoxelChunk.from_dense([[[0, material]]])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"offset": (0, 0)}, ArgumentError),
        ({"offset": (0, 0.5, 0)}, ArgumentError),
        ({"offset": (2**30 + 1, 0, 0)}, RangeError),
        ({"material_areas": [63] * 255}, ArgumentError),
        ({"material_areas": [64] * 256}, RangeError),
        ({"material_areas": {1: 2}}, ArgumentError),
    ],
)
def test_a_refused_chunk_adds_nothing(change: dict[str, object], error: type[Exception]) -> None:
    field = SolidHeightfield(unit_frame(1, 1))
    with pytest.raises(error, match=next(iter(change))):
        add_chunk(field, VoxelChunk.from_dense([[[1]]]), **change)
    assert field.span_count == 0


def test_chunks_are_values() -> None:
    chunk = VoxelChunk.from_dense([[[1, 1, 0, 2]]])
    again = pickle.loads(pickle.dumps(chunk))
    assert again == chunk and hash(again) == hash(chunk) and chunk != VoxelChunk.from_dense([[[1, 1, 0, 3]]])
    assert repr(chunk) == "VoxelChunk(1, 1, 4, runs=2)"
