"""Tables that say where a promise is tested name tests that exist."""

from __future__ import annotations

import re

import pytest

from tests.meta.tree import ROOT

NAMED = re.compile(r"`(test_\w+\.py)(?:::(test_\w+))?`")
TESTS = sorted(set(NAMED.findall((ROOT / "docs" / "living-mesh.md").read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("file", "test"), TESTS, ids=["::".join(filter(None, named)) for named in TESTS])
def test_a_promise_names_a_test_that_exists(file: str, test: str) -> None:
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert test == "" or f"def {test}(" in text


def test_the_table_of_promises_is_read() -> None:
    assert len(TESTS) > 15
