"""Proof of a table: that its bytes are those that were written, and that they keep the law.

- integrity: the digests and counts of the values are those that the file gives.
- law: every value is the mex of the values of its options in this same table. Every move lowers the index, so by
  induction this alone proves the table, without trust in what made it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import blake3
import numpy as np

from ._games import Strip
from ._law_stones import expected_stones
from ._law_strip import expected_strip
from ._table import CHUNK_BYTES, Table

CHECKS = ("integrity", "law")


@dataclass(frozen=True)
class Bad:
    """What is wrong: an entry, with its place and picture; or a digest or count, with its name."""

    index: int
    row: str
    found: int | str
    expected: int | str


@dataclass(frozen=True)
class Outcome:
    """The result of one check: how many entries (for integrity: digests and counts) are bad, and the first."""

    check: str
    bad: int
    first_bad: Bad | None

    @property
    def ok(self) -> bool:
        """Whether the check holds."""
        return self.bad == 0


@dataclass(frozen=True)
class Report:
    """The results of all checks asked for."""

    outcomes: tuple[Outcome, ...]

    @property
    def ok(self) -> bool:
        """Whether all of them hold."""
        return all(outcome.ok for outcome in self.outcomes)

    def __bool__(self) -> bool:
        return self.ok


def verify(table: Table, checks: Iterable[str] = CHECKS) -> Report:
    """Runs the named checks, `integrity` and `law`, over the whole table.

    It works in blocks: beside the mapped table it needs a few dozen MiB, whatever the size of the table.
    """
    names = list(checks)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        raise ValueError(f"unknown check {unknown[0]!r}: expected {' or '.join(CHECKS)}")
    runs = {"integrity": _integrity, "law": _law}
    return Report(tuple(runs[name](table) for name in names))


def _integrity(table: Table) -> Outcome:
    digests = []
    most, zeros = 0, 0
    for start in range(0, table.entries, CHUNK_BYTES):
        chunk = np.asarray(table.values[start : start + CHUNK_BYTES])
        digests.append(blake3.blake3(chunk.data).digest())
        most = max(most, int(chunk.max()))
        zeros += chunk.size - int(np.count_nonzero(chunk))
    root = blake3.blake3(b"".join(digests)).hexdigest()
    bad = list(_wrong_chunks(table, digests))
    claims: list[tuple[str, int | str, int | str]] = [
        ("blake3", root, table.blake3),
        ("max_value", most, table.max_value),
        ("zero_entries", zeros, table.zero_entries),
    ]
    for name, found, claimed in claims:
        if found != claimed:
            bad.append(Bad(0, name, found, claimed))
    return Outcome("integrity", len(bad), bad[0] if bad else None)


def _wrong_chunks(table: Table, digests: list[bytes]) -> Iterator[Bad]:
    for chunk, (found, claimed) in enumerate(zip(digests, table.chunk_blake3, strict=True)):
        if found != claimed.tobytes():
            start = chunk * CHUNK_BYTES
            last = min(start + CHUNK_BYTES, table.entries) - 1
            yield Bad(start, f"chunk {chunk}, entries {start} to {last}", found.hex(), claimed.tobytes().hex())


def _law(table: Table) -> Outcome:
    game, values = table.game, table.values
    blocks = expected_strip(game, values) if isinstance(game, Strip) else expected_stones(game, values)
    bad, first = 0, None
    for start, expected in blocks:
        found = values[start : start + expected.size]
        wrong = np.flatnonzero(found != expected)
        bad += wrong.size
        if first is None and wrong.size > 0:
            at = int(wrong[0])
            first = Bad(start + at, game.picture(start + at), int(found[at]), int(expected[at]))
    return Outcome("law", bad, first)
