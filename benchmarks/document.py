"""The comparison as a page of tables in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.batches import THREADS
from benchmarks.heights import SPACING
from benchmarks.places import RADIUS
from benchmarks.queries import HALF_EXTENTS, STEP
from benchmarks.subjects import DETAILS

Result = dict[str, Any]

#: The level tables' rows of queries, by the names of what was measured.
QUERIES = {
    "nearest": "nearest polygon",
    "raycast": "raycast",
    "move": "step along the surface",
    "path": "path with its corners",
    "circle": "polygons in a circle",
    "random_around": "random point around a place",
}

#: Kinds of batches, by the names of what was measured.
BATCHES = {
    "nearest": "nearest polygons",
    "raycast": "raycasts",
    "move": "steps along the surface",
    "wall": "nearest walls",
    "floor": "whether on the mesh",
    "random": "random points",
    "path": "paths with their corners",
    "distance": "costs from place to place",
}

#: Node models whose lines may exceed the shortest.
MODELS = ("POLYGON", "CROSSING")

TITLE = """# Side by side

OnePath beside two builders and query libraries from npm, on the same levels with the same settings. This page is
written by

```sh
python -m benchmarks --peers --markdown docs/compare.md
```

which needs node and npm; the peers' packages are installed into a cache folder and are no part of this project.
"""

METHOD = """## How it is measured

**Times depend on the machine**; the ratios in brackets, ours / theirs, depend on it less. Below 1 OnePath is faster.
All sides work in turns, each in a process of its own, on one thread, and the clock runs inside that process. OnePath
is called from Python, the peers from JavaScript.

Every level is moved so that its lowest corner is the origin: the peers' grids begin there and OnePath's at multiples of
the tile size, so all rasterize the same cells.

- **bake**: from triangles in memory to a mesh that answers queries; the median of {rounds} bakes after one that does
  not count, with heights sampled and followed as the row says.
- **walkable area**: of the polygons seen from above, storeys added up.
- **components**: sets of polygons that the library's own links join. In brackets how many of them are as large as
  `min_region_area`. Smaller ones remain where a region touches the side of a tile; OnePath removes such islands where
  `NavMesh.prune_islands` is asked to.
- **height error**: largest / 99th percentile / mean, up or down from the surface that a library's heights follow to the
  nearest floor of the level, in columns {spacing:g} m apart. A floor is where a column meets a triangle that faces up
  and has room for the agent above. No voxel builder comes to 0: floors are rounded up to a row, and at a curb that can
  be climbed the surface of any mesh runs up or down a slope where the level has an edge. Where a column has several
  floors and the error is beyond half of what is between them, the figure is less than the true error, never more.
- **off the floor**: the part of the columns in which the surface juts out over an edge, or has no floor above or below
  it. They do not count among the height errors.
- **dropped contours**: outlines of walkable regions that could not be made polygons. OnePath counts them in its report;
  the peers have no such count, so what they warn of while they bake stands there. recast-navigation says "Failed to
  create Detour navmesh data" of every tile that has nothing to walk on.
- **queries**: the median over {pairs} pairs of places on the floors, spread by area, on the first bake, one call at a
  time. The nearest polygon is looked for in a box of {reach} m. A path leads from one position to another: both are
  looked up, polygons searched, corners found. Rays, steps, circles and random points begin with the polygon at hand.
  Steps are {step:g} m long, circles have a radius of {radius:g} m.
- **pairs reached**: paths that come to their end. Sides differ where the polygon nearest to a place is a small island
  that another side left out.
- **excess of lines**: by how much paths of the other node models are longer than the exact one, mean and worst, in X/Z.
- **batches**: microseconds a query where one call on one thread asks many, and where each is a call of its own, one
  after the other (those above are asked ten times in a row, by when the processor knows the way); then how many times
  faster two threads are, and two processes that share nothing but the machine: threads cannot gain more. The peers have
  no such calls.
