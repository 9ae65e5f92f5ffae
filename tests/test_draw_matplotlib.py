"""Top views: what the axes hold, what the pictures show, and what is said without matplotlib."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import onepath
from onepath.errors import ArgumentError
from onepath.mesh import LinkDef, LinkKind
from tests.meshes import grid, mesh_of, rectangle, settings_of

pytest.importorskip("matplotlib")

from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.patches import ArrowStyle, FancyArrowPatch

from onepath.draw.matplotlib import NO_AREA_COLOUR, picture_format, plot_mesh, save_plot


def two_floors() -> onepath.NavMesh:
    """A floor of 8 by 8 m, and one of 4 by 4 m above it that comes first in their tile."""
    return mesh_of([rectangle(2, 2, 6, 6, 3.0), rectangle(0, 0, 8, 8, 0.0)], settings_of(8))


def axes():
    return Figure().add_subplot()


def collection_of(ax) -> PolyCollection:
    (found,) = (item for item in ax.collections if isinstance(item, PolyCollection))
    return found


def arrows(ax) -> list[FancyArrowPatch]:
    return [item for item in ax.patches if isinstance(item, FancyArrowPatch)]


def drawn(mesh, tmp_path, **options) -> np.ndarray:
    save_plot(mesh, tmp_path / "plot.png", **options)
    return imread(tmp_path / "plot.png")


def test_every_polygon_is_drawn_where_it_lies_in_x_and_z():
    mesh = grid(3, 2, 4.0)
    outlines = collection_of(plot_mesh(mesh, axes())).get_paths()
    assert len(outlines) == mesh.polygon_count == 6
    expected = sorted(mesh.polygon(reference)[:, [0, 2]].tolist() for v in mesh.tiles() for reference in v.references)
    assert sorted(path.vertices[:-1].tolist() for path in outlines) == expected


def test_upper_floors_come_after_the_floors_under_them():
    heights = collection_of(plot_mesh(two_floors(), axes())).get_array()
    assert heights.tolist() == [0.0, 3.0]


def test_z_runs_down_the_page_so_that_the_view_is_no_mirror_image():
    ax = plot_mesh(two_floors(), axes())
    assert ax.yaxis_inverted() and not ax.xaxis_inverted()
    assert ax.get_aspect() == 1.0
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x, m", "z, m")


def test_drawing_twice_into_the_same_axes_keeps_the_direction():
    ax = plot_mesh(two_floors(), axes())
    assert plot_mesh(two_floors(), ax) is ax and ax.yaxis_inverted()


def test_the_colour_bar_says_metres():
    ax = plot_mesh(two_floors(), axes())
    assert [other.get_ylabel() for other in ax.figure.axes if other is not ax] == ["height, m"]


def test_areas_keep_their_colours_whatever_else_is_there():
    def colours(areas):
        ax = plot_mesh(grid(len(areas), 1, 2.0, areas=areas), axes(), by="area")
        collection = collection_of(ax)
        return {
            area: tuple(shade) for area, shade in zip(areas, collection.to_rgba(collection.get_array()), strict=True)
        }

    few, many = colours([5, 63]), colours([0, 5, 7, 63])
    assert few[5] == many[5] and few[63] == many[63]
    assert len(set(many.values())) == 4
    assert many[0] == to_rgba(NO_AREA_COLOUR)


def test_the_areas_colour_bar_names_the_ids():
    ax = plot_mesh(grid(2, 1, 2.0, areas=[7, 63]), axes(), by="area")
    (bar,) = (other for other in ax.figure.axes if other is not ax)
    assert [label.get_text() for label in bar.get_yticklabels()] == ["7", "63"]


def test_a_path_is_a_line_with_marks_at_both_ends():
    mesh = two_floors()
    path = mesh.find_path((0.5, 0, 0.5), (7.5, 0, 7.5))
    lines = {line.get_label(): line.get_xydata().tolist() for line in plot_mesh(mesh, axes(), path=path).lines}
    assert lines == {"path": [[0.5, 0.5], [7.5, 7.5]], "start": [[0.5, 0.5]], "end": [[7.5, 7.5]]}


def test_links_are_arrows_coloured_by_kind_and_named_in_the_legend():
    mesh = two_floors()
    drop = LinkDef((2, 3, 4), (1, 0, 4), 0.5, 0.5, kind=LinkKind.DROP)
    mesh.stage_link(drop)
    mesh.stage_link(LinkDef((6, 3, 4), (7, 0, 4), 0.5, 0.5, kind=9, bidirectional=True))
    mesh.commit()
    assert arrows(plot_mesh(mesh, axes())) == []
    ax = plot_mesh(mesh, axes(), links=True)
    one_way, both_ways = arrows(ax)
    assert (type(one_way.get_arrowstyle()), type(both_ways.get_arrowstyle())) == (ArrowStyle.CurveB, ArrowStyle.CurveAB)
    assert one_way.get_edgecolor() != both_ways.get_edgecolor()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["drop", "kind 9"]


def test_links_add_to_the_picture(tmp_path):
    mesh = two_floors()
    mesh.add_link(LinkDef((2, 3, 4), (1, 0, 4), 0.5, 0.5))
    assert not np.array_equal(drawn(mesh, tmp_path), drawn(mesh, tmp_path, links=True))


def test_points_serve_as_a_path():
    ax = plot_mesh(two_floors(), axes(), path=[(1, 0, 2), (3, 0, 4), (5, 0, 4)])
    assert ax.lines[0].get_xydata().tolist() == [[1, 2], [3, 4], [5, 4]]


def test_a_path_without_points_draws_no_line():
    mesh = two_floors()
    assert list(plot_mesh(mesh, axes(), path=mesh.find_path((0, 90, 0), (1, 0, 1))).lines) == []


def test_the_picture_shows_the_upper_floor_in_its_own_colour(tmp_path):
    image = (drawn(two_floors(), tmp_path)[..., :3] * 255).astype(np.int64)
    colours, counts = np.unique(image @ [65536, 256, 1], return_counts=True)
    common = {divmod(int(colour), 65536) for colour in colours[np.argsort(-counts)[:3]]}
    assert (255, 65535) in common
    lower, upper = sorted(red for red, rest in common if (red, rest) != (255, 65535))
    assert lower < 160 < 240 < upper  # viridis: little red at its low end, yellow at its high end


def test_a_path_adds_to_the_picture(tmp_path):
    mesh = two_floors()
    without = drawn(mesh, tmp_path)
    changed = drawn(mesh, tmp_path, path=[(1, 0, 1), (7, 0, 7)])
    assert without.shape == changed.shape
    red = (changed[..., 0] > 0.7) & (changed[..., 1] < 0.3)
    assert red.sum() > 500


def test_an_svg_parses_and_holds_every_polygon(tmp_path):
    mesh = grid(3, 2, 4.0)
    save_plot(mesh, tmp_path / "plot.svg")
    groups = [item for item in ElementTree.parse(tmp_path / "plot.svg").iter() if item.get("id") == "PolyCollection_1"]
    assert len(list(groups[0].iter("{http://www.w3.org/2000/svg}path"))) >= 6


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_equal_meshes_give_equal_pictures(suffix, tmp_path):
    for name in ("a", "b"):
        save_plot(two_floors(), tmp_path / (name + suffix), path=[(1, 0, 1), (7, 0, 7)])
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_a_mesh_without_polygons_says_so():
    ax = plot_mesh(onepath.bake(onepath.Level()), axes())
    assert [text.get_text() for text in ax.texts] == ["no polygons"]


@pytest.mark.parametrize("name", ["plot.gif", "plot", "png"])
def test_another_suffix_is_refused(name):
    with pytest.raises(ArgumentError, match=r"\.png or \.svg"):
        picture_format(name)


def test_another_colouring_is_refused():
    with pytest.raises(ArgumentError, match="by is 'slope'"):
        plot_mesh(two_floors(), axes(), by="slope")


@pytest.mark.parametrize("path", [[(1, 2)], [(1, 2, float("nan"))], np.zeros((2, 2, 3))])
def test_a_path_that_is_no_list_of_points_is_refused_before_anything_is_drawn(path):
    ax = axes()
    with pytest.raises(ArgumentError, match="path"):
        plot_mesh(two_floors(), ax, path=path)
    assert not ax.collections


def test_without_matplotlib_the_command_that_installs_it_is_named():
    code = "import sys; sys.modules['matplotlib'] = None; import onepath.draw.matplotlib"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'MissingExtraError: plots take matplotlib; install it with: pip install "onepath[plot]"' in done.stderr
