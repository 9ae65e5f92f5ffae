"""Filters: what passes, what it costs, how often a predicate is asked."""

from __future__ import annotations

import math
import pickle
from collections import Counter

import pytest

from onepath import Areas, NavMesh
from onepath.errors import ArgumentError, BusyError, RangeError
from onepath.query import NavMeshQuery, PathStatus, QueryFilter
from tests.meshes import grid, rectangle, settings_of, strip, tile_of


def is_even(flags: int, area: int) -> bool:
    """A predicate that pickle can name."""
    return flags % 2 == 0


def test_a_plain_filter_passes_everything_but_area_0() -> None:
    filter = QueryFilter()
    assert filter.passes(0, 1) and filter.passes(0xFFFF, 255)
    assert not filter.passes(1, 0)


def test_an_unknown_argument_is_named() -> None:
    with pytest.raises(TypeError, match="QueryFilter has no 'cost'; the nearest is 'costs'"):
        QueryFilter(cost={5: 2.0})  # type: ignore[call-arg]


def test_a_filter_is_initialised_once() -> None:
    filter = QueryFilter(costs={5: 2.0})
    with pytest.raises(TypeError, match="once"):
        filter.__init__(costs={5: 3.0})  # type: ignore[misc]
    assert filter.area_cost(5) == 2.0


def test_a_filter_that_was_never_initialised_passes_nothing() -> None:
    assert not QueryFilter.__new__(QueryFilter).passes(1, 63)


def test_include_flags_need_one_common_bit() -> None:
    filter = QueryFilter(include_flags=0b110)
    assert [filter.passes(flags, 63) for flags in (0, 0b001, 0b010, 0b101)] == [False, False, True, True]


def test_include_flags_of_0_pass_nothing() -> None:
    assert not QueryFilter(include_flags=0).passes(0xFFFF, 63)


def test_exclude_flags_reject_any_common_bit() -> None:
    filter = QueryFilter(exclude_flags=0b110)
    assert [filter.passes(flags, 63) for flags in (0, 0b001, 0b010, 0b101)] == [True, True, False, False]


def test_an_infinite_cost_forbids_the_area() -> None:
    filter = QueryFilter(costs={7: math.inf})
    assert not filter.passes(1, 7)
    assert filter.passes(1, 8)


def test_with_area_cost_leaves_the_filter_as_it_was() -> None:
    filter = QueryFilter(costs={3: 2.0})
    other = filter.with_area_cost(4, 5.0)
    assert (filter.costs, other.costs) == ({3: 2.0}, {3: 2.0, 4: 5.0})


def test_with_area_cost_keeps_flags_and_predicate() -> None:
    other = QueryFilter(1, 2, is_even).with_area_cost(4, 5.0)
    assert (other.include_flags, other.exclude_flags, other.predicate) == (1, 2, is_even)


@pytest.mark.parametrize(("costs", "least"), [({}, 1.0), ({5: 3.0}, 1.0), ({5: 0.25}, 0.25), ({5: math.inf}, 1.0)])
def test_the_minimum_cost_counts_unnamed_areas_as_1(costs: dict[int, float], least: float) -> None:
    assert QueryFilter(costs=costs).minimum_cost == least


def test_the_minimum_cost_can_exceed_1_only_when_all_areas_are_named() -> None:
    assert QueryFilter(costs={area: 2.0 for area in range(1, 256)}).minimum_cost == 1.0


@pytest.mark.parametrize("cost", [0.0, -1.0, -math.inf])
def test_a_cost_must_be_above_0(cost: float) -> None:
    with pytest.raises(RangeError, match="cost of area 3 is"):
        QueryFilter(costs={3: cost})


@pytest.mark.parametrize("cost", [math.nan, "dear", None])
def test_a_cost_must_be_a_number(cost: object) -> None:
    with pytest.raises(ArgumentError, match="cost of area 3 is"):
        QueryFilter().with_area_cost(3, cost)  # type: ignore[arg-type]


@pytest.mark.parametrize("area", [0, -1, 256])
def test_a_cost_names_an_area_from_1_to_255(area: int) -> None:
    with pytest.raises(RangeError, match=f"area is {area}, outside"):
        QueryFilter().with_area_cost(area, 1.0)


@pytest.mark.parametrize("flags", [-1, 0x10000])
def test_flags_are_16_bits(flags: int) -> None:
    with pytest.raises(RangeError, match="include_flags is"):
        QueryFilter(flags)
    with pytest.raises(RangeError, match="exclude_flags is"):
        QueryFilter(0xFFFF, flags)


