"""The compiled half of link generation: the memory it works in, and its steps one by one as Python calls them."""

import cython
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.links._candidates import Candidate, CandidateBuffer, CastSettings, tile_candidates
from cython.cimports.onepath.links._walked import WalkScratch, begin_walks, free_walks, is_walked
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._surface import squared_distance

MOST_COLUMNS = cython.declare(cython.double, 1e6)
# Only this module has it, so that Python cannot make a caster without a mesh, by `__new__` either.
MADE_HERE = cython.declare(object, object())


@cython.final
@cython.cclass
class LinkCaster:
    """Finds candidates and tests them; whoever calls it has entered the mesh. Made by `make_caster`."""

    mesh: MeshCore
    settings: CastSettings
    candidates: CandidateBuffer
    walks: WalkScratch

    def __cinit__(self, key: object = None) -> None:
        if key is not MADE_HERE:
            raise TypeError("LinkCaster is internal; call onepath.links.generate_links")

    def __dealloc__(self) -> None:
        free(self.candidates.members)
        free_walks(cython.address(self.walks))

    def tiles(self, bounds: object) -> list:
        """Slots of the committed tiles in the bounds, all of them without, ordered by column, row and layer."""
        slot: cython.int
        found: list = []
        for slot in range(self.mesh.state.slot_count):
            column: cython.int = self.mesh.state.slots[slot].column
            row: cython.int = self.mesh.state.slots[slot].row
            if self.mesh.state.slots[slot].used and (
                bounds is None or (bounds[0] <= column <= bounds[2] and bounds[1] <= row <= bounds[3])
            ):
                found.append((column, row, self.mesh.state.slots[slot].layer, slot))
        found.sort()
        return [entry[3] for entry in found]

    def cast(self, slot: cython.int) -> int:
        """Finds the candidates of a tile, in place of those before; answers how many there are."""
        self.candidates.count = 0
        if tile_candidates(
            cython.address(self.mesh.state), slot, cython.address(self.settings), cython.address(self.candidates)
        ):
            raise MemoryError("no memory for link candidates")
        return self.candidates.count

    def candidate(self, index: cython.int) -> tuple:
        """(start, end, whether it is a drop, whether it goes both ways)."""
        found: cython.pointer(Candidate) = self.candidates.members + index
        return (
            (found.start.x, found.start.y, found.start.z),
            (found.end.x, found.end.y, found.end.z),
            found.is_drop,
            found.both_ways,
        )

    def is_walked(self, index: cython.int, detour: cython.double) -> bool:
        """Whether the mesh already walks from the candidate's start to its end within detour times their distance."""
        found: cython.pointer(Candidate) = self.candidates.members + index
        longest: cython.double = detour * sqrt(squared_distance(found.start, found.end))
        code: cython.int = is_walked(cython.address(self.walks), cython.address(self.mesh.state), found, longest)
        if code < 0:
            raise MemoryError("no memory for a path search")
        return code != 0


def make_caster(mesh: MeshCore, settings: object) -> LinkCaster:
    """A caster for a mesh; every length of `settings`, a LinkGeneration, is a number."""
    caster: LinkCaster = LinkCaster.__new__(LinkCaster, MADE_HERE)
    caster.mesh = mesh
    agent = mesh.settings.agent
    cell: cython.double = mesh.settings.cell_size
    radius: cython.double = agent.radius
    caster.settings.spacing = settings.spacing
    # Fine enough for every landing that a body fits on, and no more columns than an int can count.
    caster.settings.step = max(
        0.5 * (radius if 0.0 < radius < cell else cell),
        settings.jump_max / MOST_COLUMNS,
        settings.drop_reach / MOST_COLUMNS,
    )
    caster.settings.radius = radius
    caster.settings.height = agent.height
    caster.settings.level = mesh.settings.cell_height
    caster.settings.drop_max = settings.drop_max
    caster.settings.drop_reach = settings.drop_reach
    caster.settings.climb_max = settings.climb_max
    caster.settings.jump_max = settings.jump_max
    caster.settings.shortest = 1e-3 * cell
    begin_walks(cython.address(caster.walks))
    return caster
