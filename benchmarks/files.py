"""Loading files against reading and summing their bytes, and commits of one tile into meshes of many sizes."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import onepath
from benchmarks.subjects import SETTINGS
from benchmarks.timing import milliseconds
from onepath import levels
from onepath.mesh import Tile

SIZES = (100, 1_000, 10_000)


def town_tiles() -> list[Tile]:
    """The tiles of a town of 8 by 8."""
    return [view.tile for view in onepath.bake(levels.town(), SETTINGS).tiles()]


def moved(tile: Tile, column: int, row: int) -> Tile:
    """The same tile in another cell."""
    return Tile.from_arrays(
        column,
        row,
        tile.section("vertices"),
        tile.section("polygon_offsets"),
        tile.section("polygon_vertices"),
        tile.settings,
        areas=tile.section("areas"),
    )


def repeated_mesh(tiles: list[Tile], count: int) -> onepath.NavMesh:
    """About `count` tiles in a square, the town again and again."""
    side = round(count**0.5)
    by_cell = {(tile.column % 8, tile.row % 8): tile for tile in tiles}
    mesh = onepath.NavMesh(tiles[0].settings, (0, 0, side - 1, side - 1))
    for row in range(side):
        for column in range(side):
            mesh.stage_tile(moved(by_cell[column % 8, row % 8], column, row))
    mesh.commit()
    return mesh


def loading(mesh: onepath.NavMesh, repeats: int) -> dict[str, float]:
    """Milliseconds of loading a file and of reading it and summing its bytes, in turns; and the ratios of medians."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mesh.navmesh"
        begin = perf_counter()
        mesh.save(path)
        times: dict[str, list[float]] = {"save": [(perf_counter() - begin) * 1e3]}
        runs: dict[str, Callable[[], object]] = {
            "load": lambda: onepath.NavMesh.load(path),
            "load_mapped": lambda: onepath.NavMesh.load(path, mmap=True),
            "read_and_crc32": lambda: zlib.crc32(path.read_bytes()),
            "read_and_numpy_sum": lambda: np.frombuffer(path.read_bytes(), np.uint8).sum(),
        }
        for _ in range(repeats):
            for name, run in runs.items():
                times.setdefault(name, []).extend(milliseconds(run, 1))
        megabytes = path.stat().st_size / 1e6
    medians = {f"{name}_ms": median(values) for name, values in times.items()}
    return {
        "megabytes": megabytes,
        **medians,
        "load_over_crc32": medians["load_ms"] / medians["read_and_crc32_ms"],
        "load_over_numpy_sum": medians["load_ms"] / medians["read_and_numpy_sum_ms"],
    }


def commits(mesh: onepath.NavMesh, tiles: list[Tile], repeats: int) -> dict[str, float]:
    """Microseconds of replacing one tile near the middle: the commit alone, and staging and committing together."""
    side = round(mesh.tile_count**0.5)
    first = side // 2 // 8 * 8 if side >= 16 else 0
    fresh = [moved(tile, first + tile.column % 8, first + tile.row % 8) for tile in tiles]
    alone, together = [], []
    for index in range(repeats):
        begin = perf_counter()
        mesh.stage_tile(fresh[index % len(fresh)])
        staged = perf_counter()
        mesh.commit()
        end = perf_counter()
        alone.append((end - staged) * 1e6)
        together.append((end - begin) * 1e6)
    return {"commit_us": median(alone), "stage_and_commit_us": median(together)}


def measure(repeats: int = 9) -> dict[str, Any]:
    """Figures by name: commits into 100, 1,000 and 10,000 tiles, and loading them."""
    tiles = town_tiles()
    results: dict[str, Any] = {}
    for size in SIZES:
        mesh = repeated_mesh(tiles, size)
        figures = {**commits(mesh, tiles, 1000), **loading(mesh, repeats)}
        results |= {f"{size}_tiles_{name}": value for name, value in figures.items()}
    return results
