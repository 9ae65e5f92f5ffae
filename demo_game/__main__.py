"""`python -m demo_game`: a window where there is a display, else a picture and a summary."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demo_game.look import FrameTimes
    from demo_game.world import DemoWorld

__all__ = ["main"]

#: How long the world runs where nobody watches, seconds.
UNWATCHED = 8.0
NEEDED = {"pyglet": "pyglet", "esper": "esper", "PIL": "pillow"}


def main(arguments: list[str] | None = None) -> int:
    """Runs the demo and answers the process's exit code: 0, or 2 with one line on standard error."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        print(f'The demo needs {" and ".join(missing)}: pip install "onepath[demo]"', file=sys.stderr)
        return 2
    from onepath import OnePathError

    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (OnePathError, OSError) as error:
        print(f"demo_game: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    from demo_game.loading import generated_names

    parser = argparse.ArgumentParser(prog="python -m demo_game", description="Agents that find their way.")
    parser.add_argument(
        "--level", default="town", metavar="NAME|FILE", help=f"a level file, or one of {', '.join(generated_names())}"
    )
    parser.add_argument("--agents", type=_count, default=50, help="how many walk (default 50)")
    parser.add_argument("--seed", type=int, default=2, help="of the level, bodies and errands (default 2)")
    parser.add_argument(
        "--seconds", type=_seconds, help=f"leave after so long (default: a window stays, else {UNWATCHED:g})"
    )
    parser.add_argument("--offscreen", action="store_true", help="no window, a picture")
    parser.add_argument("--cpu", action="store_true", help="no OpenGL either")
    parser.add_argument(
        "--output", type=Path, default=Path("demo_output"), help="folder of the picture where there is no window"
    )
    parser.add_argument("--screenshot", type=_picture_file, help="keep the last picture in this file")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 2000:
        raise argparse.ArgumentTypeError(f"{number} is outside 0 to 2000")
    return number


def _picture_file(text: str) -> Path:
    file = Path(text)
    if file.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise argparse.ArgumentTypeError(f"{text} ends neither in .png nor in .jpg")
    return file


def _seconds(text: str) -> float:
    number = float(text)
    if not 0.0 < number <= 86400.0:
        raise argparse.ArgumentTypeError(f"{text} is outside 0 to 86400")
    return number


def _run(options: argparse.Namespace) -> int:
    if not (options.offscreen or options.cpu):
        reason = _run_in_window(options)
        if reason is None:
            return 0
        print(f"{reason}: the same world runs off-screen and leaves a picture.")
    return _run_unwatched(options)


def _run_in_window(options: argparse.Namespace) -> str | None:
    """None after the window has closed, or why there was none."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        return "No display"
    from demo_game.loading import open_level

    level = open_level(options.level, options.seed)
    try:
        import pyglet

        from demo_game.window import DemoWindow

        window = DemoWindow(level, options.agents, options.seed, options.seconds, options.screenshot)
    except Exception as error:  # every platform and driver has its own
        options.cpu = True  # pyglet has chosen its platform by now: no second try with another
        return f"No window ({error or type(error).__name__})"
    pyglet.app.run()
    if window.look is not None:
        _report(window.look.world, window.times)
    return None


def _run_unwatched(options: argparse.Namespace) -> int:
    from demo_game.loading import Baking, open_level
    from demo_game.look import FrameTimes, Look, camera_for
    from demo_game.offscreen import run_on_cpu, run_with_headless_opengl
    from demo_game.world import DemoWorld

    level = open_level(options.level, options.seed)
    world = DemoWorld(level, Baking(level).result(), options.agents, options.seed)
    look, times = Look(world, camera_for(level)), FrameTimes()
    seconds = options.seconds or UNWATCHED
    picture = None
    if not options.cpu:
        try:
            picture = run_with_headless_opengl(look, seconds, times)
        except Exception as error:  # every driver has its own
            print(f"No OpenGL ({error or type(error).__name__}): the picture is drawn on the CPU.")
    if picture is None:
        picture = run_on_cpu(look, seconds, times)
    file = options.screenshot or options.output / "demo.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.save(file, optimize=True)
    _report(world, times)
    print(f"picture: {file}")
    return 0


def _report(world: DemoWorld, times: FrameTimes) -> None:
    from demo_game.summary import summary_lines

    print("\n".join(summary_lines(world, times)))


if __name__ == "__main__":
    sys.exit(main())
