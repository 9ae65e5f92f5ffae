from collections.abc import Sequence

Point = tuple[float, float, float]

def pull_through(
    portals: Sequence[tuple[Point, Point]], start: Point, end: Point, max_points: int = 0
) -> list[tuple[Point, int, int]]: ...
