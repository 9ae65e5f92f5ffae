"""Baking: a level in, a navigation mesh out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from onepath._baking import TileWriter
from onepath._one_call import NavMesh
from onepath.answers import counted
from onepath.build import AgentShape, BakeSettings, ConvexVolume
from onepath.build._binning import bin_triangles
from onepath.build._tile import TileBaker
from onepath.build.arguments import point, several, several_positions, switch
from onepath.build.grid import TileGrid
from onepath.build.report import BakeReport, BakeStatus, LevelLook, look_at_level
from onepath.build.settings import bake_settings, where_fields_are
from onepath.errors import ArgumentError, LimitError
from onepath.geometry import Areas, Level
from onepath.geometry.surfaces import connected_surfaces
from onepath.geometry.triangles import turned_up
from onepath.io.sources import LevelSource, as_level
from onepath.mesh._tile import Tile
from onepath.mesh.floor_mask import FloorMask
from onepath.mesh.link import LinkDef
from onepath.mesh.navmesh import checked_areas
from onepath.mesh.pruning import tiles_reachable
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tier import Limits, Tier
from onepath.names import checks_names

__all__ = ["bake"]

#: Tier, limits, areas, names of volumes.
Promises = tuple[Tier, Limits | None, Areas, Sequence[str]]
Progress = Callable[[int, int], object]

#: Links between spans count the floors of a column in six bits (voxelization document, section 7).
MOST_LINKED_FLOORS = 63

#: The warning where a bake leaves nothing and nothing about the level says why.
NOTHING_FITS = (
    "nothing is walkable: no floor is wide, high and large enough for the agent (see radius, height, min_region_area)"
)


@checks_names("bake", where_fields_are())
def bake(
    source: LevelSource,
    settings: BakeSettings | None = None,
    *,
    radius: float | None = None,
    height: float | None = None,
    max_climb: float | None = None,
    max_slope: float | None = None,
    volumes: Iterable[ConvexVolume] = (),
    links: Iterable[LinkDef] = (),
    seeds: Iterable[Sequence[float]] | Sequence[float] | None = None,
    areas: Areas | None = None,
    tier: Tier = Tier.DYNAMIC,
    limits: Limits | None = None,
    classify: bool = True,
    progress: Progress | None = None,
) -> NavMesh:
    """The navigation mesh of a level.

    Args:
        source: a level file, a `Level`, a pair (vertices (n, 3), triangles (m, 3)), or a mesh with `vertices` and
            `faces` such as trimesh's.
        settings: everything about the bake; default: `BakeSettings.for_agent` of the agent given here.
        radius, height, max_climb: metres; max_slope: degrees. Instead of `settings`, for the agent's body; what is left
            out is `AgentShape`'s default.
        volumes: area volumes, applied in this order after erosion; later ones overwrite. Their names become the mesh's
            `volume_names`, in order.
        links: off-mesh links; `mesh.link_records()` gives them their ids, ascending in this order.
        seeds: positions that agents start from, or one, each snapped within `mesh.snap_reach`: what cannot be walked
            to from any of them, over off-mesh links the way they lead, is left out, and `mesh.floor_mask` remembers it
            for tiles that are baked again. None keeps everything.
        areas: what the names of areas in the level, its volumes and later on the mesh mean; None knows "ground" only.
        tier, limits: which changes the mesh will take, and how large it may become; see `Tier` and `Limits`.
        classify: False keeps the area ids of triangles above the slope limit, which are zeroed otherwise.
        progress: called as progress(tiles done, tiles in all) after every tile.

    Returns:
        A mesh with a tile in every grid cell over the level, empty ones too; `mesh.report` says what happened. Without
        triangles it is an empty mesh whose report says NO_GEOMETRY.

    Raises:
        LevelError, ArgumentError, RangeError, UnknownNameError: before anything is baked, naming what is wrong.
        LimitError: more tiles or crossings of links than `limits` allow, before anything is baked; more polygons, which
            only the bake can tell, after it; a tile that does not fit its format.

    >>> level = Level()
    >>> level.add_plane((0, 0), (10, 10))
    >>> mesh = bake(level, radius=0.5)
    >>> mesh.report.status.name
    'OK'
    """
    started = perf_counter()
    chosen = _settings(settings, radius=radius, height=height, max_climb=max_climb, max_slope=max_slope)
    level = as_level(source)
    known = Areas() if areas is None else checked_areas(areas)
    kept_volumes = tuple(volume.resolved(known) for volume in several("volumes", volumes, ConvexVolume))
    kept_links = several("links", links, LinkDef)
    for index, link in enumerate(kept_links):
        known.id(link.area, f"links[{index}].area")
    kept_seeds = None if seeds is None else _seeds(seeds)
    names = tuple(dict.fromkeys(volume.name for volume in kept_volumes if volume.name is not None))
    judged = switch("classify", classify)
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress is {progress!r}, which cannot be called")
    if len(level) == 0:
        return _empty_mesh(chosen, (tier, limits, known, names), kept_links, perf_counter() - started)
    job = BakeJob(chosen, level, judged, kept_volumes, names, known)
    promises = (tier, limits, known, names)
    mesh = job.mesh_without_tiles(promises, kept_links)
    if kept_seeds is not None:  # limits are for what the seeds keep
        mesh = job.mesh_without_tiles((tier, None, known, names), kept_links)
    for done, (column, row) in enumerate(job.grid.tiles(), start=1):
        mesh.stage_tile(job.tile(column, row))
        if progress is not None:
            progress(done, job.grid.tile_count)
    before_commit = perf_counter()
    mesh.commit()
    if kept_seeds is not None:
        mesh = job.kept_by_seeds(mesh, kept_seeds, promises, kept_links)
    mesh.report = _report(mesh, job, started, before_commit)
    return mesh


class BakeJob:
    """What a bake works on: a grid, the level's triangles sorted into its tiles, the writer of tiles.

    The grid is the one over the level, or the one given with what its tiles record.
    """

    def __init__(
        self,
        settings: BakeSettings,
        level: Level,
        classify: bool,
        volumes: Sequence[ConvexVolume],
        names: Sequence[str],
        known_areas: Areas,
        frame: tuple[MeshSettings, TileGrid] | None = None,
    ) -> None:
        vertices, triangles, areas = level.triangles(known_areas)
        solids = self._solids(settings, vertices, triangles)
        if settings.two_sided:
            triangles = turned_up(vertices, triangles)
        # All vertices of a level are used by triangles.
        if frame is None:
            self.grid = TileGrid.over(settings, vertices.min(axis=0), vertices.max(axis=0))
            self.mesh_settings = MeshSettings.of_grid(settings.agent, self.grid)
        else:
            self.mesh_settings, self.grid = frame
        self._looked_at = vertices, triangles, settings
        self.triangle_count = len(triangles)
        self.empty_tiles = 0
        self.lost_seeds: tuple[str, ...] = ()
        self.lost: list[str] = []
        marks = [0 if volume.name is None else names.index(volume.name) + 1 for volume in volumes]
        self.baker = TileBaker(vertices, triangles, areas, solids, self.grid.cells, classify, volumes, marks)
        self._writer = TileWriter(self.baker, self.grid, self.mesh_settings)
        self._offsets, self._indices = bin_triangles(
            vertices, triangles, self.grid.tile_size, self.grid.padding, *self.grid.bounds
        )

    def _solids(
        self, settings: BakeSettings, vertices: NDArray[np.float64], triangles: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
        """Where insides go: the triangles before any is turned over, and the closed surface of each, -1 for none."""
        self.open_surfaces: tuple[int, ...] = ()
        if settings.solid_interior == "keep":
            return None
        found = connected_surfaces(vertices, triangles)
        self.open_surfaces = found.open_surfaces
        return triangles, found.closed_names

    @cached_property
    def look(self) -> LevelLook:
        """What the report says of the level as a whole."""
        return look_at_level(*self._looked_at)

    def mesh_without_tiles(self, promises: Promises, links: Iterable[LinkDef]) -> NavMesh:
        """The mesh for the bake's tiles, its links staged. A commit would count both too, but only after the bake."""
        mesh = NavMesh(self.mesh_settings, self.grid.bounds, *promises)
        most = mesh.limits.tiles
        if most is not None and self.grid.tile_count > most:
            raise LimitError(f"tiles: the level needs {self.grid.tile_count} tiles; limits.tiles is {most}")
        _stage_links(mesh, links)
        return mesh

    def tile(self, column: int, row: int) -> Tile:
        cell = (row - self.grid.first_row) * self.grid.columns + (column - self.grid.first_column)
        lost = self.baker.unresolved_contours, self.baker.failed_regions
        tile = self._writer.tile(column, row, self._indices[self._offsets[cell] : self._offsets[cell + 1]])
        if lost != (self.baker.unresolved_contours, self.baker.failed_regions):
            self._note_lost(column, row, self.baker.unresolved_contours - lost[0], self.baker.failed_regions - lost[1])
        self.empty_tiles += tile.polygon_count == 0
        return tile

    def _note_lost(self, column: int, row: int, crossings: int, outlines: int) -> None:
        """What a tile could not keep, and why."""
        if crossings:
            self.lost.append(f"tile ({column}, {row}): {counted(crossings, 'crossing')} of outlines are left")
        if outlines:
            self.lost.append(f"tile ({column}, {row}): {counted(outlines, 'outline')} could not be cut into triangles")

    def kept_by_seeds(
        self,
        mesh: NavMesh,
        seeds: Sequence[tuple[float, float, float]],
        promises: Promises,
        links: Iterable[LinkDef],
    ) -> NavMesh:
        """What can be reached from the seeds, as another mesh: its tiles were committed once and never replaced."""
        places = [mesh.snap(seed) for seed in seeds]
        mask = FloorMask(tiles_reachable(mesh, [place.ref for place in places if place]))
        tiles = [mask.applied(view.tile) for view in mesh.tiles()]
        lost = [index for index, place in enumerate(places) if not place]
        self.lost_seeds = tuple(f"seeds[{index}], {seeds[index]}, lies on no walkable ground" for index in lost)
        if not seeds:
            self.lost_seeds = ("seeds is empty, so that there is nothing to keep; None keeps everything",)
        self.empty_tiles = sum(tile.polygon_count == 0 for tile in tiles)
        kept = NavMesh(mesh.settings, mesh.grid_bounds, *promises, floor_mask=mask)
        for tile in tiles:
            kept.stage_tile(tile)
        _stage_links(kept, links)
        kept.commit()
        return kept

    @property
    def lost_contours(self) -> int:
        """Contours that could not be made polygons."""
        return self.baker.failed_regions + self.baker.unresolved_contours

    def warnings(self) -> tuple[str, ...]:
        """What is suspicious about the level, and what could not be kept."""
        found = [*self.look.warnings, *self.lost_seeds]
        if self.baker.most_floors > MOST_LINKED_FLOORS:
            found.append(
                f"{self.baker.most_floors} floors lie above each other: only the lowest {MOST_LINKED_FLOORS} of them "
                "can be joined to the floors beside"
            )
        if self.lost_contours:
            found += self.lost
        return tuple(found)


