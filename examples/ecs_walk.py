"""Walkers as esper entities: give one a Destination, and the processors search, follow, and fill an array to draw."""

import esper

import onepath
from onepath import levels
from onepath.agents import PathFollower
from onepath_ecs import (
    Destination,
    FollowProcessor,
    PathRequestProcessor,
    Route,
    ViewSyncProcessor,
    add_processors,
)

FRAME = 1 / 60  # seconds

level = levels.courtyards(seed=3)
mesh = onepath.bake(level, radius=0.4, height=1.8)
requests, view = PathRequestProcessor(mesh, iterations=500), ViewSyncProcessor()
add_processors(requests, FollowProcessor(mesh), view)

names = sorted(level.places)
walkers = [esper.create_entity(PathFollower(level.places[name], speed=3.0)) for name in names]
for walker, name in zip(walkers, reversed(names), strict=True):
    esper.add_component(walker, Destination(level.places[name]))

esper.process(FRAME)
frames = 1
while requests.waiting or any(follower.moving for _, follower in esper.get_component(PathFollower)):
    esper.process(FRAME)
    frames += 1

print(f"all arrived after {frames * FRAME:.1f} s")
for walker, row in zip(view.entities, view.rows, strict=True):
    path = esper.component_for_entity(walker, Route).path
    print(f"walker {walker}: {path.status.value}, {path.length:6.2f} m, now at {row[0]:.2f} {row[1]:.2f} {row[2]:.2f}")
