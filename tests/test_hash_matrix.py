"""The hashes of named scenarios are those on file, in every build."""

from __future__ import annotations

import json

import pytest

from tests.hashes import build3d

FILED = json.loads(build3d.FILE.read_text(encoding="utf-8")) if build3d.FILE.exists() else {}


@pytest.mark.parametrize("name", sorted(build3d.SCENARIOS))
def test_a_scenario_has_the_hash_on_file(name: str) -> None:
    assert build3d.array_hash(build3d.SCENARIOS[name]()) == FILED[name]


def test_the_file_names_the_scenarios_and_no_others() -> None:
    assert set(FILED) == set(build3d.SCENARIOS)


def test_scenarios_differ_and_hold_something() -> None:
    assert len(set(FILED.values())) == len(FILED)
    for name, make in build3d.SCENARIOS.items():
        assert sum(array.size for array in make()) > 100, name
