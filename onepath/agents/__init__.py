"""Agents: how a body moves along the path it was given."""

from onepath.agents.follower import PathFollower
from onepath.agents.sliding import slide
from onepath.agents.surface import PathSurface
from onepath.agents.walk import PathWalk, WalkStatus

__all__ = ["PathFollower", "PathSurface", "PathWalk", "WalkStatus", "slide"]
