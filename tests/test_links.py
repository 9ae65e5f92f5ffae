"""Off-mesh links: their definitions, and how they are staged, changed and removed."""

from __future__ import annotations

import math
import pickle

import pytest

from onepath.errors import ArgumentError, BusyError, RangeError
from onepath.mesh import LinkDef, LinkKind, LinkStatus
from onepath.query import NavMeshQuery, QueryFilter
from tests.links import JUMP, link, listed_links, two_rooms

# --- definitions


def test_a_definition_keeps_what_it_was_given_and_takes_the_document_s_defaults() -> None:
    made = LinkDef((0, 1, 2), [3, 4, 5], 0.5, 1)  # type: ignore[arg-type]
    assert (made.start, made.end, made.start_snap, made.end_snap) == ((0.0, 1.0, 2.0), (3.0, 4.0, 5.0), 0.5, 1.0)
    assert (made.cost, made.kind, made.bidirectional, made.width) == (0.0, LinkKind.JUMP, False, 0.0)
    assert (made.area, made.flags, made.capacity, made.data) == (63, 1, None, None)
    assert pickle.loads(pickle.dumps(made)) == made


def test_kinds_above_five_are_the_host_s() -> None:
    assert link((0, 0, 0), (1, 0, 0), kind=4).kind is LinkKind.DOOR
    assert link((0, 0, 0), (1, 0, 0), kind=6).kind == 6
    assert link((0, 0, 0), (1, 0, 0), kind=63).kind == 63


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("start", (0, math.nan, 0)),
        ("start", (0, 0)),
        ("start", (2.0**21, 0, 0)),
        ("end", "abc"),
        ("end", (0, math.inf, 0)),
        ("start_snap", -0.1),
        ("end_snap", math.nan),
        ("end_snap", 2.0**22),
        ("cost", -1.0),
        ("cost", math.inf),
        ("kind", 64),
        ("kind", -1),
        ("kind", "jump"),
        ("bidirectional", 1),
        ("width", -1.0),
        ("width", "wide"),
        ("area", 256),
        ("area", b"lava"),
        ("flags", 65536),
        ("flags", 1.0),
        ("capacity", 0),
        ("data", [1]),
        ("data", 2**63),
        ("data", math.nan),
    ],
)
def test_a_bad_field_is_refused_by_name(field: str, value: object) -> None:
    fields: dict[str, object] = {"start": (0, 0, 0), "end": (4, 0, 0), "start_snap": 1.0, "end_snap": 1.0}
    with pytest.raises(ArgumentError, match=rf"LinkDef\.{field}"):
        LinkDef(**(fields | {field: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [(0, 3, 0), (1e-200, 3, 0)])
def test_a_vertical_link_has_no_width(end: tuple[float, float, float]) -> None:
    with pytest.raises(ArgumentError, match=r"LinkDef\.width"):
        link((0, 0, 0), end, width=2.0)


# --- staging


def test_an_id_comes_at_once_and_the_link_at_the_commit() -> None:
    mesh = two_rooms()
    first, second = mesh.stage_link(JUMP), mesh.stage_link(JUMP)
    assert (first, second) == (1, 2)
    assert mesh.link_state(first).status is LinkStatus.STAGED
    assert listed_links(mesh) == [] and mesh.link_records() == []
    report = mesh.commit()
    assert report and report.links_added == (1, 2)
    assert mesh.link_state(first).status is LinkStatus.ATTACHED
    assert [way[2] for way in listed_links(mesh)] == [0, 1]


def test_a_staged_link_that_is_removed_goes_at_once_and_its_id_never_comes_back() -> None:
    mesh = two_rooms()
    gone = mesh.stage_link(JUMP)
    mesh.stage_link_removal(gone)
    assert mesh.link_state(gone).status is LinkStatus.REMOVED
    assert not mesh.commit()
    assert mesh.stage_link(JUMP) == gone + 1


def test_a_committed_link_stays_until_its_removal_is_committed() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_removal(made)
    mesh.stage_link_removal(made)
    assert mesh.link_state(made).status is LinkStatus.ATTACHED
    assert mesh.commit().links_removed == (made,)
    assert mesh.link_state(made).status is LinkStatus.REMOVED
    assert listed_links(mesh) == []


def test_enabling_and_pricing_wait_for_the_commit() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_cost(made, 7.5)
    state = mesh.link_state(made)
    assert state.enabled and state.definition is not None and state.definition.cost == 0.0
    assert mesh.commit().links_changed == (made,)
    state = mesh.link_state(made)
    assert not state and not state.enabled and state.status is LinkStatus.ATTACHED
    assert state.definition is not None and state.definition.cost == 7.5
    ((_, _, _, cost, *_, enabled, _),) = listed_links(mesh)
    assert (cost, enabled) == (7.5, False)


def test_a_change_taken_back_before_the_commit_is_none() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_enable(made, True)
    mesh.stage_link_cost(made, 0.0)
    assert not mesh.commit()


def test_a_link_can_be_changed_before_its_first_commit() -> None:
    mesh = two_rooms()
    made = mesh.stage_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_cost(made, 2.0)
    assert mesh.commit().links_added == (made,)
    assert mesh.link_state(made).enabled is False
    assert listed_links(mesh)[0][3] == 2.0


def test_discarding_forgets_staged_links_too() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    other = mesh.stage_link(JUMP)
    mesh.stage_link_removal(made)
    assert mesh.staged_count == 2
    mesh.discard_staged()
    assert not mesh.commit()
    assert mesh.link_state(other).status is LinkStatus.REMOVED
    assert mesh.link_state(made).status is LinkStatus.ATTACHED


@pytest.mark.parametrize("call", ["stage_link_removal", "stage_link_enable", "stage_link_cost"])
def test_unknown_and_removed_links_are_refused(call: str) -> None:
    mesh = two_rooms()
    gone = mesh.add_link(JUMP)
    mesh.stage_link_removal(gone)
    mesh.commit()
    more = {"stage_link_enable": [True], "stage_link_cost": [1.0]}.get(call, [])
    for bad, text in (
        (gone, "it was removed"),
        (gone + 1, "no link has had that id"),
        (0, "link id"),
        ("1", "link id"),
    ):
        with pytest.raises(ArgumentError, match=text):
            getattr(mesh, call)(bad, *more)
    with pytest.raises(ArgumentError, match="no link has had that id"):
        mesh.link_state(gone + 1)


def test_what_is_staged_to_go_cannot_be_changed() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_removal(made)
    with pytest.raises(ArgumentError, match="staged to be removed"):
        mesh.stage_link_enable(made, False)


def test_bad_values_are_refused_before_anything_is_staged() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    with pytest.raises(ArgumentError, match="not a LinkDef"):
        mesh.stage_link((0, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="enabled is 1"):
        mesh.stage_link_enable(made, 1)  # type: ignore[arg-type]
    with pytest.raises(RangeError, match=r"LinkDef\.cost is -1"):
        mesh.stage_link_cost(made, -1)
    assert mesh.staged_count == 0


def test_staging_a_link_while_another_thread_stages_is_refused_and_counted() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh._begin_staging("stage_tile")
    for call, arguments in (
        ("stage_link", (JUMP,)),
        ("stage_link_removal", (made,)),
        ("stage_link_enable", (made, False)),
        ("stage_link_cost", (made, 1.0)),
    ):
        with pytest.raises(BusyError, match=call):
            getattr(mesh, call)(*arguments)
    mesh._end_staging()
    assert mesh.debug.misuse == 4
    assert mesh.staged_count == 0


def test_links_may_be_staged_while_a_query_runs() -> None:
    mesh = two_rooms()
    query = NavMeshQuery(mesh)
    made: list[int] = []

    def accepts(flags: int, area: int) -> bool:
        made.append(mesh.stage_link(JUMP))
        return True

    query.find_path((1, 0, 2), (9, 0, 2), QueryFilter(predicate=accepts))
    assert made and mesh.link_state(made[0]).status is LinkStatus.STAGED
    mesh.commit()
    assert query.find_path((1, 0, 2), (9, 0, 2))


def test_a_commit_while_a_query_runs_adds_no_link() -> None:
    mesh = two_rooms()
    mesh._begin_reading()
    with pytest.raises(BusyError):
        mesh.add_link(JUMP)
    mesh._end_reading()
    assert mesh.staged_count == 0 and mesh.link_records() == []


def test_records_hold_all_links_in_the_order_of_their_ids() -> None:
    mesh = two_rooms()
    ids = [mesh.stage_link(link((1, 0, 1), (7, 0, i), cost=i)) for i in range(3)]
    mesh.stage_link_enable(ids[2], False)
    mesh.commit()
    mesh.stage_link_removal(ids[1])
    mesh.commit()
    records = mesh.link_records()
    assert [(r.id, r.definition.cost, r.enabled) for r in records] == [(1, 0.0, True), (3, 2.0, False)]
    assert pickle.loads(pickle.dumps(records)) == records


# --- wide links
