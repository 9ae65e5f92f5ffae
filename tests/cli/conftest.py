"""The command run in this process, and files for it to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from onepath.cli import main
from tests.cli.answers import FLOOR
from tests.meshes import two_floors


@pytest.fixture
def run(capsys):
    """Runs the command in this process: (exit code, lines of stdout, lines of stderr)."""

    def call(*arguments: object) -> tuple[int, list[str], list[str]]:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return call


@pytest.fixture
def floor(tmp_path) -> Path:
    (tmp_path / "floor.obj").write_text(FLOOR, encoding="utf-8")
    return tmp_path / "floor.obj"


@pytest.fixture
def mesh_file(tmp_path) -> Path:
    """Two floors of 16 by 8 m, 3 m apart; nothing joins them."""
    two_floors().save(tmp_path / "floors.navmesh")
    return tmp_path / "floors.navmesh"
