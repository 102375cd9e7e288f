import os
import re
import socket

import naive
import numpy as np
import pytest

import grundy_tables
from grundy_tables import FormatError

IDS = ["chess-1", "chess-4", "slide-6", "welter-7", "slide-9-reach-3", "stones-1", "stones-12"]


@pytest.mark.parametrize("table_id", IDS)
def test_a_table_opens_with_its_values_and_metadata(write, table_id):
    path = write(table_id)
    table = grundy_tables.open(path)
    values = naive.values_of(table_id)
    assert table.values.tobytes() == values
    assert (table.values.dtype, table.values.shape) == (np.uint8, (len(values),))
    assert isinstance(table.values, np.memmap) and not table.values.flags.writeable
    assert (table.id, table.path, len(table)) == (table_id, path, len(values))
    assert (table.max_value, table.zero_entries) == (max(values), values.count(0))
    assert table.chunk_blake3.tobytes() == path.read_bytes()[-32:]
    assert table.metadata["format"] == "grundy-table/1" and table.metadata["blake3"] == table.blake3
    assert list(table.metadata)[:4] == ["format", "id", "game", "max" if "stones" in table_id else "width"]
    assert table_id in repr(table)


def test_a_string_is_a_path_too(write):
    assert grundy_tables.open(str(write("chess-3"))).id == "chess-3"


