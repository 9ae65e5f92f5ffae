"""What the `onepath` command's subcommands do. Each returns its exit code; `onepath.cli` reads options, says errors."""

from __future__ import annotations

import argparse
import inspect
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from onepath import levels
from onepath._one_call import NavMesh
from onepath.answers import counted
from onepath.baking import bake
from onepath.build import AgentShape, BakeSettings
from onepath.build.arguments import number_between
from onepath.build.report import BakeReport
from onepath.build.settings import LARGEST_LIMIT, fields_for_agent
from onepath.debug import LevelStages, explain_spot
from onepath.errors import ArgumentError
from onepath.geometry import Level
from onepath.io import load_level
from onepath.io.atomic import rights_to_keep
from onepath.mesh import PrunedIslands
from onepath.query import Path as FoundPath
from onepath.query import QueryStatus

__all__ = ["run_bake", "run_explain", "run_info", "run_inspect", "run_path", "run_plot"]

GENERATED = "levels:"
BAR_CELLS = 30


def run_bake(arguments: argparse.Namespace) -> int:
    """`bake LEVEL -o FILE`: 0, or 1 where nothing is walkable; the file is written either way."""
    settings = _settings(arguments)
    least = number_between("--prune-islands", arguments.prune_islands or 0.0, 0.0, LARGEST_LIMIT)
    level = _level(arguments)
    _refuse_same_file(arguments.output, arguments.level, "the level")
    with _whole_file(arguments.output) as unfinished, _ProgressBar(sys.stderr) as bar:
        mesh = bake(level, settings, seeds=arguments.seeds, progress=bar)
        pruned = mesh.prune_islands(least)
        mesh.save(unfinished)
    _print_bake(mesh, pruned, arguments)
    return 0 if mesh.polygon_count else 1


def run_info(arguments: argparse.Namespace) -> int:
    """`info FILE`: settings, bounds, counts."""
    mesh = NavMesh.load(arguments.mesh)
    settings, agent = mesh.settings, mesh.settings.agent
    rows = [
        ("agent", f"radius {agent.radius:g} m, height {agent.height:g} m, climb {agent.max_climb:g} m, "
                  f"slope {agent.max_slope:g} degrees"),
        ("cells", f"{settings.cell_size:g} m, {settings.cell_height:g} m high"),
        ("tiles", f"{mesh.tile_count} of {settings.tile_cells} cells ({settings.tile_size:g} m)"),
        ("grid", _grid(mesh)),
        ("bounds", _bounds(mesh)),
        ("polygons", f"{mesh.polygon_count}"),
        ("area", f"{mesh.walkable_area:.1f} square metres"),
        ("memory", _size(_mesh_bytes(mesh))),
    ]  # fmt: skip
    _print_rows(rows)
    return 0


def run_path(arguments: argparse.Namespace) -> int:
    """`path FILE --from X Y Z --to X Y Z [--plot OUT]`: 0 where the end is reached, else 1."""
    drawing = _drawing(arguments.plot) if arguments.plot is not None else None
    if drawing is not None:
        _refuse_same_file(arguments.plot, arguments.mesh, "the mesh")
    mesh = NavMesh.load(arguments.mesh)
    found = mesh.find_path(arguments.start, arguments.end)
    if drawing is not None:
        title = f"{found.status.value}, {found.length:.2f} m"
        with _whole_file(arguments.plot) as unfinished:
            drawing.save_plot(mesh, unfinished, path=found, title=title)
    _print_path(mesh, found, arguments)
    return 0 if found else 1


def run_explain(arguments: argparse.Namespace) -> int:
    """`explain FILE --from X Y Z --to X Y Z`: why there is a path or none; 0 where the end is reached, else 1."""
    mesh = NavMesh.load(arguments.mesh)
    found = mesh.explain(arguments.start, arguments.end)
    print(f"{found.reason.value}: {found.text}")
    if not found:
        print(found.reason.advice)
    for name, place, island in (("start", found.start, found.start_island), ("end", found.end, found.end_island)):
        if place.point is not None and island is not None:
            text = " ".join(_metres(coordinate) for coordinate in place.point)
            print(f"{name} on the mesh: {text}, on island {island.id} of {island.area:.1f} square metres")
    return 0 if found else 1


