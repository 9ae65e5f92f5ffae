"""Link generation: drops and jumps that a mesh could have, proposed along its open edges."""

from onepath.links.generation import Clearance, LinkProposals, generate_links
from onepath.links.settings import LinkGeneration

__all__ = ["Clearance", "LinkGeneration", "LinkProposals", "generate_links"]
