"""What was baked, ours and the peers', measured the same way on the same plain arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import onepath
from benchmarks.heights import height_errors
from benchmarks.partition import Partition, own_partition, peers_partition
from benchmarks.peers import Peer
from benchmarks.subjects import Subject, settings_for_peers


def measure(partition: Partition, subject: Subject, settings: onepath.BakeSettings) -> dict[str, Any]:
    """Area, components, polygons and height errors of one mesh."""
    areas = partition.component_areas()
    level = subject.vertices[subject.triangles]
    errors = height_errors(partition.surface, level, settings)
    return {
        "area": float(areas.sum()),
        "components": len(areas),
        "components_of_size": int((areas >= settings.min_region_area).sum()),
        "largest_component": float(areas[0]) if len(areas) else 0.0,
        "polygons": partition.polygons,
        "triangles": len(partition.surface),
        "height": asdict(errors),
    }


def compare(subject: Subject, peers: Sequence[Peer], settings: onepath.BakeSettings) -> dict[str, Any]:
    """The same of ours and of every peer; each peer must hold the subject.

    What a side says about parts that it could not keep stands beside it: ours counts them, the peers only warn.
    """
    mesh = onepath.bake(subject.level, settings)
    report = mesh.report
    assert isinstance(report, onepath.BakeReport)
    ours = {**measure(own_partition(mesh), subject, settings), "unkept_contours": report.unkept_contours}
    result = {"onepath": ours}
    for peer in peers:
        peer.ask("bake", settings=settings_for_peers(settings))
        answer = peer.ask("mesh")
        warnings = Counter(_kind(text) for text in answer["warnings"])
        result[peer.name] = {
            **measure(peers_partition(answer), subject, settings),
            "warnings": dict(sorted(warnings.items())),
        }
    return result


def _kind(warning: str) -> str:
    """A warning without the numbers in it, so that equal ones count together."""
    words = [word for word in warning.split() if not any(sign.isdigit() for sign in word)]
    return " ".join(words).strip()
