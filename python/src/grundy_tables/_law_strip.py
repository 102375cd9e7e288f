"""What the law wants of a strip game, by an enumeration of moves over pairs of bits.

A block of rows differs in its low bits alone. A move clears bit `start` and sets the lower bit `target`. Seen as an
array with an axis for each of the two bits, and axes for the bits above, between and below, the rows that can move
and their options are two slices of the same shape: one operation serves all rows of a block.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ._games import Strip
from ._seen import Masks, mex, value_bits, words_for

BLOCK_BITS = 18
"""A block: 2^18 rows, and as many masks of 8 bytes, stay in a cache."""


def expected_strip(
    game: Strip, values: npt.NDArray[np.uint8], block_bits: int = BLOCK_BITS
) -> Iterator[tuple[int, npt.NDArray[np.int16]]]:
    """For each block its first row, and the mex of the options of each of its rows: 0 to 256."""
    low = min(game.width, block_bits)
    bits = value_bits(words_for(int(values.max())))
    for high in range(1 << game.width - low):
        seen = np.zeros((len(bits), 1 << low), np.uint64)
        for other, pairs in _sources(game, high, low).items():
            block = np.asarray(values[other << low : (other + 1) << low])
            for word, bit_of in enumerate(bits):
                options = bit_of[block]
                for start, target in pairs:
                    rows, their_options = _moved(game, low, seen[word], options, start, target)
                    rows |= their_options
        yield high << low, mex(seen)


def _sources(game: Strip, high: int, low: int) -> dict[int, list[tuple[int, int]]]:
    """The blocks in which options of block `high` lie, each with the pairs of bits that lead there.

    The bits of the block itself, those from `low`, are the same for all its rows: pairs that they forbid are left out.
    """
    sources: dict[int, list[tuple[int, int]]] = {}
    row = high << low
    fixed = -1 << low
    for start, target in game.pairs():
        other = row
        if start >= low:
            if not row >> start & 1:
                continue
            other ^= 1 << start
        if target >= low:
            if row >> target & 1:
                continue
            other ^= 1 << target
        mask, wanted = game.between(start, target)
        if wanted is not None and (row ^ wanted) & mask & fixed:
            continue
        sources.setdefault(other >> low, []).append((start, target))
    return sources


def _moved(game: Strip, low: int, seen: Masks, options: Masks, start: int, target: int) -> tuple[Masks, Masks]:
    """The views of the rows that have the move, and of their options, within their blocks."""
    # The cells between as an index of their axis: what a row must have there, or anything.
    between = {"chess": slice(-1, None), "slide": slice(0, 1), "welter": slice(None)}[game.rule]
    if target >= low:
        # The whole block moves. What lies between below `low` is nothing.
        return seen, options
    if start >= low:
        shape = (1 << low - 1 - target, 2, 1 << target)
        return seen.reshape(shape)[between, 0], options.reshape(shape)[between, 1]
    shape5 = (1 << low - 1 - start, 2, 1 << start - target - 1, 2, 1 << target)
    return seen.reshape(shape5)[:, 1, between, 0], options.reshape(shape5)[:, 0, between, 1]
