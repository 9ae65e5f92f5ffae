from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]: ...
