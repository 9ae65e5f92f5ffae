"""A level that changes under a walker: a door falls shut, a crate stands in the way, and it looks for another."""

import onepath
from onepath.agents import PathFollower, PathWalk, WalkStatus

FRAME = 1 / 60  # seconds

level = onepath.Level()
level.add_plane((0, 0), (24, 16))
level.add_box((11, 0, 0), (13, 3, 6))  # walls with a door between them, and a way round at their far end
level.add_box((11, 0, 8), (13, 3, 14))
door = onepath.ConvexVolume([(11, 6), (13, 6), (13, 8), (11, 8)], -1, 1, "ground", name="door")
settings = onepath.BakeSettings.for_agent(onepath.AgentShape(radius=0.4))
mesh = onepath.bake(level, settings, volumes=[door])

start, end = (3, 0, 7), (21, 0, 7)
walker = PathFollower(start)


def set_out(way: str) -> PathWalk:
    """Sends the walker to the end from where it stands, over the mesh as it is now."""
    path = mesh.find_path(walker.position, end)
    print(f"{way}: {path.length:.1f} m")
    walker.start(path)
    return PathWalk(mesh, walker, path)


walk = set_out("through the door")
for _ in range(60):
    walk.advance(FRAME)

mesh.set_area("door", 0)  # area 0 lets nobody through
if walk.advance(FRAME) is WalkStatus.PATH_LOST:
    walk = set_out("round the walls")

level.add_box((16, 0, 12), (18, 1, 15.5), name="crate")
tiles = onepath.rebuild_tiles(mesh, level, (16, 0, 12), (18, 1, 15.5), settings, volumes=[door])
mesh.commit()
print(f"a crate: {len(tiles)} of {mesh.tile_count} tiles were baked again")

while walk.advance(FRAME) not in (WalkStatus.ARRIVED, WalkStatus.ENDED):
    if walk.status is WalkStatus.PATH_LOST:
        walk = set_out("past the crate")
x, y, z = walker.position
print(f"{walk.status.value} at {x:.1f} {y:.1f} {z:.1f}")
