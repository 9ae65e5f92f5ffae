from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState


cdef struct ExactPrices:
    bint uniform             # all polygons that the filter accepts cost the same
    double rate              # of a metre on them
    double scale             # of a metre as the crow flies, at least: less where a link is cheaper than walking


cdef ExactPrices read_prices(const MeshState* mesh, const FilterTable* table) noexcept nogil
