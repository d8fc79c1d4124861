"""Array types: NumPy arrays by element type and, where they are always the same, by axes.

`Floats` and similar types name only the element type; axes are written where arrays are used, as in `regret[node,
bucket, action]`. The types at the end also fix the axes. A `hand` is a private hand of the game: one of 1,326 combos in
hold'em, one of six cards in Leduc. Type checkers see only the element type.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

AnyArray: TypeAlias = NDArray[Any]  #: elements of any type
AnyFloats: TypeAlias = NDArray[np.floating[Any]]  #: reals of any precision
AnyInts: TypeAlias = NDArray[np.integer[Any]]  #: integers of any width
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]  #: reals in double precision, the default of the package
Floats32: TypeAlias = NDArray[np.float32]  #: reals in single precision, where memory or a GPU asks for it
Indices: TypeAlias = NDArray[np.intp]  #: positions in another array, as NumPy's own functions return them
Int8s: TypeAlias = NDArray[np.int8]
Int16s: TypeAlias = NDArray[np.int16]
Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Uint8s: TypeAlias = NDArray[np.uint8]
Uint16s: TypeAlias = NDArray[np.uint16]
Uint32s: TypeAlias = NDArray[np.uint32]
Uint64s: TypeAlias = NDArray[np.uint64]

ByHand: TypeAlias = Floats  #: `x[hand]`: a weight, probability or value for each private hand
ByAction: TypeAlias = Floats  #: `p[action]`: probabilities of the actions considered, in canonical order
ByHandAction: TypeAlias = Floats  #: `p[hand, action]`: probabilities of the actions considered with each private hand
ByStreetCell: TypeAlias = Sequence[AnyFloats]  #: `x[street][row, cell]`: a strategy's numbers, a row for each action
ByStreetBoard: TypeAlias = Sequence[Floats32]  #: `x[street][row, board, hand]`: the same for a subgame
