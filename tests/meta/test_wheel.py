"""What a wheel holds: it is built once, looked into, installed aside, and imported."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.meta.tree import COMPILED, ROOT, SHARED_UTILITY, SUFFIX

pytestmark = pytest.mark.full

LARGEST = 5_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), "."]
    environment = {name: value for name, value in os.environ.items() if name not in ("ONEPATH_BUILD", "PYTHONSAFEPATH")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return next(folder.glob("onepath-*.whl"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_it_is_small_enough_to_ship(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST


def test_compiled_modules_are_in_and_their_sources_are_not(names: set[str]) -> None:
    for module in COMPILED:
        path = module.replace(".", "/")
        assert path + SUFFIX in names
        assert path + ".py" not in names
    assert SHARED_UTILITY.replace(".", "/") + SUFFIX in names


def test_plain_modules_stubs_and_the_typing_mark_are_in(names: set[str]) -> None:
    wanted = [path.relative_to(ROOT) for path in (ROOT / "onepath").rglob("*.py*") if path.suffix in (".py", ".pyi")]
    sources = {str(path.with_suffix(".py")) for path in wanted}
    compiled = {module.replace(".", "/") + ".py" for module in COMPILED}
    assert {path.as_posix() for path in wanted if path.suffix == ".pyi"} <= names
    assert sources - compiled <= names
    assert {"onepath/py.typed", "onepath_ecs/py.typed"} <= names


def test_nothing_but_the_packages_is_in(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"onepath", "onepath_ecs", "demo_game"}
    assert [name for name in names if name.endswith((".c", ".pxd", ".o"))] == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks at ELF files")
def test_compiled_files_carry_no_symbols_for_debuggers(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(SUFFIX):
                data = archive.read(name)
                assert b".symtab" not in data and b".debug_info" not in data, name


def test_it_runs_where_the_repository_is_not(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(tmp_path), str(wheel)]
    subprocess.run(command, check=True)
    code = (
        "import onepath.geometry._predicates as module; print(module.__file__, module.orientation((0,0),(0,1),(1,1)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    assert Path(output[0]).is_relative_to(tmp_path)
    assert output[1] == "1"
