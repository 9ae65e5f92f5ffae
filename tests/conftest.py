"""Puts the build under test first on the path, and refuses to test compiled files that are missing or out of date.

ONEPATH_BUILD chooses the build: release (in place, the default) or checked, sanitizer, plain (build/<mode>/lib).
`python tools/build.py MODE --test` builds and sets it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.meta.tree import ROOT, build_lib, reason_not_to_test

MODE = os.environ.get("ONEPATH_BUILD", "release")

# Before any test module imports onepath. Child processes need the same order, and Python would put their working
# folder first of all, where the release build lies.
sys.path[:0] = [str(build_lib(MODE))]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(build_lib(MODE)), str(ROOT)]))
os.environ["PYTHONSAFEPATH"] = "1"


def pytest_sessionstart(session: pytest.Session) -> None:
    reason = reason_not_to_test(MODE)
    if reason is None:
        import onepath

        if not Path(onepath.__file__).is_relative_to(build_lib(MODE)):
            reason = f"onepath was imported from {onepath.__file__} before the tests could choose the {MODE} build."
    if reason is not None:
        pytest.exit(reason, returncode=3)


def pytest_report_header(config: pytest.Config) -> str:
    return f"onepath: {MODE} build in {build_lib(MODE)}"
