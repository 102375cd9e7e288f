"""Complete tables of Grundy values, mapped with numpy.

>>> import grundy_tables
>>> table = grundy_tables.open("tables/chess-20.safetensors")    # doctest: +SKIP
>>> table.values[0b110], grundy_tables.value(table, [18, 19])    # doctest: +SKIP
(2, 2)

`open` checks the structure of a file and maps it; `verify` proves its values; `value` and `winning_moves` play.
The format is described in docs/format.md of the project.
"""

from ._errors import FormatError, PositionError
from ._games import Game, Stones, Strip, parse_id
from ._play import PileMove, Position, RowMove, index_of, value, winning_moves
from ._rows import bits_from_row, row_from_bits, row_from_cells, row_from_text, row_picture
from ._table import Table, open
from ._verify import Bad, Outcome, Report, verify

__version__ = "0.1.0"

__all__ = [
    "Bad",
    "FormatError",
    "Game",
    "Outcome",
    "PileMove",
    "Position",
    "PositionError",
    "Report",
    "RowMove",
    "Stones",
    "Strip",
    "Table",
    "bits_from_row",
    "index_of",
    "open",
    "parse_id",
    "row_from_bits",
    "row_from_cells",
    "row_from_text",
    "row_picture",
    "value",
    "verify",
    "winning_moves",
]