def _settings(settings: BakeSettings | None, **agent: float | None) -> BakeSettings:
    given = {name: value for name, value in agent.items() if value is not None}
    if settings is None:
        return BakeSettings.for_agent(AgentShape(**given))
    bake_settings(settings)
    if given:
        raise ArgumentError(f"{', '.join(given)} and settings are both given; settings.agent has the body already")
    return settings


def _seeds(given: Iterable[Sequence[float]] | Sequence[float]) -> list[tuple[float, float, float]]:
    return [point(f"seeds[{index}]", seed) for index, seed in enumerate(several_positions("seeds", given))]


def _stage_links(mesh: NavMesh, links: Iterable[LinkDef]) -> None:
    for link in links:
        mesh.stage_link(link)


def _empty_mesh(
    settings: BakeSettings,
    promises: Promises,
    links: Iterable[LinkDef],
    seconds: float,
) -> NavMesh:
    """No triangles, no tiles: an empty rectangle of cells has no place, so the mesh is bounded to the one at zero."""
    grid = TileGrid.over(settings, np.zeros(3), np.zeros(3))
    mesh = NavMesh(MeshSettings.of_grid(settings.agent, grid), grid.bounds, *promises)
    _stage_links(mesh, links)
    mesh.commit()
    mesh.report = BakeReport(status=BakeStatus.NO_GEOMETRY, warnings=("the level holds no triangles",), seconds=seconds)
    return mesh


def _report(mesh: NavMesh, job: BakeJob, started: float, before_commit: float) -> BakeReport:
    now = perf_counter()
    stages = dict(job.baker.stage_seconds)
    stages["commit"] = now - before_commit
    stages["other"] = max(0.0, now - started - sum(stages.values()))
    warnings = job.warnings()
    if not mesh.polygon_count and not warnings:
        warnings = (NOTHING_FITS,)
    return BakeReport(
        status=BakeStatus.OK if mesh.polygon_count else BakeStatus.NOTHING_WALKABLE,
        tiles=mesh.tile_count,
        empty_tiles=job.empty_tiles,
        polygons=mesh.polygon_count,
        walkable_area=mesh.walkable_area,
        triangles=job.triangle_count,
        degenerate_triangles=job.look.degenerate,
        facing_down=job.look.facing_down,
        too_steep=job.look.too_steep,
        largest_detail_error=job.baker.largest_detail_error,
        largest_detail_error_at=job.baker.largest_detail_error_at,
        unkept_contours=job.lost_contours,
        open_surfaces=job.open_surfaces,
        warnings=warnings,
        seconds=now - started,
        stage_seconds=stages,
    )
