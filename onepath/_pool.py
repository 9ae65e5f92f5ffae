"""The query objects that a mesh lends to its one-call forms, at most four spares, and what these forms take by default.

A query object carries nothing from one search to the next, so that a borrowed one answers exactly as a new one would
(queries document, pooled query objects).
"""

import cython
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import reach_around

SPARES = cython.declare(cython.int, 4)


def snap_reach_of(mesh):
    mesh.check_initialised()
    agent = mesh.settings.agent
    across = 2.0 * max(agent.radius, mesh.settings.cell_size)
    return (across, agent.height, across)


def filter_for(mesh, filter):
    """The filter given, or the one of the mesh's default costs."""
    if filter is not None:
        return filter
    mesh.check_initialised()
    if mesh.default_filter is None:
        mesh.default_filter = QueryFilter(costs=mesh.areas.costs)
    return mesh.default_filter


def borrowed_query(mesh):
    """A spare query object, or a new one that snaps by the mesh's reach."""
    query: NavMeshQuery
    half: Vector
    if mesh.spare_queries:
        query = mesh.spare_queries.pop()
        query.mesh = mesh
        return query
    query = NavMeshQuery(mesh)
    half.x, half.y, half.z = snap_reach_of(mesh)
    query.reach = reach_around(half, True)
    return query


def give_back(query):
    """A spare does not hold its mesh, which holds it."""
    mesh: MeshCore = query.mesh
    query.mesh = None
    query.filter = None
    query.begun = False
    if len(mesh.spare_queries) < SPARES:
        mesh.spare_queries.append(query)
