"""A mesh under any sequence of changes stays what a mesh made from scratch is; what fails changes nothing."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from onepath import NavMesh
from onepath.errors import ArgumentError, BusyError, LimitError, RangeError, TileFormatError, UnsupportedError
from onepath.mesh import CommitReport, Limits, LinkDef, Tier
from onepath.query import Corridor, NavMeshQuery, PathStatus, QueryFilter
from tests.living import (
    BOUNDS,
    FAR_KEYS,
    KEYS,
    SETTINGS,
    VARIANTS,
    VOLUMES,
    Key,
    Slots,
    Staged,
    Wanted,
    answers,
    content,
    crossings_of,
    middles,
    pooled_tile,
    random_link,
    random_place,
    report_of,
    scratch_mesh,
)
from tests.living_corridors import assert_checked_rightly, corridor_stands
from tests.meshes import settings_of, tile_of

SEEDS = st.integers(0, 2**32 - 1)
PARTS = st.sampled_from([*KEYS, *FAR_KEYS])
TILES = st.lists(st.tuples(PARTS, st.integers(0, VARIANTS - 1)), min_size=1, max_size=4)


class LivingMesh(RuleBasedStateMachine):
    """Changes a mesh and plain dicts side by side, and compares them after every commit."""

    bounds: ClassVar[tuple[int, int, int, int] | None] = BOUNDS
    limits: ClassVar[Limits | None] = None
    tier: ClassVar[Tier] = Tier.DYNAMIC
    #: How often a slot may be used; fewer than the format allows, so that slots retire.
    generations: ClassVar[int] = 2**22 - 1

    def __init__(self) -> None:
        super().__init__()
        self.mesh = NavMesh(SETTINGS, self.bounds, self.tier, self.limits, volume_names=VOLUMES)
        self.mesh._narrow_limits(generations=self.generations, **self.crossing_limit)
        self.wanted, self.staged = Wanted(), Staged()
        self.slots: Slots | None = Slots(self.generations)
        self.edits = self.misuse = 0
        self.next_link = 1
        self.held: dict[int, tuple[Key, int, int]] = {}  # reference: place of its tile, birth, polygon
        self.corridors: list[Corridor] = []
        self.searches: list[tuple[NavMeshQuery, tuple[int, object, int, object], int]] = []
        self.reports: list[CommitReport] = []
        self.mesh.on_commit(self.reports.append)

    @property
    def crossing_limit(self) -> dict[str, int]:
        most = self.limits and self.limits.link_crossings
        return {} if most is None else {"crossings": most}

    # --- what is compared

    def compare(self, seed: int) -> None:
        """Tiles and links with a mesh made in any order, answers with one whose slots are in the same order."""
        draw, now = Random(seed), content(self.mesh)
        keys = sorted(self.wanted.tiles)
        draw.shuffle(keys)
        some = draw.randrange(len(keys) + 1)
        assert now == content(scratch_mesh(self.wanted, self.bounds, [keys[:some], keys[some:]], draw.randrange(3)))
        keys.sort(key=lambda key: self.mesh._slot_of(*key))
        alike = scratch_mesh(self.wanted, self.bounds, [[key] for key in keys], draw.randrange(20))
        assert now == content(alike)
        assert answers(self.mesh, seed) == answers(alike, seed)

    def hold(self, draw: Random) -> None:
        """Keeps references and a corridor of the mesh as it is now."""
        for view in self.mesh.tiles():
            key = view.column, view.row, view.layer
            for polygon, reference in enumerate(view.references.tolist()):
                self.held.setdefault(reference, (key, self.wanted.births[key], polygon))
        ends = middles(self.mesh) or [random_place(draw)]
        path = self.mesh.find_path(draw.choice(ends), draw.choice(ends))
        if len(path.corridor) > 1:
            self.corridors.append(path.corridor)

    def stands(self, reference: int) -> bool:
        key, birth, _ = self.held[reference]
        return key in self.wanted.tiles and self.wanted.births[key] == birth

    def check_held(self) -> None:
        for reference, (key, _, polygon) in self.held.items():
            assert self.mesh.is_valid(reference) == self.stands(reference)
            if self.stands(reference):
                assert self.mesh.reference(key[0], key[1], polygon, key[2]) == reference
                assert self.mesh.area(reference) == self.wanted.area(key, polygon)
                assert self.mesh.flags(reference) == self.wanted.bits(key, polygon)

    def check_what_is_stale(self) -> None:
        query, point = NavMeshQuery(self.mesh), (4.0, 0.0, 4.0)
        stale = [reference for reference in self.held if not self.stands(reference)][-3:]
        for reference in stale:
            for call in (self.mesh.polygon, self.mesh.area, self.mesh.flags):
                with pytest.raises(ArgumentError, match="stale"):
                    call(reference)
            assert query.find_corridor(reference, point, reference, point).status is PathStatus.INVALID_START
        for corridor in self.corridors:
            stands = corridor_stands(self.mesh, corridor)
            status = PathStatus.SUCCESS if stands else PathStatus.INVALID_CORRIDOR
            assert query.find_straight_path(point, point, corridor).status is status
            assert_checked_rightly(self.mesh, corridor)

    def continue_searches(self) -> None:
        """A search that was begun before a commit is stale, if that changed anything, or ends as one begun now."""
        for query, question, begun in self.searches:
            if query.update_path(1_000_000) is PathStatus.STALE:
                assert begun != self.edits
            else:
                assert query.finish_path() == NavMeshQuery(self.mesh).find_corridor(*question)  # type: ignore[arg-type]
        self.searches.clear()

    # --- staging

    @initialize(parts=st.lists(st.sampled_from(KEYS), min_size=5, max_size=14, unique=True), seed=SEEDS)
    def begin(self, parts: list[Key], seed: int) -> None:
        draw = Random(seed)
        self.stage_tiles([(key, draw.randrange(VARIANTS)) for key in parts])
        self.stage_links(seed, 6)
        self.commit(seed)

    @rule(tiles=TILES)
    def stage_tiles(self, tiles: list[tuple[Key, int]]) -> None:
        for key, variant in tiles:
            tile = pooled_tile(key, variant)
            form = tile if variant % 2 else tile.to_bytes()
            if self.bounds is not None and key in FAR_KEYS:
                with pytest.raises(RangeError, match="outside the mesh's bounds"):
                    self.mesh.stage_tile(form)
                continue
            if self.tier < Tier.DYNAMIC and key in self.wanted.tiles:
                with pytest.raises(UnsupportedError, match="replacing tile"):
                    self.mesh.stage_tile(form)
                continue
            self.mesh.stage_tile(form)
            self.staged.tiles[key] = tile

    @rule(key=PARTS)
    def stage_removal(self, key: Key) -> None:
        if key in self.wanted.tiles:
            self.staged.tiles[key] = None
        elif self.staged.tiles.pop(key, None) is None:
            with pytest.raises(ArgumentError, match="there is no tile"):
                self.mesh.stage_tile_removal(*key)
            return
        self.mesh.stage_tile_removal(*key)

    @rule(seed=SEEDS, count=st.integers(1, 4))
    def stage_links(self, seed: int, count: int) -> None:
        draw = Random(seed)
        for _ in range(count):
            link = random_link(draw)
            planned = self.staged.applied_to(self.wanted).crossing_count + crossings_of(link)
            if planned > self.crossing_limit.get("crossings", planned):
                with pytest.raises(LimitError, match="crossings"):
                    self.mesh.stage_link(link)
                continue
            new = self.mesh.stage_link(link)
            assert new == self.next_link
            self.next_link += 1
            self.staged.links[new] = (link, True)

    @rule(seed=SEEDS)
    def change_link(self, seed: int) -> None:
        draw = Random(seed)
        link_id = draw.randrange(1, self.next_link)
        change = draw.choice(["remove", "enable", "price"])
        known = link_id in {*self.wanted.links, *self.staged.links}
        wish = self.staged.links.get(link_id, self.wanted.links.get(link_id))
        enabled, cost = draw.random() < 0.5, draw.choice([0.0, 1.0, 7.5])
        call = {
            "remove": lambda: self.mesh.stage_link_removal(link_id),
            "enable": lambda: self.mesh.stage_link_enable(link_id, enabled),
            "price": lambda: self.mesh.stage_link_cost(link_id, cost),
        }[change]
        if self.tier < Tier.MODIFIERS and change != "remove":
            with pytest.raises(UnsupportedError, match=r"needs Tier\.MODIFIERS"):
                call()
            return
        if not known or (wish is None and change != "remove"):
            with pytest.raises(ArgumentError, match="removed"):
                call()
            return
        call()
        if change == "remove":
            self.staged.links[link_id] = None
            if link_id not in self.wanted.links:
                del self.staged.links[link_id]
        elif wish is not None:
            self.wish_link(link_id, *wish, **({"enabled": enabled} if change == "enable" else {"cost": cost}))

    def wish_link(
        self, link_id: int, link: LinkDef, was: bool, enabled: bool | None = None, cost: float = -1.0
    ) -> None:
        """What is asked of a link that is there already, staged unless it is so by now."""
        fields = {name: getattr(link, name) for name in LinkDef.__dataclass_fields__}
        wish = (LinkDef(**{**fields, "cost": link.cost if cost < 0 else cost}), was if enabled is None else enabled)
        self.staged.links[link_id] = wish
        if self.wanted.links.get(link_id) == wish:
            del self.staged.links[link_id]

    @precondition(lambda self: self.held)
    @rule(seed=SEEDS, count=st.integers(1, 4))
    def stage_modifiers(self, seed: int, count: int) -> None:
        draw = Random(seed)
        for _ in range(count):
            reference = draw.choice(sorted(self.held))
            key, _, polygon = self.held[reference]
            area, flags = draw.choice([0, 1, 5, 63, 255]), draw.choice([0, 1, 2, 3, 0xFFFF])
            if self.tier < Tier.MODIFIERS or not self.stands(reference):
                with pytest.raises((UnsupportedError, ArgumentError), match=r"stale|Tier\.MODIFIERS"):
                    self.mesh.stage_area(reference, area)
                continue
            if draw.random() < 0.7:
                self.mesh.stage_area(reference, area)
                self.staged.areas[key, polygon] = area
            else:
                self.mesh.stage_flags(reference, flags)
                self.staged.flags[key, polygon] = flags

    @rule(name=st.sampled_from(VOLUMES), area=st.sampled_from([None, 0, 5, 63]))
    def stage_volume(self, name: str, area: int | None) -> None:
        if self.tier < Tier.MODIFIERS:
            with pytest.raises(UnsupportedError, match=r"needs Tier\.MODIFIERS"):
                self.mesh.stage_volume_area(name, area)
            return
        self.mesh.stage_volume_area(name, area)
        self.staged.volumes[name] = area

    @precondition(lambda self: self.wanted.polygon_count)
    @rule(seed=SEEDS)
    def begin_a_search(self, seed: int) -> None:
        draw, query = Random(seed), NavMeshQuery(self.mesh)
        places = [self.mesh.find_path(point, point).corridor for point in draw.choices(middles(self.mesh), k=2)]
        if all(map(len, places)):
            start, end = (int(corridor.polygons[0]) for corridor in places)
            question = start, random_place(draw), end, random_place(draw)
            query.begin_path(*question)
            query.update_path(draw.randrange(1, 4))
            self.searches.append((query, question, self.edits))

    @rule(seed=SEEDS)
    def stage_what_is_refused(self, seed: int) -> None:
        draw = Random(seed)
        data = bytearray(pooled_tile(draw.choice(KEYS), draw.randrange(VARIANTS)).to_bytes())
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        with pytest.raises(TileFormatError):
            self.mesh.stage_tile(data)
        with pytest.raises(TileFormatError, match="max_climb"):
            self.mesh.stage_tile(tile_of(0, 0, [], settings_of(max_climb=0.75)))
        with pytest.raises(ArgumentError, match="no link has had"):
            self.mesh.stage_link_removal(self.next_link)

    @rule()
    def discard(self) -> None:
        self.mesh.discard_staged()
        self.staged = Staged()

    # --- commits

    def refusal(self, after: Wanted) -> str | None:
        """The limit that the next commit meets."""
        limits = self.limits or Limits()
        for name, count in (("tiles", len(after.tiles)), ("polygons", after.polygon_count)):
            most = getattr(limits, name)
            if most is not None and count > most:
                return name
        return None

    @rule(seed=SEEDS)
    def commit(self, seed: int) -> None:
        after = self.staged.applied_to(self.wanted)
        refused = self.refusal(after)
        if refused is not None:
            self.fail(LimitError, f"{refused}: this commit would make")
            return
        self.check_report(self.mesh.commit(), after)
        self.keep(after, seed)

    @rule(seed=SEEDS)
    def commit_in_an_edit_block(self, seed: int) -> None:
        """What the block adds goes with an exception and comes without one; what was staged before stays or comes."""
        before = self.staged.copy()
        with suppress(ZeroDivisionError), self.mesh.edit():
            self.stage_links(seed, 1)
            self.stage_tiles([(KEYS[seed % len(KEYS)], seed % VARIANTS)])
            raise ZeroDivisionError
        self.staged = before
        if self.refusal(before.applied_to(self.wanted)) is None:
            with self.mesh.edit() as edit:
                self.stage_links(seed, 1)
            after = self.staged.applied_to(self.wanted)
            assert edit.report is not None
            self.check_report(edit.report, after)
            self.keep(after, seed)

    def check_report(self, report: CommitReport, after: Wanted) -> None:
        changes = report_of(self.wanted, self.staged, after)
        self.edits += any(changes)
        polygons = list(report.polygons_changed)
        assert polygons == sorted(polygons, key=lambda reference: reference & (1 << 41) - 1)
        assert changes == (
            report.added,
            report.replaced,
            report.removed,
            report.links_added,
            report.links_changed,
            report.links_removed,
            {(*self.held[reference][0], self.held[reference][2]) for reference in polygons},
            report.volumes_changed,
        )
        assert bool(report) == any(changes)
        assert report.edit_count == self.mesh.edit_count == self.edits
        assert self.reports == ([report] if any(changes) else [])
        self.reports.clear()

    def keep(self, after: Wanted, seed: int) -> None:
        if self.slots is not None:
            self.slots.apply(self.staged.tiles)
            views = {(view.column, view.row, view.layer): (view.slot, view.generation) for view in self.mesh.tiles()}
            assert views == self.slots.by_place()
        self.wanted, self.staged = after, Staged()
        assert self.mesh.staged_count == 0
        self.check_held()
        assert [self.mesh.volume_area(name) for name in VOLUMES] == [after.volumes.get(name) for name in VOLUMES]
        self.check_what_is_stale()
        self.continue_searches()
        self.compare(seed)
        self.hold(Random(seed))

    def fail(self, error: type[Exception], match: str) -> None:
        """The commit fails; nothing has changed and what was staged is staged."""
        before = content(self.mesh)
        with pytest.raises(error, match=match):
            self.mesh.commit()
        self.unchanged(before)

    def unchanged(self, before: object) -> None:
        assert content(self.mesh) == before
        assert self.mesh.staged_count == len(self.staged)
        assert self.reports == []
        self.check_held()

    @precondition(lambda self: len(self.staged) > 0)
    @rule(blocks=st.integers(0, 8), seed=SEEDS)
    def run_out_of_memory(self, blocks: int, seed: int) -> None:
        after = self.staged.applied_to(self.wanted)
        before = content(self.mesh)
        self.mesh._limit_allocations(blocks)
        try:
            report = self.mesh.commit()
        except (MemoryError, LimitError) as error:
            assert isinstance(error, MemoryError) or self.refusal(after) is not None
            self.mesh._limit_allocations(-1)
            self.unchanged(before)
            return
        self.mesh._limit_allocations(-1)
        assert self.refusal(after) is None
        self.check_report(report, after)
        self.keep(after, seed)

    @precondition(lambda self: any(self.staged.tiles.values()))
    @rule()
    def run_out_of_slots(self) -> None:
        new = [key for key, tile in self.staged.tiles.items() if tile is not None and key not in self.wanted.tiles]
        gone = [key for key, tile in self.staged.tiles.items() if tile is None]
        if len(new) <= len(gone) or self.generations < 2**20:
            return
        self.mesh._narrow_limits(slots=len(self.wanted.tiles), generations=self.generations, **self.crossing_limit)
        before = content(self.mesh)
        with suppress(LimitError):  # slots that were used before may be free; then the commit is one like others
            report = self.mesh.commit()
            after = self.staged.applied_to(self.wanted)
            self.check_report(report, after)
            self.keep(after, 0)
            before = content(self.mesh)
        self.mesh._narrow_limits(generations=self.generations, **self.crossing_limit)
        self.unchanged(before)

    @precondition(lambda self: self.wanted.polygon_count)
    @rule()
    def commit_while_a_query_runs(self) -> None:
        refused: list[str] = []
        before = content(self.mesh)

        def ask(_flags: int, _area: int) -> bool:
            with suppress(BusyError):
                self.mesh.commit()
                refused.append("was not refused")
            refused.append("refused")
            return True

        self.mesh.find_path((2.0, 0.0, 2.0), (6.0, 0.0, 6.0), QueryFilter(predicate=ask))
        assert set(refused) <= {"refused"}
        self.misuse += len(refused)
        self.unchanged(before)

    # --- files

    @rule(seed=SEEDS, mapped=st.booleans())
    def save_and_load(self, seed: int, mapped: bool) -> None:
        former = self.mesh
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mesh"
            former.save(path)
            self.mesh = NavMesh.load(path, tier=self.tier, limits=self.limits, mmap=mapped)
        assert self.mesh.to_bytes() == former.to_bytes()
        assert content(self.mesh) == content(former)
        assert answers(self.mesh, seed, 2) == answers(former, seed, 2)
        self.mesh._narrow_limits(generations=self.generations, **self.crossing_limit)
        assert (self.mesh.tier, self.mesh.volume_names) == (self.tier, VOLUMES)
        self.mesh.on_commit(self.reports.append)
        self.staged, self.misuse = Staged(), 0
        if self.generations < LivingMesh.generations:
            self.slots = None  # slots that the narrowed count had retired are free again
        self.searches.clear()
        self.check_held()

    # --- always

    @invariant()
    def counts_agree(self) -> None:
        assert self.mesh.staged_count == len(self.staged)
        assert self.mesh.edit_count == self.edits
        assert self.mesh.debug.misuse == self.misuse


class OpenMesh(LivingMesh):
    bounds = None
    generations = 3


class StaticMesh(OpenMesh):
    tier = Tier.STATIC


class LimitedMesh(LivingMesh):
    tier = Tier.MODIFIERS
    limits = Limits(tiles=10, polygons=45, link_crossings=60)


MACHINES = [LivingMesh, OpenMesh, StaticMesh, LimitedMesh]


def run(machine: type[LivingMesh], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            phases=[Phase.generate, Phase.shrink],
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_a_mesh_under_any_changes_is_what_a_fresh_one_is(machine: type[LivingMesh]) -> None:
    run(machine, 15, 40)


@pytest.mark.full
@pytest.mark.parametrize("machine", MACHINES)
def test_a_mesh_under_very_many_changes_is_what_a_fresh_one_is(machine: type[LivingMesh]) -> None:
    run(machine, 3000, 50)
