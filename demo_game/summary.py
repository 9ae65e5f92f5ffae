"""What a run of the demo did, as lines of text."""

from __future__ import annotations

from demo_game.look import FrameTimes
from demo_game.world import DemoWorld
from onepath import BakeReport

__all__ = ["summary_lines"]


def summary_lines(world: DemoWorld, times: FrameTimes) -> list[str]:
    """Agents, arrivals, metres, searches; then bake, step and frame times, as far as they were measured."""
    counts, report = world.counts, world.mesh.report
    assert isinstance(report, BakeReport)
    lines = [
        f"{len(world.entities)} agents, {len(world.places)} places, {world.seconds:.1f} s in the world",
        f"{counts.arrivals} arrivals, {world.metres:.0f} m walked",
        f"{counts.searches} searches, {counts.partial} partial, {counts.failed} failed",
        f"mesh: {world.mesh.polygon_count} polygons in {world.mesh.tile_count} tiles, "
        f"baked in {report.seconds * 1e3:.0f} ms",
        f"step: {times.mean('step'):.2f} ms, at most {times.worst('step'):.2f} ms",
    ]
    if times.mean("draw"):
        lines.append(f"drawing a frame: {times.mean('draw'):.1f} ms, at most {times.worst('draw'):.1f} ms")
    return lines + [f"warning: {warning}" for warning in report.warnings]
