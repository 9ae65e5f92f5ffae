"""Writes the hash files anew: `python -m tests.hashes`. Only a change of the documents' rules can be a reason to."""

from tests.hashes import build3d, queries

for scenarios in (build3d.scenario, queries.scenario):
    scenarios.write()
    print(f"{scenarios.file.name}: {len(scenarios.makers)} scenarios")
