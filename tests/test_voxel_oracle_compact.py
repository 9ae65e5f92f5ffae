"""Open spans, links and erosion on cases worked out by hand, and on random columns against the slow code.

Documents: voxelization, sections 7 and 8.
"""

from __future__ import annotations

from random import Random

import pytest

from onepath.build import erode_walkable_area
from tests.oracles import voxel_compact as oracle
from tests.soups import crowded_columns, random_columns, random_terrain, tangled_columns
from tests.voxel_pairs import assert_same_compact, compact_pair, grid


def built(columns, height=5, climb=2, rows=200, width=None, depth=1):
    """Both compact fields of columns (x fastest) of (low, high, area), compared."""
    width = width or len(columns)
    spans = [[i % width, i // width, *span] for i, column in enumerate(columns) for span in column]
    return compact_pair(grid(width, depth, rows), spans, height, climb)


class TestOpenSpans:
    def test_only_walkable_spans_become_open_ones_bottom_up(self):
        _, slow = built([[(0, 2, 0), (5, 6, 3), (20, 22, 4)], [], [(0, 9, 1)]])
        assert [(s.x, s.y, s.height, s.area) for s in slow.spans()] == [
            (0, 6, 14, 3),
            (0, 22, 65535, 4),
            (2, 9, 65535, 1),
        ]
        assert slow.cell_first() == [0, 2, 2] and slow.cell_count() == [2, 0, 1]

    def test_a_solid_span_of_area_zero_is_a_ceiling(self):
        _, slow = built([[(0, 2, 1), (9, 10, 0)]])
        assert [(s.y, s.height) for s in slow.spans()] == [(2, 7)]

    def test_open_height_is_capped(self):
        frame = grid(1, 1, 65535)
        _, slow = compact_pair(frame, [[0, 0, 0, 1, 1], [0, 0, 65534, 65535, 1]], 5, 2)
        assert [s.height for s in slow.spans()] == [65533, 65535]

    def test_columns_run_along_x_first(self):
        _, slow = built([[(0, k + 1, 1)] for k in range(6)], width=3, depth=2)
        assert [(s.x, s.z, s.y) for s in slow.spans()] == [
            (0, 0, 1),
            (1, 0, 2),
            (2, 0, 3),
            (0, 1, 4),
            (1, 1, 5),
            (2, 1, 6),
        ]

    def test_regions_start_at_zero(self):
        fast, _ = built([[(0, 2, 1)]] * 3)
        assert fast.region.tolist() == [0, 0, 0]


class TestLinks:
    def test_directions_are_minus_x_plus_z_plus_x_minus_z(self):
        _, slow = built([[(0, 2, 1)]] * 9, width=3, depth=3)
        links = [s.links for s in slow.spans()]
        assert links[4] == [0, 0, 0, 0]
        assert links[0] == [-1, 0, 0, -1] and links[2] == [0, 0, -1, -1]
        assert links[6] == [-1, -1, 0, 0] and links[8] == [0, -1, -1, 0]

    @pytest.mark.parametrize(("high", "link"), [(12, 0), (13, -1), (8, 0), (7, -1)])
    def test_a_step_of_climb_links_and_one_more_does_not(self, high, link):
        _, slow = built([[(0, 10, 1)], [(0, high, 1)]])
        assert slow.spans()[0].links[2] == link and slow.spans()[1].links[0] == link

    def test_a_body_must_fit_between_the_higher_floor_and_the_lower_ceiling(self):
        for ceiling, link in ((16, 0), (15, -1)):
            _, slow = built([[(0, 10, 1), (ceiling, 40, 0)], [(0, 11, 1)]])
            assert slow.spans()[0].links[2] == link and slow.spans()[1].links[0] == link
            _, slow = built([[(0, 11, 1)], [(0, 10, 1), (ceiling, 40, 0)]])
            assert slow.spans()[0].links[2] == link and slow.spans()[1].links[0] == link

    def test_the_lowest_fitting_span_is_taken(self):
        # Both floors of the right column are within climb of row 10 and a body of 2 rows fits on both.
        _, slow = built([[(0, 10, 1)], [(0, 9, 1), (11, 12, 1)]], height=1)
        assert slow.spans()[0].links[2] == 0
        _, slow = built([[(0, 10, 1)], [(0, 9, 1), (11, 12, 1)]], height=2)
        assert slow.spans()[0].links[2] == 1

    def test_links_count_open_spans_not_solid_ones(self):
        _, slow = built([[(0, 2, 0), (9, 10, 1)], [(0, 2, 0), (9, 10, 1)]])
        assert slow.spans()[0].links[2] == 0

    def test_links_need_not_be_mutual(self):
        _, slow = built([[(0, 10, 1)], [(0, 9, 1), (11, 12, 1)]], height=1)
        lower, upper = slow.column(1, 0)
        assert lower.links[0] == 0 and upper.links[0] == 0

    def test_index_62_links_and_index_63_does_not(self):
        tall = [(4 * k, 4 * k + 1, 1) for k in range(66)]
        for floor, link in ((61, 61), (62, 62), (63, -1), (64, -1)):
            _, slow = built([[(4 * floor, 4 * floor + 1, 1)], tall], height=2, climb=1, rows=400)
            assert slow.spans()[0].links[2] == link


@pytest.mark.parametrize("count", [700, pytest.param(20000, marks=pytest.mark.full)])
def test_compact_fields_agree_on_random_columns(count):
    random = Random("compact")
    for _ in range(count):
        width, depth, rows, spans = random.choice((random_columns, random_terrain))(random)
        compact_pair(grid(width, depth, rows), spans, random.choice((1, 2, 3, 5, 10)), random.choice((0, 1, 2, 4)))


def test_compact_fields_agree_on_columns_of_many_floors():
    random = Random("crowded compact")
    for _ in range(20):
        width, depth, rows, spans = crowded_columns(random)
        compact_pair(grid(width, depth, rows), spans, random.choice((1, 2)), random.choice((1, 2, 4)))


def eroded(fast, slow, radius):
    erode_walkable_area(fast, radius)
    oracle.erode_walkable_area(slow, radius)
    assert_same_compact(fast, slow)
    return slow


def floor_map(slow):
    """Rows of the lowest span's area by z, '.' for closed and '#' for open; ' ' without a span."""
    lines = []
    for z in range(slow.depth):
        columns = [slow.column(x, z) for x in range(slow.width)]
        lines.append("".join(" " if not c else ".#"[c[0].area != 0] for c in columns))
    return lines


class TestErosion:
    def plane(self, width, depth, **changes):
        columns = [[(0, 10, 1)] for _ in range(width * depth)]
        for place, column in changes.items():
            x, z = (int(part) for part in place[1:].split("_"))
            columns[x + z * width] = column
        return built(columns, width=width, depth=depth)

    def test_radius_zero_changes_nothing(self):
        slow = eroded(*self.plane(3, 3), 0)
        assert floor_map(slow) == ["###", "###", "###"]

    def test_each_cell_of_radius_takes_one_ring_off_a_square(self):
        assert floor_map(eroded(*self.plane(5, 5), 1)) == [".....", ".###.", ".###.", ".###.", "....."]
        assert floor_map(eroded(*self.plane(5, 5), 2)) == [".....", ".....", "..#..", ".....", "....."]
        assert floor_map(eroded(*self.plane(5, 5), 3)) == ["....."] * 5

    def test_a_hole_is_boundary_for_its_four_neighbours_and_diagonals_cost_three(self):
        # Boundary spans are the hole's four neighbours; the diagonal ones are 2 away from them.
        slow = eroded(*self.plane(9, 9, c4_4=[]), 1)
        assert [line[2:7] for line in floor_map(slow)[2:7]] == ["#####", "##.##", "#. .#", "##.##", "#####"]
        slow = eroded(*self.plane(11, 11, c5_5=[]), 2)
        assert [line[2:9] for line in floor_map(slow)[2:9]] == [
            "#######",
            "##...##",
            "#.....#",
            "#.. ..#",
            "#.....#",
            "##...##",
            "#######",
        ]

    def test_a_diagonal_step_needs_only_one_of_its_two_ways(self):
        lifted = [(0, 30, 1)]
        slow = eroded(*self.plane(7, 7, c3_3=lifted), 1)
        assert floor_map(slow)[3] == ".#...#."

    def test_spans_of_other_floors_do_not_take_part(self):
        columns = [[(0, 10, 1), (30, 31, 1)] if x < 4 else [(0, 10, 1)] for _ in range(7) for x in range(7)]
        slow = eroded(*built(columns, width=7, depth=7), 1)
        assert floor_map(slow)[3] == ".#####."
        assert [column[1].area for column in slow.columns[21:25]] == [0, 1, 1, 0]

    @pytest.mark.parametrize("count", [400, pytest.param(12000, marks=pytest.mark.full)])
    def test_distances_are_exact_on_random_ground(self, count):
        random = Random("erosion")
        for _ in range(count):
            width, depth, rows, spans = random.choice((random_terrain, random_terrain, random_columns))(random)
            pair = compact_pair(grid(width, depth, rows), spans, random.choice((1, 3, 5)), random.choice((1, 2, 4)))
            eroded(*pair, random.choice((1, 2, 3, 4, 7)))

    @pytest.mark.parametrize("count", [40, pytest.param(1500, marks=pytest.mark.full)])
    def test_long_detours_through_corridors_are_followed(self, count):
        # Few boundaries inside a wide field: paths run in all directions over more than one sweep.
        random = Random("corridors")
        for _ in range(count):
            size = random.randint(16, 26)
            columns = [[(0, 10 + (random.random() < 0.04) * 20, 1)] for _ in range(size * size)]
            eroded(*built(columns, width=size, depth=size), random.randint(3, 9))

    @pytest.mark.parametrize("count", [120, pytest.param(6000, marks=pytest.mark.full)])
    def test_paths_through_one_way_links_are_followed_to_the_end(self, count):
        # Where links are not mutual two sweeps do not reach the shortest path.
        random = Random("tangled")
        for _ in range(count):
            width, depth, rows, spans = tangled_columns(random)
            pair = compact_pair(grid(width, depth, rows), spans, random.choice((1, 2)), random.choice((4, 6, 9)))
            eroded(*pair, random.choice((2, 3, 3, 4, 5)))

    @pytest.mark.parametrize("seed", [34, 105, 394, 566])
    def test_a_diagonal_found_first_gives_way_to_a_straight_step_found_later(self, seed):
        # Fields in which a distance of 3 that should have become 2 would leave a span open at radius 3.
        width, depth, rows, spans = tangled_columns(Random(f"late improvement {seed}"))
        eroded(*compact_pair(grid(width, depth, rows), spans, 1, 4), 3)

    def test_a_radius_larger_than_the_grid_closes_everything(self):
        slow = eroded(*self.plane(6, 5), 2**20)
        assert floor_map(slow) == ["......"] * 5

    def test_a_second_erosion_starts_from_what_the_first_left(self):
        pair = self.plane(9, 9)
        eroded(*pair, 1)
        assert floor_map(eroded(*pair, 1))[4] == "..#####.."
