"""The map of the code names every file, and no file that is not there."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.meta.tree import ROOT, sources

MAP = (ROOT / "docs" / "under-the-hood.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"[\w/*]+\.(?:pyi?|pxd)\b", MAP)))
MODULES = [path for path in sources("onepath") if not path.name.startswith("__") and path.suffix != ".pyi"]


def names(text: str, path: Path) -> bool:
    """Whether the text, a path or its end, stands for the file; a .py stands for its .pxd, and the other way round."""
    stem = text.rsplit(".", 1)[0]
    return fnmatch(f"/{path.relative_to(ROOT).with_suffix('').as_posix()}", f"*/{stem}")


def others() -> list[Path]:
    """Files that the map may name and need not."""
    return sorted((ROOT / "tests").rglob("*.py")) + sorted((ROOT / "onepath").rglob("*.pyi"))


@pytest.mark.parametrize("text", NAMED)
def test_a_file_on_the_map_exists(text: str) -> None:
    assert any(path.suffix == Path(text).suffix and names(text, path) for path in [*MODULES, *others()])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_on_the_map(path: Path) -> None:
    assert any(names(text, path) for text in NAMED)
