"""Baking, whole and by stage, alone and beside the peers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onepath
from benchmarks.peers import Peer
from benchmarks.subjects import SETTINGS, Subject, settings_for_peers
from benchmarks.timing import beside_peers, milliseconds, milliseconds_once, spread


def measure(subject: Subject, repeats: int) -> dict[str, Any]:
    """Milliseconds of a whole bake, and of its stages as the bake itself took them (means over the repeats)."""
    reports: list[onepath.BakeReport] = []

    def run() -> None:
        report = onepath.bake(subject.level, SETTINGS).report
        assert isinstance(report, onepath.BakeReport)
        reports.append(report)

    times = milliseconds(run, repeats)
    counted = reports[1:]
    stages = {
        name: sum(report.stage_seconds[name] for report in counted) / len(counted) * 1e3
        for name in counted[0].stage_seconds
    }
    return {"ms": spread(times), "stages_ms": stages, "tiles": counted[0].tiles, "polygons": counted[0].polygons}


def compare(subject: Subject, peers: Sequence[Peer], rounds: int, chosen: onepath.BakeSettings) -> dict[str, Any]:
    """Milliseconds of ours and of every peer, taken in turns so that the machine's moods hit all alike."""
    settings = settings_for_peers(chosen)

    def run() -> None:
        onepath.bake(subject.level, chosen)

    ours: list[float] = []
    theirs: dict[str, list[float]] = {peer.name: [] for peer in peers}
    counts: dict[str, dict[str, int]] = {}
    # Everybody's first bake, with its first look at the level, is not counted.
    run()
    for peer in peers:
        peer.load(subject)
        peer.ask("bake", settings=settings)
    for _ in range(rounds):
        ours.append(milliseconds_once(run))
        for peer in peers:
            answer = peer.ask("bake", settings=settings)
            theirs[peer.name].append(answer["ms"])
            counts[peer.name] = {"tiles": answer["tiles"], "polygons": answer["polygons"]}
    beside = beside_peers(spread(ours), {name: spread(times) for name, times in theirs.items()})
    for name, row in beside["peers"].items():
        row.update(counts[name])
    return beside
