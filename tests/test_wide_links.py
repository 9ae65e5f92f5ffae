"""Wide links: their crossings, one attached by one, and the limit that they count against."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from onepath.build.settings import AgentShape
from onepath.errors import LimitError
from onepath.mesh import LinkEndStatus, LinkStatus, MeshSettings, NavMesh
from tests.links import link, listed_links
from tests.meshes import mesh_of, rectangle


def wide_scene(radius: float = 0.5) -> NavMesh:
    """Two floors of 20 x 8 m with a gap of 2 m in z, in one tile."""
    settings = MeshSettings(agent=AgentShape(radius=radius), cell_size=1.0, cell_height=0.25, tile_cells=32)
    return mesh_of([rectangle(0, 0, 20, 8), rectangle(0, 10, 20, 18)], settings)


@pytest.mark.parametrize(
    ("width", "radius", "count"),
    [
        (16.0, 0.5, 33),
        (0.1, 0.5, 2),
        (0.5, 0.5, 2),
        (0.6, 0.5, 3),
        (1.2, 0.4, 4),
        (0.3, 0.1, 4),
        (0.0, 0.5, 1),
        (3.0, 0.0, 4),
    ],
)
def test_crossings_lie_no_farther_apart_than_the_radius(width: float, radius: float, count: int) -> None:
    mesh = wide_scene(radius)
    state = mesh.link_state(mesh.add_link(link((10, 0, 8), (10, 0, 10), width=width)))
    assert len(state.ends) == count and state.status is LinkStatus.ATTACHED
    places = sorted(start.point[0] for start, _ in state.ends if start.point is not None)
    assert (places[0], places[-1]) == pytest.approx((10 - width / 2, 10 + width / 2), abs=1e-12)
    steps = [b - a for a, b in pairwise(places)]
    assert all(step <= (radius or 1.0) + 1e-9 for step in steps)
    assert all(s.point is not None and e.point is not None and s.point[0] == e.point[0] for s, e in state.ends)


def test_each_crossing_attaches_by_itself() -> None:
    mesh = wide_scene()
    made = mesh.add_link(link((19, 0, 8), (19, 0, 10), snap=0.25, width=4.0, bidirectional=True))
    state = mesh.link_state(made)
    assert state.status is LinkStatus.PARTLY_ATTACHED and state
    on_mesh = [bool(start and end) for start, end in state.ends]
    assert sorted(on_mesh) == [False] * 2 + [True] * 7
    assert not state.start and state.start.status is LinkEndStatus.NOTHING_NEAR
    assert len(listed_links(mesh)) == 14


def test_each_crossing_counts_against_the_limit() -> None:
    mesh = wide_scene()
    mesh._narrow_limits(crossings=40)
    made = mesh.add_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    with pytest.raises(LimitError, match="33 crossings"):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    for _ in range(7):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10)))
    with pytest.raises(LimitError):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10)))
    mesh.stage_link_removal(made)
    mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    mesh.commit()
    assert len(listed_links(mesh)) == 40


def test_a_link_of_absurd_width_is_refused_at_once() -> None:
    mesh = wide_scene(0.01)
    with pytest.raises(LimitError):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=2.0**20))


@pytest.mark.parametrize("x", [4.0, 10.0, 16.0])
def test_a_path_goes_over_the_crossing_that_its_search_took(x: float) -> None:
    """All crossings of the link join the same two polygons."""
    mesh = wide_scene()
    mesh.add_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    path = mesh.find_path((x, 0, 7), (x, 0, 11))
    assert path.points.tolist() == pytest.approx(np.array([(x, 0, 7), (x, 0, 8), (x, 0, 10), (x, 0, 11)]))
