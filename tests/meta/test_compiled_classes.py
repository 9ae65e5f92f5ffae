"""No compiled class can be brought to crash by making it without its beginning."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import MODE
from tests.meta.tree import COMPILED, ROOT, build_lib

#: For the process that tries them all: an object made by `__new__`, with arguments that suit nobody, has every
#: attribute read and every method called. Its last line names what was tried last.
TRIES = """
import inspect, sys
from importlib import import_module
import numpy as np
from onepath import MeshSettings, NavMesh

mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8))
VALUES = (0, -1, 2**40, 1.5, (0.0, 0.0, 0.0), [(0.0, 0.0, 0.0)], "name", None, np.zeros(4), np.zeros((3, 3)), mesh)

def tried(call, *arguments):
    try:
        return call(*arguments)
    except Exception:
        return None

def try_all(made, name):
    for attribute in sorted(set(dir(made)) - set(dir(object))) + ["__repr__", "__hash__", "__reduce__", "__eq__"]:
        print(name, attribute, flush=True)
        found = tried(getattr, made, attribute)
        if not callable(found):
            continue
        parameters = inspect.signature(found).parameters.values() if tried(inspect.signature, found) else ()
        needed = sum(p.default is p.empty and p.kind is not p.VAR_KEYWORD for p in parameters)
        for value in VALUES if needed else (None,):
            tried(found, *[value] * needed)

for module in sys.argv[1:]:
    for name, kind in vars(import_module(module)).items():
        if inspect.isclass(kind) and kind.__module__ == module:
            for count in range(10):
                made = []
                for value in VALUES if count else (None,):
                    print(name, "__new__", count, repr(value)[:40], flush=True)
                    made.append(tried(kind.__new__, kind, *[value] * count))
                    if made[-1] is not None:
                        try_all(made[-1], name)
                if any(one is not None for one in made):
                    break
print("done")
"""
#: Classes that Python never makes: their only way in is a function of their module.
INTERNAL = {
    "onepath.links._generator": "LinkCaster",
    "onepath.mesh._base": "MeshBase",
    "onepath.mesh._core": "MeshCore",
}


def test_no_compiled_class_crashes_when_it_is_made_by_new() -> None:
    command = [sys.executable, "-c", TRIES, *COMPILED]
    folders = os.pathsep.join([str(build_lib(MODE)), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": folders}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["done"]), done.stderr[-2000:]


@pytest.mark.parametrize(("module", "name"), INTERNAL.items())
def test_an_internal_class_with_methods_refuses_to_be_made(module: str, name: str) -> None:
    kind: Any = getattr(importlib.import_module(module), name)
    for make in (kind, lambda: kind.__new__(kind), lambda: kind.__new__(kind, object())):
        with pytest.raises(TypeError, match=name):
            make()
