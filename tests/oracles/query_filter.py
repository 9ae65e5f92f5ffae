"""Which polygons pass and what a metre costs (queries document, filters and costs)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.oracles.query_mesh import PlainLeap, PlainPolygon

ANYTHING = 0xFFFF


@dataclass
class PlainFilter:
    """The arguments of a QueryFilter, with the meaning that the document gives them."""

    include_flags: int = ANYTHING
    exclude_flags: int = 0
    predicate: Callable[[int, int], bool] | None = None
    costs: Mapping[int, float] = field(default_factory=dict)

    def cost(self, area: int) -> float:
        return self.costs.get(area, 1.0)

    @property
    def least_cost(self) -> float:
        return min(self.cost(area) for area in range(256))

    def passes(self, polygon: PlainPolygon | PlainLeap) -> bool:
        flags, area = polygon.flags, polygon.area
        if area == 0 or math.isinf(self.cost(area)):
            return False
        if self.include_flags != ANYTHING and not flags & self.include_flags:
            return False
        if flags & self.exclude_flags:
            return False
        return self.predicate is None or bool(self.predicate(flags, area))
