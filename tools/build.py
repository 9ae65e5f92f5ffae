"""Builds the compiled modules in one of four modes and, when asked, runs the tests against them.

    python tools/build.py release                  in place, what `import onepath` finds in this folder
    python tools/build.py checked                  build/checked/lib: bounds, None, initialisation and division checks
    python tools/build.py sanitizer                build/sanitizer/lib: address, undefined and float-cast sanitizers
    python tools/build.py plain                    build/plain/lib: the compiler's optimizer off
    python tools/build.py checked --test [ARGS]    builds, then runs pytest with ARGS on that build

Only what has changed is built again.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path
from sysconfig import get_config_var

from backend import compiler_environment

ROOT = Path(__file__).resolve().parent.parent
MODES = ("release", "checked", "sanitizer", "plain")


def build(mode: str) -> None:
    """Runs setup.py in the mode; every mode but release gets a tree of its own."""
    command = ["build_ext", "--inplace"] if mode == "release" else ["build"]
    environment = {**os.environ, **compiler_environment(), "ONEPATH_BUILD": mode}
    subprocess.run([sys.executable, "setup.py", "-q", *command], cwd=ROOT, env=environment, check=True)


def test(mode: str, arguments: list[str]) -> int:
    """Runs pytest on a mode's build and returns its exit code."""
    environment = {**os.environ, "ONEPATH_BUILD": mode}
    if mode == "sanitizer":
        environment |= sanitizer_environment()
        # A finding ends the process: pytest would take what it says on the error channel down with it.
        arguments = ["--capture=sys", *arguments]
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env=environment).returncode


def sanitizer_environment() -> dict[str, str]:
    """What an uninstrumented Python needs to load instrumented modules and to let them see its memory."""
    compiler = shlex.split(os.environ.get("CC") or get_config_var("CC") or "cc")[0]
    libraries = []
    # libstdc++ must be there from the start too, or the first C++ exception of another package finds no handler.
    for name in ("libasan.so", "libubsan.so", "libstdc++.so.6"):
        path = subprocess.check_output([compiler, f"-print-file-name={name}"], text=True).strip()
        if not os.path.isabs(path):
            raise SystemExit(f"{compiler} has no {name}: install its sanitizer libraries")
        libraries.append(os.path.realpath(path))
    return {
        "LD_PRELOAD": " ".join(libraries),
        # Python never frees its interned objects, so that leak reports would be about Python alone.
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # Python's own allocator would hide the ends of its blocks from the sanitizer.
        "PYTHONMALLOC": "malloc",
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--test", nargs=argparse.REMAINDER, metavar="ARGS", help="run pytest on the build")
    options = parser.parse_args()
    build(options.mode)
    return 0 if options.test is None else test(options.mode, options.test)


if __name__ == "__main__":
    raise SystemExit(main())
