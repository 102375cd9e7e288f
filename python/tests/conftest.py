import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import naive

import grundy_tables

values_of = functools.lru_cache(maxsize=None)(naive.values_of)


@pytest.fixture
def write(tmp_path):
    """Writes the table of an id, with right values unless others are given, and gives its path."""

    def write(table_id, values=None, **changes):
        path = tmp_path / f"{table_id}.safetensors"
        path.write_bytes(naive.file_of(table_id, values_of(table_id) if values is None else values, **changes))
        return path

    return write


@pytest.fixture
def table(write):
    """Opens the table of an id made by the definition."""
    return lambda *args, **changes: grundy_tables.open(write(*args, **changes))


@pytest.fixture(scope="session")
def command():
    """Runs the built command, named by GRUNDY_BIN, and gives what it prints."""
    program = os.environ.get("GRUNDY_BIN")
    if not program:
        pytest.skip("GRUNDY_BIN names no built command")
    program = str(Path(program).resolve())

    def run(*words):
        return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout

    return run
