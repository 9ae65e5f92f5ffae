"""With the caller's buffers a query allocates nothing in steady state (queries document, inputs and errors)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import onepath

HERE = Path(__file__).parent
COMPILER = shutil.which("cc") or shutil.which("gcc")
#: What the whole process may grow by meanwhile, pages: Python's own arenas, not one object a call.
FEW_PAGES = 64


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if sys.platform != "linux" or COMPILER is None:
        pytest.skip("counting what the C heap is asked for takes Linux and a C compiler")
    if os.environ.get("ONEPATH_BUILD") == "sanitizer":
        pytest.skip("the sanitizer stands in front of the C heap itself")
    library = tmp_path_factory.mktemp("counter") / "allocation_counter.so"
    source = HERE / "allocation_counter.c"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    return library


def counted(counter: Path, times: int) -> dict[str, tuple[int, int]]:
    """(asked of the C heap, pages grown) by so many calls of each kind."""
    package = str(Path(onepath.__file__).parent.parent)
    environment = os.environ | {"LD_PRELOAD": str(counter), "PYTHONPATH": os.pathsep.join([package, str(HERE.parent)])}
    done = subprocess.run(
        [sys.executable, "-m", "tests.allocations", str(times)],
        cwd=HERE.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name: tuple(numbers) for name, numbers in json.loads(done.stdout).items()}


def check(found: dict[str, tuple[int, int]], times: int) -> None:
    assert found.pop("control")[0] >= times, "the counter counts"
    assert {name: asked for name, (asked, _) in found.items() if asked} == {}
    assert {name: pages for name, (_, pages) in found.items() if pages > FEW_PAGES} == {}


def test_queries_with_the_caller_s_buffers_ask_the_heap_for_nothing(counter: Path) -> None:
    check(counted(counter, 3_000), 3_000)


@pytest.mark.full
def test_nor_do_a_million_calls_of_each(counter: Path) -> None:
    check(counted(counter, 1_000_000), 1_000_000)
