from numpy.typing import ArrayLike

from onepath.build._spans import SolidHeightfield

def remove_solid_interiors(field: SolidHeightfield, vertices: ArrayLike, triangles: ArrayLike) -> tuple[int, ...]: ...