def test_a_table_of_several_chunks_opens(tmp_path):
    values = bytes(range(251)) * (((1 << 25) // 251) + 1)
    path = tmp_path / "table"
    path.write_bytes(naive.file_of("welter-25", values[: 1 << 25]))
    table = grundy_tables.open(path)
    assert table.chunk_blake3.shape == (2, 32)
    assert grundy_tables.verify(table, ["integrity"]).ok


@pytest.mark.parametrize("table_id", ["chess-4", "welter-5-reach-2", "stones-3"])
def test_each_changed_byte_is_refused_or_found_by_integrity(write, table_id):
    path = write(table_id)
    right = path.read_bytes()
    found = 0
    with open(path, "r+b", buffering=0) as file:
        for at in range(len(right)):
            for change in (0x01, 0x80):
                os.pwrite(file.fileno(), bytes([right[at] ^ change]), at)
                try:
                    table = grundy_tables.open(path)
                except FormatError:
                    continue
                assert at >= 4096 or re.search(rb"max_value|zero_entries|blake3", right[at - 90 : at]), at
                report = grundy_tables.verify(table, ["integrity"])
                assert not report and report.outcomes[0].first_bad is not None, (at, change)
                found += 1
            os.pwrite(file.fileno(), right[at : at + 1], at)
    assert found > 100
    assert grundy_tables.verify(grundy_tables.open(path)).ok


def test_each_other_length_is_refused(write):
    path = write("slide-6")
    length = path.stat().st_size
    for shorter in range(length - 1, -1, -1):
        os.truncate(path, shorter)
        with pytest.raises(FormatError, match="cut short"):
            grundy_tables.open(path)
    path = write("slide-6")
    for longer in (length + 1, length + 32, length + 4096):
        os.truncate(path, longer)
        with pytest.raises(FormatError, match="something behind it"):
            grundy_tables.open(path)


CHANGES = [
    ("grundy-table/1", "grundy-table/2", "format: found 'grundy-table/2'"),
    ('"id":"chess-2"', '"id":"slide-2"', "canonical"),
    ('"id":"chess-2"', '"id":"chess-02"', "field id"),
    ('"id":"chess-2"', '"id":"chess-2-reach-1"', "field id"),
    ('"id":"chess-2"', '"id":"chess-41"', "field id"),
    ('"id":"chess-2"', '"id":"chess-0"', "field id"),
    ('"id":"chess-2"', '"id":"chess-9-reach-0"', "field id"),
    ('"id":"chess-2"', '"id":"chess-9-reach-8"', "field id"),
    ('"id":"chess-2"', '"id":"stones-181"', "field id"),
    ('"id":"chess-2"', '"id":"stones-9-reach-2"', "field id"),
    ('"id":"chess-2"', '"id":"chess-2\\n"', "field id"),
    ('"id":"chess-2"', '"id":"chess-٢"', "field id"),
    ('"id":"chess-2"', '"id":"chess-3"', "entries: found '4', expected '8'"),
    ('"id":"chess-2"', '"id":"\\u0063hess-2"', "canonical"),
    ('"id":"chess-2"', '"id":["chess-2"]', "field id"),
    ('"id":"chess-2",', "", "field id: found None"),
    ('"width":"2"', '"width":"2","reach":"1"', "canonical"),
    ('"width":"2"', '"width":"2","max":"2"', "canonical"),
    ('"entries":"4"', '"entries":4', "field entries"),
    ('"entries":"4"', '"entries":"4","entries":"4"', "canonical"),
    ('"max_value":"1"', '"max_value":"256"', "field max_value"),
    ('"max_value":"1"', '"max_value":"01"', "canonical"),
    ('"max_value":"1"', '"max_value":"1_0"', "field max_value"),
    ('"max_value":"1"', '"max_value":"' + "9" * 3000 + '"', "field max_value"),
    ('"zero_entries":"3"', '"zero_entries":"5"', "field zero_entries"),
    ('"zero_entries":"3"', '"zero_entries":"-1"', "field zero_entries"),
    ('"dtype":"U8"', '"dtype":"I8"', "canonical"),
    ('"shape":[4]', '"shape":[18446744073709551615]', "canonical"),
    ('"data_offsets":[4,36]', '"data_offsets":[4,35]', "canonical"),
    (',"values"', ', "values"', "canonical"),
    ('{"__metadata__"', "[" * 3000 + '{"__metadata__"', "not the header"),
    ('{"__metadata__"', '{"metadata"', "not the header"),
    ('"__metadata__":{', '"__metadata__":7,"x":{', "no metadata"),
]


@pytest.mark.parametrize(("old", "new", "message"), CHANGES)
def test_a_header_that_contradicts_itself_is_refused_with_the_field(write, old, new, message):
    path = write("chess-2")
    right = path.read_bytes()
    text = right[8:4096].decode().rstrip()
    assert old in text
    changed = text.replace(old, new, 1).encode().ljust(4088)
    assert len(changed) == 4088
    path.write_bytes(right[:8] + changed + right[4096:])
    with pytest.raises(FormatError, match=re.escape(message)) as raised:
        grundy_tables.open(path)
    assert str(path) in str(raised.value) and len(str(raised.value)) < 400


def test_bytes_that_are_no_text_are_refused(write):
    path = write("chess-2")
    right = path.read_bytes()
    for text in (b"\xff" * 4088, b"\0" * 4088, b"7" + b" " * 4087):
        path.write_bytes(right[:8] + text + right[4096:])
        with pytest.raises(FormatError, match="header of a grundy table"):
            grundy_tables.open(path)


def test_what_is_no_regular_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    cases = {
        tmp_path: "a folder",
        tmp_path / "fifo": "a pipe",
        tmp_path / "socket": "a socket",
        "/dev/zero": "a device",
    }
    for path, kind in cases.items():
        with pytest.raises(FormatError, match=f"{kind}, expected a regular file"):
            grundy_tables.open(path)
    with pytest.raises(FileNotFoundError):
        grundy_tables.open(tmp_path / "missing")


def test_plain_numpy_reads_the_file(write):
    path = write("welter-8")
    values = np.memmap(path, np.uint8, "r", 4096, (256,))
    assert values.tobytes() == naive.values_of("welter-8")


def test_the_safetensors_package_reads_the_file(write):
    from safetensors import safe_open
    from safetensors.numpy import load_file

    path = write("welter-8")
    with safe_open(path, framework="numpy") as file:
        assert sorted(file.keys()) == ["chunk_blake3", "values"]
        assert file.metadata() == grundy_tables.open(path).metadata
        assert file.get_tensor("values").tobytes() == naive.values_of("welter-8")
    assert load_file(path)["chunk_blake3"].shape == (1, 32)
