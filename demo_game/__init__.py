"""A small town to look at: fifty agents find their way over its streets, floors, stairs and bridges.

Run it with `python -m demo_game`; without a display it leaves a picture and a summary instead.
"""
