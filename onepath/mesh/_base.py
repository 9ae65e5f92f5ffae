"""What queries and staging threads share of a mesh: the state, who may use it when, references.

Everything here runs under the GIL; a kernel may release it between `enter` and `leave`, while commits are refused.
"""

import cython
from cython.cimports.cpython.pythread import PyThread_get_thread_ident
from cython.cimports.libc.string import memset
from cython.cimports.onepath.mesh._cells import find_tile
from cython.cimports.onepath.mesh._mesh import (
    polygon_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
)
from numpy import bool_, integer

from onepath.build.arguments import whole_number
from onepath.errors import ArgumentError, BusyError, OnePathError, shown
from onepath.mesh.tile_arrays import arrange_place

# What link generation's clearance test may stage: it changes nothing that generation reads.
TEST_MAY_STAGE = cython.declare(frozenset, frozenset(("stage_tile", "stage_tile_removal")))


@cython.cclass
class MeshBase:
    """Base of MeshCore, and so of NavMesh; not to be made on its own."""

    def __cinit__(self, *_args, **_named) -> None:
        if type(self) is MeshBase:
            raise TypeError("MeshBase is the base of NavMesh; make a NavMesh")
        memset(cython.address(self.state), 0, cython.sizeof(self.state))

    # --- who may do what at the same time

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def check_initialised(self) -> cython.int:
        if self.settings is None:
            raise OnePathError("this NavMesh has no settings: a subclass's __init__ must call NavMesh.__init__")
        return 0

    def _check_initialised(self) -> None:
        """OnePathError where a subclass's __init__ left out this class's: for the parts written in Python."""
        self.check_initialised()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.int:
        """A query begins to read the state; commits are refused until it leaves."""
        self.check_initialised()
        if self.committing:
            self._misuse += 1
            raise BusyError("a query was asked while a commit runs on another thread")
        self.running += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def leave(self) -> cython.void:
        self.running -= 1

    def _begin_reading(self) -> None:
        """What a query does before it reads; pair with _end_reading."""
        self.enter()

    def _end_reading(self) -> None:
        if self.running > 0:
            self.leave()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def begin_writing(self, call: str) -> cython.int:
        self.check_initialised()
        if self.tester != 0 and self.tester == PyThread_get_thread_ident() and call not in TEST_MAY_STAGE:
            self._misuse += 1
            raise BusyError(f"{call} from a clearance test, which may stage tiles and removals of tiles only")
        if self.writing or (self.editor != 0 and self.editor != PyThread_get_thread_ident()):
            self._misuse += 1
            raise BusyError(f"{call} while another thread stages or commits")
        self.writing = True
        return 0

    def _begin_staging(self, call: str) -> None:
        """What a stage call does first; pair with _end_staging."""
        self.begin_writing(call)

    def _end_staging(self) -> None:
        self.writing = False

    def _open_edit(self) -> None:
        """Until _close_edit, this thread alone stages, and what it stages is committed by the edit block."""
        self._refuse_inside_edit("edit inside an edit block: one block commits what it staged before another begins")
        self.begin_writing("edit")
        self.editor = PyThread_get_thread_ident()
        self.writing = False

    def _refuse_inside_edit(self, message: str) -> None:
        if self._is_editing:
            self._misuse += 1
            raise BusyError(message)

    def _close_edit(self) -> None:
        self.editor = 0

    @property
    def _is_editing(self) -> bool:
        """Whether this thread has an edit block open."""
        return self.editor != 0 and self.editor == PyThread_get_thread_ident()

    def _begin_generating(self) -> None:
        """What a link generation does before it reads; pair with _end_generating. One at a time."""
        if self.generating:
            self._misuse += 1
            raise BusyError("generate_links while links are generated on this mesh")
        self.enter()
        self.generating = True

    def _end_generating(self) -> None:
        self.generating = False
        self.leave()

    def _begin_testing(self) -> None:
        """Until _end_testing, what this thread does is done by a clearance test."""
        self.tester = PyThread_get_thread_ident()

    def _end_testing(self) -> None:
        self.tester = 0

    # --- references

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def checked_reference(self, reference: object, polygon: cython.p_int) -> cython.int:
        """The slot of a valid reference."""
        self.check_initialised()
        value: cython.longlong = read_reference(reference, "reference")
        if not reference_is_valid(cython.address(self.state), value):
            raise ArgumentError(f"reference {value} names no committed polygon; it is stale or was never valid")
        polygon[0] = reference_polygon(value)
        return reference_slot(value)

    def is_valid(self, reference: object) -> bool:
        """Whether the reference names a polygon of a committed tile now."""
        return reference_is_valid(cython.address(self.state), read_reference(reference, "reference"))

    def area(self, reference: object) -> int:
        """The polygon's area id, 0 to 255.

        Raises:
            ArgumentError: the reference is stale or was never valid (`is_valid` asks first).
        """
        polygon: cython.int = 0
        slot: cython.int = self.checked_reference(reference, cython.address(polygon))
        return self.state.slots[slot].areas[polygon]

    def flags(self, reference: object) -> int:
        """The polygon's flags, 0 to 65535. Raises as `area` does."""
        polygon: cython.int = 0
        slot: cython.int = self.checked_reference(reference, cython.address(polygon))
        return self.state.slots[slot].flags[polygon]

    def reference(self, column: object, row: object, polygon: object, layer: object = 0) -> int:
        """The reference of a committed tile's polygon.

        Raises:
            ArgumentError, RangeError: no such tile, or it has no such polygon.
        """
        slot: cython.int = self._slot_of(column, row, layer)
        if slot < 0:
            raise ArgumentError(f"there is no committed tile ({column}, {row}, {layer})")
        index: cython.int = whole_number("polygon", polygon, 0, self.state.slots[slot].polygon_count - 1)
        return polygon_reference(cython.address(self.state), slot, index)

    def _slot_of(self, column: object, row: object, layer: object = 0) -> int:
        """The slot of a committed tile, or -1."""
        self.check_initialised()
        key = arrange_place(column, row, layer, self.settings)
        return find_tile(cython.address(self.state), key[0], key[1], key[2])

    # --- counts

    @property
    def edit_count(self) -> int:
        """Commits that changed something so far."""
        return self.state.edit_count

    @property
    def tile_count(self) -> int:
        """Committed tiles, empty ones included."""
        return self.state.tile_count

    @property
    def polygon_count(self) -> int:
        """Polygons of all committed tiles."""
        return self.state.polygon_count


def read_reference(value, name):
    if type(value) is int or (isinstance(value, (int, integer)) and not isinstance(value, (bool, bool_))):
        try:
            return value
        except OverflowError:
            pass
    raise ArgumentError(f"{name} is {shown(value)}, not a polygon reference (a 64-bit int)")
