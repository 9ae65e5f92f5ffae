"""Areas by name: what ground, water or a road is called, which id stands for it, and what a metre of it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any, Never

from onepath.errors import ArgumentError, LimitError, RangeError, shown

__all__ = ["GROUND", "LARGEST_AREA_ID", "Areas", "how_areas_are_made"]

#: The build id of the area "ground".
GROUND = 63
LARGEST_AREA_ID = 255


class Areas:
    """The areas of a mesh: a name, an id and a default cost each. Immutable.

    Numbers here are costs. "ground" is always there, with the id 63; the others get the lowest free ids from 1 on in
    the order given. Where data made elsewhere need certain ids, `Areas.with_ids` takes them.

    Args:
        costs: by name, what a metre costs where nobody says otherwise, above 0; infinity forbids the area. A name that
            Python would not take as one is given as `Areas(**{"deep water": 4.0})`.

    Raises:
        ArgumentError, RangeError: a cost that cannot be, or something without a name.
        LimitError: more names than the builder has ids.

    >>> areas = Areas(water=4.0, lava=float("inf"))
    >>> areas
    Areas(ground=1.0, water=4.0, lava=inf)
    >>> areas.id("water"), areas.id("ground"), areas.name(2), areas.cost("water")
    (1, 63, 'lava', 4.0)
    """

    __slots__ = ("_costs", "_ids", "_names")

    def __init__(self, /, *unnamed: Never, **costs: float) -> None:
        if unnamed:
            raise ArgumentError(f"Areas is given {shown(unnamed[0])} without a name; {how_areas_are_made(unnamed[0])}")
        self._name_areas({}, costs)

    @classmethod
    def with_ids(cls, ids: Mapping[str, int], /, **costs: float) -> Areas:
        """Areas of which some have certain ids, for data made elsewhere; the others get the lowest that are free.

        Args:
            ids: name -> id, 1 to 255; the builder knows ids up to 63, what a mesh is given at run time may be above.
            costs: as for `Areas`; an area whose cost is not given costs 1.

        Raises:
            ArgumentError, RangeError, LimitError: as `Areas` does; also an id that cannot be, or one for two names.

        >>> areas = Areas.with_ids({"road": 7}, road=0.5)
        >>> areas.id("road"), areas.cost("road")
        (7, 0.5)
        """
        areas = cls.__new__(cls)
        areas._name_areas(_checked_ids(ids), costs)
        return areas

    def _name_areas(self, fixed: Mapping[str, int], costs: Mapping[str, float]) -> None:
        order = ["ground", *(name for name in {**costs, **fixed} if name != "ground")]
        taken = {*fixed.values(), GROUND}
        free = (area for area in range(1, GROUND) if area not in taken)
        self._ids: dict[str, int] = {}
        self._costs: dict[str, float] = {}
        for name in order:
            area = GROUND if name == "ground" else fixed.get(name) or next(free, None)
            if area is None:
                raise LimitError(f"area {name!r} is one too many: the builder has {GROUND - 1} ids beside ground's")
            self._ids[name] = area
            self._costs[name] = _checked_cost(name, costs.get(name, 1.0))
        self._names = {area: name for name, area in self._ids.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, "ground" first, the others in the order given."""
        return tuple(self._ids)

    @property
    def costs(self) -> dict[int, float]:
        """The default costs that are not 1, by id: what a `QueryFilter` takes."""
        return {self._ids[name]: cost for name, cost in self._costs.items() if cost != 1.0}

    def id(self, area: str | int, what: str = "area") -> int:
        """The id of a name; an id from 0 to 255 is answered as it is, named or not.

        Args:
            area: a name or an id.
            what: what the error calls it.

        Raises:
            ArgumentError: no area has that name; the message lists those there are.
            RangeError: an id outside 0 to 255.
        """
        if isinstance(area, str):
            if area not in self._ids:
                raise ArgumentError(
                    f"{what} is {area!r}, which names no area; known are {', '.join(self._ids)}: give "
                    f"areas=Areas({area if area.isidentifier() else 'name'}=cost) where the mesh is made"
                )
            return self._ids[area]
        number = _whole(what, area)
        if not 0 <= number <= LARGEST_AREA_ID:
            raise RangeError(f"{what} is {number}, outside [0, {LARGEST_AREA_ID}]")
        return number

    def name(self, area: int) -> str | None:
        """The name of an id from 0 to 255, or None for an id without one."""
        return self._names.get(area)

    def cost(self, area: str | int) -> float:
        """The default cost of a metre there; 1 for an id without a name. Raises as `id` does."""
        name = self._names.get(self.id(area))
        return 1.0 if name is None else self._costs[name]

    def to_dict(self) -> dict[str, tuple[int, float]]:
        """Name -> (id, cost), in order: plain data to keep in a file."""
        return {name: (area, self._costs[name]) for name, area in self._ids.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, tuple[int, float]]) -> Areas:
        """What `to_dict` gave. Raises as the constructor does."""
        ids = {name: area for name, (area, _) in data.items() if name != "ground"}
        if "ground" in data and data["ground"][0] != GROUND:
            raise RangeError(f"area 'ground' has the id {data['ground'][0]!r}; it always has {GROUND}")
        return cls.with_ids(ids, **{name: cost for name, (_, cost) in data.items()})

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return name in self._ids

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Areas):
            return NotImplemented
        return self._ids == other._ids and self._costs == other._costs

    def __hash__(self) -> int:
        return hash((frozenset(self._ids.items()), frozenset(self._costs.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Areas.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        ids = {name: area for name, area in self._ids.items() if name != "ground"}
        named = all(name.isidentifier() and not iskeyword(name) for name in self._costs)
        costs = ", ".join(f"{name}={cost}" for name, cost in self._costs.items()) if named else f"**{self._costs}"
        if list(ids.values()) == list(range(1, len(ids) + 1)):
            return f"Areas({costs})"
        return f"Areas.with_ids({ids}, {costs})"


def _whole(what: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ArgumentError(f"{what} is {value!r}, neither the name of an area nor an id")
    return int(value.__index__())


def how_areas_are_made(given: object) -> str:
    """For messages to whoever gave something else. A mapping of names to numbers may mean costs as well as ids."""
    if isinstance(given, Mapping) and given and all(isinstance(name, str) for name in given):
        return f"give costs as Areas(**{shown(dict(given))}), ids as Areas.with_ids({shown(dict(given))})"
    return "give costs by name, such as Areas(water=4.0)"


def _checked_ids(ids: Mapping[str, int]) -> dict[str, int]:
    if not isinstance(ids, Mapping):
        raise ArgumentError(f"ids is {ids!r}, not a mapping of names to ids")
    checked: dict[str, int] = {}
    for name, value in ids.items():
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"ids names an area {name!r}, which is not a text")
        area = _whole(f"the id of area {name!r}", value)
        if not 1 <= area <= LARGEST_AREA_ID:
            raise RangeError(f"the id of area {name!r} is {area}, outside [1, {LARGEST_AREA_ID}]")
        if (area == GROUND) != (name == "ground") or area in checked.values():
            other = next((known for known, taken in checked.items() if taken == area), "ground")
            raise ArgumentError(
                f"the id of area {name!r} is {area}; {other!r} has {GROUND if other == 'ground' else area}"
            )
        checked[name] = area
    return checked


def _checked_cost(name: str, value: Any) -> float:
    try:
        cost = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"the cost of area {name!r} is {value!r}, not a number") from None
    if not cost > 0.0:
        raise RangeError(f"the cost of area {name!r} is {value!r}, outside (0, infinity]")
    return cost
