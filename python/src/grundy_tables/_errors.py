"""What can be wrong with a file or a position."""


class FormatError(ValueError):
    """A file is no table: the message says what was found, what was expected, and what to do."""


class PositionError(ValueError):
    """What was given is no position of the game of the table."""