@pytest.mark.parametrize("arguments", [{"predicate": 3}, {"costs": [1.0]}, {"include_flags": 1.5}])
def test_arguments_of_another_kind_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=f"{next(iter(arguments))} is"):
        QueryFilter(**arguments)  # type: ignore[arg-type]


def test_equal_filters_are_equal_and_hash_alike() -> None:
    filters = [QueryFilter(1, 2, is_even, costs={4: 2.0}) for _ in range(2)]
    assert filters[0] == filters[1] and hash(filters[0]) == hash(filters[1])
    assert filters[0] != QueryFilter(1, 2, is_even) and filters[0] != 3


def test_a_filter_survives_pickling() -> None:
    filter = QueryFilter(1, 2, is_even, costs={4: 2.0})
    assert pickle.loads(pickle.dumps(filter)) == filter


def test_the_repr_says_what_differs_from_a_plain_filter() -> None:
    assert repr(QueryFilter()) == "QueryFilter()"
    assert repr(QueryFilter(3, costs={4: 2.0})) == "QueryFilter(include_flags=0x3, costs={4: 2.0})"


# --- predicates


class Asked:
    """A predicate that counts its questions."""

    def __init__(self) -> None:
        self.pairs: Counter[tuple[int, int]] = Counter()

    def __call__(self, flags: int, area: int) -> bool:
        self.pairs[flags, area] += 1
        return area != 2


def test_a_predicate_is_asked_once_for_each_pair_of_the_mesh() -> None:
    asked = Asked()
    mesh = strip(6, areas=[1, 2, 1, 3, 1, 1], flags=[1, 1, 1, 1, 4, 1])
    query = NavMeshQuery(mesh)
    for _ in range(3):
        query.find_nearest_polygon((6, 0, 2), filter=QueryFilter(predicate=asked))
        asked.pairs.clear()
    filter = QueryFilter(predicate=asked)
    for _ in range(3):
        query.find_nearest_polygon((6, 0, 2), filter=filter)
        NavMeshQuery(mesh).find_path((1, 0, 2), (23, 0, 2), filter)
    assert asked.pairs == Counter({(1, 1): 1, (1, 2): 1, (1, 3): 1, (4, 1): 1})


def test_a_predicate_decides_what_is_found() -> None:
    mesh = strip(3, areas=[1, 2, 1])
    found = NavMeshQuery(mesh).find_nearest_polygon((6, 0, 2), filter=QueryFilter(predicate=Asked()))
    assert found.point == (4.0, 0.0, 2.0)


def test_only_new_pairs_are_asked_after_a_commit() -> None:
    asked = Asked()
    mesh = strip(2, areas=[1, 1])
    filter = QueryFilter(predicate=asked)
    query = NavMeshQuery(mesh)
    query.find_nearest_polygon((1, 0, 1), filter=filter)
    asked.pairs.clear()
    mesh.stage_tile(tile_of(0, 0, [[(0, 0, 0), (0, 0, 4), (4, 0, 4)]], mesh.settings, areas=[9]))
    mesh.commit()
    query.find_nearest_polygon((1, 0, 1), filter=filter)
    assert asked.pairs == Counter({(1, 9): 1})


