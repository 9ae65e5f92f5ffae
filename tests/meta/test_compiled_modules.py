"""The list of compiled modules, the tree and the built files say the same."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MODE
from tests.meta.test_imports import imported_modules
from tests.meta.tree import COMPILED, ROOT, SHARED_UTILITY, SUFFIX, build_lib, compiled_file, source_file, sources


def test_the_list_is_sorted_and_names_each_module_once() -> None:
    assert sorted(set(COMPILED)) == COMPILED


def test_every_module_with_a_leading_underscore_is_listed_and_no_other() -> None:
    files = [path.relative_to(ROOT) for path in (ROOT / "onepath").rglob("_*.py") if not path.name.startswith("__")]
    assert sorted(".".join(path.with_suffix("").parts) for path in files) == COMPILED


def test_every_listed_module_is_built_and_nothing_else_is() -> None:
    folder = build_lib(MODE)
    built = {path for path in (folder / "onepath").rglob("*" + SUFFIX)}
    assert built == {compiled_file(module, folder) for module in [*COMPILED, SHARED_UTILITY]}


@pytest.mark.parametrize("module", COMPILED)
def test_the_compiled_file_is_what_python_imports(module: str) -> None:
    importlib.import_module(module)
    assert sys.modules[module].__file__ == str(compiled_file(module, build_lib(MODE)))


def test_no_source_sets_directives_which_would_win_over_the_build_mode() -> None:
    sources = [*(ROOT / "onepath").rglob("_*.py"), *(ROOT / "onepath").rglob("*.pxd")]
    assert [path.name for path in sources if "# cython:" in path.read_text(encoding="utf-8")] == []


def test_a_compiled_module_that_plain_python_imports_has_a_stub() -> None:
    plain = [path for path in sources("onepath", "*.py") if ".".join(path.relative_to(ROOT).parts)[:-3] not in COMPILED]
    imported = {module for path in plain for module in imported_modules(path)}
    without = {module for module in COMPILED if not source_file(module).with_suffix(".pyi").exists()}
    assert imported & without == set()


@pytest.mark.parametrize("before", ["", "import sys; sys.modules['cython'] = None; "], ids=["with Cython", "without"])
def test_a_clone_that_is_not_built_says_what_to_do(before: str, tmp_path: Path) -> None:
    for path in (ROOT / "onepath").rglob("*.py"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    command, environment = (
        [sys.executable, "-c", f"{before}import onepath"],
        {**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr.endswith("ImportError: OnePath's compiled modules are missing: run pip install -e .\n")
