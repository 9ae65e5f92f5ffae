from onepath.mesh._core import MeshCore

class QueryCore:
    @property
    def mesh(self) -> MeshCore: ...
