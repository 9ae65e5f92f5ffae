"""Areas by name: ids, default costs, what is refused."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

import onepath
from onepath.errors import ArgumentError, LimitError, RangeError
from onepath.geometry.areas import Areas


def test_ground_is_always_there_and_the_others_get_ids_in_their_order() -> None:
    areas = Areas(water=4.0, lava=math.inf)
    assert areas.names == ("ground", "water", "lava")
    assert [areas.id(name) for name in areas] == [63, 1, 2]
    assert [areas.cost(name) for name in areas] == [1.0, 4.0, math.inf]
    assert areas.costs == {1: 4.0, 2: math.inf}


def test_ground_may_cost_more_and_keeps_its_id_wherever_it_stands() -> None:
    areas = Areas(road=0.5, ground=2.0)
    assert (areas.names, areas.id("ground"), areas.cost("ground")) == (("ground", "road"), 63, 2.0)


def test_chosen_ids_are_kept_and_the_others_go_round_them() -> None:
    areas = Areas.with_ids({"road": 1, "ice": 200}, water=4.0, road=0.5)
    assert areas.to_dict() == {"ground": (63, 1.0), "water": (2, 4.0), "road": (1, 0.5), "ice": (200, 1.0)}


def test_an_id_is_answered_as_it_is() -> None:
    assert [Areas().id(area) for area in (0, 7, 255)] == [0, 7, 255]


def test_names_and_costs_of_ids() -> None:
    areas = Areas(water=4.0)
    assert [areas.name(area) for area in (1, 63, 2, 0)] == ["water", "ground", None, None]
    assert [areas.cost(area) for area in (1, 63, 2)] == [4.0, 1.0, 1.0]


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="area is 'mud', which names no area; known are ground, water"):
        Areas(water=4.0).id("mud")


@pytest.mark.parametrize("cost", [0.0, -1.0, math.nan, "deep", None])
def test_a_cost_is_above_zero(cost: object) -> None:
    with pytest.raises(ArgumentError, match="the cost of area 'water'"):
        Areas(water=cost)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "ids", [{"water": 0}, {"water": 256}, {"water": 63}, {"ground": 5}, {"water": "1"}, {"a": 1, "b": 1}, {5: 1}, [1]]
)
def test_bad_ids_are_refused(ids: object) -> None:
    with pytest.raises(ArgumentError, match=r"the id of area|ids"):
        Areas.with_ids(ids)  # type: ignore[arg-type]


def test_a_mapping_is_refused_for_its_numbers_may_mean_costs_or_ids() -> None:
    meant = r"costs as Areas\(\*\*\{'mud': 5\}\), ids as Areas\.with_ids\(\{'mud': 5\}\)"
    with pytest.raises(ArgumentError, match=rf"Areas is given \{{'mud': 5\}} without a name; give {meant}"):
        Areas({"mud": 5})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=rf"areas is \{{'mud': 5\}}, not Areas; give {meant}"):
        onepath.bake(onepath.Level(), areas={"mud": 5})  # type: ignore[arg-type]


def test_any_word_names_an_area() -> None:
    names = ("self", "cls", "ids", "unnamed", "costs", "deep water")
    areas = Areas(**dict.fromkeys(names, 2.0))
    assert areas.names == ("ground", *names)
    assert Areas.with_ids({"self": 7}, **dict.fromkeys(names, 2.0)).id("self") == 7
    assert Areas.from_dict(areas.to_dict()) == areas


def test_what_has_no_names_is_answered_with_an_example() -> None:
    with pytest.raises(ArgumentError, match="'mud' without a name; give costs by name, such as Areas"):
        Areas("mud")  # type: ignore[arg-type]


def test_more_names_than_the_builder_has_ids_are_refused() -> None:
    names = {f"area{i}": 1.0 for i in range(62)}
    assert Areas(**names).id("area61") == 62
    with pytest.raises(LimitError, match="area 'last' is one too many"):
        Areas(**names, last=1.0)


def test_areas_are_values() -> None:
    areas = Areas.with_ids({"ice": 200}, water=4.0)
    for same in (Areas.from_dict(areas.to_dict()), pickle.loads(pickle.dumps(areas)), copy.copy(areas)):
        assert same == areas
        assert hash(same) == hash(areas)
        assert same.names == areas.names
    assert areas != Areas.with_ids({"ice": 200}, water=5.0)
    assert areas != Areas(water=4.0)
    assert areas != "areas"
    for kept in (areas, Areas(lava=math.inf, water=4.0), Areas(**{"deep water": 4.0}), Areas(**{"if": 2.0})):
        assert eval(repr(kept), {"Areas": Areas, "inf": math.inf}) == kept
    assert ("water" in areas, "mud" in areas, len(areas)) == (True, False, 3)


def test_plain_data_that_moves_ground_is_refused() -> None:
    with pytest.raises(RangeError, match="area 'ground' has the id 5"):
        Areas.from_dict({"ground": (5, 1.0)})
