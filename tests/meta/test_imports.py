"""Folders import only folders that stand before them, and importing onepath brings in NumPy and nothing else."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import onepath
from tests.meta.tree import ROOT, sources

ORDER = (
    "geometry", "build", "mesh", "query", "links", "collide", "goals", "agents", "io", "runtime", "flat", "debug",
    "draw",
)  # fmt: skip
#: What every folder may import from the root: they import nothing but each other.
LEAVES = ("onepath.answers", "onepath.errors", "onepath.names")
ENGINES = {"arcade", "esper", "matplotlib", "panda3d", "pygame", "pyglet", "pymunk", "shapely", "trimesh"}
CIMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+cimport|cimport\s+([\w.]+))", re.MULTILINE)


def imported_modules(path: Path) -> Iterator[str]:
    """The modules that a file names in import statements, wherever these stand; C-level ones under their plain name."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".pxd":
        yield from ("".join(groups) for groups in CIMPORT.findall(text))
        return
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("cython.cimports.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            base = (parent + (node.module or "")).strip(".").removeprefix("cython.cimports.")
            # A name taken from a package may be one of its modules.
            yield from {base, *(f"{base}.{alias.name}" for alias in node.names)} if base == "onepath" else {base}


#: Stubs that name NavMesh as the root completes it. Nothing runs them.
TYPED_BY_THE_ROOT = {ROOT / "onepath" / "io" / "__init__.pyi"}


def forbidden_imports(path: Path) -> list[str]:
    """Imports of a file in onepath/ that the order of folders does not allow."""
    folder = path.relative_to(ROOT / "onepath").parts[0]
    if folder not in ORDER or path in TYPED_BY_THE_ROOT:
        return []
    allowed = [f"onepath.{name}" for name in ORDER[: ORDER.index(folder) + 1]]
    return [
        module
        for module in imported_modules(path)
        if module.startswith("onepath.")
        and module not in LEAVES
        and not any(module == name or module.startswith(name + ".") for name in allowed)
    ]


def test_every_folder_of_the_library_has_a_place_in_the_order() -> None:
    folders = {path.parent.name for path in (ROOT / "onepath").glob("*/__init__.py")}
    assert folders <= set(ORDER)


@pytest.mark.parametrize("path", sources("onepath"), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_folders_before_its_own(path: Path) -> None:
    assert forbidden_imports(path) == []


@pytest.mark.parametrize(
    "line",
    [
        "import onepath.mesh.tile",
        "from onepath.mesh import tile",
        "from ..mesh.tile import Tile",
        "from onepath import levels",
        "from cython.cimports.onepath.mesh._mesh import TileSlot",
        "def late():\n    from onepath.query import status",
    ],
)
def test_a_planted_import_of_a_later_folder_is_found(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    planted = tmp_path / "onepath" / "build" / "planted.py"
    planted.parent.mkdir(parents=True)
    planted.write_text(line, encoding="utf-8")
    assert forbidden_imports(planted) != []


def test_onepath_ecs_imports_onepath_esper_and_the_standard_library() -> None:
    modules = {module.split(".")[0] for path in sources("onepath_ecs") for module in imported_modules(path)}
    assert modules - sys.stdlib_module_names <= {"onepath", "onepath_ecs", "esper", "numpy"}


def modules_after(code: str) -> set[str]:
    """Top-level names of all modules that a fresh interpreter holds after running code."""
    code += "\nimport sys, json; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(json.loads(output.splitlines()[-1]))


def test_importing_onepath_imports_only_numpy_and_the_standard_library() -> None:
    new = modules_after("import onepath") - modules_after("import numpy") - sys.stdlib_module_names
    assert {name for name in new if not name.startswith(("cython_runtime", "_cython_"))} == {"onepath"}


@pytest.mark.parametrize("name", ["agents", "debug", "levels", "links"])
def test_a_part_that_is_not_imported_with_onepath_is_there_when_it_is_asked_for(name: str) -> None:
    unasked = f"assert '{name}' in dir(onepath) and 'onepath.{name}' not in sys.modules"
    code = f"import onepath, sys; {unasked}; print(onepath.{name}.__all__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("['")


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="module 'onepath' has no attribute 'levls'"):
        onepath.levls  # type: ignore[attr-defined]  # noqa: B018


def test_no_module_of_the_library_imports_an_engine_when_it_is_imported() -> None:
    drawing_for_an_engine = (ROOT / "onepath" / "draw",)
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sources("onepath", "*.py")
        if path.parent not in drawing_for_an_engine and path.name != "__main__.py"
    ]
    assert modules_after("".join(f"import {name}\n" for name in names)) & ENGINES == set()
