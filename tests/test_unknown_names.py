"""Arguments and fields by names that there are not: refused with the name that was meant, or with where it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import onepath
from onepath import (
    AgentShape,
    BakeSettings,
    ConvexVolume,
    DistanceField,
    Level,
    LinkDef,
    MeshSettings,
    NavMeshQuery,
    QueryFilter,
    bake,
    bake_tile,
    levels,
    load_level,
    rebuild_tile,
    rebuild_tiles,
)
from onepath.errors import ArgumentError, UnknownNameError
from onepath.links import LinkGeneration
from onepath.mesh import Limits

CALLS: list[Callable[..., Any]] = [bake, bake_tile, rebuild_tile, rebuild_tiles, load_level, BakeSettings.for_agent]
CALLS += [getattr(levels, name) for name in ("building", "courtyards", "maze", "pillars", "room", "terrain", "town")]
CALLS += [getattr(Level(), name) for name in dir(Level) if name.startswith("add")]
CLASSES: list[Callable[..., Any]] = [AgentShape, BakeSettings, LinkDef, LinkGeneration, Limits, MeshSettings]

MESH = onepath.NavMesh(MeshSettings())


@pytest.mark.parametrize("call", [*CALLS, *CLASSES], ids=lambda call: call.__name__)
def test_the_nearest_name_is_given_for_every_name_mistyped(call: Callable[..., Any]) -> None:
    for name in inspect.signature(call).parameters:
        with pytest.raises(UnknownNameError, match=f"has no '{name}e'; the nearest is '{name}'"):
            call(**{name + "e": None})


@pytest.mark.parametrize("call", [*CALLS, *CLASSES], ids=lambda call: call.__name__)
def test_a_name_like_none_is_answered_with_all_there_are(call: Callable[..., Any]) -> None:
    names = ", ".join(inspect.signature(call).parameters)
    with pytest.raises(UnknownNameError, match=f"has no 'xyzzy'; it has {names}"):
        call(xyzzy=None)


@pytest.mark.parametrize(
    ("kind", "values", "mistyped", "meant"),
    [
        (QueryFilter, (), "cost", "costs"),
        (NavMeshQuery, (MESH,), "max_node", "max_nodes"),
        (DistanceField, (MESH, []), "max_costs", "max_cost"),
        (ConvexVolume, ([(0, 0), (1, 0), (1, 1)], 0, 1, 5), "names", "name"),
    ],
)
def test_so_do_compiled_classes(kind: Callable[..., Any], values: tuple[Any, ...], mistyped: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"{kind.__name__} has no '{mistyped}'; the nearest is '{meant}'"):
        kind(*values, **{mistyped: None})


def test_it_is_the_error_of_python_for_this_and_one_of_ours() -> None:
    assert issubclass(UnknownNameError, TypeError) and issubclass(UnknownNameError, ArgumentError)


def test_a_bake_says_where_the_fields_of_its_settings_are_given() -> None:
    with pytest.raises(UnknownNameError, match=r"bake has no 'cell_size': give settings=.*replace\(cell_size=\.\.\.\)"):
        bake(onepath.Level(), cell_size=0.1)  # type: ignore[call-arg]


def test_also_where_such_a_field_is_mistyped() -> None:
    with pytest.raises(UnknownNameError, match=r"bake has no 'tile_cell'; the nearest is 'tile_cells': give settings="):
        bake(onepath.Level(), tile_cell=32)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", [BakeSettings, MeshSettings])
def test_settings_say_that_the_body_is_their_agents(kind: Callable[..., Any]) -> None:
    with pytest.raises(UnknownNameError, match=r"has no 'radius': give agent=AgentShape\(radius=\.\.\.\)"):
        kind(radius=0.5)


def test_a_changed_copy_names_the_nearest_field() -> None:
    with pytest.raises(UnknownNameError, match="BakeSettings has no 'cel_size'; the nearest is 'cell_size'"):
        BakeSettings.for_agent(AgentShape()).replace(cel_size=0.1)
    with pytest.raises(UnknownNameError, match=r"BakeSettings has no 'radius': give agent=AgentShape\(radius=\.\.\.\)"):
        BakeSettings.for_agent(AgentShape()).replace(radius=0.1)


def test_a_body_where_settings_are_asked_for_is_answered_with_how_to_make_them() -> None:
    with pytest.raises(ArgumentError, match=r"not BakeSettings, such as BakeSettings\.for_agent\(AgentShape"):
        bake(onepath.Level(), AgentShape(radius=0.4))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["cell_size", "cell_height", "tile_cells"])
def test_settings_for_an_agent_say_how_the_grid_is_changed(name: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"change it by \.replace\({name}=\.\.\.\)"):
        BakeSettings.for_agent(AgentShape(), **{name: 1})  # type: ignore[arg-type]
