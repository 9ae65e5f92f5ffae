"""A mesh that changes, in plain words: a pool of tiles, what should be committed and staged, what a mesh is by place.

Everything here names polygons by (column, row, layer) and index and links by rank, so that meshes can be compared
whatever was loaded before, in whichever order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from random import Random

from onepath.mesh import LinkDef, NavMesh, Tile
from onepath.query import NavMeshQuery, NodeModel, QueryFilter
from tests.meshes import rectangle, settings_of, tile_of
from tests.query_meshes import random_tile

Key = tuple[int, int, int]
Place = tuple[int, int, int, int]

SETTINGS = settings_of()
SIDE = SETTINGS.tile_size
BOUNDS = (0, 0, 3, 1)
FAR_CELL = (40, -7)
KEYS: list[Key] = [(column, row, layer) for column in range(4) for row in range(2) for layer in range(2)]
FAR_KEYS: list[Key] = [(*FAR_CELL, 0), (FAR_CELL[0] + 1, FAR_CELL[1], 5)]
VARIANTS = 12
VOLUMES = ("pool", "gate")
#: Variants of which two polygons in three are marked, by one volume each.
MARKED_VARIANTS = (2, 3, 6, 9, 11)


@cache
def pooled_tile(key: Key, variant: int) -> Tile:
    """A tile of the pool, some of them with marks of named volumes."""
    tile = unmarked_tile(key, variant)
    if variant not in MARKED_VARIANTS or tile.polygon_count == 0:
        return tile
    sections = [tile.section(name) for name in ("vertices", "polygon_offsets", "polygon_vertices")]
    marks = [(variant + polygon) % 3 for polygon in range(tile.polygon_count)]
    return Tile.from_arrays(
        key[0], key[1], *sections, SETTINGS, key[2], tile.section("areas"), tile.section("flags"), volumes=marks
    )


def unmarked_tile(key: Key, variant: int) -> Tile:
    """The first variants have seams that fit in part, stacked floors, slopes, nothing; the others are random."""
    if variant >= 8:
        return random_tile(Random(variant), SETTINGS, key)
    x, z, y = key[0] * SIDE, key[1] * SIDE, 3.0 * key[2]
    bands = [rectangle(x, z + a, x + 8, z + b, y + h) for a, b, h in ((0, 2, 0.0), (2, 5, 0.3), (5, 8, 0.6))]
    squares = [rectangle(x + i, z + j, x + i + 4, z + j + 4, y) for i, j in ((0, 0), (4, 0), (0, 4))]
    slope = [(x, y, z), (x, y, z + 8), (x + 8, y + 1.5, z + 8), (x + 8, y + 1.5, z)]
    halves = [[(x, y, z), (x, y, z + 8), (x + 8, y, z + 8)], [(x, y, z), (x + 8, y, z + 8), (x + 8, y, z)]]
    polygons = [
        [],
        [rectangle(x, z, x + 8, z + 8, y)],
        bands,
        squares,
        [rectangle(x, z, x + 8, z + 8, y), rectangle(x + 1, z, x + 8, z + 6, y + 3)],
        [slope],
        halves,
        [rectangle(x + 2, z + 2, x + 6, z + 6, y)],
    ][variant]
    areas = [(63, 5, 1)[i % 3] if variant == 6 else 63 for i in range(len(polygons))]
    return tile_of(
        key[0], key[1], polygons, SETTINGS, layer=key[2], areas=areas, flags=[1 + 2 * (a == 5) for a in areas]
    )


# --- what should be


def crossings_of(link: LinkDef) -> int:
    """How many places a link is crossed at: no farther apart than the agent's radius."""
    return max(math.ceil(link.width / SETTINGS.agent.radius - 1e-6), 1) + 1 if link.width > 0 else 1


@dataclass
class Wanted:
    """What is committed, as plain dicts.

    Attributes:
        births: how often each place has had its tile put in, replaced or taken out.
    """

    tiles: dict[Key, Tile] = field(default_factory=dict)
    births: dict[Key, int] = field(default_factory=dict)
    areas: dict[tuple[Key, int], int] = field(default_factory=dict)
    flags: dict[tuple[Key, int], int] = field(default_factory=dict)
    links: dict[int, tuple[LinkDef, bool]] = field(default_factory=dict)
    volumes: dict[str, int] = field(default_factory=dict)

    def area(self, key: Key, polygon: int) -> int:
        return self.areas.get((key, polygon), int(self.tiles[key].section("areas")[polygon]))

    def marked(self, key: Key) -> list[tuple[int, str]]:
        """The polygons of a tile that a volume marked, with its name."""
        tile = self.tiles[key]
        marks = tile.section("volumes").tolist() if tile.has_volumes else []
        return [(polygon, VOLUMES[mark - 1]) for polygon, mark in enumerate(marks) if mark]

    def bits(self, key: Key, polygon: int) -> int:
        return self.flags.get((key, polygon), int(self.tiles[key].section("flags")[polygon]))

    @property
    def polygon_count(self) -> int:
        return sum(tile.polygon_count for tile in self.tiles.values())

    @property
    def crossing_count(self) -> int:
        return sum(crossings_of(link) for link, _ in self.links.values())


