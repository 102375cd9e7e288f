"""Values of positions, and the winning moves of a sum."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import Any, NamedTuple, SupportsIndex

from ._errors import PositionError
from ._games import Stones, Strip
from ._rows import row_from_bits, row_from_cells, row_from_text
from ._table import Table

Position = SupportsIndex | str | Iterable[Any]
"""A position. In a strip game: the index of a row, its cells, or a text such as `18,19` or `..##.`. In the stones
game: the stones of an untouched pile, the pair of the stones left and the used amounts, or a text such as `12:3,5`."""


class RowMove(NamedTuple):
    """The piece on cell `start` of a row goes to cell `target`. All are counted from 1, cells from the left."""

    row: int
    start: int
    target: int


class PileMove(NamedTuple):
    """An amount is taken from a pile, counted from 1."""

    pile: int
    take: int


def index_of(table: Table, position: Position) -> int:
    """The place of a position in the table: see `Position`. Raises `PositionError` where it is none of its game."""
    if isinstance(table.game, Stones):
        return table.game.rank(*_pile(position))
    return _row(table.game, position)


def value(table: Table, position: Position) -> int:
    """The Grundy value of a position: see `Position`. For many places at once use `table.values[places]`."""
    return int(table.values[index_of(table, position)])


def winning_moves(table: Table, positions: Iterable[Position]) -> list[RowMove] | list[PileMove]:
    """Every move of the sum of `positions` after which the player who must move has lost, in order.

    The list is empty where the player who moves has lost already.
    """
    places = [index_of(table, position) for position in positions]
    values = [int(table.values[place]) for place in places]
    total = functools.reduce(operator.xor, values, 0)
    if total == 0:
        return []
    # The sum is 0 where a part becomes equal to the sum of the others.
    parts = [(part, place, total ^ value) for part, (place, value) in enumerate(zip(places, values, strict=True), 1)]
    game = table.game
    if isinstance(game, Strip):
        return [RowMove(part, *step) for part, place, wanted in parts for step in _steps(table, game, place, wanted)]
    return [PileMove(part, take) for part, place, wanted in parts for take in _takes(table, game, place, wanted)]


def _steps(table: Table, game: Strip, row: int, wanted: int) -> list[tuple[int, int]]:
    """The moves of a row to an option of the wanted value, as cells."""
    moves = [move for move in game.moves(row) if table.values[row ^ 1 << move[0] ^ 1 << move[1]] == wanted]
    return sorted((game.width - start, game.width - target) for start, target in moves)


def _takes(table: Table, game: Stones, place: int, wanted: int) -> list[int]:
    """The amounts that lead from a state to an option of the wanted value."""
    left, used = game.unrank(place)
    amounts = [amount for amount in range(1, left + 1) if amount not in used]
    return [take for take in amounts if table.values[game.rank(left - take, {*used, take})] == wanted]


def _row(game: Strip, position: Position) -> int:
    if isinstance(position, str):
        return row_from_text(game.width, position)
    if isinstance(position, Iterable):
        return row_from_cells(game.width, map(operator.index, position))
    return row_from_bits(game.width, operator.index(position))


def _pile(position: Position) -> tuple[int, list[int]]:
    if isinstance(position, str):
        left, colon, used = position.partition(":")
        tokens = [left, *used.split(",")] if colon else [left]
        if not all(token.isascii() and token.isdigit() and len(token) < 10 for token in tokens):
            raise PositionError(f"pile {position!r:.80}: expected `r` or `r:used,used`, such as 12 or 12:3,5")
        return int(left), [int(token) for token in tokens[1:]]
    if not isinstance(position, Iterable):
        return operator.index(position), []
    parts = list(position)
    if len(parts) != 2 or not isinstance(parts[1], Iterable) or isinstance(parts[1], str):
        raise PositionError(f"pile {position!r:.80}: expected a pair such as (12, [3, 5])")
    return operator.index(parts[0]), [operator.index(amount) for amount in parts[1]]
