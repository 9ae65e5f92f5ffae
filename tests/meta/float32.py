"""Finds double arithmetic in compiled float32 code, by asking the C compiler.

The generated C is checked for two things: a float widened to meet a double (`a * 0.1`, `a * 3`), and a double
narrowed to a float without a cast (`sqrt(a)`, `a if c else 0.0`). A widening that is meant is written as a cast.
Comparisons are let through, since widening is exact, and so are constants bound to typed names, rounded once.
Functions that Python calls are left out: they have to speak doubles with it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from sysconfig import get_config_var, get_path
from typing import NamedTuple

FLAGS = ["-fsyntax-only", "-Wdouble-promotion", "-Wfloat-conversion", "-fdiagnostics-color=never"]
WARNING = re.compile(r":(?P<line>\d+):(?P<column>\d+): warning: (?P<text>.*)")
FUNCTION = re.compile(r"^(?:static|__PYX_EXTERN_C|CYTHON_\w+)\b.*\b(?P<name>__pyx_(?:f|fuse\w*|pf|pw)_\w+)\(.*\{")
PLACE = re.compile(r'^\s*/\* "(?P<file>[^"]+)":(?P<line>\d+)')
COMPARISON = re.compile(r"[<>]=?|[=!]=")


class Finding(NamedTuple):
    """A double in float32 code: the C function, the source line, what the compiler said."""

    function: str
    place: str
    text: str


def compiler() -> list[str]:
    return shlex.split(get_config_var("CC") or "cc")[:1]


def doubles_in(c_source: Path) -> list[Finding]:
    """All places of a generated C file where C-level functions compute in double what is held in float."""
    command = [*compiler(), *FLAGS, "-I", get_path("include"), str(c_source)]
    environment = {**os.environ, "LC_ALL": "C"}  # the texts below are English
    warnings = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stderr
    lines = c_source.read_text(encoding="utf-8").splitlines()
    found = []
    for match in map(WARNING.search, warnings.splitlines()):
        if match is None or "changes value" in match["text"]:
            continue
        at, column = int(match["line"]) - 1, int(match["column"]) - 1
        function = _last(FUNCTION, lines, at, "name")
        if function.startswith("__pyx_f") and not COMPARISON.match(lines[at].encode()[column:].decode()):
            found.append(Finding(function, _place(lines, at), match["text"]))
    return found


def _last(pattern: re.Pattern[str], lines: list[str], at: int, group: str) -> str:
    """The group in the nearest line at or above a place that matches; empty where none does."""
    return next((match[group] for match in map(pattern.match, reversed(lines[: at + 1])) if match), "")


def _place(lines: list[str], at: int) -> str:
    return f"{_last(PLACE, lines, at, 'file')}:{_last(PLACE, lines, at, 'line')}"
