"""A position by itself where several are asked for: as a list of it, in every call that lists positions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from onepath import DistanceField, Level, NavMesh, NavMeshQuery, NavPoint, bake
from onepath.agents import PathFollower
from onepath.errors import ArgumentError

START, PLACE = (1.0, 0.0, 1.0), (6.0, 0.0, 7.0)


def hall() -> Level:
    level = Level()
    level.add_plane((0, 0), (8, 8))
    return level


MESH = bake(hall())
STARTS = MESH.snap(START)
#: What takes positions: given one as it is, and as a list of it.
CALLS = {
    "distances": lambda given: MESH.distances(START, given).tolist(),
    "nearest_of": lambda given: MESH.nearest_of(START, given),
    "goals of a field": lambda given: DistanceField(MESH, given).distance([START]).tolist(),
    "distance of a field": lambda given: DistanceField(MESH, [START]).distance(given).tolist(),
    "direction of a field": lambda given: DistanceField(MESH, [START]).direction(given).tolist(),
    "next links of a field": lambda given: DistanceField(MESH, [START]).next_links(given).tolist(),
    "moves of a field": lambda given: DistanceField(MESH, [START]).move(given, 0.5),
    "seeds": lambda given: bake(hall(), seeds=given),
    "path of a follower": lambda given: walked(given),
    "starts of paths": lambda given: NavMeshQuery(MESH).find_paths(given, [START]),
    "nearest polygons": lambda given: NavMeshQuery(MESH).find_nearest_polygons(given),
    "rays": lambda given: NavMeshQuery(MESH).raycasts(STARTS.ref, STARTS.point, given),
    "walls": lambda given: NavMeshQuery(MESH).distances_to_wall(MESH.snap(PLACE).ref, given, 2.0),
    "on the mesh": lambda given: NavMeshQuery(MESH).are_on_mesh(given, 0.5).tolist(),
}
ONLY_LISTS = ("distances", "nearest_of", "goals of a field", "distance of a field", "moves of a field")


def walked(path: object) -> str:
    walker = PathFollower((0, 0, 0))
    walker.start(path)  # type: ignore[arg-type]
    return repr(walker)


def same(one: object, other: object) -> bool:
    return one.to_bytes() == other.to_bytes() if isinstance(one, NavMesh) else one == other  # type: ignore[attr-defined]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("form", [tuple, list, np.array], ids=["a tuple", "a list", "an array"])
def test_it_is_answered_as_a_list_of_it_is(call, form) -> None:
    assert same(call(form(PLACE)), call([PLACE]))


@pytest.mark.parametrize("name", ONLY_LISTS)
def test_so_is_a_place_on_the_mesh(name: str) -> None:
    place = MESH.snap(PLACE)
    assert isinstance(place, NavPoint) and CALLS[name](place) == CALLS[name]([place])


@pytest.mark.parametrize("name", [*ONLY_LISTS, "seeds", "path of a follower"])
@pytest.mark.parametrize("wrong", [(1.0, 2.0), [1.0, 2.0, 3.0, 4.0], np.array([1.0, 2.0])], ids=len)
def test_more_or_fewer_numbers_are_refused_as_no_position(name: str, wrong) -> None:
    with pytest.raises(ArgumentError, match=r"\[0\] is \(.*\), not a sequence of three numbers"):
        CALLS[name](wrong)


@pytest.mark.parametrize("name", [*ONLY_LISTS, "seeds", "path of a follower"])
@pytest.mark.parametrize("wrong", [5, "abc", {"x": 1.0}])
def test_what_lists_nothing_is_refused_by_name(name: str, wrong: object) -> None:
    with pytest.raises(ArgumentError, match="neither positions nor one position"):
        CALLS[name](wrong)


@pytest.mark.parametrize("name", [*ONLY_LISTS, "path of a follower"])
def test_none_is_no_list_but_of_seeds_which_it_leaves_out(name: str) -> None:
    with pytest.raises(ArgumentError, match="neither positions nor one position"):
        CALLS[name](None)


def test_none_at_all_are_none() -> None:
    assert MESH.distances(START, []).tolist() == MESH.distances(START, np.zeros((0, 3))).tolist() == []
    assert MESH.nearest_of(START, []).distance == math.inf
