"""Edit blocks, the one-change forms, and who is told of a commit."""

from __future__ import annotations

import pytest

from onepath.errors import ArgumentError, BusyError, LimitError, OnePathError
from onepath.mesh import CommitReport, Limits, LinkDef, NavMesh
from tests.meshes import floor, open_mesh, settings_of

SETTINGS = settings_of()
LINK = LinkDef((2, 0, 2), (12, 0, 2), 0.5, 0.5)


# --- edit blocks


def test_an_edit_block_commits_at_its_end() -> None:
    mesh = open_mesh(floor())
    with mesh.edit() as edit:
        edit.stage_tile(floor(1))
        edit.stage_area(mesh.reference(0, 0, 0), 5)
        link = edit.stage_link(LINK)
        assert (mesh.tile_count, mesh.edit_count, edit.report) == (1, 1, None)
    assert edit.report == CommitReport(2, ((1, 0, 0),), (), (), (link,), polygons_changed=(mesh.reference(0, 0, 0),))


def test_an_exception_discards_what_the_block_staged_and_goes_on() -> None:
    mesh = open_mesh(floor())
    with pytest.raises(ZeroDivisionError), mesh.edit() as edit:
        edit.stage_tile(floor(1))
        edit.stage_area(mesh.reference(0, 0, 0), 5)
        edit.stage_flags(mesh.reference(0, 0, 0), 5)
        edit.stage_link(LINK)
        raise ZeroDivisionError
    assert (mesh.staged_count, edit.report) == (0, None)
    assert not mesh.commit()


def test_what_was_staged_before_the_block_outlives_its_exception() -> None:
    mesh = open_mesh(floor())
    mesh.stage_tile(floor(5))
    before = mesh.stage_link(LINK)
    with pytest.raises(ZeroDivisionError), mesh.edit() as edit:
        edit.stage_tile_removal(5, 0)
        edit.stage_link_removal(before)
        edit.stage_tile_removal(0, 0)
        raise ZeroDivisionError
    report = mesh.commit()
    assert (report.added, report.removed, report.links_added) == (((5, 0, 0),), (), (before,))


def test_a_block_commits_what_was_staged_before_it_too() -> None:
    mesh = open_mesh(floor())
    mesh.stage_tile(floor(1))
    with mesh.edit() as edit:
        edit.stage_tile(floor(2))
    assert edit.report is not None
    assert edit.report.added == ((1, 0, 0), (2, 0, 0))


def test_a_block_whose_commit_fails_leaves_nothing_of_it_staged() -> None:
    mesh = open_mesh(floor(), limits=Limits(tiles=2))
    mesh.stage_tile(floor(1))
    with pytest.raises(LimitError), mesh.edit() as edit:
        edit.stage_tile(floor(2))
    assert (mesh.staged_count, mesh.tile_count) == (1, 1)
    assert mesh.commit().added == ((1, 0, 0),)


def test_a_block_that_stages_nothing_changes_nothing() -> None:
    mesh = open_mesh(floor())
    with mesh.edit() as edit:
        pass
    assert edit.report == CommitReport(1, (), (), ())
    assert not edit.report


def test_inside_a_block_neither_commits_nor_other_blocks_begin() -> None:
    mesh = open_mesh(floor())
    with mesh.edit():
        with pytest.raises(BusyError, match="commit inside an edit block"):
            mesh.commit()
        with pytest.raises(BusyError, match="edit inside an edit block"), mesh.edit():
            pass
        with pytest.raises(BusyError):
            mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert (mesh.staged_count, mesh.debug.misuse) == (0, 3)
    mesh.stage_tile(floor(1))
    assert mesh.commit()


def test_an_edit_serves_inside_its_block_only() -> None:
    mesh = open_mesh(floor())
    edit = mesh.edit()
    with pytest.raises(OnePathError, match="not open"):
        edit.stage_tile(floor(1))
    with edit:
        edit.stage_tile(floor(1))
    with pytest.raises(OnePathError, match="not open"):
        edit.stage_tile(floor(1))
    assert mesh.tile_count == 2


def test_an_edit_block_stages_every_kind_of_change() -> None:
    stages = {name for name in dir(open_mesh()) if name.startswith("stage_")}
    assert stages == {name for name in dir(open_mesh().edit()) if name.startswith("stage_")}


# --- one change


def test_set_area_commits_at_once() -> None:
    mesh = open_mesh(floor())
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert (mesh.area(mesh.reference(0, 0, 0)), mesh.edit_count) == (5, 2)


def test_a_one_change_form_that_fails_leaves_nothing_staged() -> None:
    mesh = open_mesh(floor())
    mesh._begin_reading()
    with pytest.raises(BusyError):
        mesh.set_area(mesh.reference(0, 0, 0), 5)
    with pytest.raises(BusyError):
        mesh.add_link(LINK)
    mesh._end_reading()
    with pytest.raises(ArgumentError):
        mesh.set_area(0, 5)
    assert mesh.staged_count == 0


