"""Opening a table: the file is hostile until every byte of its header has been compared."""

from __future__ import annotations

import builtins
import io
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import FormatError
from ._games import Game, parse_id

FORMAT = "grundy-table/1"
HEADER_BYTES = 4096
CHUNK_BYTES = 1 << 24
"""The values that share one digest."""

_AGAIN = "generate the table again"


@dataclass(frozen=True)
class Table:
    """An open table: `values` is the mapped array, the rest is what its header says."""

    path: Path
    game: Game
    max_value: int
    """The largest value, as the header says."""
    zero_entries: int
    """How many values are 0, as the header says."""
    blake3: str
    """The root digest: 64 hex digits."""
    values: np.memmap[Any, np.dtype[np.uint8]]
    """One byte an entry, shape `(entries,)`, read only, mapped: nothing is read before it is used."""
    chunk_blake3: np.memmap[Any, np.dtype[np.uint8]]
    """The digest of each 16 MiB of values, shape `(chunks, 32)`, read only, mapped."""

    @property
    def id(self) -> str:
        """The name of the table, such as `chess-20`."""
        return self.game.id

    @property
    def entries(self) -> int:
        """The number of values."""
        return self.game.entries

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the file, in its order."""
        return metadata(self.game, self.max_value, self.zero_entries, self.blake3)

    def __len__(self) -> int:
        return self.entries

    def __repr__(self) -> str:
        return f"<grundy table {self.id}: {self.entries} values, {str(self.path)!r}>"


def open(path: str | os.PathLike[str]) -> Table:
    """Maps a table and checks its whole structure: file type, length, canonical header. It reads one page.

    The file must not be changed or cut short while it is mapped: reading behind its end kills the process.

    Raises `FormatError` where the file is no table, `OSError` where it cannot be opened.
    """
    place = Path(path)
    # Asked before the file is opened, since opening some devices does something; and again of what was opened.
    _check_kind(place, os.stat(place))
    # O_NONBLOCK: never wait for the other end of a pipe.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    with builtins.open(os.open(place, flags), "rb", buffering=0) as file:
        found = os.fstat(file.fileno())
        _check_kind(place, found)
        header = _read(file, HEADER_BYTES)
        try:
            game, max_value, zero_entries, root = parse_header(header)
            _check_length(game, found.st_size)
        except FormatError as problem:
            raise FormatError(f"{place}: {problem}") from None
        return Table(
            place,
            game,
            max_value,
            zero_entries,
            root,
            np.memmap(file, np.uint8, "r", HEADER_BYTES, (game.entries,)),
            np.memmap(file, np.uint8, "r", HEADER_BYTES + game.entries, (chunks(game), 32)),
        )


def chunks(game: Game) -> int:
    """The number of chunks of values that have a digest each."""
    return -(-game.entries // CHUNK_BYTES)


def metadata(game: Game, max_value: int, zero_entries: int, root: str) -> dict[str, str]:
    """The metadata of a table in the order of the file."""
    return {
        "format": FORMAT,
        "id": game.id,
        "game": game.name,
        **game.size,
        "entries": str(game.entries),
        "max_value": str(max_value),
        "zero_entries": str(zero_entries),
        "blake3": root,
    }


def encode_header(game: Game, max_value: int, zero_entries: int, root: str) -> bytes:
    """The one form of the header of a table: 4096 bytes."""
    entries, end = game.entries, game.entries + 32 * chunks(game)

    def tensor(shape: list[int], start: int, stop: int) -> dict[str, object]:
        return {"dtype": "U8", "shape": shape, "data_offsets": [start, stop]}

    header = {
        "__metadata__": metadata(game, max_value, zero_entries, root),
        "values": tensor([entries], 0, entries),
        "chunk_blake3": tensor([chunks(game), 32], entries, end),
    }
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    length = HEADER_BYTES - 8
    return length.to_bytes(8, "little") + text.ljust(length)


def parse_header(header: bytes) -> tuple[Game, int, int, str]:
    """The game, largest value, number of zeros and root of a header. Raises `FormatError`."""
    if len(header) < HEADER_BYTES:
        raise FormatError(
            f"the file has {len(header)} bytes, fewer than the {HEADER_BYTES} of a header: it is cut short or no table"
        )
    length = int.from_bytes(header[:8], "little")
    if length != HEADER_BYTES - 8:
        raise FormatError(
            f"bytes 0..8 give a header of {length} bytes, expected {HEADER_BYTES - 8}: this is no grundy table"
        )
    fields = _metadata(header[8:])
    _expect(fields, "format", FORMAT)
    try:
        game = parse_id(_text(fields, "id"))
    except ValueError as problem:
        raise FormatError(f"header field id: {problem}; {_AGAIN}") from None
    _expect(fields, "entries", str(game.entries))
    max_value = _number(fields, "max_value", 255)
    zero_entries = _number(fields, "zero_entries", game.entries)
    root = _text(fields, "blake3")
    if not re.fullmatch(r"[0-9a-f]{64}", root):
        raise _field_error("blake3", root, "64 hex digits")
    # What else there is follows from these: the one form of the header is held against every byte.
    expected = encode_header(game, max_value, zero_entries, root)
    if expected != header:
        at = next(at for at in range(HEADER_BYTES) if header[at] != expected[at])
        raise FormatError(f"byte {at} of the header differs from the canonical form of the same header: {_AGAIN}")
    return game, max_value, zero_entries, root


def _metadata(text: bytes) -> dict[str, object]:
    try:
        header = json.loads(text.decode("utf-8"))
        fields = header["__metadata__"]
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise FormatError(
            f"bytes 8..{HEADER_BYTES} are not the header of a grundy table: {problem!r:.80}; {_AGAIN}"
        ) from None
    if not isinstance(fields, dict):
        raise FormatError(f"bytes 8..{HEADER_BYTES} are not the header of a grundy table: no metadata; {_AGAIN}")
    return fields


def _text(fields: dict[str, object], name: str) -> str:
    text = fields.get(name)
    if not isinstance(text, str):
        raise _field_error(name, text, "a text")
    return text


def _expect(fields: dict[str, object], name: str, expected: str) -> None:
    found = _text(fields, name)
    if found != expected:
        raise _field_error(name, found, repr(expected))


def _number(fields: dict[str, object], name: str, most: int) -> int:
    text = _text(fields, name)
    # At most 20 digits, so that a hostile text cannot make a large number.
    if not re.fullmatch(r"[0-9]{1,20}", text) or int(text) > most:
        raise _field_error(name, text, f"a number up to {most}")
    return int(text)


def _field_error(name: str, found: object, expected: str) -> FormatError:
    return FormatError(f"header field {name}: found {found!r:.80}, expected {expected}; {_AGAIN}")


def _check_length(game: Game, found: int) -> None:
    expected = HEADER_BYTES + game.entries + 32 * chunks(game)
    if found != expected:
        raise FormatError(
            f"the file has {found} bytes, but its header describes {expected}:"
            f" it is cut short or has something behind it; {_AGAIN}"
        )


def _check_kind(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        kind = kinds.get(stat.S_IFMT(found.st_mode), "a device")
        raise FormatError(f"{path} is {kind}, expected a regular file")


def _read(file: io.RawIOBase, length: int) -> bytes:
    parts = b""
    while len(parts) < length:
        part = file.read(length - len(parts))
        if not part:
            break
        parts += part
    return parts
