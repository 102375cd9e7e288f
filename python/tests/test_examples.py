"""The script that draws a table, run as a program; its pictures are read back here."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import naive
import numpy as np
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "draw_table.py"


@pytest.fixture
def draw(write, tmp_path):
    """Draws a table and gives the bytes of the picture, or fails."""

    def draw(table_id, name):
        if not SCRIPT.exists():
            pytest.skip("the package stands without the examples")
        words = [sys.executable, str(SCRIPT), str(write(table_id)), str(tmp_path / name)]
        subprocess.run(words, check=True, capture_output=True, text=True)
        return (tmp_path / name).read_bytes()

    return draw


def read_png(picture):
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = {}, 8
    while at < len(picture):
        (length,) = struct.unpack_from(">I", picture, at)
        kind, data = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", picture, at + 8 + length)[0] == zlib.crc32(kind + data)
        parts[kind] = data
        at += length + 12
    assert list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    columns, lines, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert rest == [8, 0, 0, 0, 0], "grey, a byte a pixel"
    filtered = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(lines, columns + 1)
    assert not filtered[:, 0].any()
    return filtered[:, 1:]


@pytest.mark.parametrize(("table_id", "shape"), [("chess-8", (16, 16)), ("welter-9", (16, 32)), ("slide-1", (1, 2))])
def test_each_pixel_is_the_value_of_its_row(draw, table_id, shape):
    values = np.frombuffer(naive.values_of(table_id), np.uint8)
    expected = (values.astype(int) * 255 // max(1, values.max())).reshape(shape)
    assert np.array_equal(read_png(draw(table_id, "picture.png")), expected)
    head = b"P5\n%d %d\n255\n" % (shape[1], shape[0])
    assert draw(table_id, "picture.pgm") == head + expected.astype(np.uint8).tobytes()


def test_a_table_without_cells_is_refused(draw):
    with pytest.raises(subprocess.CalledProcessError) as raised:
        draw("stones-3", "picture.png")
    assert "stones-3 has no cells" in raised.value.stderr