def test_add_link_commits_at_once() -> None:
    mesh = open_mesh(floor(0), floor(1))
    link = mesh.add_link(LINK)
    assert mesh.link_state(link).attached
    assert mesh.edit_count == 2


# --- callbacks


def test_c22_a_ready_event_fires_once_and_the_count_rises_by_one() -> None:
    mesh = NavMesh(SETTINGS)
    ready: list[int] = []
    mesh.on_commit(lambda report: ready.append(report.edit_count))
    mesh.stage_tile(floor(0))
    mesh.stage_tile(floor(1))
    assert (mesh.edit_count, ready) == (0, [])
    mesh.commit()
    assert (mesh.edit_count, ready) == (1, [1])


def test_a_callback_gets_the_report_and_sees_the_mesh_as_it_is_now() -> None:
    mesh = open_mesh(floor())
    seen: list[tuple[CommitReport, int, bool]] = []
    mesh.on_commit(lambda report: seen.append((report, mesh.tile_count, bool(mesh.tile(1, 0).polygon_count))))
    mesh.stage_tile(floor(1))
    report = mesh.commit()
    assert seen == [(report, 2, True)]


def test_a_commit_that_changes_nothing_or_fails_tells_nobody() -> None:
    mesh = open_mesh(floor(), limits=Limits(tiles=1))
    told: list[CommitReport] = []
    mesh.on_commit(told.append)
    mesh.commit()
    mesh.stage_tile(floor(1))
    with pytest.raises(LimitError):
        mesh.commit()
    assert told == []


def test_edit_blocks_and_one_change_forms_tell_once_each() -> None:
    mesh = open_mesh(floor())
    told: list[int] = []
    mesh.on_commit(lambda report: told.append(report.edit_count))
    with mesh.edit() as edit:
        edit.stage_tile(floor(1))
        edit.stage_tile(floor(2))
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    mesh.add_link(LINK)
    assert told == [2, 3, 4]


def test_a_removed_callback_is_called_no_more() -> None:
    mesh = open_mesh(floor())
    told: list[CommitReport] = []
    handle = mesh.on_commit(told.append)
    assert handle.active
    handle.remove()
    handle.remove()
    assert not handle.active
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert told == []


def test_a_callback_may_remove_others_and_itself() -> None:
    mesh = open_mesh(floor())
    told: list[str] = []

    def first(report: CommitReport) -> None:
        told.append("first")
        handles[0].remove()
        handles[1].remove()

    handles = [mesh.on_commit(first), mesh.on_commit(lambda report: told.append("second"))]
    mesh.on_commit(lambda report: told.append("third"))
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    mesh.set_area(mesh.reference(0, 0, 0), 6)
    assert told == ["first", "third", "third"]


def test_a_callback_may_commit_and_everybody_hears_of_the_commits_in_order() -> None:
    mesh = open_mesh(floor())
    told: list[tuple[str, int]] = []

    def first(report: CommitReport) -> None:
        told.append(("first", report.edit_count))
        if report.edit_count == 2:
            mesh.set_area(mesh.reference(0, 0, 0), 6)

    mesh.on_commit(first)
    mesh.on_commit(lambda report: told.append(("second", report.edit_count)))
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert told == [("first", 2), ("second", 2), ("first", 3), ("second", 3)]


def test_an_exception_in_a_callback_is_raised_after_all_were_told_and_the_commit_stands() -> None:
    mesh = open_mesh(floor())
    told: list[int] = []

    def failing(report: CommitReport) -> None:
        raise KeyError("mine")

    mesh.on_commit(failing)
    mesh.on_commit(lambda report: told.append(report.edit_count))
    mesh.stage_tile(floor(1))
    with pytest.raises(KeyError, match="mine") as caught:
        mesh.commit()
    assert caught.value.__notes__ == ["raised by a commit callback: the commit itself stands"]
    assert (mesh.tile_count, mesh.staged_count, told) == (2, 0, [2])
    with pytest.raises(KeyError):
        mesh.add_link(LINK)
    assert (len(mesh.link_records()), told) == (1, [2, 3])


def test_several_exceptions_come_as_a_group() -> None:
    mesh = open_mesh(floor())
    mesh.on_commit(lambda report: {}["first"])
    mesh.on_commit(lambda report: {}["second"])
    with pytest.raises(ExceptionGroup) as caught:
        mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert [error.args for error in caught.value.exceptions] == [("first",), ("second",)]


def test_a_callback_has_to_be_callable() -> None:
    with pytest.raises(ArgumentError, match="callback is 5, not callable"):
        open_mesh().on_commit(5)  # type: ignore[arg-type]