"""


def page(document: Result) -> str:
    """The page for what `python -m benchmarks --peers` measured."""
    levels: dict[str, Result] = document["results"]
    parts = [TITLE, _machine(document), _settings(document), _method(document), "## At a glance\n", _glance(levels)]
    parts += [f"## {name}\n\n{level_table(result)}" for name, result in levels.items()]
    return "\n".join(parts)


def _machine(document: Result) -> str:
    machine, peers = document["machine"], document["peers"]
    packages = " and ".join(f"{name} {version}" for name, version in peers["packages"].items())
    lines = [
        "## On what\n",
        f"- {machine['processor']}, {machine['cores']} cores, {machine['system']}",
        f"- OnePath {document['onepath']} on {machine['python']} with NumPy {document['numpy']}",
        f"- {packages} on node {peers['node']}",
    ]
    if machine["busy"]:
        lines.append(
            f"- The machine was busy with other work (load {machine['load']:g}): take the times below for their size "
            "and their ratios only."
        )
    return "\n".join(lines) + "\n"


def _settings(document: Result) -> str:
    rows = [f"| `{name}` | {value:g} |" for name, value in document["peers"]["settings"].items()]
    head = "## Settings\n\nMetres, square metres and degrees; what ends in cells or rows is counted in those.\n"
    return "\n".join([head, "| setting | value |", "|---|---|", *rows, ""])


def _method(document: Result) -> str:
    return METHOD.format(
        rounds=document["rounds"],
        pairs=document["pairs"],
        spacing=SPACING,
        step=STEP,
        radius=RADIUS,
        reach=" by ".join(f"{2 * extent:g}" for extent in HALF_EXTENTS),
    )


def _glance(levels: dict[str, Result]) -> str:
    """One line a level: the ratios to each peer, and the largest height errors."""
    peers = _peers(next(iter(levels.values())))
    heads = [f"{what} / {peer}" for what in ("bake", "path") for peer in peers]
    heads += [f"largest height error, {side}" for side in ("onepath", *peers)]
    lines = [f"| level | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, result in levels.items():
        ratios = [row["peers"][peer]["ratio"] for row in (result["bake"], result["queries"]["path"]) for peer in peers]
        errors = [result["quality"][side]["height"]["largest"] for side in ("onepath", *peers)]
        cells = [f"{value:.2f}" for value in ratios] + [f"{value:.2f} m" for value in errors]
        lines.append(f"| [{name}](#{name}) | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _peers(result: Result) -> list[str]:
    return list(result["bake"]["peers"])


def level_table(result: Result) -> str:
    """Everything about one level: a line a figure, a column a library."""
    peers = _peers(result)
    lines = [f"| | onepath | {' | '.join(peers)} |", "|---" * (len(peers) + 2) + "|"]
    rows = [*_bakes(result), *_qualities(result), *_queries(result), *_exact(result), *_batches(result)]
    lines += [f"| {label} | {' | '.join(cells)} |" for label, cells in rows]
    return "\n".join(lines) + "\n"


Row = tuple[str, list[str]]


def _bakes(result: Result) -> list[Row]:
    peers = _peers(result)
    return [(f"bake, {_detail(ending)}, ms", _timed(result["bake" + ending], peers)) for ending in DETAILS]


def _detail(ending: str) -> str:
    settings = DETAILS[ending]
    return f"heights every {settings.detail_sample_distance:g} m within {settings.detail_max_error:g} m"


def _timed(row: Result, peers: list[str]) -> list[str]:
    """Ours, and theirs with the ratio; a dash for who has no such call."""
    cells = [f"{row['onepath']['median']:.2f}"]
    for peer in peers:
        times = row["peers"].get(peer)
        cells.append("-" if times is None else f"{times['median']:.2f} ({times['ratio']:.2f})")
    return cells


def _qualities(result: Result) -> list[Row]:
    sides = ["onepath", *_peers(result)]

    def row(label: str, text: Callable[[Result], str], which: str = "quality") -> Row:
        return label, [text(result[which][side]) for side in sides]

    def errors(side: Result) -> str:
        height = side["height"]
        return f"{height['largest']:.2f} / {height['p99']:.2f} / {height['mean']:.2f}"

    return [
        row("polygons", lambda side: str(side["polygons"])),
        row("triangles of height", lambda side: str(side["triangles"])),
        row("walkable area, m²", lambda side: f"{side['area']:.1f}"),
        row("components", lambda side: f"{side['components']} ({side['components_of_size']})"),
        row("largest component, m²", lambda side: f"{side['largest_component']:.1f}"),
        *(row(f"height error, {_detail(ending)}, m", errors, "quality" + ending) for ending in DETAILS),
        row("off the floor", lambda side: f"{side['height']['off_floor']:.2%}"),
        row("dropped contours", _dropped),
    ]


def _dropped(side: Result) -> str:
    if "unkept_contours" in side:
        return str(side["unkept_contours"])
    warned = ", ".join(f"{count} × “{kind}”" for kind, count in side["warnings"].items())
    return f"not reported; warnings: {warned or 'none'}"


def _queries(result: Result) -> list[Row]:
    peers = _peers(result)
    asked = {**result["queries"], **result["places"]}
    rows = [(f"{label}, µs", _timed(asked[what], peers)) for what, label in QUERIES.items() if what in asked]
    lengths = asked["lengths"]
    reached = [f"{lengths[side]['reached']} of {asked['pairs']}" for side in ("onepath", *peers)]
    return [*rows, ("pairs reached", reached), ("mean length where both reach, m", _mean_lengths(lengths, peers))]


def _mean_lengths(lengths: Result, peers: list[str]) -> list[str]:
    pairs = [(lengths[peer]["onepath_mean_where_both"], lengths[peer]["mean_where_both"]) for peer in peers]
    return ["", *(f"{theirs:.2f} (ours {ours:.2f})" for ours, theirs in pairs)]


def _exact(result: Result) -> list[Row]:
    """What only ours has: the shortest line over the whole mesh, and by how much other models exceed it."""
    exact, dashes = result["exact"], ["-"] * len(_peers(result))
    excess = " / ".join(
        f"{exact['excess'][model]['mean']:.2%} ({exact['excess'][model]['worst']:.1%})" for model in MODELS
    )
    return [
        ("path in the exact model, µs", [f"{exact['us_median']['EXACT']:.2f}", *dashes]),
        (f"excess of lines, {' / '.join(MODELS).lower()} model", [excess, *dashes]),
    ]


def _batches(result: Result) -> list[Row]:
    peers = _peers(result)
    return [
        (
            f"{BATCHES[what]}, batches of {' / '.join(f'{count:,}' for count in row['sizes'])}, µs",
            [_batch(row), *("-" for _ in peers)],
        )
        for what, row in result["batches"].items()
    ]


def _batch(row: Result) -> str:
    one, two = THREADS
    sizes = row["sizes"].values()
    each = " / ".join(f"{times[one]:.2f}" for times in sizes)
    single = "" if row["single"] is None else f" ({row['single']:.2f} in single calls)"
    gains = " / ".join(f"{times[one] / times[two]:.2f}" for times in sizes)
    return f"{each}{single}; two threads {gains} times faster, two processes {row['processes']:.2f}"
