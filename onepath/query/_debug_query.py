"""What NavMeshQuery shows of its last search (queries document, debug geometry). Not for every frame of a game."""

import cython
import numpy
from cython.cimports.onepath.mesh._mesh import (
    TileSlot,
    polygon_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector, world_vertex
from cython.cimports.onepath.mesh._tiles_read import TILES_SAME
from cython.cimports.onepath.query._area_results import FOUND_IN_PROGRESS
from cython.cimports.onepath.query._area_search import AreaNode, area_stands
from cython.cimports.onepath.query._exact_state import ExactPolygon
from cython.cimports.onepath.query._nodes import MODEL_EXACT, NODE_EXPANDED, PathNode, expansion_order
from cython.cimports.onepath.query._query_core import EVERYTHING, SEARCHED_AREA, SEARCHED_PATH
from cython.cimports.onepath.query._results import PATH_IN_PROGRESS
from cython.cimports.onepath.query._sample_query import SampleQuery
from cython.cimports.onepath.query._search import search_stands

from onepath.query.search_geometry import SearchGeometry


class DebugQuery(SampleQuery):
    """Base of NavMeshQuery: what it has done."""

    def expanded_by_path(self):
        index: cython.int
        node: cython.pointer(PathNode)
        if self.status != PATH_IN_PROGRESS:
            return []
        if search_stands(cython.address(self.search), cython.address(self.mesh.state)) != TILES_SAME:
            return []
        if self.search.model == MODEL_EXACT:
            return self.expanded_by_exact()
        found: list = [0] * self.search.expanded_count
        for index in range(self.search.node_count):
            node = self.search.nodes + index
            if node.state & NODE_EXPANDED:
                found[expansion_order(node)] = polygon_reference(
                    cython.address(self.mesh.state), node.slot, node.polygon
                )
        # A polygon can be entered through several nodes.
        return list(dict.fromkeys(found))

    def expanded_by_exact(self):
        place: cython.int
        polygon: cython.pointer(ExactPolygon)
        found: list = []
        for place in range(self.exact.polygon_count):
            polygon = self.exact.polygons + place
            if polygon.expanded >= 0:
                reference = polygon_reference(cython.address(self.mesh.state), polygon.slot, polygon.polygon)
                found.append((polygon.expanded, reference))
        found.sort()
        return [reference for _, reference in found]

    def expanded_by_area(self):
        place: cython.int
        node: cython.pointer(AreaNode)
        if self.area_status != FOUND_IN_PROGRESS:
            return []
        if area_stands(cython.address(self.area), cython.address(self.mesh.state)) != TILES_SAME:
            return []
        found: list = []
        for place in range(self.area.expanded_count):
            node = self.area.nodes + self.area.expanded[place]
            found.append(polygon_reference(cython.address(self.mesh.state), node.slot, node.polygon))
        return found

    def outlines(self, references):
        tile: cython.pointer(cython.const[TileSlot])
        reference: reference_t
        corner: cython.int
        place: Vector
        corners: list = []
        offsets: list = [0]
        for reference in references:
            tile = self.mesh.state.slots + reference_slot(reference)
            for corner in range(
                tile.polygon_first[reference_polygon(reference)], tile.polygon_first[reference_polygon(reference) + 1]
            ):
                place = world_vertex(tile, tile.polygon_vertices[corner])
                corners.append((place.x, place.y, place.z))
            offsets.append(len(corners))
        return numpy.array(corners, numpy.float64).reshape(-1, 3), numpy.array(offsets, numpy.int64)

    def debug_geometry(self):
        """What the last search looked at and what came of it, to be drawn.

        Returns:
            A SearchGeometry: the outlines of the polygons that the last path search or area search expanded, the
            corridor's outlines, and the line. After a commit that changed what a search has read, nothing is left of
            it, and corridors leave out what has gone.

        Raises:
            BusyError: a commit runs, or this object is at work already.
        """
        i: cython.int
        expanded: list = []
        corridor: list = []
        self.enter(EVERYTHING)
        try:
            if self.searched == SEARCHED_PATH:
                expanded = self.expanded_by_path()
            elif self.searched == SEARCHED_AREA:
                expanded = self.expanded_by_area()
            for i in range(self.corridor.count):
                if reference_is_valid(cython.address(self.mesh.state), self.corridor.polygons[i]):
                    corridor.append(self.corridor.polygons[i])
            line = [
                (self.line.points[3 * i], self.line.points[3 * i + 1], self.line.points[3 * i + 2])
                for i in range(self.line.count)
            ]
            return SearchGeometry(
                numpy.array(expanded, numpy.int64),
                *self.outlines(expanded),
                numpy.array(corridor, numpy.int64),
                *self.outlines(corridor),
                numpy.array(line, numpy.float64).reshape(-1, 3),
            )
        finally:
            self.leave()
