"""A level from code, a mesh, a path: the whole way in a few lines."""

import onepath

level = onepath.Level()
level.add_plane((0, 0), (20, 20))
level.add_box((9, 0, 2), (11, 3, 18))  # a wall with a gap at either end
level.add_ramp((15, 0, 4), (15, 2, 10), width=3)

mesh = onepath.bake(level, radius=0.4, height=1.8)
print(mesh.report)

path = mesh.find_path((3, 0, 10), (15, 2, 9.5))
print(f"{path.status.value}: {path.length:.2f} m along {len(path)} points")
for x, y, z in path.points:
    print(f"{x:8.2f}{y:8.2f}{z:8.2f}")

nowhere = mesh.find_path((3, 0, 10), (40, 0, 10))
print(f"outside the level: {nowhere.status.value}, {len(nowhere)} points")