@dataclass
class Staged:
    """What the next commit is to change. None takes out, or puts a volume back to what was baked."""

    tiles: dict[Key, Tile | None] = field(default_factory=dict)
    areas: dict[tuple[Key, int], int] = field(default_factory=dict)
    flags: dict[tuple[Key, int], int] = field(default_factory=dict)
    links: dict[int, tuple[LinkDef, bool] | None] = field(default_factory=dict)
    volumes: dict[str, int | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, (self.tiles, self.areas, self.flags, self.links, self.volumes)))

    def copy(self) -> Staged:
        parts = self.tiles, self.areas, self.flags, self.links, self.volumes
        return Staged(*(part.copy() for part in parts))  # type: ignore[arg-type]

    def applied_to(self, wanted: Wanted) -> Wanted:
        """What is committed afterwards."""
        tiles = {key: tile for key, tile in {**wanted.tiles, **self.tiles}.items() if tile is not None}
        births = {**wanted.births, **{key: wanted.births.get(key, 0) + 1 for key in self.tiles}}
        links = {i: link for i, link in sorted({**wanted.links, **self.links}.items()) if link is not None}
        stays = lambda changes: {p: v for p, v in changes.items() if p[0] not in self.tiles}  # noqa: E731
        areas, flags = stays(wanted.areas), stays({**wanted.flags, **self.flags})
        volumes = {name: area for name, area in {**wanted.volumes, **self.volumes}.items() if area is not None}
        after = Wanted(tiles, births, areas, flags, links, volumes)
        for key in tiles:
            for polygon, name in after.marked(key):
                if key in self.tiles and name in volumes:
                    areas[key, polygon] = volumes[name]
                elif name in self.volumes:
                    areas[key, polygon] = volumes.get(name, int(tiles[key].section("areas")[polygon]))
        areas.update(stays(self.areas))
        return after


class Slots:
    """Which slot each place has, by the rule: the lowest free one, kept when a tile is replaced, `most` times used."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.generations: list[int] = []
        self.taken: dict[Key, int] = {}

    def apply(self, staged: dict[Key, Tile | None]) -> None:
        for key in sorted(staged):
            slot = self.taken.pop(key, None)
            if slot is not None:
                self.generations[slot] += 1
            if staged[key] is not None:
                kept = slot is not None and self.generations[slot] <= self.most
                self.taken[key] = slot if slot is not None and kept else self.lowest_free()

    def lowest_free(self) -> int:
        for slot, generation in enumerate(self.generations):
            if generation <= self.most and slot not in self.taken.values():
                return slot
        self.generations.append(1)
        return len(self.generations) - 1

    def by_place(self) -> dict[Key, tuple[int, int]]:
        return {key: (slot, self.generations[slot]) for key, slot in self.taken.items()}


def report_of(before: Wanted, staged: Staged, after: Wanted) -> tuple[object, ...]:
    """What a commit should report: tiles, links, the places of polygons changed, volumes."""
    keys, ids = sorted(staged.tiles), sorted(staged.links)
    stay = [key for key in before.tiles if key not in staged.tiles]
    places = [(key, p) for key in stay for p in range(before.tiles[key].polygon_count)]
    return (
        tuple(k for k in keys if k not in before.tiles),
        tuple(k for k in keys if k in before.tiles and staged.tiles[k] is not None),
        tuple(k for k in keys if staged.tiles[k] is None),
        tuple(i for i in ids if i not in before.links),
        tuple(i for i in ids if i in before.links and staged.links[i] is not None),
        tuple(i for i in ids if staged.links[i] is None),
        {
            (*key, p)
            for key, p in places
            if (before.area(key, p), before.bits(key, p)) != (after.area(key, p), after.bits(key, p))
        },
        tuple(name for name in VOLUMES if name in staged.volumes and before.volumes.get(name) != staged.volumes[name]),
    )


def scratch_mesh(
    wanted: Wanted, bounds: tuple[int, int, int, int] | None, commits: list[list[Key]], links_after: int
) -> NavMesh:
    """The same mesh made at once: tiles in these commits, the links with the commit numbered `links_after`."""
    mesh = NavMesh(SETTINGS, bounds, volume_names=VOLUMES)
    for number, keys in enumerate([*commits, []]):
        if number == min(links_after, len(commits)):
            ids = [mesh.stage_link(link) for link, _ in wanted.links.values()]
            for new, (_, enabled) in zip(ids, wanted.links.values(), strict=True):
                mesh.stage_link_enable(new, enabled)
        for key in keys:
            mesh.stage_tile(wanted.tiles[key])
        mesh.commit()
    for (key, polygon), area in wanted.areas.items():
        mesh.stage_area(mesh.reference(key[0], key[1], polygon, key[2]), area)
    for (key, polygon), flags in wanted.flags.items():
        mesh.stage_flags(mesh.reference(key[0], key[1], polygon, key[2]), flags)
    mesh.commit()
    return mesh


# --- what is, by place


class Places:
    """Names a mesh's references by place and its links by rank; a reference that is not valid is an error."""

    def __init__(self, mesh: NavMesh) -> None:
        self._mesh = mesh
        self._keys = {view.slot: (view.column, view.row, view.layer) for view in mesh.tiles()}
        self._ranks = {record.id: rank for rank, record in enumerate(mesh.link_records())}

    def of(self, reference: int) -> Place | None:
        if reference == 0:
            return None
        assert self._mesh.is_valid(reference)
        return (*self._keys[reference >> 21 & 0xFFFFF], reference & 0x1FFFFF)

    def rank(self, link_id: int) -> int | None:
        return self._ranks[link_id] if link_id else None


