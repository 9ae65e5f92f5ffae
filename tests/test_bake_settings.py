"""Settings of a bake: what a body's are, and how lengths and areas become whole cells."""

from __future__ import annotations

import math

import pytest

from onepath import AgentShape, BakeSettings
from tests.baked import STANDARD


@pytest.mark.parametrize(("detail", "parts", "error"), [("draft", 2, 0.0), ("normal", 3, 0.2), ("fine", 4, 0.075)])
def test_settings_for_a_body_are_those_of_the_guide(detail: str, parts: int, error: float) -> None:
    radius = 0.6
    settings = BakeSettings.for_agent(AgentShape(radius=radius), detail)
    assert settings.cell_size == pytest.approx(radius / parts)
    assert settings.cell_height == pytest.approx(settings.cell_size / 2)
    assert settings.min_region_area == pytest.approx(8 * radius**2)
    assert settings.merge_region_area == pytest.approx(50 * radius**2)
    assert settings.max_edge_length == pytest.approx(20 * radius)
    assert settings.detail_sample_distance == pytest.approx(0 if detail == "draft" else 6 * settings.cell_size)
    assert settings.detail_max_error == pytest.approx(error)
    assert (settings.tile_cells, settings.partition, settings.max_edge_error_cells) == (48, "watershed", 1.3)
    assert (settings.max_polygon_vertices, settings.merge_threshold) == (6, None)
    assert (settings.erosion, settings.solid_interior, settings.two_sided) == ("chamfer", "keep", False)


def test_a_body_without_a_radius_has_a_quarter_of_its_height_for_one() -> None:
    slim, stout = (BakeSettings.for_agent(AgentShape(radius=radius, height=2.0)) for radius in (0.0, 0.5))
    assert slim.replace(agent=stout.agent) == stout


#: Of STANDARD's cells of 0.25 and rows of 0.125 metres: a little more, a little less, and within the slack of a length.
ALL_BUT_EXACT = (1e-3, -1e-3, 1e-8, -1e-8)


@pytest.mark.parametrize(("more", "rows"), [*zip(ALL_BUT_EXACT, (17, 16, 16, 16), strict=True)])
def test_heights_are_rounded_up_to_rows(more: float, rows: int) -> None:
    assert STANDARD.replace(agent=AgentShape(height=2.0 + more)).cells.span.height == rows


@pytest.mark.parametrize(("more", "rows"), [*zip(ALL_BUT_EXACT, (4, 3, 4, 4), strict=True)])
def test_climbs_and_merge_thresholds_are_rounded_down_to_rows(more: float, rows: int) -> None:
    agent = AgentShape(max_climb=0.5 + more)
    assert STANDARD.replace(agent=agent).cells.span.climb == rows
    assert STANDARD.replace(agent=agent).cells.span.merge_threshold == rows
    assert STANDARD.replace(merge_threshold=0.5 + more).cells.span.merge_threshold == rows
    assert STANDARD.replace(merge_threshold=0.25, agent=agent).cells.span.merge_threshold == 2


@pytest.mark.parametrize(("more", "cells"), [*zip(ALL_BUT_EXACT, (3, 2, 2, 2), strict=True)])
def test_radii_are_rounded_up_to_cells_and_the_padding_is_three_more(more: float, cells: int) -> None:
    settings = STANDARD.replace(agent=AgentShape(radius=0.5 + more)).cells
    assert (settings.span.radius, settings.padding) == (cells, cells + 3)


@pytest.mark.parametrize("field", ["min_region", "merge_region"])
@pytest.mark.parametrize(("more", "cells"), [*zip(ALL_BUT_EXACT, (17, 16, 16, 16), strict=True)])
def test_areas_are_rounded_up_to_cells(field: str, more: float, cells: int) -> None:
    assert getattr(STANDARD.replace(**{f"{field}_area": 1.0 + more}).cells, field) == cells


@pytest.mark.parametrize(("more", "cells"), [*zip(ALL_BUT_EXACT, (4, 3, 4, 4), strict=True)])
def test_edge_lengths_are_rounded_down_to_cells(more: float, cells: int) -> None:
    assert STANDARD.replace(max_edge_length=1.0 + more).cells.max_edge == cells


@pytest.mark.parametrize(("more", "cells"), [*zip(ALL_BUT_EXACT, (5, 4, 4, 4), strict=True)])
def test_sample_distances_are_rounded_up_to_cells(more: float, cells: int) -> None:
    assert STANDARD.replace(detail_sample_distance=1.0 + more).cells.detail_spacing == cells


@pytest.mark.parametrize("degrees", [0.0, 7.3, 30.0, 45.0, 60.0, 80.0])
def test_the_slope_is_held_to_its_cosine_with_a_slack_for_float32(degrees: float) -> None:
    found = STANDARD.replace(agent=AgentShape(max_slope=degrees)).cells.span.slope_cosine
    assert found == pytest.approx(math.cos(math.radians(degrees)) * (1 - 2.0**-14), rel=2.0**-23)
