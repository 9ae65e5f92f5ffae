"""What link generation is told: how far agents drop and jump, how densely to look, what to leave out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from onepath.build.arguments import LARGEST_COORDINATE, number_between, whole_number
from onepath.mesh import LinkDef, LinkKind, MeshSettings
from onepath.names import checks_fields

__all__ = ["LinkGeneration"]

#: Casts look at every column on their way.
LARGEST_CAST = 1024.0
LEAST_SPACING = 2.0**-10


@checks_fields()
@dataclass(frozen=True, kw_only=True, slots=True)
class LinkGeneration:
    """How links are generated. A length that is None follows from the mesh's agent and cells; see `resolved`.

    Lengths in metres.

    Attributes:
        spacing: between samples along an open edge, at most; 2**-10 to 2**21. By default the agent's diameter.
        drop_max: deepest drop, 0 to 2**21; 0 proposes none. By default twice the agent's height.
        drop_reach: how far out from the edge, in X/Z, a drop may land, 0 to 1024. By default the agent's diameter and
            four cells: where a mesh was baked, it ends a radius before the ledge and begins a radius after the wall
            under it. A drop lands beyond the agent's radius.
        climb_max: an edge this high is climbed again, so that drops no deeper go both ways; heights at both ends of a
            jump differ by no more. 0 to 2**21; by default the agent's `max_climb`.
        jump_max: widest jump, in X/Z from end to end, 0 to 1024; 0 proposes none. By default the agent's diameter and
            height.
        detour: a link is kept where walking is longer than this many times the straight distance between its ends;
            from 1, infinity keeps only what cannot be walked to at all.
        filter_distance: a link is left out where an earlier one starts and ends within this distance of its ends; 0 to
            2**21. By default the agent's height.
        snap: `start_snap` and `end_snap` of the links, 0 to 2**21. By default the larger of radius and cell size.
        drop_kind, jump_kind: a LinkKind, or 6 to 63 for the host's own kinds.
        drop_area, jump_area: area id, 0 to 255, or a name of the mesh's `areas`.
        drop_cost, jump_cost: what crossing costs beside the distance, 0 to 1e12.
        flags: of the links, 0 to 65535.

    Raises:
        ArgumentError, RangeError: naming field, value and range.

    >>> LinkGeneration(jump_max=0, drop_max=3).resolved(MeshSettings()).spacing
    0.8
    """

    spacing: float | None = None
    drop_max: float | None = None
    drop_reach: float | None = None
    climb_max: float | None = None
    jump_max: float | None = None
    detour: float = 3.0
    filter_distance: float | None = None
    snap: float | None = None
    drop_kind: LinkKind | int = LinkKind.DROP
    jump_kind: LinkKind | int = LinkKind.JUMP
    drop_area: int | str = "ground"
    jump_area: int | str = "ground"
    drop_cost: float = 0.0
    jump_cost: float = 0.0
    flags: int = 1

    def __post_init__(self) -> None:
        put = object.__setattr__
        for field, low, high in (
            ("spacing", LEAST_SPACING, LARGEST_COORDINATE),
            ("drop_max", 0.0, LARGEST_COORDINATE),
            ("drop_reach", 0.0, LARGEST_CAST),
            ("climb_max", 0.0, LARGEST_COORDINATE),
            ("jump_max", 0.0, LARGEST_CAST),
            ("filter_distance", 0.0, LARGEST_COORDINATE),
            ("snap", 0.0, LARGEST_COORDINATE),
        ):
            value = getattr(self, field)
            if value is not None:
                put(self, field, number_between(f"LinkGeneration.{field}", value, low, high))
        put(self, "detour", number_between("LinkGeneration.detour", self.detour, 1.0, math.inf))
        for field, highest in (("drop_kind", 63), ("jump_kind", 63), ("flags", 0xFFFF)):
            put(self, field, whole_number(f"LinkGeneration.{field}", getattr(self, field), 0, highest))
        for field in ("drop_cost", "jump_cost"):
            put(self, field, number_between(f"LinkGeneration.{field}", getattr(self, field), 0.0, 1e12))
        for field in ("drop_area", "jump_area"):
            if not isinstance(getattr(self, field), str):
                put(self, field, whole_number(f"LinkGeneration.{field}", getattr(self, field), 0, 255))

    def resolved(self, settings: MeshSettings) -> LinkGeneration:
        """The same with every length that is None derived from a mesh's agent and cells."""
        agent, cell = settings.agent, settings.cell_size
        diameter = 2.0 * agent.radius
        defaults = {
            "spacing": min(max(diameter or 2.0 * cell, LEAST_SPACING), LARGEST_COORDINATE),
            "drop_max": min(2.0 * agent.height, LARGEST_COORDINATE),
            "drop_reach": min(diameter + 4.0 * cell, LARGEST_CAST),
            "climb_max": agent.max_climb,
            "jump_max": min(diameter + agent.height, LARGEST_CAST),
            "filter_distance": agent.height,
            "snap": max(agent.radius, cell),
        }
        return replace(self, **{field: value for field, value in defaults.items() if getattr(self, field) is None})  # type: ignore[arg-type]

    def link(
        self, start: tuple[float, float, float], end: tuple[float, float, float], is_drop: bool, both_ways: bool
    ) -> LinkDef:
        """The link between two points; `snap` is a number."""
        assert self.snap is not None, "resolved settings have every length"
        return LinkDef(
            start,
            end,
            self.snap,
            self.snap,
            self.drop_cost if is_drop else self.jump_cost,
            self.drop_kind if is_drop else self.jump_kind,
            both_ways,
            0.0,
            self.drop_area if is_drop else self.jump_area,
            self.flags,
        )
