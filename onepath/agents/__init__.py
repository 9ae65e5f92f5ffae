"""Agents: how a body moves along the path it was given."""

from onepath.agents.follower import PathFollower

__all__ = ["PathFollower"]
