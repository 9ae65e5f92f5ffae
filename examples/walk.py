"""A walker that follows a path in a plain loop, as a game's update would move it."""

import onepath
from onepath import levels
from onepath.agents import PathFollower

FRAME = 1 / 60  # seconds

level = levels.building(seed=1)
mesh = onepath.bake(level, radius=0.4, height=1.8)
start, end = level.places["square"], max(level.places.values(), key=lambda place: place[1])
path = mesh.find_path(start, end)
if not path:
    raise SystemExit(f"no way up: {path.status.value}")

walker = PathFollower(start, speed=3.5, acceleration=8.0, turn_rate=360.0)
walker.start(path.points)
frame = 0
while walker.moving:
    walker.advance(FRAME)
    if frame % 240 == 0:  # every fourth second
        x, y, z = walker.position
        print(f"{frame * FRAME:5.1f} s  {x:7.2f}{y:7.2f}{z:7.2f}  {walker.remaining_distance:6.2f} m to go")
    frame += 1
x, y, z = walker.position
print(f"arrived at {x:.2f} {y:.2f} {z:.2f} after {frame * FRAME:.1f} s and {path.length:.1f} m")
