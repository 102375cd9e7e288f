"""The games: their sizes, their moves, and the place of a state of the stones game in its table."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._errors import PositionError

RULES = ("chess", "slide", "welter")
MAX_WIDTH = 40
MAX_STONES = 180

_ID = re.compile(r"(chess|slide|welter)-([1-9][0-9]?)(?:-reach-([1-9][0-9]?))?|stones-([1-9][0-9]{0,2})", re.ASCII)


@dataclass(frozen=True)
class Strip:
    """A game on a strip of cells. A row is an index of `width` bits: bit 0 is the rightmost cell."""

    rule: str
    width: int
    reach: int | None = None

    @property
    def name(self) -> str:
        """The name of the game in the header: its rule."""
        return self.rule

    @property
    def id(self) -> str:
        """The name of the table, such as `chess-20` or `slide-24-reach-3`."""
        limit = "" if self.reach is None else f"-reach-{self.reach}"
        return f"{self.rule}-{self.width}{limit}"

    @property
    def size(self) -> dict[str, str]:
        """The fields of the header that give the size."""
        limit = {} if self.reach is None else {"reach": str(self.reach)}
        return {"width": str(self.width), **limit}

    @property
    def entries(self) -> int:
        """The number of rows: `2 ** width`."""
        return 1 << self.width

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every pair of bits `(from, to)` that is near enough for a move of the piece at `from`."""
        for start in range(self.width):
            nearest = 0 if self.reach is None else max(0, start - self.reach)
            for target in range(nearest, start):
                yield start, target

    def between(self, start: int, target: int) -> tuple[int, int | None]:
        """The cells strictly between two bits as a mask, and what a row must have there: `None` for anything."""
        mask = (1 << start) - (2 << target)
        return mask, {"chess": mask, "slide": 0, "welter": None}[self.rule]

    def moves(self, row: int) -> Iterator[tuple[int, int]]:
        """The moves of a row, each as the bit that it clears and the lower bit that it sets."""
        for start, target in self.pairs():
            mask, wanted = self.between(start, target)
            if row >> start & 1 and not row >> target & 1 and (wanted is None or row & mask == wanted):
                yield start, target

    def picture(self, index: int) -> str:
        """The row at `index`: `#` a piece, `.` an empty cell."""
        return format(index, f"0{self.width}b").replace("0", ".").replace("1", "#")


@dataclass(frozen=True)
class Stones:
    """The stones game of Codeforces 768E with at most `max` stones in play.

    A state is `r` stones left and the amounts already used, of which those above `r` do not matter.
    """

    max: int

    @property
    def name(self) -> str:
        """The name of the game in the header."""
        return "stones"

    @property
    def id(self) -> str:
        """The name of the table, such as `stones-60`."""
        return f"stones-{self.max}"

    @property
    def size(self) -> dict[str, str]:
        """The fields of the header that give the size."""
        return {"max": str(self.max)}

    @property
    def entries(self) -> int:
        """The number of states."""
        return int(self.layer_starts[-1])

    @functools.cached_property
    def subsets(self) -> npt.NDArray[np.int64]:
        """The array N: `N[j, b]` subsets of {1..j} have a sum of at most b. Shape `(max + 1, max + 1)`."""
        counts = np.ones((self.max + 1, self.max + 1), np.int64)
        for j in range(1, self.max + 1):
            counts[j] = counts[j - 1]
            counts[j, j:] += counts[j - 1, : self.max + 1 - j]
        return counts

    @functools.cached_property
    def layer_starts(self) -> npt.NDArray[np.int64]:
        """The place of the first state with r stones left, for r = 0 .. max + 1. Shape `(max + 2,)`."""
        left = np.arange(self.max + 1)
        return np.concatenate(([0], np.cumsum(self.subsets[left, self.max - left])))

    def rank(self, left: int, used: Iterable[int]) -> int:
        """The place of a state in the table. Raises `PositionError` where it is none."""
        amounts = list(used)
        if len(set(amounts)) != len(amounts) or any(amount < 1 for amount in amounts):
            raise PositionError(f"used amounts {amounts}: expected different amounts of at least 1")
        amounts = sorted((amount for amount in amounts if amount <= left), reverse=True)
        if left < 0 or left + sum(amounts) > self.max:
            raise PositionError(
                f"{left} left and the used amounts {amounts} up to it make {left + sum(amounts)} stones:"
                f" expected 0 to {self.max}, or a larger table"
            )
        budget = self.max - left
        place = int(self.layer_starts[left])
        for amount in amounts:
            place += int(self.subsets[amount - 1, budget])
            budget -= amount
        return place

    def unrank(self, index: int) -> tuple[int, tuple[int, ...]]:
        """The state at a place: the stones left, and the used amounts from the lowest."""
        left = int(np.searchsorted(self.layer_starts, index, "right")) - 1
        rest, budget, used = index - int(self.layer_starts[left]), self.max - left, []
        for amount in range(min(left, budget), 0, -1):
            without = int(self.subsets[amount - 1, budget])
            if rest >= without:
                rest -= without
                budget -= amount
                used.append(amount)
        return left, tuple(reversed(used))

    def picture(self, index: int) -> str:
        """The state at `index`, written `r` or `r:used,used`."""
        left, used = self.unrank(index)
        return f"{left}:{','.join(map(str, used))}" if used else str(left)


Game = Strip | Stones


def parse_id(text: str) -> Game:
    """The game of an id. Raises `ValueError` where it is not the one canonical form."""
    found = _ID.fullmatch(text)
    if found is not None:
        rule, width, reach, stones = found.groups()
        if stones is not None and int(stones) <= MAX_STONES:
            return Stones(int(stones))
        # A reach of width - 1 or more is no limit: it would be a second name for the same table.
        if rule is not None and int(width) <= MAX_WIDTH and (reach is None or int(reach) < int(width) - 1):
            return Strip(rule, int(width), None if reach is None else int(reach))
    raise ValueError(f"{text!r} is not the id of a table: expected such as chess-20, slide-24-reach-3 or stones-60")
