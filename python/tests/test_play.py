import random

import naive
import numpy as np
import pytest

import grundy_tables
from grundy_tables import PileMove, PositionError, RowMove, index_of, value, winning_moves


def test_a_row_is_the_same_from_every_written_form(table):
    chess = table("chess-6")
    for row in range(64):
        picture = grundy_tables.row_picture(6, row)
        cells = [cell for cell in range(1, 7) if picture[cell - 1] == "#"]
        mirrored = sum(1 << (cell - 1) for cell in cells)
        assert row == sum(1 << (6 - cell) for cell in cells)
        text = ",".join(map(str, reversed(cells))) or "-"
        for position in (row, picture, picture.replace("#", "x"), cells, tuple(cells), iter(cells), text):
            assert index_of(chess, position) == row
        assert grundy_tables.row_from_bits(6, row) == grundy_tables.bits_from_row(6, row) == row
        assert grundy_tables.row_from_bits(6, mirrored, "left-low") == row
        assert grundy_tables.bits_from_row(6, row, "left-low") == mirrored
        assert value(chess, cells) == chess.values[row] == naive.values_of("chess-6")[row]


@pytest.mark.parametrize(
    "position",
    ["", ",", "1,", "1,1", "0", "7", "+1", "1, 2", "..#", ".......", "#-", "٣", "4294967297", "9" * 5000]
    + [[0], [7], [1, 1], [-1], -1, 64, 1 << 70],
)
def test_what_is_no_row_is_an_error(table, position):
    with pytest.raises(PositionError):
        value(table("chess-6"), position)


def test_bits_beyond_the_strip_and_unknown_orders_are_errors():
    for bits in (-1, 64):
        with pytest.raises(PositionError):
            grundy_tables.row_from_bits(6, bits, "left-low")
        with pytest.raises(PositionError):
            grundy_tables.row_picture(6, bits)
    with pytest.raises(ValueError, match="right-low"):
        grundy_tables.row_from_bits(6, 1, "middle")


def test_a_pile_is_the_same_from_every_written_form(table):
    stones = table("stones-14")
    game = stones.game
    states = list(naive.stones_states(14))
    assert game.entries == len(states)
    for index, (left, used) in enumerate(states):
        assert game.unrank(index) == (left, tuple(sorted(used)))
        text = game.picture(index)
        for position in (text, (left, used), [left, sorted(used)], (left, [*used, left + 1])):
            assert index_of(stones, position) == index


@pytest.mark.parametrize(
    "position",
    ["", "x", "15", "3:", "3:0", "3:1,1", "12:1,2", "-1", "3:1:2", "٣", "9" * 5000]
    + [(-1, []), (15, []), (3, [0]), (3, [1, 1]), (12, [1, 2]), (1, 2, 3), [1], -1, 15],
)
def test_what_is_no_pile_is_an_error(table, position):
    with pytest.raises(PositionError):
        value(table("stones-14"), position)


def test_numbers_of_numpy_are_numbers_and_others_are_not(table):
    for table_id in ("chess-6", "stones-14"):
        opened = table(table_id)
        for number in (5, np.int64(5), np.uint8(5)):
            assert value(opened, number) == value(opened, 5)
        for nonsense in (1.0, None, [1.5, []]):
            with pytest.raises((TypeError, PositionError)):
                value(opened, nonsense)
    assert value(table("chess-6"), np.array([5, 6])) == 0


@pytest.mark.parametrize("table_id", ["chess-7", "slide-7", "welter-7", "slide-7-reach-2"])
def test_the_winning_moves_are_those_that_leave_a_sum_of_zero(table, table_id):
    opened = table(table_id)
    rule, _, *limit = table_id.split("-")
    reach = int(limit[1]) if limit else 7
    rng = random.Random(table_id)
    for _ in range(100):
        rows = [rng.randrange(128) for _ in range(rng.randrange(4))]
        total = 0
        for row in rows:
            total ^= value(opened, row)
        expected = set()
        for at, row in enumerate(rows):
            cells = tuple(row >> bit & 1 for bit in range(6, -1, -1))
            for option in naive.row_options(rule, reach, cells):
                index = int("".join(map(str, option)), 2)
                if total ^ value(opened, row) ^ value(opened, index) == 0:
                    # Two cells have changed: the left one has lost its piece.
                    start, target = (cell + 1 for cell in range(7) if cells[cell] != option[cell])
                    expected.add(RowMove(at + 1, start, target))
        found = winning_moves(opened, rows)
        assert found == sorted(expected)
        assert bool(found) == (total != 0)


def test_the_winning_moves_of_piles_leave_a_sum_of_zero(table):
    stones = table("stones-14")
    assert winning_moves(stones, []) == winning_moves(stones, ["3", "3"]) == []
    # Values 2 and 1: the 3 stones must become a pile of value 1, which 2 with 1 used and an untouched 1 are.
    assert winning_moves(stones, [3, 1]) == [PileMove(1, 1), PileMove(1, 2)]
    for left, used in naive.stones_states(14):
        found = winning_moves(stones, [(left, used)])
        options = {take: value(stones, (left - take, {*used, take})) for take in range(1, left + 1) if take not in used}
        assert found == [PileMove(1, take) for take, option in options.items() if option == 0]
        assert bool(found) == (value(stones, (left, used)) != 0)


def test_the_published_values_hold(table):
    chess = table("chess-11")
    assert value(chess, "10,11") == 0 and value(chess, "10") == 1 and value(chess, [9, 10]) == 2
    stones = table("stones-10")
    assert [value(stones, (left, [])) for left in range(11)] == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4]
