"""A long search spread over frames, a bounded number of steps in each, so that no frame waits for it."""

import onepath
from onepath import PathStatus, levels

STEPS_A_FRAME = 50

level = levels.maze(cells=24, seed=5)
mesh = onepath.bake(level, radius=0.4, height=1.8)

search = mesh.begin_path(level.places["start"], level.places["end"])
frames = 0
while search.status is PathStatus.IN_PROGRESS:
    search.update(STEPS_A_FRAME)
    frames += 1  # a game would draw here

path = search.finish()
print(f"{path.status.value} after {frames} frames and {search.iterations} steps: {path.length:.1f} m")
at_once = mesh.find_path(level.places["start"], level.places["end"])
print("the same as in one go:", path == at_once)
