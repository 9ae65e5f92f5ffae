from onepath.query._sample_query import SampleQuery
from onepath.query.search_geometry import SearchGeometry

class DebugQuery(SampleQuery):
    def debug_geometry(self) -> SearchGeometry: ...