def exactly(numbers: tuple[float, ...] | float | None) -> object:
    """Numbers that are equal only bit for bit."""
    if isinstance(numbers, tuple):
        return tuple(map(float.hex, numbers))
    return numbers if numbers is None else float(numbers).hex()


def content(mesh: NavMesh) -> dict[object, object]:
    """Tiles and links of a mesh by place, to the bit."""
    places = Places(mesh)
    found: dict[object, object] = {}
    for view in mesh.tiles():
        links = view.links.copy()
        targets = [places.of(int(target)) for target in links["target"]]
        ranks = [places.rank(int(link_id)) for link_id in links["id"]]
        links["target"] = links["id"] = 0
        found[view.column, view.row, view.layer] = (
            view.tile,
            view.areas.tolist(),
            view.flags.tolist(),
            view.frontier_sides,
            links.tobytes(),
            targets,
            ranks,
        )
    for record in mesh.link_records():
        state = mesh.link_state(record.id)
        assert (state.definition, state.enabled) == (record.definition, record.enabled)
        ends = [
            (end.status, places.of(end.polygon), exactly(end.point), exactly(end.distance))
            for pair in state.ends
            for end in pair
        ]
        found["link", places.rank(record.id)] = (record.definition, record.enabled, state.status, ends)
    found["counts"] = (mesh.tile_count, mesh.polygon_count)
    return found


FILTERS = (None, QueryFilter(costs={5: 3.0, 63: 1.5}), QueryFilter(exclude_flags=2))


def random_place(draw: Random) -> tuple[float, float, float]:
    """A position on or beside the pool's tiles, often on a border between them."""
    x, z = (draw.choice([draw.uniform(-1, most), float(draw.randrange(0, most, 4))]) for most in (33, 17))
    y = draw.choice([0.0, 0.0, 1.0, 3.0, 3.0, 6.5])
    return (x + FAR_CELL[0] * SIDE, y, z + FAR_CELL[1] * SIDE) if draw.random() < 0.1 else (x, y, z)


def random_link(draw: Random) -> LinkDef:
    """Links of all sorts; many reach nothing, some look far around."""
    start, end = random_place(draw), random_place(draw)
    if draw.random() < 0.4:
        end = (start[0] + draw.choice([-2.0, 3.0, 8.0]), draw.choice([0.0, start[1]]), start[2] + draw.uniform(-3, 3))
    upright = start[0] == end[0] and start[2] == end[2]
    return LinkDef(
        start,
        end,
        draw.choice([0.0, 0.4, 1.0, 3.0]),
        draw.choice([0.4, 1.0, 2.5, 40.0]),
        cost=draw.choice([0.0, 0.0, 2.5]),
        kind=draw.randrange(64),
        bidirectional=draw.random() < 0.5,
        width=0.0 if upright else draw.choice([0.0, 0.0, 1.3, 6.0]),
        area=draw.choice([63, 63, 5, 0]),
        flags=draw.choice([1, 1, 3, 0]),
    )


def middles(mesh: NavMesh) -> list[tuple[float, float, float]]:
    """The middle of every polygon's corners, in order of place."""
    views = sorted(mesh.tiles(), key=lambda view: (view.column, view.row, view.layer))
    corners = [mesh.polygon(reference) for view in views for reference in view.references.tolist()]
    return [tuple(points.mean(axis=0).tolist()) for points in corners]


def answers(mesh: NavMesh, seed: int, count: int = 4) -> list[object]:
    """What a mesh says to random questions, references by place."""
    draw, places, known = Random(seed), Places(mesh), middles(mesh)
    query = NavMeshQuery(mesh, draw.choice([NodeModel.POLYGON, NodeModel.CROSSING]))
    found: list[object] = []
    for _ in range(count):
        start, end = (draw.choice(known) if known and draw.random() < 0.7 else random_place(draw) for _ in range(2))
        chosen = draw.choice(FILTERS)
        near = query.find_nearest_polygon(start, filter=chosen)
        found.append((places.of(near.ref), exactly(near.point), exactly(near.distance_squared), near.over_polygon))
        path = query.find_path(start, end, filter=chosen)
        found.append(
            (
                path.status,
                path.detail,
                path.points.tobytes(),
                path.marks.tolist(),
                [places.of(int(reference)) for reference in path.polygons],
                [places.rank(int(link)) for link in path.links],
                [places.of(int(reference)) for reference in path.corridor.polygons],
                exactly(path.cost),
                exactly(path.length),
                path.missing_tiles,
            )
        )
    return found
