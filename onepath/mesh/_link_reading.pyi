import numpy as np
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.mesh.link import LinkState

LINK_TYPE: np.dtype[np.void]

def slot_links(mesh: MeshCore, slot: int) -> NDArray[np.void]: ...
def link_state(mesh: MeshCore, link_id: int) -> LinkState: ...
