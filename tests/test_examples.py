"""Every example runs to its end, complains about nothing and says what it promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.tree import ROOT

EXAMPLES = ROOT / "examples"
#: Part of what each example prints; one without an entry here is an example without a test.
PROMISES = {
    "changing_level.py": [
        "through the door: 18.0 m",
        "round the walls: 22.1 m",
        "2 of 12 tiles",
        "arrived at 21.0",
    ],
    "ecs_walk.py": ["all arrived", "walker 5: success"],
    "first_path.py": ["polygons in", "success: 22.05 m", "outside the level: no end, 0 points"],
    "own_polygons.py": ["over the bridge: success", "without it: partial", "3 polygons, 52.0 square metres"],
    "sliced_search.py": ["success after", "the same as in one go: True"],
    "walk.py": ["m to go", "arrived at 14.10 6.40 11.00"],
}


def test_every_example_is_listed() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_an_example_runs_and_says_what_it_promises(name: str, tmp_path: Path) -> None:
    if name == "ecs_walk.py":
        pytest.importorskip("esper")
    command = [sys.executable, "-W", "error", str(EXAMPLES / name)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [promise for promise in PROMISES[name] if promise not in done.stdout] == []
    assert list(tmp_path.iterdir()) == []
