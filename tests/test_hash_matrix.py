"""The hashes of named scenarios are those on file, in every build."""

from __future__ import annotations

import pytest

from tests.hashes import build3d, queries
from tests.hashes.scenarios import Scenarios, array_hash

SETS = [build3d.scenario, queries.scenario]


@pytest.mark.parametrize(
    ("scenarios", "name"),
    [(scenarios, name) for scenarios in SETS for name in sorted(scenarios.makers)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_scenario_has_the_hash_on_file(scenarios: Scenarios, name: str) -> None:
    assert array_hash(scenarios.makers[name]()) == scenarios.filed()[name]


@pytest.mark.parametrize("scenarios", SETS, ids=lambda scenarios: scenarios.name)
def test_the_file_names_the_scenarios_and_no_others(scenarios: Scenarios) -> None:
    assert set(scenarios.filed()) == set(scenarios.makers)


@pytest.mark.parametrize("scenarios", SETS, ids=lambda scenarios: scenarios.name)
def test_scenarios_differ_and_hold_something(scenarios: Scenarios) -> None:
    filed = scenarios.filed()
    assert len(set(filed.values())) == len(filed)
    for name, make in scenarios.makers.items():
        assert sum(array.size for array in make()) > 100, name