def run_plot(arguments: argparse.Namespace) -> int:
    """`plot FILE OUT`: a top view."""
    drawing = _drawing(arguments.output)
    _refuse_same_file(arguments.output, arguments.mesh, "the mesh")
    mesh = NavMesh.load(arguments.mesh)
    with _whole_file(arguments.output) as unfinished:
        drawing.save_plot(mesh, unfinished, by=arguments.by, title=Path(arguments.mesh).name)
    return 0


def run_inspect(arguments: argparse.Namespace) -> int:
    """`inspect LEVEL [--stage STAGE -o OUT] [--at X Y Z]`: 0, or 1 where the spot is not walkable."""
    if (arguments.stage is None) != (arguments.output is None):
        raise ArgumentError("--stage and -o belong together: what to draw, and where")
    if arguments.stage is None and arguments.at is None:
        raise ArgumentError("give --stage and -o to draw a stage, or --at to explain a spot")
    if arguments.stage is None and (arguments.tile is not None or arguments.below is not None):
        raise ArgumentError("--tile and --below choose what --stage draws; give --stage and -o with them")
    if arguments.at is None and arguments.seeds is not None:
        raise ArgumentError("--seed is for --at: whether the seeds lead to the spot")
    if arguments.below is not None and math.isnan(arguments.below):
        raise ArgumentError("--below is NaN")
    settings = _settings(arguments)
    if arguments.output is not None:
        _drawing(arguments.output)
        _refuse_same_file(arguments.output, arguments.level, "the level")
    level = _level(arguments)
    found = None
    if arguments.at is not None:
        mesh = None if arguments.seeds is None or len(level) == 0 else bake(level, settings, seeds=arguments.seeds)
        found = explain_spot(level, settings, arguments.at, mesh=mesh)
        print(found)
        print(found.reason.advice)
    if arguments.output is not None:
        _draw_stage(level, settings, arguments, None if found is None else found.tile)
    return 0 if found is None or found else 1


def _draw_stage(
    level: Level, settings: BakeSettings, arguments: argparse.Namespace, spot_tile: tuple[int, int] | None
) -> None:
    from onepath.draw import matplotlib_stages

    if len(level) == 0:
        raise ArgumentError(f"{arguments.level} holds no triangles")
    stages = LevelStages(level, settings)
    cells = list(stages.grid.tiles())
    chosen = spot_tile if arguments.tile is None else tuple(arguments.tile)
    if chosen is not None:
        if chosen not in cells:
            first, last = cells[0], cells[-1]
            raise ArgumentError(f"--tile {chosen[0]} {chosen[1]}: tiles lie from {first} to {last}")
        cells = [chosen]
    mesh = bake(level, settings) if arguments.stage in matplotlib_stages.MESH_STAGES else None
    below = math.inf if arguments.below is None else arguments.below
    title = f"{arguments.stage} of {Path(arguments.level).name}"
    with _whole_file(arguments.output) as unfinished:
        matplotlib_stages.save_stage(
            unfinished, arguments.stage, stages, mesh, cells, below=below, spot=arguments.at, title=title
        )


def _refuse_same_file(output: str, source: str, what: str) -> None:
    """What is read must not be lost, whatever its name ends in."""
    if os.path.realpath(output) == os.path.realpath(source):
        raise ArgumentError(f"{output} is {what} itself; name another file to write")


def _settings(arguments: argparse.Namespace) -> BakeSettings:
    """What the options say; what they leave out follows from the agent."""
    body = ("radius", "height", "max_climb", "max_slope")
    fields = {name: name for name in BakeSettings.__dataclass_fields__ if name != "agent"}
    fields["max_edge_error_cells"] = "max_edge_error"
    agent = AgentShape(**{name: getattr(arguments, name) for name in body if getattr(arguments, name) is not None})
    changes = {name: getattr(arguments, option) for name, option in fields.items()}
    changes = {name: value for name, value in changes.items() if value is not None}
    if "cell_size" in changes:
        if arguments.detail is not None:
            raise ArgumentError("--detail and --cell-size both say how large a cell is; give one of them")
        changes = {"cell_height": changes["cell_size"] / 2.0, **changes}
    return BakeSettings(**{**fields_for_agent(agent, arguments.detail or "normal"), **changes})


