"""Rows of a strip: from cells, pictures and bits, in either order of the bits.

A row is an index: bit 0 is the rightmost cell, so cell `c`, counted from the left from 1, is bit `width - c`
("right-low"). Programs that have cell `c` at bit `c - 1` use the order "left-low".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from ._errors import PositionError

Order = Literal["right-low", "left-low"]


def row_from_cells(width: int, cells: Iterable[int]) -> int:
    """The index of the row with pieces on `cells`: 1 is the leftmost, `width` the rightmost.

    >>> row_from_cells(20, [18, 19])
    6
    """
    row = 0
    for cell in cells:
        if not 1 <= cell <= width:
            raise PositionError(f"cell {cell} is not on the strip: expected 1 to {width}")
        if row >> (width - cell) & 1:
            raise PositionError(f"cell {cell} is named twice: expected different cells")
        row |= 1 << (width - cell)
    return row


def row_from_text(width: int, text: str) -> int:
    """The index of a written row: `18,19`; `-` for no piece; or a picture of `#` or `x` and `.`.

    >>> row_from_text(5, "..##.") == row_from_text(5, "3,4") == 6
    True
    """
    if text == "-":
        return 0
    if re.fullmatch(r"[#x.]+", text):
        if len(text) != width:
            raise PositionError(f"row {text!r} has {len(text)} cells: expected {width}")
        return int(text.translate({ord("#"): "1", ord("x"): "1", ord("."): "0"}), 2)
    tokens = text.split(",")
    if not all(re.fullmatch(r"[0-9]{1,9}", token) for token in tokens):
        raise PositionError(
            f"row {text!r}: expected cells such as `18,19`, `-` for none, or a picture of {width} of `#` and `.`"
        )
    return row_from_cells(width, map(int, tokens))


def row_from_bits(width: int, bits: int, order: Order = "right-low") -> int:
    """The index of a row given as bits in either order.

    >>> row_from_bits(5, 0b01100, "left-low")
    6
    """
    if not 0 <= bits < 1 << width:
        raise PositionError(f"row {bits:#b}: expected no bit beyond the {width} cells")
    if order == "right-low":
        return bits
    if order == "left-low":
        return int(format(bits, f"0{width}b")[::-1], 2)
    raise ValueError(f"order {order!r}: expected 'right-low' or 'left-low'")


def bits_from_row(width: int, row: int, order: Order = "right-low") -> int:
    """The bits of the row at an index in either order: the inverse of `row_from_bits`."""
    return row_from_bits(width, row, order)


def row_picture(width: int, row: int) -> str:
    """The row at an index as a picture: `#` a piece, `.` an empty cell.

    >>> row_picture(5, 6)
    '..##.'
    """
    row_from_bits(width, row)
    return format(row, f"0{width}b").replace("0", ".").replace("1", "#")
