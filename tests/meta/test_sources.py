"""Rules that every source file keeps: length, names, no trace of the machine it was written on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.meta.tree import PACKAGES, ROOT, sources, texts

LONGEST = 500
#: Files that may be longer, each with its reason.
LONGER: dict[str, str] = {}
# Put together here, so that this file does not hold what it looks for.
MACHINE_PATH = re.compile(
    "|".join([r"(?<![\w.])/" + "(?:home|root|work|opt|Users|mnt)/", r"(?<![\w.])/tm" + "p/[a-z]", r"[A-Z]:\\\\Users"])
)
PACKAGE_SOURCES = [path for package in PACKAGES for path in sources(package)]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PACKAGE_SOURCES, ids=name_of)
def test_a_file_has_one_subject_that_fits_500_lines(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST or name_of(path) in LONGER


def test_files_excused_from_the_limit_still_need_it() -> None:
    assert [name for name in LONGER if len((ROOT / name).read_text("utf-8").splitlines()) <= LONGEST] == []


@pytest.mark.parametrize("path", [path for path in PACKAGE_SOURCES if path.suffix == ".py"], ids=name_of)
def test_no_function_has_its_modules_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert path.stem not in functions


@pytest.mark.parametrize("path", [path for path in PACKAGE_SOURCES if path.name == "__init__.py"], ids=name_of)
def test_no_name_that_a_package_gives_hides_one_of_its_modules(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    given = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module not in (None, ".".join(path.parent.relative_to(ROOT).parts))
        for alias in node.names
    }
    modules = {entry.stem for entry in path.parent.iterdir()}
    assert given & modules == set()


@pytest.mark.parametrize("path", texts(), ids=name_of)
def test_no_file_names_a_path_of_somebodys_machine(path: Path) -> None:
    found = [line for line in path.read_text(encoding="utf-8").splitlines() if MACHINE_PATH.search(line)]
    assert found == []


def test_a_planted_machine_path_is_found() -> None:
    assert MACHINE_PATH.search("open('/ho" + "me/someone/level.obj')")
    assert not MACHINE_PATH.search("docs/home/index.md and build/tmp/x")
