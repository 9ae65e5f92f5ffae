"""Tables that say where a promise is tested name tests that exist, in every row."""

from __future__ import annotations

import re

import pytest

from tests.meta.tree import ROOT

NAMED = re.compile(r"`(test_\w+\.py)(?:::(test_\w+))?`")
#: Documents with such a table, and how many rows at least.
TABLES = {"living-mesh.md": 45, "queries-promises.md": 140}


def text_of(document: str) -> str:
    return (ROOT / "docs" / document).read_text(encoding="utf-8")


def promises(document: str) -> list[str]:
    """The rows of the tables of promises."""
    rows, inside = [], False
    for line in text_of(document).splitlines():
        inside = line.startswith("|") and (inside or line == "| promise | test |")
        if inside and line not in ("| promise | test |", "|---|---|"):
            rows.append(line)
    return rows


TESTS = sorted({named for document in TABLES for named in NAMED.findall(text_of(document))})


@pytest.mark.parametrize(("file", "test"), TESTS, ids=["::".join(filter(None, named)) for named in TESTS])
def test_a_promise_names_a_test_that_exists(file: str, test: str) -> None:
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert test == "" or f"def {test}(" in text


@pytest.mark.parametrize(("document", "least"), TABLES.items())
def test_every_promise_names_a_test(document: str, least: int) -> None:
    rows = promises(document)
    assert len(rows) >= least
    assert [row for row in rows if not NAMED.search(row)] == []


def test_every_comparison_with_a_plain_query_shows_a_promise() -> None:
    oracles = {path.name for path in (ROOT / "tests").glob("test_query_oracle_*.py")}
    assert oracles - {file for file, _ in NAMED.findall(text_of("queries-promises.md"))} == set()