def _level(arguments: argparse.Namespace) -> Level:
    reading = {name: getattr(arguments, name) for name in ("up", "handedness", "scale", "ignore")}
    reading = {name: value for name, value in reading.items() if value is not None}
    if not arguments.level.startswith(GENERATED):
        return load_level(arguments.level, **reading)
    if reading:
        raise ArgumentError(f"--{', --'.join(reading)}: for level files only, and {arguments.level} is generated")
    return _generated(arguments.level)


def _generated(text: str) -> Level:
    """The level that `levels:NAME[,ARGUMENT=NUMBER...]` names."""
    name, *pairs = text.removeprefix(GENERATED).split(",")
    names = [known for known in levels.__all__ if inspect.isfunction(getattr(levels, known))]
    if name not in names:
        raise ArgumentError(f"{text}: there is no level {name!r}; there are {', '.join(names)}")
    make = getattr(levels, name)
    known = inspect.signature(make).parameters
    values: dict[str, float] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        if key not in known or key in values:
            raise ArgumentError(f"{text}: {pair!r} is not one of {'=, '.join(known)}=, each once")
        values[key] = _number(text, pair, value)
    level: Level = make(**values)
    return level


def _number(text: str, pair: str, value: str) -> float:
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        raise ArgumentError(f"{text}: {pair!r} sets no number") from None


def _drawing(output: str) -> ModuleType:
    """The drawing module; a missing matplotlib or a wrong suffix is said before any work is done."""
    from onepath.draw import matplotlib

    matplotlib.picture_format(output)
    return matplotlib


@contextmanager
def _whole_file(path: str) -> Iterator[str]:
    """A place beside `path` to write to, moved there at the end: an error leaves neither half a file nor a lost one."""
    if not path:
        raise ArgumentError("the file to write has no name")
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise ArgumentError(f"{path} is a folder, not a file to write")
        yield path  # a device or a pipe: nothing to keep whole
        return
    unfinished = target.with_name(f".onepath-{os.getpid()}.unfinished{target.suffix}")
    try:  # what cannot be written is said now, not after the work
        rights = rights_to_keep(target)
        unfinished.open("wb").close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        yield str(unfinished)
        if rights is not None:
            unfinished.chmod(rights)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


