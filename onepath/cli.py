"""The `onepath` command: its options, and how it ends.

Exit codes: 0 done (for `path`: the end is reached; for `bake`: there is something to walk on), 1 done, but that is not
so, 2 an error, said in one line on stderr, 130 interrupted. With ONEPATH_TRACEBACK set in the environment, an error
that is not the user's doing shows its traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from typing import NoReturn

import onepath
from onepath import commands
from onepath.build.settings import EROSIONS, PARTITIONS, SOLID_INTERIORS
from onepath.errors import OnePathError

__all__ = ["main"]

ERROR, INTERRUPTED, PIPE_CLOSED = 2, 130, 141

LEVEL_HELP = """\
LEVEL is a file (.obj by itself; .gltf, .glb, .stl, .ply with the extra onepath[scenes]) or a generated level:
levels:NAME[,ARGUMENT=NUMBER...], where NAME and its arguments are those of a function in onepath.levels, such as
levels:town or levels:maze,cells=20,seed=7.
"""
#: An option of `bake` that sets one field: its name, type, unit and meaning.
Option = tuple[str, Callable[[str], float], str, str]
AGENT_OPTIONS: tuple[Option, ...] = (
    ("--radius", float, "METRES", "distance kept from walls and ledges (0.4)"),
    ("--height", float, "METRES", "room needed above the floor (1.8)"),
    ("--max-climb", float, "METRES", "highest step taken (0.5)"),
    ("--max-slope", float, "DEGREES", "steepest slope walked on (45)"),
)
SETTING_OPTIONS: tuple[Option, ...] = (
    ("--cell-size", float, "METRES", "edge of a cell in X and Z, instead of --detail"),
    ("--cell-height", float, "METRES", "height of a cell (half its edge)"),
    ("--tile-cells", int, "CELLS", "cells along a tile's side (48)"),
    ("--min-region-area", float, "SQUARE_METRES", "smaller islands are left out (8 radius^2)"),
    ("--merge-region-area", float, "SQUARE_METRES", "smaller regions join a neighbour (50 radius^2)"),
    ("--max-edge-length", float, "METRES", "longer border edges are split, 0 never (20 radius)"),
    ("--max-edge-error", float, "CELLS", "how far a border may leave its cells (1.3)"),
    ("--max-polygon-vertices", int, "CORNERS", "corners of a polygon at most (6)"),
    ("--detail-sample-distance", float, "METRES", "samples of the floor's height, 0 leaves polygons flat (2 radius)"),
    ("--detail-max-error", float, "METRES", "how far polygons may be off the floor (a cell)"),
    ("--merge-threshold", float, "METRES", "stacked surfaces this close share an area id (max climb)"),
)


#: What `inspect` draws.
STAGES = ("spans", "regions", "contours", "polygons", "detail", "seams")
#: The same for options that take one of a few words.
CHOICE_OPTIONS = (
    ("--partition", PARTITIONS, "how floors are cut into regions (watershed)"),
    ("--erosion", EROSIONS, "how distances to walls are measured (chamfer)"),
    ("--solid-interior", SOLID_INTERIORS, "what becomes of floors inside closed solids (keep)"),
)


class UsageError(OnePathError):
    """Arguments that the command does not understand."""


class _Parser(argparse.ArgumentParser):
    """Raises instead of printing the usage and leaving: `main` says everything that went wrong, in one way."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see: {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments (default: the process's own) and returns its exit code.

    Errors are printed in one line on stderr and never raised; `--help` and `--version` leave by SystemExit.
    """
    with ExitStack() as streams:
        # Who starts the command may have closed them; what is printed then goes nowhere.
        if sys.stdout is None:
            streams.enter_context(redirect_stdout(streams.enter_context(open(os.devnull, "w"))))
        if sys.stderr is None:
            streams.enter_context(redirect_stderr(streams.enter_context(open(os.devnull, "w"))))
        return _run(sys.argv[1:] if argv is None else argv)


def _run(argv: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file's name may hold what the terminal cannot show
    try:
        arguments = _parser().parse_args(_with_negative_numbers(argv))
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _say("onepath: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as `head` does. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as error:
        if os.environ.get("ONEPATH_TRACEBACK") and not isinstance(error, OnePathError | OSError):
            raise
        _say(f"onepath: error: {_sentence(error)}")
        return ERROR


def _say(line: str) -> None:
    """On stderr, if that can be written to: the exit code says the rest."""
    with suppress(OSError):
        print(line, file=sys.stderr)


def _sentence(error: Exception) -> str:
    """An error in one line, in the words of somebody who typed options."""
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    elif isinstance(error, MemoryError):
        text = "not enough memory; larger cells (--cell-size) take less"
    elif isinstance(error, OnePathError | OSError):
        text = str(error)
    else:
        text = f"unexpected {type(error).__name__}: {error} (this is a fault of onepath)"
    text = re.sub(r"\b(?:Agent|Bake)(?:Shape|Settings)\.(\w+)", _option_of, text)
    return " ".join(text.split())


def _option_of(field: re.Match[str]) -> str:
    return "--" + field[1].removesuffix("_cells" if field[1] == "max_edge_error_cells" else "").replace("_", "-")


def _with_negative_numbers(arguments: Sequence[str]) -> list[str]:
    """The arguments, `-3e-1` and the like behind a space: argparse takes what begins with a dash for an option."""
    return [f" {text}" if text.startswith("-") and _is_number(text) else text for text in arguments]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parser() -> _Parser:
    parser = _Parser(
        prog="onepath",
        description="Navigation meshes for games: bake a level, look at the mesh, find paths on it.",
        epilog="Exit codes: 0 done, 1 the end is not reached (path) or nothing is walkable (bake), 2 an error.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"onepath {onepath.__version__}")
    kinds = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_bake(kinds)
    _add_info(kinds)
    _add_path(kinds)
    _add_explain(kinds)
    _add_plot(kinds)
    _add_inspect(kinds)
    return parser


def _add_bake(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser(
        "bake",
        help="make a mesh of a level",
        description="Makes a navigation mesh of a level and writes it to a file.",
        epilog=LEVEL_HELP,
        allow_abbrev=False,
    )
    parser.set_defaults(run=commands.run_bake)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the mesh file to write")
    parser.add_argument(
        "--prune-islands",
        type=float,
        metavar="SQUARE_METRES",
        help="take out islands smaller than this, measured over all tiles (none)",
    )
    _add_seeds(parser, "keep what can be walked to from here only; may be repeated")
    parser.add_argument("-v", "--verbose", action="store_true", help="say how the time was spent")
    _add_level_options(parser)


def _add_seeds(parser: _Parser, what: str) -> None:
    parser.add_argument(
        "--seed", dest="seeds", action="append", nargs=3, type=float, metavar=("X", "Y", "Z"), help=what
    )


def _add_level_options(parser: _Parser) -> None:
    """How a level is read and baked."""
    parser.add_argument("level", metavar="LEVEL", help="a level file, or levels:NAME for a generated one (see below)")
    level = parser.add_argument_group("how the file is read")
    level.add_argument("--up", choices=("y", "z"), help="the file's axis that points up (y)")
    level.add_argument("--handedness", choices=("right", "left"), help="of the file's axes (right)")
    level.add_argument("--scale", type=float, metavar="METRES", help="length of one of the file's units (1)")
    level.add_argument(
        "--ignore",
        action="append",
        metavar="PATTERN",
        help="leave out nodes and materials of this name; may be repeated",
    )
    agent = parser.add_argument_group("the agent (default in brackets)")
    for option, kind, unit, meaning in AGENT_OPTIONS:
        agent.add_argument(option, type=kind, metavar=unit, help=meaning)
    settings = parser.add_argument_group("the bake (default in brackets)")
    settings.add_argument(
        "--detail",
        choices=("draft", "normal", "fine"),
        help="cells of a half, a third or a quarter of the radius (normal)",
    )
    for option, kind, unit, meaning in SETTING_OPTIONS:
        settings.add_argument(option, type=kind, metavar=unit, help=meaning)
    for option, choices, meaning in CHOICE_OPTIONS:
        settings.add_argument(option, choices=choices, help=meaning)
    settings.add_argument(
        "--two-sided", action="store_const", const=True, help="triangles that face down are walked on too"
    )


def _add_inspect(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser(
        "inspect",
        help="draw a stage of a bake, or say why a spot is not walkable",
        description="Draws one stage of a bake from above (--stage, -o), says why a spot is walkable or not (--at), or "
        "both: then the spot's tile is drawn with a mark on it.",
        epilog=LEVEL_HELP + "Exit code 1 where the spot is not walkable.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=commands.run_inspect)
    parser.add_argument("--stage", choices=STAGES, help="what to draw")
    parser.add_argument("-o", "--output", metavar="OUT", help="the picture to write (.png or .svg)")
    parser.add_argument("--at", nargs=3, type=float, metavar=("X", "Y", "Z"), help="the spot to explain, metres")
    _add_seeds(parser, "with --at, a seed of the bake; may be repeated")
    parser.add_argument("--tile", nargs=2, type=int, metavar=("COLUMN", "ROW"), help="draw this tile only")
    parser.add_argument("--below", type=float, metavar="METRES", help="leave out what lies at this height and above")
    _add_level_options(parser)


def _add_info(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser("info", help="say what is in a mesh file", allow_abbrev=False)
    parser.set_defaults(run=commands.run_info)
    parser.add_argument("mesh", metavar="FILE", help="a mesh file")


def _add_path(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser(
        "path",
        help="find a path on a mesh",
        description="Finds a path, says whether it reaches the end and what to do if not, and lists its points.",
        epilog="Exit code 0 where the path reaches the end, 1 where it does not.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=commands.run_path)
    parser.add_argument("mesh", metavar="FILE", help="a mesh file")
    _add_ends(parser)
    parser.add_argument("--plot", metavar="OUT", help="also draw mesh and path from above (.png or .svg)")


def _add_ends(parser: _Parser) -> None:
    for name, target in (("--from", "start"), ("--to", "end")):
        parser.add_argument(
            name, dest=target, nargs=3, type=float, metavar=("X", "Y", "Z"), required=True, help=f"the {target}, metres"
        )


def _add_explain(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser(
        "explain",
        help="say why there is a path, or why there is none",
        description="Says which islands two places are on and what keeps a path from leading from one to the other.",
        epilog="Exit code 0 where a path reaches the end, 1 where it does not.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=commands.run_explain)
    parser.add_argument("mesh", metavar="FILE", help="a mesh file")
    _add_ends(parser)


def _add_plot(kinds: argparse._SubParsersAction[_Parser]) -> None:
    parser = kinds.add_parser("plot", help="draw a mesh from above", allow_abbrev=False)
    parser.set_defaults(run=commands.run_plot)
    parser.add_argument("mesh", metavar="FILE", help="a mesh file")
    parser.add_argument("output", metavar="OUT", help="the picture to write (.png or .svg)")
    parser.add_argument("--by", choices=("height", "area"), default="height", help="what the colours say (height)")
