"""Edit blocks: changes staged together, committed at the end of a `with` block or forgotten with its exception."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from onepath.errors import OnePathError
from onepath.mesh._tile import Tile
from onepath.mesh.commits import CommitReport
from onepath.mesh.link import LinkDef

if TYPE_CHECKING:
    from onepath.mesh.navmesh import NavMesh

__all__ = ["MeshEdit"]


class MeshEdit:
    """An edit block of `NavMesh.edit`. Its calls are those of the mesh, for the time of the block.

    At the end everything staged is committed, what was staged before the block included. An exception in the block or
    in its commit takes back what the block staged and leaves what was staged before it. While the block is open other
    threads can neither stage nor commit (`BusyError`).

    Attributes:
        report: the CommitReport once the block has ended well, until then None.
    """

    def __init__(self, mesh: NavMesh) -> None:
        self._mesh = mesh
        self._before: tuple[Any, ...] | None = None
        self.report: CommitReport | None = None

    def __enter__(self) -> MeshEdit:
        self._mesh._open_edit()
        self._before = self._mesh._staged_state()
        self.report = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        before, self._before = self._before, None
        assert before is not None, "a block ends once"
        try:
            if kind is None:
                self.report = self._mesh._apply_staged()
        finally:
            if self.report is None:
                self._mesh._restore_staged(before)
            self._mesh._close_edit()
        if self.report is not None:
            self._mesh._callbacks.tell(self.report)

    @property
    def mesh(self) -> NavMesh:
        """The mesh that is edited.

        Raises:
            OnePathError: the block has ended, or has not begun.
        """
        if self._before is None:
            raise OnePathError("this edit block is not open; stage inside `with mesh.edit() as edit:`")
        return self._mesh

    def stage_tile(self, tile: Tile | bytes | bytearray | memoryview) -> None:
        """As `NavMesh.stage_tile`."""
        self.mesh.stage_tile(tile)

    def stage_tile_removal(self, column: int, row: int, layer: int = 0) -> None:
        """As `NavMesh.stage_tile_removal`."""
        self.mesh.stage_tile_removal(column, row, layer)

    def stage_area(self, reference: int, area: str | int) -> None:
        """As `NavMesh.stage_area`."""
        self.mesh.stage_area(reference, area)

    def stage_flags(self, reference: int, flags: int) -> None:
        """As `NavMesh.stage_flags`."""
        self.mesh.stage_flags(reference, flags)

    def stage_volume_area(self, name: str, area: str | int | None) -> None:
        """As `NavMesh.stage_volume_area`."""
        self.mesh.stage_volume_area(name, area)

    def stage_link(self, link: LinkDef) -> int:
        """As `NavMesh.stage_link`."""
        return self.mesh.stage_link(link)

    def stage_link_removal(self, link_id: int) -> None:
        """As `NavMesh.stage_link_removal`."""
        self.mesh.stage_link_removal(link_id)

    def stage_link_enable(self, link_id: int, enabled: bool) -> None:
        """As `NavMesh.stage_link_enable`."""
        self.mesh.stage_link_enable(link_id, enabled)

    def stage_link_cost(self, link_id: int, cost: float) -> None:
        """As `NavMesh.stage_link_cost`."""
        self.mesh.stage_link_cost(link_id, cost)

    def __repr__(self) -> str:
        state = "open" if self._before is not None else "not open" if self.report is None else repr(self.report)
        return f"MeshEdit({state})"
