# Query objects lent to the one-call forms of NavMesh.

from onepath.mesh._core cimport MeshCore
from onepath.query._query cimport NavMeshQuery


# Half extents (x, y, z) within which the one-call forms snap, metres
cdef tuple snap_reach_of(MeshCore mesh)
# The filter given, or the one of the mesh's default costs
cdef object filter_for(MeshCore mesh, object filter)
# A spare query object, or a new one, that snaps by the mesh's reach; to be given back in a `finally`
cdef NavMeshQuery borrowed_query(MeshCore mesh)
cdef void give_back(NavMeshQuery query) noexcept
