#!/usr/bin/env python3
"""Draws the table of a strip game as a grey picture, with numpy and the standard library alone.

    examples/draw_table.py tables/chess-16.safetensors chess-16.png

The row at (x, y) of the picture has the bits of y (from the top) in front of those of x: the left half of a strip
names the line, the right half the column. Black is 0, white the largest value. A name that ends in .pgm
gives that format, any other PNG.
"""

import json
import struct
import sys
import zlib

import numpy as np


def read_table(path):
    """The metadata and the mapped values of a table. The package in python/ does this with all checks."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    metadata = header["__metadata__"]
    return metadata, np.memmap(path, np.uint8, "r", 4096, (int(metadata["entries"]),))


def shades(metadata, values):
    """The values as grey levels, in lines of 2^ceil(width / 2) pixels."""
    width = int(metadata["width"])
    if width > 26:
        sys.exit(f"{metadata['id']} would be a picture of 2^{width} pixels: draw a table of at most 26 cells")
    scale = np.arange(256) * 255 // max(1, int(metadata["max_value"]))
    grey = np.minimum(scale, 255).astype(np.uint8)
    return grey[values.reshape(1 << width // 2, -1)]


def pgm(pixels):
    lines, columns = pixels.shape
    return b"P5\n%d %d\n255\n" % (columns, lines) + pixels.tobytes()


def png(pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines, columns = pixels.shape
    # Each line begins with the number of its filter: 0, none.
    filtered = np.insert(pixels, 0, 0, axis=1).tobytes()
    head = struct.pack(">IIBBBBB", columns, lines, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(filtered)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def main():
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} TABLE PICTURE")
    metadata, values = read_table(sys.argv[1])
    if "width" not in metadata:
        sys.exit(f"{metadata['id']} has no cells: give the table of a strip, such as chess-16")
    pixels = shades(metadata, values)
    with open(sys.argv[2], "wb") as picture:
        picture.write(pgm(pixels) if sys.argv[2].endswith(".pgm") else png(pixels))


if __name__ == "__main__":
    main()
