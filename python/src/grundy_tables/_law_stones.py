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

BLOCK = 1 << 17

Numbers = npt.NDArray[np.int64]


def expected_stones(
    game: Stones, values: npt.NDArray[np.uint8], block: int = BLOCK
) -> Iterator[tuple[int, npt.NDArray[np.int16]]]:
    """For each block its first place, and the mex of the options of each of its states: 0 to 256."""
    bits = value_bits(words_for(int(values.max())))
    for left in range(game.max + 1):
        first, end = (int(place) for place in game.layer_starts[left : left + 2])
        for start in range(first, end, block):
            count = min(block, end - start)
            used = _used_amounts(game, left, np.arange(start - first, start - first + count))
            seen = np.zeros((len(bits), count), np.uint64)
            for take in range(1, left + 1):
                states = np.flatnonzero((used != take).all(axis=0))
                places = _places_after(game, left, used[:, states], take)
                seen[:, states] |= bits[:, values[places]]
            yield start, mex(seen)


def _used_amounts(game: Stones, left: int, ranks: Numbers) -> Numbers:
    """The used amounts of states of one layer, from the largest down, then zeros. Shape `(most, n)`."""
    most = 0
    while (most + 1) * (most + 2) // 2 <= game.max - left:
        most += 1
    used = np.zeros((most, ranks.size), np.int64)
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


def _places_after(game: Stones, left: int, used: Numbers, take: int) -> Numbers:
    """The places of the states after `take` was taken: the amounts above what is left then are dropped."""
    rest = left - take
    places = np.full(used.shape[1], game.layer_starts[rest])
    budget = np.full(used.shape[1], game.max - rest)
    waiting = np.full(used.shape[1], take <= rest)
    for amounts in used:
        # The amount taken is counted before the first smaller one.
        now = waiting & (amounts < take)
        places += np.where(now, game.subsets[take - 1, budget], 0)
        budget -= np.where(now, take, 0)
        waiting &= ~now
        kept = (amounts > 0) & (amounts <= rest)
        places += np.where(kept, game.subsets[amounts - 1, budget], 0)
        budget -= np.where(kept, amounts, 0)
    return places + np.where(waiting, game.subsets[take - 1, budget], 0)
