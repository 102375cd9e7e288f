"""What the law wants of the stones game, with ranks of its own: a block of states at a time.

The used amounts of a block of states are a matrix, from the largest down. Taking an amount changes the place of a
state by sums of counts of subsets, one column at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ._games import Stones
from ._seen import mex, value_bits, words_for

BLOCK = 1 << 14
"""The states of a block: few enough that their matrices stay in a cache."""

Numbers = npt.NDArray[np.int64]
Amounts = npt.NDArray[np.int32]


def expected_stones(
    game: Stones, values: npt.NDArray[np.uint8], block: int = BLOCK
) -> Iterator[tuple[int, npt.NDArray[np.int16]]]:
    """For each block its first place, and the mex of the options of each of its states: 0 to 256."""
    bits = value_bits(words_for(int(values.max())))
    # before[a, b]: how many sets with the same larger amounts, but without a, stand before one with a, where the larger
    # ones leave b of the budget. For a = 0, which is no amount, none.
    before = np.vstack((np.zeros_like(game.subsets[:1]), game.subsets[:-1]))
    for left in range(game.max + 1):
        first, end = (int(place) for place in game.layer_starts[left : left + 2])
        for start in range(first, end, block):
            count = min(block, end - start)
            used = _used_amounts(game, left, np.arange(start - first, start - first + count))
            seen = np.zeros((len(bits), count), np.uint64)
            for take in range(1, left + 1):
                states = np.flatnonzero((used != take).all(axis=0))
                places = _places_after(game, before, left, used[:, states], take)
                seen[:, states] |= bits[:, values[places]]
            yield start, mex(seen)


def _used_amounts(game: Stones, left: int, ranks: Numbers) -> Amounts:
    """The used amounts of states of one layer, from the largest down, then zeros. Shape `(most, n)`."""
    most = 0
    while (most + 1) * (most + 2) // 2 <= game.max - left:
        most += 1
    used = np.zeros((most, ranks.size), np.int32)
    column = np.zeros(ranks.size, np.int64)
    rest, budget = ranks.copy(), np.full(ranks.size, game.max - left)
    for amount in range(min(left, game.max - left), 0, -1):
        without = game.subsets[amount - 1, budget]
        has = np.flatnonzero(rest >= without)
        rest[has] -= without[has]
        budget[has] -= amount
        used[column[has], has] = amount
        column[has] += 1
    return used


def _places_after(game: Stones, before: Numbers, left: int, used: Amounts, take: int) -> Numbers:
    """The places of the states after `take` was taken: the amounts above what is left then are dropped."""
    rest = left - take
    kept = np.where(used <= rest, used, np.int32(0))
    # What the amounts above each one leave of the budget; the amount taken stands among them.
    budget = game.max - rest + kept - np.cumsum(kept, axis=0, dtype=np.int32)
    places = np.full(used.shape[1], game.layer_starts[rest])
    if take <= rest:
        above = np.where(kept > take, kept, np.int32(0)).sum(axis=0)
        places += before[take, game.max - rest - above]
        budget -= np.where(kept < take, np.int32(take), np.int32(0))
    places += before.ravel()[kept * before.shape[1] + budget].sum(axis=0)
    return places
