"""A mesh of polygons that another tool made: no baking, just arrays; saved, loaded, asked."""

import tempfile
from pathlib import Path

import numpy as np

import onepath

# Tiles of 16 cells of half a metre: 8 by 8 metres. Vertices are relative to their tile's corner, polygons are
# counter-clockwise seen from above (from +Z towards +X), and the wall between them is a gap.
settings = onepath.MeshSettings(cell_size=0.5, tile_cells=16)
vertices = np.array(
    [(0, 0, 0), (0, 0, 8), (3, 0, 8), (3, 0, 6), (3, 0, 0), (5, 0, 6), (5, 0, 8), (5, 0, 0), (8, 0, 8), (8, 0, 0)],
    dtype=np.float32,
)
west, bridge, east = [0, 1, 2, 3, 4], [3, 2, 6, 5], [7, 5, 6, 8, 9]
offsets = np.cumsum([0, len(west), len(bridge), len(east)])
tile = onepath.Tile.from_arrays(0, 0, vertices, offsets, west + bridge + east, settings, areas=[63, 1, 63])

mesh = onepath.NavMesh(settings, grid_bounds=(0, 0, 0, 0))
mesh.stage_tile(tile)
print(mesh.commit())

path = mesh.find_path((1, 0, 1), (7, 0, 1))
print(f"over the bridge: {path.status.value}, {path.length:.2f} m, points {path.points.tolist()}")
no_bridge = onepath.QueryFilter(costs={1: float("inf")})  # area 1 is the bridge
print(f"without it: {mesh.find_path((1, 0, 1), (7, 0, 1), no_bridge).status.value}")

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "island.navmesh"
    mesh.save(file)
    again = onepath.NavMesh.load(file)
    print(f"{file.name}: {again.polygon_count} polygons, {again.walkable_area:.1f} square metres")
