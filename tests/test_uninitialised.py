"""Meshes whose subclass left out the beginning say so in every call, and what no mesh can have left out is whole."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest

from onepath import AgentShape, BakeSettings, DistanceField, NavMesh, NavMeshQuery, levels
from onepath.agents import PathFollower, PathWalk
from onepath.debug import explain_spot, seam_edges
from onepath.errors import ArgumentError, OnePathError
from onepath.links import generate_links
from onepath.mesh import LinkDef, MeshEdit, MeshSettings, Tile
from onepath.rebuilding import rebuild_tile
from tests.meshes import settings_of, strip

PLACE = (1.0, 0.0, 1.0)
LINK = LinkDef(PLACE, (1.0, 3.0, 1.0), 0.5, 0.5)
#: What an empty mesh answers as well: nothing is there, and there are no settings.
ANSWERED: dict[str, object] = {
    "edit_count": 0,
    "tile_count": 0,
    "polygon_count": 0,
    "settings": None,
    "grid_bounds": None,
    "tier": None,
    "limits": None,
    "report": None,
}
#: Make a mesh rather than ask one.
MAKERS = {"from_bytes", "from_polygons", "load"}
#: Arguments by the names of parameters.
ARGUMENTS: dict[str, object] = {
    "area": 1,
    "callback": print,
    "center": PLACE,
    "column": 0,
    "corridor": [1],
    "cost": 1.0,
    "count": 1,
    "delta": PLACE,
    "enabled": True,
    "end": PLACE,
    "flags": 1,
    "goals": [PLACE],
    "link": LINK,
    "link_id": 1,
    "max_cost": 1.0,
    "min_area": 1.0,
    "name": "pond",
    "points": [PLACE],
    "polygon": 0,
    "position": PLACE,
    "reference": 1,
    "resolution": 1.0,
    "row": 0,
    "seed": 1,
    "start": PLACE,
    "target": 1,
}


class Bare(NavMesh):
    def __init__(self) -> None:
        pass


def arguments_of(call: Callable[..., object], tmp_path: Path) -> dict[str, object]:
    known = {
        **ARGUMENTS,
        "path": tmp_path / "mesh",
        "tile": Tile.from_arrays(0, 0, [(0, 0, 0), (0, 0, 1), (1, 0, 0)], [0, 3], [0, 1, 2], settings_of()),
    }
    needed = [p for p in inspect.signature(call).parameters.values() if p.default is p.empty]
    return {parameter.name: known[parameter.name] for parameter in needed}


async def awaited(answer: Awaitable[object]) -> object:
    return await answer


def used(mesh: NavMesh, name: str, tmp_path: Path) -> object:
    """The attribute, or what comes of the method."""
    found = getattr(mesh, name)
    if not callable(found):
        return found
    answer = found(**arguments_of(found, tmp_path))
    if inspect.isawaitable(answer):
        return asyncio.run(awaited(answer))
    if isinstance(answer, MeshEdit):
        with answer:
            return answer
    return answer


PUBLIC = sorted(name for name in dir(NavMesh) if not name.startswith("_"))


@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in MAKERS])
def test_a_mesh_that_its_subclass_never_initialised_says_so_wherever_it_is_asked(name: str, tmp_path: Path) -> None:
    if name in ANSWERED:
        assert used(Bare(), name, tmp_path) == ANSWERED[name]
        return
    if name == "is_valid":
        assert not Bare().is_valid(1)
        return
    with pytest.raises(OnePathError, match=r"must call NavMesh\.__init__"):
        assert used(Bare(), name, tmp_path).links_snapped is None  # type: ignore[attr-defined]  # `debug` comes so far


def test_so_do_objects_made_for_such_a_mesh() -> None:
    mesh, level = Bare(), levels.room()
    for call in (
        lambda: DistanceField(mesh, [PLACE]),
        lambda: NavMeshQuery(mesh).find_path(PLACE, PLACE),
        lambda: NavMeshQuery(mesh).find_nearest_polygon(PLACE),
        lambda: NavMeshQuery(mesh).random_points(1, 1),
        lambda: generate_links(mesh),
        lambda: rebuild_tile(mesh, level, 0, 0),
        lambda: explain_spot(level, BakeSettings.for_agent(AgentShape()), PLACE, mesh=mesh),
        lambda: PathWalk(mesh, PathFollower(PLACE), strip(2).find_path(PLACE, PLACE)),
        lambda: seam_edges(mesh),
    ):
        with pytest.raises(OnePathError, match=r"must call NavMesh\.__init__"):
            call()
    assert repr(mesh) == "NavMesh(tiles=0, polygons=0, open, edits=0)"


@pytest.mark.parametrize("name", ["areas", "volume_names", "floor_mask", "tier", "limits"])
def test_a_mesh_whose_arguments_were_refused_is_not_half_of_one(name: str) -> None:
    class Stubborn(NavMesh):
        def __init__(self) -> None:
            with pytest.raises(ArgumentError):
                super().__init__(settings_of(), **{name: "other"})  # type: ignore[arg-type]

    with pytest.raises(OnePathError, match=r"must call NavMesh\.__init__"):
        Stubborn().areas  # noqa: B018
    assert Stubborn().settings is None


def test_a_mesh_that_was_refused_once_can_be_initialised_yet() -> None:
    class Patient(NavMesh):
        def __init__(self) -> None:
            with pytest.raises(ArgumentError):
                super().__init__(settings_of(), areas=1)  # type: ignore[arg-type]
            super().__init__(settings_of())

    assert np.isinf(Patient().distance(PLACE, PLACE)) and isinstance(Patient().settings, MeshSettings)
