from onepath.build._compact import CompactHeightfield
from onepath.build.settings import Erosion

def erode_walkable_area(compact: CompactHeightfield, radius: int, *, metric: Erosion = "chamfer") -> None: ...
