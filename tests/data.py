"""Data from elsewhere that tests may try, where the machine has it."""

from __future__ import annotations

from pathlib import Path

import pytest


def shared_data(name: str) -> Path:
    """The path of a file under `../shared/data`, beside the repository; the test is skipped where it is missing.

    In a linked worktree the folder may stand one level further up.
    """
    root = Path(__file__).resolve().parents[1]
    for folder in (root.parent, root.parent.parent):
        path = folder / "shared" / "data" / name
        if path.exists():
            return path
    pytest.skip(f"shared/data/{name} is not there beside the repository")
