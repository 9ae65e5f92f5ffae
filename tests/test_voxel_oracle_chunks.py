"""Voxel chunks on cases worked out by hand and on random blocks against the slow code; what they refuse.

Document: voxelization, section 5.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.build import CompactHeightfield, SolidHeightfield, VoxelChunk, add_chunk, apply_span_filters
from onepath.errors import ArgumentError, RangeError
from tests.oracles import voxel_spans as oracle
from tests.soups import AREAS, random_columns, random_dense
from tests.voxel_pairs import columns_of, fast_frame, grid, refused, solid_pair


def dense_chunk(cells, width, depth, height):
    return VoxelChunk.from_dense(np.array(cells, dtype=np.uint8).reshape(depth, width, height))


def with_chunk(frame, dense, offset, areas=None, before=()):
    """Spans after placing a dense block at an (x, y, z) offset, by both codes."""
    cells, width, depth, height = dense
    fast, slow = solid_pair(frame, before)
    add_chunk(fast, dense_chunk(cells, width, depth, height), offset=offset, material_areas=areas)
    oracle.add_chunk(slow, oracle.runs_of_dense(cells, width, depth, height), width, offset, areas)
    assert fast.spans().tolist() == slow.rows()
    return slow.rows()


class TestChunks:
    def test_cells_are_indexed_z_then_x_then_y(self):
        # 2 wide, 3 deep, 4 high; one cell at x 1, z 2, y 3.
        cells = [0] * 24
        cells[(2 * 2 + 1) * 4 + 3] = 5
        assert with_chunk(grid(2, 3, 4), (cells, 2, 3, 4), (0, 0, 0)) == [[1, 2, 3, 4, 63]]

    def test_equal_neighbours_are_one_run_and_others_are_merged_with_threshold_zero(self):
        areas = list(range(64)) * 4
        assert with_chunk(grid(1, 1, 9), ([0, 7, 7, 7, 0], 1, 1, 5), (0, 0, 0), areas) == [[0, 0, 1, 4, 7]]
        assert with_chunk(grid(1, 1, 9), ([7, 7, 3, 0, 9], 1, 1, 5), (0, 0, 0), areas) == [
            [0, 0, 0, 3, 3],
            [0, 0, 4, 5, 9],
        ]

    def test_a_chunk_is_moved_in_all_three_axes_and_cut_to_the_grid(self):
        block = ([1] * 8, 2, 2, 2)
        assert with_chunk(grid(3, 3, 5), block, (1, 2, 0)) == [
            [1, 0, 2, 4, 63],
            [2, 0, 2, 4, 63],
            [1, 1, 2, 4, 63],
            [2, 1, 2, 4, 63],
        ]
        assert with_chunk(grid(3, 3, 5), block, (-1, -1, -1)) == [[0, 0, 0, 1, 63]]
        assert with_chunk(grid(3, 3, 5), block, (2, 4, 2)) == [[2, 2, 4, 5, 63]]
        for away in ((3, 0, 0), (0, 5, 0), (0, 0, 3), (-2, 0, 0), (0, -2, 0), (0, 0, -2)):
            assert with_chunk(grid(3, 3, 5), block, away) == []

    def test_materials_have_areas_and_area_zero_stays_solid(self):
        areas = [0] * 256
        areas[200] = 12
        assert with_chunk(grid(2, 1, 4), ([200, 200, 0, 4, 4, 0], 2, 1, 3), (0, 0, 0), areas) == [
            [0, 0, 0, 2, 12],
            [1, 0, 0, 2, 0],
        ]

    def test_a_chunk_joins_what_lies_there_with_threshold_zero(self):
        areas = [3] * 256
        assert with_chunk(grid(1, 1, 9), ([1, 1], 1, 1, 2), (0, 2, 0), areas, [[0, 0, 0, 3, 9]]) == [[0, 0, 0, 4, 3]]
        assert with_chunk(grid(1, 1, 9), ([1, 1], 1, 1, 2), (0, 2, 0), areas, [[0, 0, 0, 5, 9]]) == [[0, 0, 0, 5, 9]]

    @pytest.mark.parametrize("count", [600, pytest.param(20000, marks=pytest.mark.full)])
    def test_random_chunks_are_placed_alike(self, count):
        random = Random("chunks")
        for _ in range(count):
            width, depth, rows, before = random_columns(random, 4)
            dense = random_dense(random)
            offset = (random.randint(-3, width), random.randint(-5, rows), random.randint(-3, depth))
            areas = None if random.random() < 0.3 else [random.choice(AREAS) for _ in range(256)]
            with_chunk(grid(width, depth, rows), dense, offset, areas, before)

    def test_a_solid_box_is_the_same_as_triangles_and_as_voxels_but_for_the_gap_inside(self):
        x, y, z = (1.0, 5.0), (1.0, 4.0), (1.0, 4.0)
        corners = [(a, b, c) for a in x for b in y for c in z]
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        triangles = [[corners[q[0]], corners[q[i]], corners[q[i + 1]]] for q in quads for i in (1, 2)]
        frame = grid(6, 5, 9)
        shell = columns_of(frame, triangles)
        solid = with_chunk(frame, ([1] * 36, 4, 3, 3), (1, 1, 1))
        assert solid == [[i, j, 1, 4, 63] for j in (1, 2, 3) for i in (1, 2, 3, 4)]
        inside = {(2, 2): [(1, 2, 0), (3, 4, 63)], (3, 2): [(1, 2, 0), (3, 4, 63)]}
        assert shell == {(i, j): inside.get((i, j), [(1, 4, 63)]) for i, j, *_ in solid}
        rows = [[i, j, *span] for (i, j), spans in shell.items() for span in spans]
        fields = [
            solid_pair(frame, spans)[0] for spans in (sorted(rows, key=lambda row: (row[1], row[0], row[2])), solid)
        ]
        for field in fields:
            apply_span_filters(field, 2, 5)
        open_shell, open_solid = (CompactHeightfield.build(field, 2, 5) for field in fields)
        for name in ("cell_first", "cell_count", "y", "height", "area", "links"):
            assert getattr(open_shell, name).tolist() == getattr(open_solid, name).tolist()
        # The drop around the box closes its rim.
        assert open_solid.area.tolist() == [63, 63]


def chunk_of(columns, width=1, depth=1, height=8):
    """A chunk of (start, length, material) runs a column."""
    first = np.cumsum([0, *map(len, columns)])
    return VoxelChunk(width, depth, height, first, [run for column in columns for run in column])


def test_a_dense_block_and_its_runs_are_the_same_chunk():
    random = Random("dense")
    for _ in range(100):
        cells, width, depth, height = random_dense(random)
        columns = oracle.runs_of_dense(cells, width, depth, height)
        dense = dense_chunk(cells, width, depth, height)
        assert dense == chunk_of(columns, width, depth, height)
        assert dense.runs.tolist() == [list(run) for column in columns for run in column]


def test_runs_that_touch_are_added_one_by_one():
    field = SolidHeightfield(fast_frame(grid(1, 1, 8)))
    areas = list(range(64)) * 4
    add_chunk(field, chunk_of([[(0, 2, 9), (2, 2, 9)]]), material_areas=areas)
    assert field.spans().tolist() == [[0, 0, 0, 4, 9]]
    add_chunk(field, chunk_of([[(1, 2, 30), (3, 3, 2)]]), material_areas=areas)
    assert field.spans().tolist() == [[0, 0, 0, 6, 2]]


class TestRefusals:
    @pytest.mark.parametrize(
        "runs",
        [
            [(0, 0, 1)],
            [(0, -1, 1)],
            [(-1, 2, 1)],
            [(0, 2, 0)],
            [(0, 2, 256)],
            [(0, 9, 1)],
            [(8, 1, 1)],
            [(3, 2, 1), (0, 2, 1)],
            [(0, 2, 1), (1, 2, 1)],
            [(0, 2**31 - 1, 1)],
            [(2**31 - 1, 2**31 - 1, 1)],
        ],
    )
    def test_bad_runs_are_refused(self, runs):
        with pytest.raises(ArgumentError):
            chunk_of([runs])
        with pytest.raises(ArgumentError):
            chunk_of([[(0, 1, 1)], runs, [(0, 1, 1)]], width=3)

    def test_material_areas_are_256_ids_from_0_to_63(self):
        field = SolidHeightfield(fast_frame(grid()))
        chunk = VoxelChunk.from_dense(np.ones((2, 2, 1), dtype=np.uint8))
        for count in (255, 257, 0):
            refused(ArgumentError, add_chunk, field, chunk, material_areas=[1] * count)
        refused(RangeError, add_chunk, field, chunk, material_areas=[64] * 256)
        refused(RangeError, add_chunk, field, chunk, material_areas=[0] * 255 + [-1])
        assert field.span_count == 0

    def test_dense_cells_have_three_axes_and_materials_of_a_byte(self):
        for shape in ((4,), (2, 2), (1, 2, 2, 1)):
            refused(ArgumentError, VoxelChunk.from_dense, np.ones(shape, dtype=np.uint8))
        for value in (256, -1):
            refused(RangeError, VoxelChunk.from_dense, np.full((1, 1, 2), value))
