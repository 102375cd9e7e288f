"""Sets of values as bits, for many positions at once, and the smallest value missing from each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint64]


def words_for(most: int) -> int:
    """How many words of 64 bits hold values up to `most`."""
    return most // 64 + 1


def value_bits(words: int) -> Masks:
    """`bits[w, v]` is the set {v} in word w. Shape `(words, 256)`."""
    value = np.arange(256, dtype=np.uint64)
    bit = np.uint64(1) << value % np.uint64(64)
    return np.stack([np.where(value // np.uint64(64) == word, bit, np.uint64(0)) for word in range(words)])


def mex(seen: Masks) -> npt.NDArray[np.int16]:
    """The smallest value missing from each set. `seen` has shape `(words, n)`, the result `(n,)`: 0 to 256."""
    result = np.full(seen.shape[1:], 64 * len(seen), np.int16)
    for word in range(len(seen) - 1, -1, -1):
        missing = ~seen[word]
        lowest = missing & -missing
        # A power of two is exact as a float, and its exponent is the place of the bit; 0 has none.
        place = np.frexp(lowest.astype(np.float64))[1] - 1
        result = np.where(lowest != 0, place + 64 * word, result).astype(np.int16)
    return result