class _ProgressBar:
    """Tiles done, redrawn in place on a terminal when the percentage changes; silent elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = -1
        self.on_terminal = stream.isatty()

    def __enter__(self) -> _ProgressBar:
        return self

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total
        if self.on_terminal and percent != self.shown:
            self.shown = percent
            bar = "#" * (BAR_CELLS * done // total)
            print(f"\rbaking [{bar:<{BAR_CELLS}}] {percent:3d} %, tile {done} of {total}", end="", file=self.stream)
            self.stream.flush()

    def __exit__(self, *error: object) -> None:
        if self.shown >= 0:
            print("\r\x1b[K", end="", file=self.stream, flush=True)


def _print_bake(mesh: NavMesh, pruned: PrunedIslands, arguments: argparse.Namespace) -> None:
    report = mesh.report
    assert isinstance(report, BakeReport)
    memory = f"mesh {_size(_mesh_bytes(mesh))}"
    peak = _peak_memory()
    if peak is not None:
        memory += f", process at its peak {_size(peak)}"
    slope = f"{mesh.settings.agent.max_slope:g} degrees"
    rows = [
        ("file", arguments.output),
        ("tiles", f"{report.tiles} ({report.empty_tiles} empty)"),
        ("polygons", f"{mesh.polygon_count}"),
        ("area", f"{mesh.walkable_area:.1f} square metres"),
        *_pruned(pruned),
        *_detail(report),
        ("triangles", f"{report.triangles}, {report.degenerate_triangles} dropped (no area)"),
        ("unwalkable", f"{report.facing_down} facing down, {report.too_steep} steeper than {slope}"),
        ("time", f"{report.seconds * 1e3:.1f} ms"),
        *((f"  {stage}", f"{seconds * 1e3:.1f} ms") for stage, seconds in _stages(report, arguments.verbose)),
        ("memory", memory),
        *(("warning", warning) for warning in report.warnings),
    ]
    _print_rows(rows)


def _pruned(pruned: PrunedIslands) -> Iterator[tuple[str, str]]:
    if pruned:
        yield "pruned", f"{counted(pruned.islands, 'island')}, {pruned.area:.1f} square metres"


def _detail(report: BakeReport) -> Iterator[tuple[str, str]]:
    if report.largest_detail_error_at is not None:
        x, y, z = report.largest_detail_error_at
        yield "height", f"at most {report.largest_detail_error:.3f} m off the floor, at {x:.2f} {y:.2f} {z:.2f}"


def _stages(report: BakeReport, verbose: bool) -> Iterator[tuple[str, float]]:
    if verbose:
        yield from report.stage_seconds.items()


def _print_path(mesh: NavMesh, found: FoundPath, arguments: argparse.Namespace) -> None:
    print(f"{found.status.value}: {_advice(mesh, found, arguments)}")
    if found.missing_tiles:
        print("missing tiles (column, row):", *found.missing_tiles)
    if len(found):
        print(f"{found.length:.3f} m, {counted(len(found), 'point')}, {counted(len(found.corridor), 'polygon')}")
        for point in found.points:
            print("".join(f"{_metres(coordinate):>12}" for coordinate in point))


def _advice(mesh: NavMesh, found: FoundPath, arguments: argparse.Namespace) -> str:
    for status, name, position in (
        (QueryStatus.NO_START_NEARBY, "start", arguments.start),
        (QueryStatus.NO_END_NEARBY, "end", arguments.end),
    ):
        if found.detail is status:
            return _advice_to_move(mesh, name, position)
    return found.detail.advice


def _advice_to_move(mesh: NavMesh, name: str, position: list[float]) -> str:
    """What to say where nothing is near a position: how near it has to be, and where the mesh is."""
    across, up, _ = mesh.snap_reach
    text = f"The mesh is not within {across:g} m across and {up:g} m up or down of the {name}"
    if mesh.bounds is None:
        return f"{text}; it has no polygons at all. Look at what `onepath bake` says of the level."
    low, high = mesh.bounds
    reach = [max(abs(low[k] - position[k]), abs(high[k] - position[k])) for k in range(3)]
    nearest = mesh.snap(position, up=reach[1], down=reach[1], horizontal=max(reach[0], reach[2])).point
    if nearest is None:
        return f"{text}. Move it."
    place = " ".join(_metres(coordinate) for coordinate in nearest)
    return f"{text}. Move it; the nearest place on the mesh is {place}."


def _print_rows(rows: list[tuple[str, Any]]) -> None:
    width = max(len(name) for name, _ in rows) + 2
    for name, text in rows:
        print(f"{name:<{width}}{text}")


def _grid(mesh: NavMesh) -> str:
    if mesh.grid_bounds is None:
        return "open: cells without a tile count as not loaded"
    first_column, first_row, last_column, last_row = mesh.grid_bounds
    return f"columns {first_column} to {last_column}, rows {first_row} to {last_row}"


def _bounds(mesh: NavMesh) -> str:
    if mesh.bounds is None:
        return "none, there are no polygons"
    low, high = mesh.bounds
    return ", ".join(f"{axis} {_metres(low[k], 2)} to {_metres(high[k], 2)}" for k, axis in enumerate("xyz")) + " m"


def _metres(coordinate: float, digits: int = 3) -> str:
    """A coordinate without the last bits of its rows' sums: heights of level ground are seldom 0 to the bit."""
    return f"{round(coordinate, digits) + 0.0:.{digits}f}"  # + 0.0: no "-0.000"


def _mesh_bytes(mesh: NavMesh) -> int:
    return sum(view.tile.nbytes for view in mesh.tiles())


def _peak_memory() -> int | None:
    """Bytes of memory that the process held at most; None where the platform does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _size(count: int) -> str:
    return f"{count / 1024:.1f} KB" if count < 2**20 else f"{count / 2**20:.1f} MB"