def test_a_predicate_is_kept_for_hundreds_of_pairs() -> None:
    mesh = grid(20, 20, areas=[1 + i % 7 for i in range(400)], flags=list(range(400)))
    filter = QueryFilter(predicate=lambda flags, area: flags % 3 == 0)
    query = NavMeshQuery(mesh)
    for index in range(400):
        found = query.find_nearest_polygon((index % 20 + 0.5, 0, index // 20 + 0.5), (0.25, 1, 0.25), filter)
        assert bool(found) == (index % 3 == 0)


def test_an_error_of_a_predicate_comes_through_and_leaves_everything_usable() -> None:
    def fails(flags: int, area: int) -> bool:
        raise KeyError("no such area")

    mesh = strip(2)
    query = NavMeshQuery(mesh)
    with pytest.raises(KeyError, match="no such area"):
        query.find_path((1, 0, 1), (7, 0, 1), QueryFilter(predicate=fails))
    assert query.find_path((1, 0, 1), (7, 0, 1))
    mesh.stage_tile(tile_of(0, 0, [], settings_of()))
    assert mesh.commit()


def test_a_predicate_that_asks_its_own_query_is_refused() -> None:
    query = NavMeshQuery(strip(2))

    def asks(flags: int, area: int) -> bool:
        return bool(query.find_nearest_polygon((1, 0, 1)))

    with pytest.raises(BusyError, match="at work"):
        query.find_path((1, 0, 1), (7, 0, 1), QueryFilter(predicate=asks))
    assert query.find_path((1, 0, 1), (7, 0, 1))


def test_a_refused_call_from_a_predicate_does_not_disturb_the_search() -> None:
    query = NavMeshQuery(strip(4))

    def asks(flags: int, area: int) -> bool:
        with pytest.raises(BusyError):
            query.find_path((13, 0, 3), (9, 0, 3))
        return True

    path = query.find_path((1, 0, 1), (7, 0, 1), QueryFilter(predicate=asks))
    assert path.points.tolist() == [[1, 0, 1], [7, 0, 1]]


def test_a_predicate_may_ask_another_query_with_its_own_filter() -> None:
    mesh = strip(2, areas=[1, 2])
    other = NavMeshQuery(mesh)
    filters: list[QueryFilter] = []

    def asks(flags: int, area: int) -> bool:
        return area == 1 or bool(other.find_nearest_polygon((1, 0, 1), filter=QueryFilter()))

    filters.append(QueryFilter(predicate=asks))
    assert NavMeshQuery(mesh).find_path((1, 0, 1), (7, 0, 1), filters[0])


def test_a_predicate_cannot_commit() -> None:
    mesh = strip(2)
    mesh.stage_tile(tile_of(0, 0, [], settings_of()))

    def commits(flags: int, area: int) -> bool:
        mesh.commit()
        return True

    with pytest.raises(BusyError):
        NavMeshQuery(mesh).find_nearest_polygon((1, 0, 1), filter=QueryFilter(predicate=commits))
    assert mesh.edit_count == 1


def test_something_else_than_a_filter_is_refused() -> None:
    with pytest.raises(ArgumentError, match="filter is 'water', not a QueryFilter"):
        NavMeshQuery(strip(1)).find_nearest_polygon((1, 0, 1), filter="water")  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", ["2", True, 10**400, None, float("nan")])
def test_a_cost_that_is_no_number_is_refused_with_its_area(cost: object) -> None:
    with pytest.raises(ArgumentError, match="cost of area 7"):
        QueryFilter(costs={7: cost})  # type: ignore[dict-item]


class Pairless:
    """A mapping that gives no pairs."""

    def items(self) -> list[int]:
        return [1, 2]


def test_costs_that_give_no_pairs_are_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="costs"):
        QueryFilter(costs=Pairless())  # type: ignore[arg-type]


# --- areas by name


AREAS = Areas(water=4.0, lava=9.0, road=0.5)


def test_names_get_the_ids_of_the_areas_that_a_filter_is_bound_to() -> None:
    named = QueryFilter(1, 2, costs={"water": 2.0, 9: 3.0}, avoid=["lava"])
    bound = named.bind(AREAS)
    assert bound == QueryFilter(1, 2, costs={1: 2.0, 9: 3.0, 2: math.inf})
    assert (named.is_bound, bound.is_bound) == (False, True)
    assert named.bind(AREAS) is bound
    assert bound.bind(AREAS) is bound
    assert named.bind(Areas.with_ids({"water": 7, "lava": 8})).costs == {7: 2.0, 9: 3.0, 8: math.inf}


def test_avoided_areas_are_forbidden() -> None:
    filter = QueryFilter(avoid=[5, 7])
    assert [filter.area_cost(area) for area in (4, 5, 6, 7)] == [1.0, math.inf, 1.0, math.inf]


def test_required_areas_alone_are_admitted_at_their_cost() -> None:
    filter = QueryFilter(costs={5: 3.0, 6: 2.0}, require=[5, 63])
    assert [filter.area_cost(area) for area in (0, 5, 6, 63, 64)] == [math.inf, 3.0, math.inf, 1.0, math.inf]
    assert filter.minimum_cost == 1.0
    assert QueryFilter(costs={5: 3.0}, require=[5]).minimum_cost == 3.0
    assert [QueryFilter(require=[]).passes(1, area) for area in (0, 1, 63)] == [False, False, False]


def test_a_filter_that_names_areas_means_nothing_before_it_is_bound() -> None:
    named = QueryFilter(costs={"water": 2.0})
    for ask in (lambda: named.area_cost(1), lambda: named.passes(1, 1), lambda: named.minimum_cost):
        with pytest.raises(ArgumentError, match=r"names the areas water; bind\(mesh.areas\) says what they mean"):
            ask()


def test_a_name_that_the_areas_do_not_know_is_refused() -> None:
    with pytest.raises(ArgumentError, match="area is 'mud', which names no area; known are ground, water, lava, road"):
        QueryFilter(avoid=["mud"]).bind(AREAS)


@pytest.mark.parametrize("areas", [None, {"mud": 1.0}, Areas])
def test_a_filter_is_bound_to_areas_alone(areas: object) -> None:
    for chosen in (QueryFilter(avoid=["mud"]), QueryFilter()):
        with pytest.raises(ArgumentError, match=r"areas is .*, not Areas"):
            chosen.bind(areas)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"costs": {"water": 2.0}, "avoid": ["water"]},
        {"costs": {5: 2.0}, "avoid": [5]},
        {"avoid": ["water"], "require": ["ground", "water"]},
    ],
)
def test_an_area_that_is_both_wanted_and_avoided_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match="both name area"):
        QueryFilter(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("areas", ["water", 5, [0], [256], [1.5], [None], [""]])
@pytest.mark.parametrize("name", ["avoid", "require"])
def test_lists_of_areas_that_make_no_sense_are_refused(name: str, areas: object) -> None:
    with pytest.raises(ArgumentError, match=f"area|{name}"):
        QueryFilter(**{name: areas})  # type: ignore[arg-type]


def test_a_changed_cost_takes_an_area_off_the_list_of_those_avoided() -> None:
    named = QueryFilter(avoid=["lava", "water"], require=None)
    assert named.with_area_cost("lava", 3.0) == QueryFilter(costs={"lava": 3.0}, avoid=["water"])
    assert QueryFilter(require=[5]).with_area_cost(6, 2.0).area_cost(6) == 2.0


def test_filters_with_names_are_values() -> None:
    named = QueryFilter(costs={"water": 2.0}, avoid=["lava", 7], require=["ground", "water"])
    for same in (
        pickle.loads(pickle.dumps(named)),
        eval(repr(named), {"QueryFilter": QueryFilter}),
        QueryFilter(costs={"water": 2.0}, avoid=[7, "lava", 7], require=["water", "ground"]),
    ):
        assert same == named
        assert hash(same) == hash(named)
    assert named != QueryFilter(costs={"water": 2.0}, avoid=["lava", 7])
    assert named != named.bind(AREAS)
    assert (named.costs, named.avoid, named.require) == ({"water": 2.0}, ("lava", 7), ("ground", "water"))


def test_queries_read_names_as_their_mesh_says() -> None:
    polygons = [rectangle(4 * i, 0, 4 * i + 4, 4) for i in range(4)]
    mesh = NavMesh(settings_of(), areas=AREAS)
    mesh.stage_tile(tile_of(0, 0, polygons[:2], settings_of(), areas=[63, 2]))
    mesh.stage_tile(tile_of(1, 0, polygons[2:], settings_of(), areas=[1, 63]))
    mesh.commit()
    query = NavMeshQuery(mesh)
    ends = (1, 0, 2), (15, 0, 2)
    assert query.find_path(*ends).cost == pytest.approx(14.0)
    assert query.find_path(*ends, QueryFilter(costs={"water": 2.0, "lava": 3.0})).cost == pytest.approx(26.0)
    assert query.find_path(*ends, QueryFilter(avoid=["lava"])).partial
    assert query.find_path(*ends, QueryFilter(require=["ground", "water"])).partial
    assert mesh.find_path(*ends, QueryFilter(require=["ground", "water", "lava"])).cost == pytest.approx(14.0)
    with pytest.raises(ArgumentError, match="known are ground, water, lava, road"):
        query.find_path(*ends, QueryFilter(avoid=["mud"]))


def test_on_the_mesh_no_filter_is_that_of_its_default_costs() -> None:
    tile = tile_of(0, 0, [rectangle(0, 0, 4, 8), rectangle(4, 0, 8, 8)], settings_of(), areas=[63, 1])
    mesh = NavMesh(settings_of(), (0, 0, 0, 0), areas=Areas(water=4.0))
    forbidding = NavMesh(settings_of(), (0, 0, 0, 0), areas=Areas(water=math.inf))
    for each in (mesh, forbidding):
        each.stage_tile(tile)
        each.commit()
    ends = (1, 0, 4), (7, 0, 4)
    assert mesh.default_filter == QueryFilter(costs={1: 4.0})
    assert mesh.find_path(*ends).cost == pytest.approx(3.0 + 4 * 3.0)
    assert NavMeshQuery(mesh).find_path(*ends).cost == pytest.approx(6.0)
    assert mesh.find_path(*ends, mesh.default_filter.with_area_cost("water", 2.0)).cost == pytest.approx(9.0)
    assert forbidding.snap((7, 0, 4), horizontal=1.0).ref == 0
    assert forbidding.begin_path((1, 0, 4), (7.9, 0, 4)).finish().status is PathStatus.NO_END
