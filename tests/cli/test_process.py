"""The command as a process of its own: terminals, pipes and closed streams."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import onepath
from onepath.cli import main


def onepath_process(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "onepath", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_it_runs_as_a_module_and_shows_no_progress_where_nobody_watches(tmp_path):
    done = onepath_process("bake", "levels:room", "-o", tmp_path / "a.navmesh")
    assert (done.returncode, done.stderr) == (0, "")
    assert "polygons" in done.stdout


def test_help_names_units_and_how_generated_levels_are_written():
    done = onepath_process("bake", "--help")
    assert done.returncode == 0
    for word in ("METRES", "DEGREES", "levels:NAME", "--max-polygon-vertices"):
        assert word in done.stdout


def test_version():
    assert onepath_process("--version").stdout == f"onepath {onepath.__version__}\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise elsewhere")
def test_a_reader_that_has_gone_is_no_error_to_talk_about(mesh_file):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "onepath", "info", str(mesh_file)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_sees_the_progress_and_a_clean_line_after_it(tmp_path):
    import pty

    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "onepath", "bake", "levels:room", "-o", str(tmp_path / "a.navmesh")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=False)
    os.close(terminal)
    seen = os.read(controller, 65536).decode()
    os.close(controller)
    assert done.returncode == 0
    assert "100 %" in seen and seen.endswith("\r\x1b[K")


@pytest.mark.parametrize("arguments", [("info", "MESH"), ("bake", "levels:room", "-o", "OUT")])
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_without_stdout_or_stderr_the_command_does_its_work(mesh_file, tmp_path, monkeypatch, arguments, closed):
    places = {"MESH": str(mesh_file), "OUT": str(tmp_path / "out.navmesh")}
    monkeypatch.setattr(sys, closed, None)
    assert main([places.get(argument, argument) for argument in arguments]) == 0
    assert getattr(sys, closed) is None
